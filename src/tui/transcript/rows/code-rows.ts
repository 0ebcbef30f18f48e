/** A range of source as code: coloured by its language, wrapped at the width. */
import { languageNamed, languageOfFile } from "../../text/code/language-names.ts"
import { TEXT } from "../../screen/style/look.ts"
import { NO_COLOURING, paintLine, type Colouring } from "../../text/code/paint.ts"
import type { Row } from "../../screen/style/row.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sourceLines } from "../../text/source-lines.ts"
import type { LayoutOptions } from "../block.ts"
import type { Range } from "./compose.ts"

export interface CodeStyle {
  readonly source: string
  readonly range: Range
  readonly width: number
  readonly options: LayoutOptions
  /** Name of the language, or the path that shows it. */
  readonly language?: string
  readonly path?: string
}

const LONGEST_COLOURED_LINE = 2_000

const colouringFor = ({ language, path, options }: CodeStyle, text: string): Colouring => {
  if (!options.highlight) return NO_COLOURING
  const firstLine = text.slice(0, LONGEST_COLOURED_LINE).split("\n", 1)[0]
  const found = language === undefined ? languageOfFile(path ?? "", firstLine) : languageNamed(language)
  return { language: found, state: [] }
}

export const codeRows = (style: CodeStyle): ReadonlyArray<Row> => {
  const { source, range, width, options } = style
  if (range.end <= range.start) return []
  const text = source.slice(range.start, range.end)
  let colouring = colouringFor(style, text)
  return [...sourceLines(text)].flatMap((line) => {
    const at = range.start + line.start
    const isLong = line.text.length > LONGEST_COLOURED_LINE
    const painted = paintLine(line.text, { look: TEXT, at, colouring: isLong ? NO_COLOURING : colouring })
    if (!isLong) colouring = painted.colouring
    return rowsOfLine(painted.pieces, { start: at, end: range.start + line.end }, { width, tab: options.tabWidth })
  })
}
