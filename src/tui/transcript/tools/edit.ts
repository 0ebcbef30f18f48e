/** Changes to files: what went and what came. */
import type { Row, Span } from "../../screen/style/row.ts"
import { unifiedSource } from "../../text/diff/diff-source.ts"
import type { ToolBlock } from "../block.ts"
import { changeOf, diffOf, type FileChange } from "../changes.ts"
import { addedRows, patchRows } from "./patch-rows.ts"
import { mark } from "../rows/compose.ts"
import { textField } from "../fields.ts"
import { plural } from "../number-format.ts"
import { FOLD_LIMITS, headOnly } from "../rows/fold.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import { body, inputOf, instead, limitOf, makeRenderer, outcomeText, pathArgument } from "./make-renderer.ts"
import type { Body, CallText, Head, ToolRenderer, ToolView } from "./renderer.ts"

const outcome = (block: ToolBlock): Omit<CallText, "call"> => {
  const change = changeOf(block)
  if (change === undefined) return { result: outcomeText(block) }
  if (change.content !== undefined) {
    const file = { name: "file" as const, start: 0, end: change.content.length, label: change.path }
    return { result: change.content, parts: [file] }
  }
  if (change.hunks.length === 0) return { result: outcomeText(block) }
  const { source, parts } = unifiedSource([diffOf(change)])
  return { result: source, parts }
}

/** `+3 −1`; a sign without lines is left out. */
const counts = (change: FileChange, minus: string): ReadonlyArray<Span> => {
  const text = [change.added === 0 ? "" : `+${change.added}`, change.removed === 0 ? "" : `${minus}${change.removed}`]
  return text.every((part) => part === "") ? [] : [mark(text.filter((part) => part !== "").join(" "))]
}

const cellMark = (block: ToolBlock): ReadonlyArray<Span> => {
  const cell = textField(inputOf(block), "cell_id")
  return cell === "" ? [] : [mark("cell")]
}

const head = (view: ToolView): Head => {
  const change = changeOf(view.block)
  const marks = change === undefined ? [] : counts(change, glyphsOf(view.options).minus)
  return { argument: pathArgument(view), marks: [...cellMark(view.block), ...marks] }
}

const diffBody = (view: ToolView, rows: ReadonlyArray<Row>): Body =>
  body(view, rows, headOnly(limitOf(view, FOLD_LIMITS.diff)))

const result = (view: ToolView): Body => {
  const change = changeOf(view.block)
  if (change === undefined || (change.content === undefined && change.hunks.length === 0)) {
    return instead(view, "no difference shown")
  }
  if (change.content === undefined) return diffBody(view, patchRows(view, change))
  return body(view, addedRows(view, change))
}

export const editRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "file_path"),
  outcome,
  head,
  result
})

const writeHead = (view: ToolView): Head => {
  const content = textField(inputOf(view.block), "content")
  const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length
  const change = changeOf(view.block)
  const isNew = change === undefined || change.kind === "created"
  return isNew ? { argument: pathArgument(view), marks: [mark(plural(lines, "line"))] } : head(view)
}

export const writeRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "file_path"),
  outcome,
  head: writeHead,
  result
})

export const notebookRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "notebook_path"),
  outcome,
  head,
  result
})
