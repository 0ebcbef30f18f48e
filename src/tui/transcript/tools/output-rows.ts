/** What a program printed, in the colours it chose. The block's source holds the same text without its sequences. */
import { ansiLines, ansiRows, feedAnsi, startAnsi } from "../../text/ansi/ansi.ts"
import type { Row } from "../../screen/style/row.ts"
import type { ToolView } from "./renderer.ts"

export const outputRows = (printed: string, { result, width, options }: ToolView): ReadonlyArray<Row> => {
  if (printed === "") return []
  const lines = ansiLines(feedAnsi(startAnsi(), printed))
  return ansiRows(lines, { at: result.start, width, tab: options.tabWidth })
}
