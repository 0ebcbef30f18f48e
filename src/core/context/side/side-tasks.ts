import { awaySummary } from "./away-summary.ts"
import { memoryExtract } from "./memory-extract.ts"
import { promptSuggestion } from "./prompt-suggestion.ts"
import type { SideKind, SideTask } from "./side-task.ts"
import { title } from "./title.ts"

/** All side tasks. A new one is a row here and a file beside it. */
export const SIDE_TASKS: Readonly<Record<SideKind, SideTask>> = {
  title,
  memory_extract: memoryExtract,
  prompt_suggestion: promptSuggestion,
  away_summary: awaySummary
}
