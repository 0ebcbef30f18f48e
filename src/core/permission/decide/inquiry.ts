import { Result, Schema } from "effect"
import { routeOf } from "../classifier/route.ts"
import type { PermissionContext } from "../context.ts"
import { type ContextMade, makeContext } from "../configuration/make-context.ts"
import { decide } from "./decide.ts"
import type { CallFacts } from "../facts.ts"
import { withoutPrompt } from "./explain.ts"
import { inputField } from "../rules/match-tool.ts"
import { parseMode } from "../mode.ts"
import type { Need } from "../need.ts"
import { type Location, resolvePath } from "../../domain/path/path-components.ts"
import { presentName, printRule, type Rule } from "../rule.ts"
import type { ShellAnalysis } from "../bash/shell-analysis.ts"
import type { DecidedTool, PermissionRequest } from "../permission-request.ts"
import type { Decision, TraceStep, Verdict } from "../verdict.ts"

/** A question about a decision that nobody acts on: what would happen if this were called under these rules? */
const Texts = Schema.optionalKey(Schema.Array(Schema.String))

export const Inquiry = Schema.Struct({
  id: Schema.optionalKey(Schema.Unknown),
  command: Schema.optionalKey(Schema.String),
  tool: Schema.optionalKey(Schema.String),
  input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  rules: Schema.optionalKey(Schema.Struct({ allow: Texts, ask: Texts, deny: Texts })),
  mode: Schema.optionalKey(Schema.String),
  cwd: Schema.optionalKey(Schema.String),
  home: Schema.optionalKey(Schema.String),
  additionalDirectories: Texts,
  interactive: Schema.optionalKey(Schema.Boolean),
  sandbox: Schema.optionalKey(Schema.Struct({ enabled: Schema.Boolean, autoAllow: Schema.optionalKey(Schema.Boolean) }))
})
export type Inquiry = typeof Inquiry.Type

const decodeInquiry = Schema.decodeUnknownResult(Inquiry)

/** Some editors put it in front of a file. */
const BYTE_ORDER_MARK = "\ufeff"

/** The inquiry on a line of JSON, or why it is none. */
export const readInquiry = (line: string): Result.Result<Inquiry, string> =>
  Result.gen(function* () {
    const value: unknown = yield* Result.try({
      try: () => JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line),
      catch: (error) => String(error)
    })
    const inquiry = yield* Result.mapError(decodeInquiry(value), (issue) => issue.message)
    return inquiry.command === undefined && inquiry.tool === undefined
      ? yield* Result.fail("it names neither a command nor a tool")
      : inquiry
  })

type Condition =
  | "secretFiles"
  | "bypassProtectedPaths"
  | "preapprovedHosts"
  | "auto"
  | "sandbox"
  | "bypassAvailable"
  | "autoAvailable"
  | "platform"
  | "caseSensitiveFs"

/** A tool that says itself what a call of it needs. */
export interface InquiredTool {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly accept: (
    input: unknown
  ) => Result.Result<
    { readonly traits: { readonly readOnly: boolean }; readonly needs: (cwd: string) => ReadonlyArray<Need> },
    string
  >
}

export interface InquiryPlace {
  readonly tools: ReadonlyArray<InquiredTool>
  readonly cwd: string
  readonly home: string
  /** Rules and directories of settings files, where they count. */
  readonly rules?: ReadonlyArray<Rule>
  readonly directories?: ReadonlyArray<string>
  readonly configHome?: string
  /** What else settings and the machine say, as a session would be given it. */
  readonly conditions?: Partial<Pick<PermissionContext, Condition>>
  /** Contexts that were made before, by what they were made of: lines of a batch often share one. */
  readonly contexts?: Map<string, ContextMade>
}

/** Absolute directories that the inquiry is about, before anybody looked where they lead. */
export interface InquiryDirs<A> {
  readonly cwd: A
  readonly home: A
  readonly additional: ReadonlyArray<A>
}

export const dirsOf = (inquiry: Inquiry, place: InquiryPlace): InquiryDirs<string> => {
  const cwd = resolvePath(place.cwd, inquiry.cwd ?? ".")
  return {
    cwd,
    home: resolvePath(cwd, inquiry.home ?? place.home),
    additional: [
      ...(place.directories ?? []),
      ...(inquiry.additionalDirectories ?? []).map((directory) => resolvePath(cwd, directory))
    ]
  }
}

