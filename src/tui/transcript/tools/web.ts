/** WebFetch and WebSearch. */
import { humanSize } from "../../../core/domain/text/bytes.ts"
import type { ToolBlock } from "../block.ts"
import { mark } from "../rows/compose.ts"
import { plural } from "../number-format.ts"
import { headOnly } from "../rows/fold.ts"
import { fieldsOf, listField, numberField, textField } from "../fields.ts"
import {
  body,
  callArgument,
  dataOf,
  inputOf,
  limitOf,
  makeRenderer,
  outcomeText,
  progressOf,
  resultRows
} from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

const FIRST_ROWS = 5

const statusText = (block: ToolBlock): string => {
  const data = dataOf(block)
  const code = numberField(data, "code")
  const bytes = numberField(data, "bytes") ?? numberField(progressOf(block), "bytes")
  const status = code === undefined ? "" : `${code} ${textField(data, "codeText")}`.trim()
  const size = bytes === undefined ? "" : humanSize(bytes)
  return [status, size].filter((part) => part !== "").join(", ")
}

const fetchHead = (view: ToolView): Head => {
  const url = view.block.source.slice(view.call.start, view.call.end)
  const status = statusText(view.block)
  return {
    argument: callArgument(view, url.replace(/^https:\/\//, "")),
    marks: status === "" ? [] : [mark(status)]
  }
}

const firstRows = (view: ToolView): Body => body(view, resultRows(view), headOnly(limitOf(view, FIRST_ROWS)))

export const webFetchRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "url"),
  outcome: (block) => ({ result: textField(dataOf(block), "result") || outcomeText(block) }),
  head: fetchHead,
  result: firstRows
})

/** Titles and addresses; results come in groups, with comments between them. */
const hits = (block: ToolBlock): ReadonlyArray<string> =>
  listField(dataOf(block), "results").flatMap((group) =>
    listField(fieldsOf(group), "content").map((hit) => {
      const fields = fieldsOf(hit)
      return [textField(fields, "title"), textField(fields, "url")].filter((part) => part !== "").join("  ")
    })
  )

const searchHead = (view: ToolView): Head => {
  const count = hits(view.block).length
  return { argument: callArgument(view), marks: count === 0 ? [] : [mark(plural(count, "result"))] }
}

export const webSearchRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "query"),
  outcome: (block) => ({ result: hits(block).join("\n") || outcomeText(block) }),
  head: searchHead,
  result: firstRows
})
