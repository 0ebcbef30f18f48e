/** Changes of a file as rows over the patch, or over the new file, that the block's source holds. */
import { diffRows } from "../text/diff-rows.ts"
import { fileHeader } from "../text/diff-source.ts"
import { languageOfFile } from "../text/languages/names.ts"
import { lookOf, TEXT, withGround } from "../text/look.ts"
import { NO_COLOURING, paintLine, type Colouring } from "../text/paint.ts"
import type { Row } from "../text/row.ts"
import { rowsOfLine } from "../text/rows.ts"
import { sourceLines } from "../text/source-lines.ts"
import { diffOf, type FileChange } from "./changes.ts"
import type { ToolView } from "./tools/renderer.ts"

/** The hunks. The header of the patch says what the head row says already; the first hunk answers for it. */
export const patchRows = (view: ToolView, change: FileChange): ReadonlyArray<Row> => {
  const diff = diffOf(change)
  const rows = diffRows(diff, { ...view.options, width: view.width }, view.result.start)
  const hunksStart = view.result.start + fileHeader(diff).length
  const first = rows.findIndex((row) => row.spans.some((span) => span.at === hunksStart && span.covers === undefined))
  return rows.slice(Math.max(0, first))
}

const ADDED = withGround(TEXT, "diffAdded")
const NUMBER = lookOf("lineNumber")
const WIDE_ENOUGH_FOR_NUMBERS = 40

/** A new file: every line has come. */
export const addedRows = (view: ToolView, { path }: FileChange): ReadonlyArray<Row> => {
  const { block, options, result, width } = view
  if (result.end === result.start) return []
  const lines = [...sourceLines(block.source.slice(result.start, result.end))]
  const digits = width < WIDE_ENOUGH_FOR_NUMBERS ? 0 : String(lines.length).length
  const language = options.highlight ? languageOfFile(path, lines[0]?.text) : undefined
  let colouring: Colouring = language === undefined ? NO_COLOURING : { language, state: [] }
  return lines.flatMap((line, index) => {
    const painted = paintLine(line.text, { look: ADDED, at: result.start + line.start, colouring })
    colouring = painted.colouring
    const number = digits === 0 ? [] : [{ text: `${String(index + 1).padStart(digits)} `, look: NUMBER }]
    return rowsOfLine(painted.pieces, { start: result.start + line.start, end: result.start + line.end }, {
      width,
      margin: { first: [...number, { text: "+", look: ADDED }], rest: [...number, { text: " ", look: ADDED }] },
      tab: options.tabWidth,
      ...(options.codeWrap ? {} : { scroll: options.scroll }),
      fill: "diffAdded"
    })
  })
}