const NO_SANDBOX = { enabled: false, autoAllow: false, excluded: [], mayLeave: true }

/** Commands that run confined need no approval, unless the line says otherwise. */
const sandboxFor = ({ sandbox }: Inquiry, { conditions }: InquiryPlace): PermissionContext["sandbox"] => ({
  ...(conditions?.sandbox ?? NO_SANDBOX),
  ...(sandbox === undefined ? {} : { autoAllow: sandbox.enabled, ...sandbox })
})

const contextOf = (inquiry: Inquiry, dirs: InquiryDirs<Location>, place: InquiryPlace): ContextMade =>
  makeContext({
    mode: parseMode(inquiry.mode ?? "default").mode,
    bypassAvailable: true,
    autoAvailable: true,
    ...place.conditions,
    cwd: dirs.cwd,
    home: dirs.home,
    additionalDirs: dirs.additional,
    canPrompt: inquiry.interactive !== false,
    configHome: place.configHome ?? `${dirs.home.path}/.claude`,
    rules: place.rules ?? [],
    allow: inquiry.rules?.allow ?? [],
    ask: inquiry.rules?.ask ?? [],
    deny: inquiry.rules?.deny ?? [],
    sandbox: sandboxFor(inquiry, place)
  })

const MOST_CONTEXTS = 100

const knownContext = (inquiry: Inquiry, dirs: InquiryDirs<Location>, place: InquiryPlace): ContextMade => {
  const { contexts } = place
  if (contexts === undefined) return contextOf(inquiry, dirs, place)
  const key = JSON.stringify([inquiry.rules, inquiry.mode, inquiry.interactive, inquiry.sandbox, dirs])
  const known = contexts.get(key)
  if (known !== undefined) return known
  const made = contextOf(inquiry, dirs, place)
  if (contexts.size < MOST_CONTEXTS) contexts.set(key, made)
  return made
}

const EDITORS = new Set(["Edit", "Write", "NotebookEdit", "MultiEdit"])
const READERS = new Set(["Read", "Grep", "Glob", "LSP"])
const QUESTIONS = new Set(["AskUserQuestion", "ExitPlanMode"])
const HARMLESS = new Set(
  "TodoWrite TaskCreate TaskGet TaskList TaskUpdate TaskOutput ToolSearch CronList EnterPlanMode Agent ListMcpResources".split(
    " "
  )
)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "")

const PATH_FIELDS = ["file_path", "notebook_path", "path", "filePath"]

/** What a call needs as far as its main fields say so: an inquiry need not be complete. */
const needsByName = (tool: string, input: unknown): ReadonlyArray<Need> => {
  const path = PATH_FIELDS.map((field) => inputField(input, field)).find((value) => value !== undefined)
  const command = inputField(input, "command")
  const url = inputField(input, "url")
  if (EDITORS.has(tool) && path !== undefined) return [{ kind: "edit", path }]
  if (READERS.has(tool)) return [{ kind: "read", path: path ?? "." }]
  if ((tool === "Bash" || tool === "Monitor") && command !== undefined) return [{ kind: "shell", command }]
  if (tool === "WebFetch" && url !== undefined) return [{ kind: "fetch", url, host: hostOf(url) }]
  if (QUESTIONS.has(tool)) return [{ kind: "interaction" }]
  return [{ kind: HARMLESS.has(tool) ? "nothing" : "other" }]
}

interface Asked {
  readonly tool: DecidedTool
  readonly needs: ReadonlyArray<Need>
}

/** The tool itself says what a call needs, where there is one and the input is whole. */
const askedOf = (name: string, input: unknown, { tools, cwd }: Pick<InquiryPlace, "tools" | "cwd">): Asked => {
  const known = tools.find((tool) => tool.name === name || tool.aliases.includes(name))
  const reading = name === "Bash" ? undefined : known?.accept(input)
  const tool = { name: known?.name ?? presentName(name), aliases: known?.aliases ?? [] }
  return reading !== undefined && Result.isSuccess(reading)
    ? { tool: { ...tool, readOnly: reading.success.traits.readOnly }, needs: reading.success.needs(cwd) }
    : { tool, needs: needsByName(tool.name, input) }
}

export interface PreparedInquiry {
  readonly request: Omit<PermissionRequest, "facts">
  /** Rules that were skipped or mean less than they seem. */
  readonly problems: ReadonlyArray<string>
}

