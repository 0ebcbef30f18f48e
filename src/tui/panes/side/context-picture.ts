import type { CategoryId, SpaceId } from "../../../core/context/usage/category.ts"
import type { ContextUsage } from "../../../core/context/usage/context-usage.ts"
import { gridOf, letterOf } from "../../../core/context/usage/grid.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { lineRow } from "../../text/line-rows.ts"

/** The window as a picture: cells in the letter and colour of what they are spent on, or a bar where there is no room. */

const QUIET: Look = { role: "subtle" }
const BUFFER: Look = { role: "warning" }

const LOOKS: Readonly<Record<CategoryId | SpaceId, Look>> = {
  system_prompt: { role: "inactive" },
  tools: { role: "suggestion" },
  mcp_tools: { role: "ide" },
  deferred_tools: { role: "inactive" },
  agents: { role: "permission" },
  skills: { role: "merged" },
  instructions: { role: "claude" },
  memory: { role: "remember" },
  summaries: { role: "planMode" },
  prompts: { role: "text", bold: true },
  answers: { role: "text" },
  thinking: { role: "comment" },
  tool_calls: { role: "function" },
  tool_results: { role: "number" },
  attachments: { role: "type" },
  images: { role: "string" },
  free: QUIET,
  compaction_buffer: BUFFER,
  output_reserve: QUIET
}

/** The letter of a category as the picture and its legend show it. */
export const letterSpan = (id: CategoryId | SpaceId): Span => ({ text: letterOf(id), look: LOOKS[id] })

/** One row of cells for each tenth of the window. */
export const gridRows = (usage: ContextUsage): ReadonlyArray<Row> =>
  gridOf(usage).map((cells) => {
    const spans = cells.flatMap(({ id }, column): ReadonlyArray<Span> => [
      ...(column === 0 ? [] : [{ text: " ", look: QUIET }]),
      letterSpan(id)
    ])
    return lineRow(spans, spans.length)
  })

const bar = (text: string, cells: number, look: Look): Span => ({ text: text.repeat(Math.max(0, cells)), look })

/** What is used, free, kept for a compaction, and kept for the answer. */
export const barRow = ({ status, spaces }: ContextUsage, width: number): Row => {
  const columns = Math.max(4, width - 2)
  const cellsOf = (tokens: number): number =>
    Math.round((Math.min(tokens, status.windowTokens) / status.windowTokens) * columns)
  const tokensOf = (id: SpaceId): number => spaces.find((space) => space.id === id)?.tokens ?? 0
  const used = cellsOf(status.usedTokens)
  const reserve = cellsOf(tokensOf("output_reserve"))
  const buffer = cellsOf(tokensOf("compaction_buffer"))
  const free = Math.max(0, columns - used - reserve - buffer)
  return lineRow(
    [
      bar("█", used, { role: "rate_limit_fill" }),
      bar("░", free, { role: "rate_limit_empty" }),
      bar("▒", buffer, BUFFER),
      bar("▓", columns - used - free - buffer, QUIET)
    ],
    width
  )
}
