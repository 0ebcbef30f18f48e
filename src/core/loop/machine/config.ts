import type { ConfigEvent } from "./event.ts"
import type { LoopConfig } from "./state.ts"

/** The options after one part was replaced. */
export const withConfig = (config: LoopConfig, event: ConfigEvent): LoopConfig => {
  switch (event._tag) {
    case "ModelChosen":
      return { ...config, choice: event.choice }
    case "PromptChanged":
      return { ...config, prompt: event.prompt }
    case "CompactionTuned":
      return { ...config, compaction: event.compaction }
    case "LimitsChanged":
      return { ...config, limits: event.limits }
    case "SideTasksTuned":
      return { ...config, side: event.side }
    case "OutputPromised":
      return { ...config, jsonSchema: event.jsonSchema }
    case "HooksRegistered":
      return { ...config, hookEvents: event.events }
    case "AudienceChanged":
      return { ...config, canAsk: event.canAsk }
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** One event for each part that differs. */
export const configEvents = (before: LoopConfig, after: LoopConfig): ReadonlyArray<ConfigEvent> => {
  const { choice, prompt, compaction, limits, side, jsonSchema, hookEvents, canAsk } = after
  const events: ReadonlyArray<readonly [keyof LoopConfig, ConfigEvent]> = [
    ["choice", { _tag: "ModelChosen", choice }],
    ["prompt", { _tag: "PromptChanged", prompt }],
    ["compaction", { _tag: "CompactionTuned", compaction }],
    ["limits", { _tag: "LimitsChanged", limits }],
    ["side", { _tag: "SideTasksTuned", side }],
    ["jsonSchema", { _tag: "OutputPromised", jsonSchema }],
    ["hookEvents", { _tag: "HooksRegistered", events: hookEvents }],
    ["canAsk", { _tag: "AudienceChanged", canAsk }]
  ]
  return events.flatMap(([part, event]) => (isSame(before[part], after[part]) ? [] : [event]))
}
