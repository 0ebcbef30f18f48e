import { USUAL_CLEARING } from "../../core/context/reduction/reduction.ts"
import { resolveAutoWindow } from "../../core/model/tokens/threshold.ts"
import { resolveWindow } from "../../core/model/tokens/window.ts"
import { resolveCaching } from "../../core/model/request/cache.ts"
import { systemPrompt } from "../../core/context/system-prompt.ts"
import type { SourceKind } from "../../core/context/sources/source.ts"
import { SOURCE_KINDS } from "../../core/context/sources/table.ts"
import { isOn, readVariable } from "../../core/domain/env.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { defaultOutputTokens, isOfflineModel, outputCap } from "../../core/model/catalog/model.ts"
import { contextWindow } from "../../core/model/tokens/window-table.ts"
import type { HookEvent } from "../../core/hooks/hook-event.ts"
import type { JsonSchema } from "../../core/model/request/model-request.ts"
import type { CompactionConfig, LimitsConfig, LoopConfig, ModelChoice, PromptConfig } from "../../core/loop/machine/state.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { SideKind } from "../../core/context/side/side-task.ts"
import { sideOptions } from "../side/side-options.ts"
import type { HostSetup } from "./session-handle.ts"
import { type NumberVariable, wholeNumber } from "../plan/environment.ts"
import { type ChosenModel, effortOf, thinkingOf } from "../plan/choose-model.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { offlineWindow } from "../plan/port-options.ts"

export interface ConfigInput {
  readonly plan: SessionPlan
  readonly chosen: ChosenModel
  readonly sessionId: string
  readonly sessionDir: string
  readonly toolNames: ReadonlyArray<string>
  readonly memoryDir: string | undefined
  readonly setup: Omit<HostSetup, "hooks">
  /** Of the session that is continued, which goes on with it whatever the options say now. */
  readonly recordedPrompt?: PromptConfig["system"] | undefined
  /** Events that hooks listen to. */
  readonly hookEvents: ReadonlyArray<HookEvent>
  readonly canAsk: boolean
  /** Side tasks whose results somebody sees. */
  readonly shows: ReadonlyArray<SideKind>
}

/** The schema that the answer must fit: the host's goes before the command line's. */
export const schemaOf = ({ plan, setup }: Pick<ConfigInput, "plan" | "setup">): JsonSchema | undefined =>
  setup.jsonSchema ?? plan.start.output.jsonSchema

const explicitOutput = (plan: SessionPlan, model: string): number | undefined => {
  const value = readVariable(plan.env, "MAX_OUTPUT_TOKENS")
  if (value === undefined) return undefined
  return wholeNumber(
    {
      name: "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
      value,
      fallback: defaultOutputTokens(model),
      minimum: 1,
      maximum: outputCap(model)
    },
    plan.complain
  )
}

const maxContext = (plan: SessionPlan, model: string): number | undefined => {
  const value = readVariable(plan.env, "MAX_CONTEXT_TOKENS")
  if (value === undefined) return undefined
  return wholeNumber(
    { name: "CLAUDE_CODE_MAX_CONTEXT_TOKENS", value, fallback: contextWindow(model), minimum: 1_000, maximum: 10_000_000 },
    plan.complain
  )
}

/** The window where the environment changes it; otherwise each model, fallbacks too, has the one its id tells. */
const changedWindow = (plan: SessionPlan, model: string): number | undefined => {
  const maxContextTokens = maxContext(plan, model)
  const tokens = resolveWindow(model, {
    ...(maxContextTokens === undefined ? {} : { maxContextTokens }),
    compactionDisabled: isOn(plan.env["DISABLE_COMPACT"]),
    largeWindowDisabled: isOn(readVariable(plan.env, "DISABLE_1M_CONTEXT")),
    ...(isOfflineModel(model) ? { offlineTokens: offlineWindow(plan) } : {})
  })
  return tokens === contextWindow(model) ? undefined : tokens
}

