import { configEvents } from "../../core/loop/machine/config.ts"
import type { LoopEvent } from "../../core/loop/machine/event.ts"
import type { CompactionConfig, LimitsConfig, LoopConfig, ModelChoice, PromptConfig } from "../../core/loop/machine/state.ts"

/** The loop's options as recordings of version 0.1 hold them: one record without parts. */
export interface FlatConfig
  extends
    ModelChoice,
    PromptConfig,
    LimitsConfig,
    Readonly<LoopConfig["place"]>,
    Pick<LoopConfig, "tools" | "jsonSchema" | "hookEvents" | "canAsk"> {
  readonly autoCompact: boolean
  readonly compactionDisabled?: true
  readonly autoWindowTokens: CompactionConfig["windowTokens"]
  readonly autoPercent?: number
}

export const configFromFlat = (flat: FlatConfig): LoopConfig => {
  const { sessionId, projectDir, sessionDir, userId } = flat
  const { model, fallbackModels, thinking, effort, explicitOutputTokens, windowTokens, betas, caching } = flat
  const { maxTurns, maxBudgetUsd, structuredRetries, parallelCalls, checkTimeoutMs, retry } = flat
  const { system, userContext, tools, jsonSchema, hookEvents, canAsk } = flat
  return {
    place: { sessionId, projectDir, sessionDir, userId },
    choice: { model, fallbackModels, thinking, effort, explicitOutputTokens, windowTokens, betas, caching },
    prompt: { system, userContext },
    tools,
    compaction: {
      isAutomatic: flat.autoCompact,
      isDisabled: flat.compactionDisabled === true,
      windowTokens: flat.autoWindowTokens,
      percent: flat.autoPercent
    },
    limits: { maxTurns, maxBudgetUsd, structuredRetries, parallelCalls, checkTimeoutMs, retry },
    jsonSchema,
    hookEvents,
    canAsk
  }
}

const flatten = (config: LoopConfig): FlatConfig => {
  const { place, choice, prompt, compaction, limits, ...rest } = config
  return {
    ...rest,
    ...place,
    ...limits,
    ...prompt,
    ...choice,
    autoCompact: compaction.isAutomatic,
    ...(compaction.isDisabled ? { compactionDisabled: true as const } : {}),
    autoWindowTokens: compaction.windowTokens,
    ...(compaction.percent === undefined ? {} : { autoPercent: compaction.percent })
  }
}

export type RecordedOccurrence =
  | LoopEvent
  | { readonly _tag: "ConfigChanged"; readonly config: Partial<FlatConfig>; readonly at: number; readonly agent?: never }

/** What a recorded event says in the words of today. */
export const eventsOf = (recorded: RecordedOccurrence, config: LoopConfig): ReadonlyArray<LoopEvent> =>
  recorded._tag === "ConfigChanged"
    ? configEvents(config, configFromFlat({ ...flatten(config), ...recorded.config })).map((event) => ({
        ...event,
        at: recorded.at
      }))
    : [recorded]
