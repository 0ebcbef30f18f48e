/** Helpers: what they were asked, what they are doing, what they found. */
import { TEXT } from "../../screen/style/look.ts"
import type { Row } from "../../screen/style/row.ts"
import type { ToolBlock } from "../block.ts"
import { cutRow, mark, oneLine, QUIET, rangeRows } from "../rows/compose.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { plural } from "../number-format.ts"
import { headOnly } from "../rows/fold.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import { markdownRows } from "../rows/markdown-rows.ts"
import { type Fields, fieldsOf, listField, numberField, textField } from "../fields.ts"
import {
  body,
  callArgument,
  dataOf,
  inputOf,
  makeRenderer,
  NO_BODY,
  outcomeText,
  progressOf,
  resultRows
} from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

const ACTIVITIES = 3

const titleOf = (block: ToolBlock): string => {
  const input = inputOf(block)
  const type = textField(input, "subagent_type", "agent_type")
  const description = textField(input, "description").replaceAll("\n", " ")
  return [type, description].filter((part) => part !== "").join(": ")
}

const callOf = (block: ToolBlock): string => {
  const prompt = textField(inputOf(block), "prompt")
  return prompt === "" ? titleOf(block) : `${titleOf(block)}\n${prompt}`
}

const answerOf = (block: ToolBlock): string => {
  const texts = listField(dataOf(block), "content").map((part) => textField(fieldsOf(part), "text"))
  return texts.filter((text) => text !== "").join("\n") || textField(dataOf(block), "result") || outcomeText(block)
}

const totalsOf = (fields: Fields, dot: string): string => {
  const tools = numberField(fields, "totalToolUseCount") ?? numberField(fields, "toolUses")
  const tokens = numberField(fields, "totalTokens") ?? numberField(fields, "tokens")
  return [tools === undefined ? "" : plural(tools, "call"), tokens === undefined ? "" : `${countText(tokens)} tokens`]
    .filter((part) => part !== "")
    .join(` ${dot} `)
}

/** The prompt itself is for whoever opens everything. */
const head = (view: ToolView): Head => {
  const { block, call, options, width } = view
  const totals = totalsOf(block.outcome === undefined ? progressOf(block) : dataOf(block), glyphsOf(options).dot)
  const title = titleOf(block)
  const promptStart = call.start + title.length + 1
  const isOpen = options.fold === "open" && promptStart < call.end
  const prompt: ReadonlyArray<Row> = isOpen
    ? rangeRows(block.source, { start: promptStart, end: call.end }, { width, kind: "prose", look: QUIET })
    : []
  const argument = isOpen ? oneLine(title, "prose", { look: TEXT, at: call.start }) : callArgument(view, title, "prose")
  return { argument, marks: totals === "" ? [] : [mark(totals)], rows: prompt }
}

const running = (view: ToolView): Body => {
  const activities = listField(progressOf(view.block), "activities").filter((text) => typeof text === "string")
  const rows = activities
    .slice(-ACTIVITIES)
    .map((text) => cutRow(oneLine(text, "command", { look: QUIET }), view.width, view.result.end))
  return rows.length === 0 ? NO_BODY : body(view, rows, headOnly(ACTIVITIES))
}

const result = (view: ToolView): Body => {
  const { block, options, width } = view
  return block.state === "ok"
    ? body(view, markdownRows(block.source, view.result, { ...options, width }))
    : body(view, resultRows(view))
}

export const agentRenderer: ToolRenderer = makeRenderer({
  call: callOf,
  outcome: (block) => ({ result: block.outcome === undefined ? "" : answerOf(block) }),
  plain: (block) => `${block.tool} ${titleOf(block)}`.trim(),
  head,
  running,
  result
})

const skillLine = (block: ToolBlock): string => {
  const input = inputOf(block)
  return `${textField(input, "skill", "command", "name")} ${textField(input, "args")}`.trim()
}

/** A skill is one row; one that ran in a helper of its own reads like the helper. */
export const skillRenderer: ToolRenderer = makeRenderer({
  call: skillLine,
  outcome: (block) => ({ result: textField(dataOf(block), "result") }),
  result: (view) => (textField(dataOf(view.block), "status") === "forked" ? result(view) : NO_BODY)
})
