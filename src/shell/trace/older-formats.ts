import type { LoopConfig } from "../../core/loop/machine/state.ts"
import { NO_SIDE_TASKS } from "../../core/context/side/side-task.ts"
import { NO_CLEARING } from "../../core/context/reduction/reduction.ts"
import type { FlatConfig } from "./flat-config.ts"

/** Counts the changes after which equal events rightly lead to other commands or to states of another shape. */
export const RECORDING_FORMAT = 4
export const RECORDING_FORMATS = [1, 2, 3, RECORDING_FORMAT] as const
export type RecordingFormat = (typeof RECORDING_FORMATS)[number]

export interface ReplayedEvent {
  readonly event: string
  /** Tags of the commands, then and now. */
  readonly recorded: ReadonlyArray<string>
  readonly replayed: ReadonlyArray<string>
}

interface Change {
  /** Recordings of this format and of older ones hold what was done before. */
  readonly until: RecordingFormat
  readonly what: string
  readonly concerns: (replayed: ReplayedEvent) => boolean
}

/** What is done otherwise than when an older recording was made. All the rest still has to come out as recorded. */
const CHANGES: ReadonlyArray<Change> = [
  {
    until: 3,
    what: "the date stood before the conversation's first words, and nothing else was known of the project",
    concerns: ({ event, recorded }) => event !== "PromptSubmitted" && recorded.includes("StartRequest")
  },
  {
    until: 2,
    what: "conversations were compacted in another way",
    concerns: ({ event, recorded, replayed }) =>
      event.startsWith("Compaction") || recorded.includes("Compact") || replayed.includes("Compact")
  },
  {
    until: 3,
    what: "hooks were asked and heard in another way",
    concerns: ({ event, recorded, replayed }) =>
      event === "HooksSettled" || recorded.includes("RunHooks") || replayed.includes("RunHooks")
  }
]

/** Why an event of an older recording rightly leads to other commands today; undefined when it should not. */
export const whyOutdated = (format: RecordingFormat, replayed: ReplayedEvent): string | undefined =>
  CHANGES.find(({ until, concerns }) => format <= until && concerns(replayed))?.what

/** Options that came later, as they were before anybody could choose. */
export const withLaterOptions = <Config extends LoopConfig | FlatConfig>(config: Config): Config =>
  "compaction" in config
    ? {
        ...config,
        prompt: { ...config.prompt, sources: config.prompt.sources ?? [] },
        compaction: { ...config.compaction, clearing: config.compaction.clearing ?? NO_CLEARING },
        side: config.side ?? NO_SIDE_TASKS
      }
    : config
