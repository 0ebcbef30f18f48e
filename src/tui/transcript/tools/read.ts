import { humanSize } from "../../../core/domain/text/bytes.ts"
import { codeRows } from "../rows/code-rows.ts"
import { mark, unit } from "../rows/compose.ts"
import { plural } from "../number-format.ts"
import type { ToolBlock } from "../block.ts"
import { fieldsOf, numberField, textField } from "../fields.ts"
import { body, dataOf, inputOf, makeRenderer, NO_BODY, outcomeText, pathArgument } from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

/** Reading: the path and how much of it; the content only for whoever asks for everything. */
const rangeText = (block: ToolBlock): string => {
  const input = inputOf(block)
  const offset = numberField(input, "offset")
  const limit = numberField(input, "limit")
  const pages = textField(input, "pages")
  if (pages !== "") return `pages ${pages}`
  if (offset === undefined && limit === undefined) return ""
  const first = offset ?? 1
  return limit === undefined ? `from line ${first}` : `lines ${first}-${first + limit - 1}`
}

const content = (block: ToolBlock): string => {
  const file = fieldsOf(dataOf(block)["file"])
  return typeof file["content"] === "string" ? file["content"] : outcomeText(block)
}

const amount = (block: ToolBlock): string => {
  const data = dataOf(block)
  const file = fieldsOf(data["file"])
  const size = numberField(file, "originalSize")
  const kind = textField(data, "type")
  if (kind === "file_unchanged") return "unchanged"
  if (kind !== "" && kind !== "text") return size === undefined ? kind : `${kind}, ${humanSize(size)}`
  return plural(numberField(file, "numLines") ?? outcomeText(block).split("\n").length, "line")
}

const showsContent = ({ options }: ToolView): boolean => options.view === "verbose" && options.fold === "open"

const head = (view: ToolView): Head => {
  const { block, result: range } = view
  const asked = rangeText(block)
  const got = block.state === "ok" ? amount(block) : ""
  return {
    argument: pathArgument(view),
    marks: [
      ...(asked === "" ? [] : [mark(asked)]),
      ...(got === "" ? [] : [showsContent(view) ? mark(got) : unit(got, range)])
    ]
  }
}

const result = (view: ToolView): Body => {
  if (!showsContent(view)) return NO_BODY
  const { block, options, width } = view
  const path = textField(inputOf(block), "file_path")
  return body(view, codeRows({ source: block.source, range: view.result, path, width, options }))
}

export const readRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "file_path"),
  outcome: (block) => ({ result: block.outcome === undefined ? "" : content(block) }),
  head,
  result
})
