/** Questions to the user: each with the answer that was given. */
import { lookOf, TEXT, withTrait } from "../../screen/style/look.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { sourceLines } from "../../text/source-lines.ts"
import type { ToolBlock } from "../block.ts"
import { fieldsOf, listField, textField } from "../fields.ts"
import { callArgument, body, dataOf, inputOf, makeRenderer } from "./make-renderer.ts"
import { mark, QUIET, type Range } from "../rows/compose.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

const questionsOf = (block: ToolBlock): ReadonlyArray<string> =>
  listField(inputOf(block), "questions").map((question) => textField(fieldsOf(question), "question"))

const inOneLine = (text: string): string => text.replaceAll("\n", " ")

const UNANSWERED = "(not answered)"

const answersOf = (block: ToolBlock): ReadonlyArray<string> => {
  const answers = fieldsOf(dataOf(block)["answers"])
  const response = textField(dataOf(block), "response")
  const lines = questionsOf(block).map((question) => inOneLine(textField(answers, question)) || UNANSWERED)
  return response === "" ? lines : [...lines, inOneLine(response)]
}

interface LineStyle {
  readonly lead: string
  readonly look: Look
}

const lineRows = (view: ToolView, range: Range, style: LineStyle): ReadonlyArray<Row> =>
  [...sourceLines(view.block.source.slice(range.start, range.end))].flatMap((line) => {
    const text = sanitize(line.text, "prose", { look: style.look, at: range.start + line.start })
    const first = [mark(`${style.lead} `, QUIET)]
    return rowsOfLine(
      text,
      { start: range.start + line.start, end: range.start + line.end },
      {
        width: view.width,
        margin: { first, rest: [mark("  ")] }
      }
    )
  })

const head = (view: ToolView): Head => {
  const questions = questionsOf(view.block)
  if (questions.length === 1) return { argument: callArgument(view, undefined, "prose"), marks: [] }
  const rows = lineRows(view, view.call, { lead: "?", look: lookOf("permission") })
  return { argument: [], marks: [mark(`${questions.length} questions`)], rows }
}

const result = (view: ToolView): Body =>
  body(view, lineRows(view, view.result, { lead: glyphsOf(view.options).arrow, look: withTrait(TEXT, "bold") }))

export const questionRenderer: ToolRenderer = makeRenderer({
  call: (block) => questionsOf(block).map(inOneLine).join("\n"),
  outcome: (block) => ({ result: block.outcome === undefined ? "" : answersOf(block).join("\n") }),
  head,
  result
})
