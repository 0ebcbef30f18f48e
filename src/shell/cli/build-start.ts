import { Result } from "effect"
import { parseMode } from "../../core/permission/mode.ts"
import { parseRule } from "../../core/permission/rules/parse.ts"
import type { Arguments } from "./arguments.ts"
import { EFFORTS, INPUT_FORMATS, OUTPUT_FORMATS, THINKING } from "./tables/flags.ts"
import { LATER_FLAGS } from "./tables/later-flags.ts"
import {
  SETTING_SOURCES,
  type DebugOptions,
  type LaterFlag,
  type ModelOptions,
  type OutputOptions,
  type PermissionOptions,
  type PromptText,
  type SessionOptions,
  type SettingSource,
  type Start
} from "./options.ts"
import { printableArgument, UsageError } from "./usage-error.ts"
import type { Values } from "./values.ts"

/** Turns checked flag values into the typed record of a session start. */
const oneOf = <A extends string>(choices: ReadonlyArray<A>, value: string | undefined): A | undefined =>
  choices.find((choice) => choice === value)

/** Leaves out what was not given, so that absent stays absent. */
const given = <K extends string, A>(key: K, value: A | undefined): { readonly [P in K]?: A } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: A })

const outputOptions = (values: Values): OutputOptions => {
  const schema = values.text("--json-schema")
  return {
    outputFormat: oneOf(OUTPUT_FORMATS, values.text("--output-format")) ?? "text",
    inputFormat: oneOf(INPUT_FORMATS, values.text("--input-format")) ?? "text",
    verbose: values.has("--verbose"),
    includePartialMessages: values.has("--include-partial-messages"),
    includeHookEvents: values.has("--include-hook-events"),
    replayUserMessages: values.has("--replay-user-messages"),
    ...given("jsonSchema", schema === undefined ? undefined : (JSON.parse(schema.trimStart()) as Record<string, unknown>)),
    ...given("maxTurns", values.number("--max-turns")),
    ...given("maxBudgetUsd", values.number("--max-budget-usd"))
  }
}

const modelOptions = (values: Values): ModelOptions => ({
  ...given("model", values.text("--model")),
  fallbackModels: values.list("--fallback-model") ?? [],
  ...given("effort", oneOf([...EFFORTS, "auto"] as const, values.text("--effort"))),
  ...given("thinking", oneOf(THINKING, values.text("--thinking"))),
  ...given("thinkingDisplay", values.text("--thinking-display")),
  ...given("maxThinkingTokens", values.number("--max-thinking-tokens")),
  betas: values.list("--betas") ?? [],
  requireCredential: values.has("--require-credential")
})

const sessionFrom = (values: Values): SessionOptions["from"] => {
  if (values.has("--continue")) return { _tag: "Continue" }
  return values.has("--resume") ? { _tag: "Resume", ...given("session", values.text("--resume")) } : { _tag: "New" }
}

const sessionOptions = (values: Values): SessionOptions => ({
  from: sessionFrom(values),
  fork: values.has("--fork-session"),
  ...given("sessionId", values.text("--session-id")?.toLowerCase()),
  ...given("resumeAt", values.text("--resume-session-at")?.toLowerCase()),
  persist: !values.has("--no-session-persistence"),
  ...given("name", values.text("--name"))
})

const toolChoice = (tools: ReadonlyArray<string> | undefined): PermissionOptions["tools"] =>
  tools?.length === 1 && tools[0] === "default" ? "default" : tools

/** The stricter of the two ways to name a mode wins: `--permission-mode plan` holds although bypass is available. */
const permissionOptions = (values: Values): PermissionOptions => {
  const named = values.text("--permission-mode")
  const skip = values.has("--dangerously-skip-permissions")
  const mode = named === undefined ? (skip ? "bypassPermissions" : undefined) : parseMode(named).mode
  return {
    ...given("mode", mode),
    bypassAvailable: skip || values.has("--allow-dangerously-skip-permissions") || mode === "bypassPermissions",
    allow: values.list("--allowedTools") ?? [],
    deny: values.list("--disallowedTools") ?? [],
    ...given("tools", toolChoice(values.list("--tools"))),
    addDirs: values.list("--add-dir") ?? [],
    askHost: values.text("--permission-prompt-tool") === "stdio",
    neverAsk: values.text("--permission-prompts") === "none"
  }
}