/** The variable takes plain digits only and has bounds; whoever gets another window than asked for is told. */
const autoWindow = (plan: SessionPlan, windowTokens: number): number | undefined => {
  const env = readVariable(plan.env, "AUTO_COMPACT_WINDOW")
  const setting = settingOf(plan.settings.current().snapshot, "autoCompactWindow")
  if (env === undefined) return setting === undefined ? undefined : resolveAutoWindow({ setting }, windowTokens)
  const tokens = resolveAutoWindow({ env }, windowTokens)
  if (String(tokens) !== env.trim()) {
    const meaning = tokens === undefined ? "is not a number of tokens and is ignored" : `is used as ${tokens} tokens`
    plan.complain(`CLAUDE_CODE_AUTO_COMPACT_WINDOW=${env} ${meaning}`)
  }
  return tokens
}

/** What cannot be read is reported and left out. */
const autoPercent = ({ env, complain }: SessionPlan): number | undefined => {
  const name = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
  const percent = wholeNumber({ name, value: env[name], fallback: 0, minimum: 0, maximum: 100 }, complain)
  return percent === 0 ? undefined : percent
}

const compactsItself = ({ env, settings }: SessionPlan): boolean =>
  !isOn(env["DISABLE_AUTO_COMPACT"]) &&
  !isOn(env["DISABLE_COMPACT"]) &&
  settingOf(settings.current().snapshot, "autoCompactEnabled") !== false

/** A host with no prompt of its own sends an empty one: a single sentence. It sends none to get ours. */
const promptOf = (input: ConfigInput): PromptConfig["system"] => {
  const { plan, setup, recordedPrompt } = input
  if (recordedPrompt !== undefined) return recordedPrompt
  const custom = setup.systemPrompt ?? plan.systemPrompt
  const append = setup.appendSystemPrompt ?? plan.appendSystemPrompt
  const sdkMinimal = plan.start.output.inputFormat === "stream-json" && custom === ""
  return systemPrompt({
    toolNames: input.toolNames,
    ...(input.memoryDir === undefined ? {} : { memoryDir: input.memoryDir, shows: input.shows }),
    sdkMinimal,
    ...(custom === undefined || sdkMinimal ? {} : { custom }),
    ...(append === undefined ? {} : { append })
  })
}

const isBare = ({ start, env }: SessionPlan): boolean => start.bare || isOn(readVariable(env, "SIMPLE"))

const tellsOfGit = ({ env, settings }: SessionPlan): boolean =>
  settingOf(settings.current().snapshot, "includeGitInstructions") !== false &&
  !isOn(readVariable(env, "DISABLE_GIT_INSTRUCTIONS")) &&
  !isOn(readVariable(env, "REMOTE"))

/** What a session begins with; everything else is attached while it goes on. */
const OPENING: ReadonlySet<SourceKind> = new Set<SourceKind>([
  "environment",
  "model",
  "language",
  "instructions",
  "git",
  "date",
  "attribution"
])

const sourcesOf = (plan: SessionPlan): PromptConfig["sources"] =>
  SOURCE_KINDS.filter((kind) => {
    if (isOn(readVariable(plan.env, "DISABLE_ATTACHMENTS")) && !OPENING.has(kind)) return false
    if (kind === "instructions" || kind === "nested") return !isBare(plan)
    return kind === "git" ? !isBare(plan) && tellsOfGit(plan) : true
  })

const repeatedCalls = ({ settings }: SessionPlan): number => {
  const most = settingOf(settings.current().snapshot, "nacre.doomLoop") ?? true
  return typeof most === "number" ? most : most ? LIMITS.repeatedCalls : 0
}

