import { NO_CLEARING } from "../../core/context/reduction/reduction.ts"
import { NO_SIDE_TASKS, type SideOptions } from "../../core/context/side/side-task.ts"
import { configEvents } from "../../core/loop/machine/config.ts"
import type { LoopEvent } from "../../core/loop/machine/event.ts"
import type { ToolDefinition } from "../../core/model/request/model-request.ts"
import { BUILT_IN_NAMES } from "../../core/tools/built-in-tools.ts"
import { STRUCTURED_OUTPUT } from "../../core/tools/conversation/structured-output.ts"
import type { ToolEntry, ToolSource } from "../../core/tools/tool-entry.ts"
import type {
  AgentState,
  CompactionConfig,
  LimitsConfig,
  LoopConfig,
  ModelChoice,
  PromptConfig
} from "../../core/loop/machine/state.ts"

/** The loop's options as recordings of version 0.1 hold them: one record without parts. */
export interface FlatConfig
  extends
    ModelChoice,
    PromptConfig,
    LimitsConfig,
    Readonly<LoopConfig["place"]>,
    Pick<LoopConfig, "jsonSchema" | "hookEvents" | "canAsk"> {
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly autoCompact: boolean
  readonly compactionDisabled?: true
  readonly autoWindowTokens: CompactionConfig["windowTokens"]
  readonly autoPercent?: number
  readonly clearing?: CompactionConfig["clearing"]
  readonly side?: SideOptions
}

export const configFromFlat = (flat: Omit<FlatConfig, "tools">): LoopConfig => {
  const { sessionId, projectDir, sessionDir, userId } = flat
  const { model, fallbackModels, thinking, effort, explicitOutputTokens, windowTokens, betas, caching } = flat
  const { maxTurns, maxBudgetUsd, structuredRetries, parallelCalls, repeatedCalls, checkTimeoutMs, retry } = flat
  const { system, jsonSchema, hookEvents, canAsk } = flat
  return {
    place: { sessionId, projectDir, sessionDir, userId },
    choice: { model, fallbackModels, thinking, effort, explicitOutputTokens, windowTokens, betas, caching },
    prompt: { system, sources: flat.sources ?? [] },
    compaction: {
      isAutomatic: flat.autoCompact,
      isDisabled: flat.compactionDisabled === true,
      windowTokens: flat.autoWindowTokens,
      percent: flat.autoPercent,
      clearing: flat.clearing ?? NO_CLEARING
    },
    limits: {
      maxTurns,
      maxBudgetUsd,
      structuredRetries,
      parallelCalls,
      checkTimeoutMs,
      retry,
      ...(repeatedCalls === undefined ? {} : { repeatedCalls })
    },
    side: flat.side ?? NO_SIDE_TASKS,
    jsonSchema,
    hookEvents,
    canAsk
  }
}

const sourceOf = (name: string): ToolSource => {
  if (name === STRUCTURED_OUTPUT) return { _tag: "Schema" }
  const builtIn = BUILT_IN_NAMES.find((each) => each === name)
  return builtIn === undefined ? { _tag: "Server", server: "", hints: {} } : { _tag: "BuiltIn", name: builtIn }
}

/** The tools stood among the options, by their definitions. */
export const toolsFromFlat = ({ tools }: Pick<FlatConfig, "tools">): ReadonlyArray<ToolEntry> =>
  tools.map((definition) => ({ definition, source: sourceOf(definition.name) }))

const flatten = ({ config, toolbox }: Options): FlatConfig => {
  const { place, choice, prompt, compaction, limits, ...rest } = config
  return {
    ...rest,
    tools: toolbox.definitions,
    ...place,
    ...limits,
    ...prompt,
    ...choice,
    autoCompact: compaction.isAutomatic,
    ...(compaction.isDisabled ? { compactionDisabled: true as const } : {}),
    autoWindowTokens: compaction.windowTokens,
    clearing: compaction.clearing,
    ...(compaction.percent === undefined ? {} : { autoPercent: compaction.percent })
  }
}

type Options = Pick<AgentState, "config" | "toolbox">

export type RecordedOccurrence =
  | LoopEvent
  | { readonly _tag: "ConfigChanged"; readonly config: Partial<FlatConfig>; readonly at: number; readonly agent?: never }

/** What a recorded event says in the words of today. */
export const eventsOf = (recorded: RecordedOccurrence, before: Options): ReadonlyArray<LoopEvent> => {
  if (recorded._tag !== "ConfigChanged") return [recorded]
  const { at, config } = recorded
  const flat = { ...flatten(before), ...config }
  return [
    ...configEvents(before.config, configFromFlat(flat)).map((event) => ({ ...event, at })),
    ...(config.tools === undefined ? [] : [{ _tag: "ToolsChanged" as const, tools: toolsFromFlat(flat), at }])
  ]
}