const promptText = (text: string | undefined, path: string | undefined): PromptText | undefined => {
  if (text !== undefined) return { from: "argument", text }
  return path === undefined ? undefined : { from: "file", path }
}

const debugOptions = (values: Values): DebugOptions => ({
  enabled: values.has("--debug") || values.has("--debug-file"),
  ...given("filter", values.text("--debug")),
  ...given("file", values.text("--debug-file")),
  ...given("record", values.text("--record"))
})

/** A deny rule that cannot be read must not be lost: unlike an allow rule it stops the start. */
const denyRuleError = (deny: ReadonlyArray<string>): UsageError | undefined => {
  for (const text of deny) {
    const parsed = parseRule(text, "deny")
    if (Result.isSuccess(parsed)) continue
    const { why, suggestion } = parsed.failure
    return new UsageError({
      what: `--disallowedTools does not accept "${printableArgument(text)}"`,
      why,
      fix: suggestion === undefined ? "write Tool or Tool(specifier)" : `--disallowedTools "${suggestion}"`
    })
  }
  return undefined
}

const settingSources = (
  names: ReadonlyArray<string> | undefined
): Result.Result<ReadonlyArray<SettingSource> | undefined, UsageError> => {
  const unknown = names?.find((name) => oneOf(SETTING_SOURCES, name) === undefined)
  if (unknown === undefined) return Result.succeed(names && SETTING_SOURCES.filter((source) => names.includes(source)))
  return Result.fail(
    new UsageError({
      what: `--setting-sources does not accept "${printableArgument(unknown)}"`,
      why: `accepted: ${SETTING_SOURCES.join(", ")}`,
      fix: "--setting-sources user,project,local"
    })
  )
}

const laterFlags = (args: Arguments): ReadonlyArray<LaterFlag> =>
  args.given
    .filter(({ flag }) => LATER_FLAGS.some((later) => later === flag))
    .map(({ flag, values }) => ({ flag: flag.name, ...given("value", values.at(-1)) }))

const promptHint = (args: Arguments): string | undefined => {
  const greedy = args.given.findLast(({ taken }) => taken.length > 0)
  const last = greedy?.taken.at(-1)
  return greedy === undefined || last === undefined || args.words.length > 0
    ? undefined
    : `${greedy.flag.name} took "${printableArgument(last)}" as a value; put -- before the prompt`
}

export interface StartFacts {
  readonly args: Arguments
  readonly values: Values
  readonly printBecause: Start["printBecause"]
}

export const buildStart = ({ args, values, printBecause }: StartFacts): Result.Result<Start, UsageError> =>
  Result.gen(function* () {
    const permissions = permissionOptions(values)
    const denyError = denyRuleError(permissions.deny)
    if (denyError !== undefined) return yield* Result.fail(denyError)
    const sources = yield* settingSources(values.list("--setting-sources"))
    const modeNotice = parseMode(values.text("--permission-mode") ?? "default").warning
    return {
      _tag: "Start" as const,
      ...given("prompt", args.words[0]),
      ...given("promptHint", promptHint(args)),
      ...given("printBecause", printBecause),
      output: outputOptions(values),
      model: modelOptions(values),
      session: sessionOptions(values),
      permissions,
      ...given("systemPrompt", promptText(values.text("--system-prompt"), values.text("--system-prompt-file"))),
      ...given(
        "appendSystemPrompt",
        promptText(values.text("--append-system-prompt"), values.text("--append-system-prompt-file"))
      ),
      debug: debugOptions(values),
      bare: values.has("--bare"),
      trust: values.has("--trust"),
      axScreenReader: values.has("--ax-screen-reader"),
      inline: values.has("--inline"),
      awaitInitialize: values.has("--await-initialize"),
      dumpsSystemPrompt: values.has("--dump-system-prompt"),
      settings: {
        ...given("sources", sources),
        ...given("flag", values.text("--settings")),
        ...given("managed", values.text("--managed-settings")),
        strict: values.has("--strict-settings")
      },
      later: laterFlags(args),
      notices: modeNotice === undefined ? [] : [modeNotice]
    }
  })
