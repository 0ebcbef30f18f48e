/** Glob and Grep: what was looked for and where, how much was found, and the first of it. */
import type { Span } from "../../screen/style/row.ts"
import type { ToolBlock } from "../block.ts"
import { mark, oneLine, QUIET } from "../rows/compose.ts"
import { plural } from "../number-format.ts"
import { headOnly } from "../rows/fold.ts"
import { listField, numberField, textField } from "../fields.ts"
import { body, callArgument, dataOf, inputOf, limitOf, makeRenderer, outcomeText, resultRows } from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

const FIRST_ROWS = 5

const quiet = (text: string): ReadonlyArray<Span> => (text === "" ? [] : oneLine(text, "command", { look: QUIET }))

const optionsText = (block: ToolBlock): string => {
  const input = inputOf(block)
  const path = textField(input, "path")
  return [
    path === "" ? "" : `in ${path}`,
    textField(input, "glob"),
    textField(input, "type"),
    input["-i"] === true ? "ignoring case" : "",
    input["multiline"] === true ? "multiline" : ""
  ]
    .filter((option) => option !== "")
    .join(", ")
}

/** What was found, without the sentences around it. */
const found = (block: ToolBlock): string => {
  const data = dataOf(block)
  if (typeof data["content"] === "string") return data["content"]
  const names = listField(data, "filenames").filter((name) => typeof name === "string")
  return "filenames" in data ? names.join("\n") : outcomeText(block)
}

const countOf = (block: ToolBlock): string => {
  if (block.state !== "ok") return ""
  const data = dataOf(block)
  const matches = numberField(data, "numMatches")
  const lines = numberField(data, "numLines")
  if (matches !== undefined) return plural(matches, "match")
  if (lines !== undefined && data["mode"] === "content") return plural(lines, "line")
  const files = numberField(data, "numFiles")
  return files === undefined ? "" : plural(files, "file")
}

const more = (block: ToolBlock): string => {
  const data = dataOf(block)
  return data["truncated"] === true || data["partial"] === true || data["appliedLimit"] !== undefined ? " or more" : ""
}

const head = (view: ToolView): Head => {
  const count = countOf(view.block)
  return {
    argument: callArgument(view),
    marks: [...quiet(optionsText(view.block)), ...(count === "" ? [] : [mark(`${count}${more(view.block)}`)])]
  }
}

const result = (view: ToolView): Body => body(view, resultRows(view), headOnly(limitOf(view, FIRST_ROWS)))

export const searchRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "pattern"),
  outcome: (block) => ({ result: block.outcome === undefined ? "" : found(block) }),
  head,
  result
})
