/** Tools of servers: server and tool apart, JSON laid out for reading. */
import { lookOf } from "../../screen/style/look.ts"
import type { Span } from "../../screen/style/row.ts"
import { cutRow, mark, oneLine, QUIET } from "../rows/compose.ts"
import { plural } from "../number-format.ts"
import { jsonRows } from "../rows/json-rows.ts"
import { numberField, textField } from "../fields.ts"
import { body, callArgument, makeRenderer, NO_BODY, outcomeText, progressOf, resultRows } from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"
import { compactInput } from "./unknown.ts"

export interface McpName {
  readonly server: string
  readonly tool: string
}

/** Server and tool of a name like `mcp__slack__send`; undefined for any other. */
export const mcpName = (name: string): McpName | undefined => {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : { server, tool }
}

const head = (view: ToolView): Head => {
  const media = view.block.outcome?.media ?? []
  const word = media.every((type) => type.startsWith("image")) ? "image" : "file"
  return { argument: callArgument(view), marks: media.length === 0 ? [] : [mark(plural(media.length, word))] }
}

const BAR_COLUMNS = 20

const bar = (share: number, ascii: boolean): ReadonlyArray<Span> => {
  const done = Math.round(Math.min(1, Math.max(0, share)) * BAR_COLUMNS)
  return [
    mark((ascii ? "#" : "█").repeat(done), lookOf("rate_limit_fill")),
    mark((ascii ? "." : "░").repeat(BAR_COLUMNS - done), lookOf("rate_limit_empty"))
  ]
}

const running = (view: ToolView): Body => {
  const progress = progressOf(view.block)
  const at = numberField(progress, "progress")
  const total = numberField(progress, "total")
  const message = oneLine(textField(progress, "message"), "prose", { look: QUIET })
  if (at === undefined && message.length === 0) return NO_BODY
  const share = at === undefined || total === undefined || total <= 0 ? undefined : at / total
  const shown = share === undefined ? [] : bar(share, view.options.glyphs === "ascii")
  return body(view, [cutRow([...shown, mark(shown.length === 0 ? "" : " "), ...message], view.width, view.result.end)])
}

const result = (view: ToolView): Body => body(view, jsonRows(view.block.source, view.result, view.width) ?? resultRows(view))

export const mcpRenderer: ToolRenderer = makeRenderer({
  call: compactInput,
  outcome: (block) => ({ result: outcomeText(block) }),
  plain: (block) => {
    const name = mcpName(block.tool)
    return name === undefined ? block.tool : `${name.server} ${name.tool}`
  },
  head,
  running,
  result
})