export const prepareInquiry = (inquiry: Inquiry, dirs: InquiryDirs<Location>, place: InquiryPlace): PreparedInquiry => {
  const { context, problems } = knownContext(inquiry, dirs, place)
  const warning = parseMode(inquiry.mode ?? "default").warning
  const input = inquiry.command === undefined ? (inquiry.input ?? {}) : { command: inquiry.command }
  const name = inquiry.command === undefined ? (inquiry.tool ?? "") : "Bash"
  const { tool, needs } = askedOf(name, input, { tools: place.tools, cwd: dirs.cwd.path })
  return {
    request: { context, tool, needs, input, cwd: dirs.cwd.path },
    problems: warning === undefined ? problems : [...problems, warning]
  }
}

/** The answer in the shape of the batch format. */
export interface InquiryAnswer {
  readonly id?: unknown
  readonly decision: Verdict
  readonly reason: string
  readonly reasonKind: string
  readonly matchedRule: string | null
  readonly trace: ReadonlyArray<TraceStep>
  readonly subcommands?: ReadonlyArray<{ readonly text: string; readonly decision: Verdict; readonly reason: string }>
  readonly warnings?: ReadonlyArray<string>
  readonly error?: string
}

const ruleName = ({ matchedRule }: Decision): string | null =>
  matchedRule === undefined
    ? null
    : printRule({
        tool: matchedRule.toolName,
        ...(matchedRule.ruleContent === undefined ? {} : { specifier: matchedRule.ruleContent })
      })

export interface InquiryFacts {
  readonly facts: CallFacts
  readonly analysed: ReadonlyMap<string, ShellAnalysis>
}

/** Nobody asks the classifier here: what it would answer stays open, and the answer says so. */
const leftToClassifier = (found: Decision): Decision => ({
  ...found,
  verdict: "ask",
  reason: { type: "classifier", sentence: `${found.reason.sentence}; the auto mode classifier would decide` },
  trace: [...(found.trace ?? []), { step: "classifier", result: "hit", detail: "the classifier would be asked" }]
})

/** Without a verdict and without anybody to ask, the answer is no. */
const withoutClassifier = (found: Decision): Decision => {
  const open = leftToClassifier(found)
  return {
    ...withoutPrompt(open),
    reason: { ...open.reason, sentence: `${open.reason.sentence}; without it the call is denied` }
  }
}

const resolved = ({ context, needs, input }: PreparedInquiry["request"], found: Decision): Decision => {
  const route = routeOf({ decision: found, context, needs, input: JSON.stringify(input) })
  if (route.to === "classifier") return context.canPrompt ? leftToClassifier(found) : withoutClassifier(found)
  return context.canPrompt ? found : withoutPrompt(found)
}

export const answerInquiry = (inquiry: Inquiry, prepared: PreparedInquiry, known: InquiryFacts): InquiryAnswer => {
  const { request, problems } = prepared
  const decision = resolved(request, decide({ ...request, ...known }))
  return {
    ...(inquiry.id === undefined ? {} : { id: inquiry.id }),
    decision: decision.verdict,
    reason: decision.reason.sentence,
    reasonKind: decision.reason.type,
    matchedRule: ruleName(decision),
    trace: decision.trace ?? [],
    ...(decision.subcommands === undefined
      ? {}
      : {
          subcommands: decision.subcommands.map(({ text, verdict, sentence }) => ({
            text,
            decision: verdict,
            reason: sentence
          }))
        }),
    ...(problems.length === 0 ? {} : { warnings: problems })
  }
}

const idIn = (line: string): Pick<InquiryAnswer, "id"> => {
  const value = Result.try({ try: (): unknown => JSON.parse(line), catch: () => undefined })
  const isNamed = Result.isSuccess(value) && typeof value.success === "object" && value.success !== null
  const id: unknown = isNamed ? Object.entries(value.success).find(([key]) => key === "id")?.[1] : undefined
  return id === undefined ? {} : { id }
}

/** The answer to a line that is not an inquiry. */
export const invalidAnswer = (line: string, lineNumber: number, why: string): InquiryAnswer => ({
  ...idIn(line),
  decision: "ask",
  reason: `invalid input line ${lineNumber}: ${why}`,
  reasonKind: "other",
  matchedRule: null,
  trace: [],
  error: "invalid_line"
})
