/** Changes of a file as rows over the patch, or over the new file, that the block's source holds. */
import { addedLineRows, diffRows, WIDE_ENOUGH_FOR_NUMBERS } from "../../text/diff/diff-rows.ts"
import { fileHeader } from "../../text/diff/diff-source.ts"
import { languageOfFile } from "../../text/code/language-names.ts"
import { NO_COLOURING, type Colouring } from "../../text/code/paint.ts"
import type { Row } from "../../screen/style/row.ts"
import { sourceLines } from "../../text/source-lines.ts"
import { diffOf, type FileChange } from "../changes.ts"
import type { ToolView } from "./renderer.ts"

/** The hunks. The header of the patch says what the head row says already; the first hunk answers for it. */
export const patchRows = (view: ToolView, change: FileChange): ReadonlyArray<Row> => {
  const diff = diffOf(change)
  const rows = diffRows(diff, { ...view.options, width: view.width }, view.result.start)
  const hunksStart = view.result.start + fileHeader(diff).length
  const first = rows.findIndex((row) => row.spans.some((span) => span.at === hunksStart && span.covers === undefined))
  return rows.slice(Math.max(0, first))
}

/** A new file: every line has come. */
export const addedRows = (view: ToolView, { path }: FileChange): ReadonlyArray<Row> => {
  const { block, options, result, width } = view
  if (result.end === result.start) return []
  const lines = [...sourceLines(block.source.slice(result.start, result.end))]
  const digits = width < WIDE_ENOUGH_FOR_NUMBERS ? 0 : String(lines.length).length
  const language = options.highlight ? languageOfFile(path, lines[0]?.text) : undefined
  let colouring: Colouring = language === undefined ? NO_COLOURING : { language, state: [] }
  return lines.flatMap((line, index) => {
    const number = digits === 0 ? "" : String(index + 1).padStart(digits)
    const place = { text: line.text, start: result.start + line.start, end: result.start + line.end, number }
    const laid = addedLineRows(place, colouring, { ...options, width })
    colouring = laid.colouring
    return laid.rows
  })
}