const limitsOf = (plan: SessionPlan): LimitsConfig => {
  const read = (name: string, value: string | undefined, bounds: Omit<NumberVariable, "name" | "value">): number =>
    wholeNumber({ name, value, ...bounds }, plan.complain)
  const { env } = plan
  return {
    maxTurns: plan.start.output.maxTurns,
    maxBudgetUsd: plan.start.output.maxBudgetUsd,
    structuredRetries: read("MAX_STRUCTURED_OUTPUT_RETRIES", env["MAX_STRUCTURED_OUTPUT_RETRIES"], {
      fallback: LIMITS.structuredRetries,
      minimum: 1,
      maximum: 100
    }),
    repeatedCalls: repeatedCalls(plan),
    stopHookRounds: settingOf(plan.settings.current().snapshot, "nacre.maxStopHookContinuations") ?? LIMITS.stopHookRounds,
    parallelCalls: read("CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY", readVariable(env, "MAX_TOOL_USE_CONCURRENCY"), {
      fallback: LIMITS.parallelCalls,
      minimum: 1,
      maximum: 100
    }),
    checkTimeoutMs: read("NACRE_CLASSIFIER_TIMEOUT_MS", env["NACRE_CLASSIFIER_TIMEOUT_MS"], {
      fallback: LIMITS.checkTimeoutMs,
      minimum: 1,
      maximum: LIMITS.checkTimeoutCapMs
    }),
    retry: {
      maxRetries: read("CLAUDE_CODE_MAX_RETRIES", readVariable(env, "MAX_RETRIES"), {
        fallback: LIMITS.retries,
        minimum: 0,
        maximum: LIMITS.retriesCap
      }),
      watchdog: isOn(readVariable(env, "RETRY_WATCHDOG"))
    }
  }
}

const choiceOf = (plan: SessionPlan, { model, fallbacks }: ChosenModel): ModelChoice => {
  const explicit = explicitOutput(plan, model)
  return {
    model,
    fallbackModels: fallbacks,
    thinking: thinkingOf(plan, model, explicit ?? defaultOutputTokens(model)),
    effort: effortOf(plan, model),
    explicitOutputTokens: explicit,
    windowTokens: changedWindow(plan, model),
    betas: plan.start.model.betas,
    caching: resolveCaching(model, { env: plan.env, mainConversation: true })
  }
}

const MINUTE_MS = 60_000

/** When old results of tools are cleared: `nacre.context.micro`, each part with what holds without it. */
const clearingOf = ({ settings }: SessionPlan): CompactionConfig["clearing"] => {
  const { snapshot } = settings.current()
  const idleMinutes = settingOf(snapshot, "nacre.context.micro.idleMinutes")
  return {
    isEnabled: settingOf(snapshot, "nacre.context.micro.enabled") ?? USUAL_CLEARING.isEnabled,
    idleMs: idleMinutes === undefined ? USUAL_CLEARING.idleMs : idleMinutes * MINUTE_MS,
    keepResults: settingOf(snapshot, "nacre.context.micro.keepRecent") ?? USUAL_CLEARING.keepResults
  }
}

const compactionOf = (plan: SessionPlan, { model, windowTokens }: ModelChoice): CompactionConfig => ({
  isAutomatic: compactsItself(plan),
  isDisabled: isOn(plan.env["DISABLE_COMPACT"]),
  windowTokens: autoWindow(plan, windowTokens ?? contextWindow(model)),
  percent: autoPercent(plan),
  clearing: clearingOf(plan)
})

const memoryOf = ({ memoryDir }: ConfigInput): Pick<LoopConfig["place"], "memoryDir"> =>
  memoryDir === undefined ? {} : { memoryDir }

/** The loop's options from the command line, the environment and what a host added. */
export const makeConfig = (input: ConfigInput): LoopConfig => {
  const { plan, sessionId, sessionDir } = input
  const choice = choiceOf(plan, input.chosen)
  const prompt = { system: promptOf(input), sources: sourcesOf(plan) }
  const userId = isOn(plan.env["DO_NOT_TRACK"]) ? undefined : sessionId
  return {
    place: { sessionId, projectDir: plan.cwd, sessionDir, userId, ...memoryOf(input) },
    choice,
    prompt,
    compaction: compactionOf(plan, choice),
    limits: limitsOf(plan),
    side: sideOptions({ plan, model: choice.model, memoryDir: input.memoryDir, shows: input.shows }),
    jsonSchema: schemaOf(input),
    hookEvents: input.hookEvents,
    // Hooks may answer where nobody else can be asked.
    canAsk: input.canAsk || (input.hookEvents.includes("PermissionRequest") && !plan.start.permissions.neverAsk)
  }
}
