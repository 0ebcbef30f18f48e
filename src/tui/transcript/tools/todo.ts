/** The checklist as it changed. */
import { lookOf, TEXT, withTrait } from "../../screen/style/look.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { sourceLines } from "../../text/source-lines.ts"
import type { ToolBlock } from "../block.ts"
import { mark, QUIET, unit } from "../rows/compose.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import { type Fields, fieldsOf, listField, textField } from "../fields.ts"
import { dataOf, inputOf, makeRenderer, NO_BODY } from "./make-renderer.ts"
import type { Head, ToolRenderer, ToolView } from "./renderer.ts"

type Status = "pending" | "in_progress" | "completed"

interface Item {
  readonly text: string
  readonly status: Status
}

const BOXES: Readonly<Record<Status, string>> = { pending: "[ ] ", in_progress: "[~] ", completed: "[x] " }
const BOX_LENGTH = 4

const LOOKS: Readonly<Record<Status, Look>> = {
  pending: TEXT,
  in_progress: withTrait(lookOf("claude"), "bold"),
  completed: withTrait(QUIET, "strike")
}

const statusOf = (value: unknown): Status => (value === "in_progress" || value === "completed" ? value : "pending")

const itemOf = (fields: Fields): Item => ({
  text: textField(fields, "content", "subject").replaceAll("\n", " "),
  status: statusOf(fields["status"])
})

const itemsIn = (value: ReadonlyArray<unknown>): ReadonlyArray<Item> => value.map((item) => itemOf(fieldsOf(item)))

const itemsOf = (block: ToolBlock): ReadonlyArray<Item> => itemsIn(listField(inputOf(block), "todos"))

const lineOf = ({ status, text }: Item): string => `${BOXES[status]}${text}`

const itemRows = (view: ToolView): ReadonlyArray<Row> => {
  const { block, call, options, width } = view
  const items = itemsOf(block)
  const data = dataOf(block)
  const before = new Set(itemsIn(listField(data, "oldTodos")).map(lineOf))
  const { todo, arrow } = glyphsOf(options)
  return [...sourceLines(block.source.slice(call.start, call.end))].flatMap((line, index) => {
    const item = items[index]
    if (item === undefined) return []
    const isNew = "oldTodos" in data && !before.has(lineOf(item))
    const box = mark(`${isNew ? arrow : " "} ${todo[item.status]} `, isNew ? TEXT : QUIET)
    const text = sanitize(line.text.slice(BOX_LENGTH), "prose", {
      look: LOOKS[item.status],
      at: call.start + line.start + BOX_LENGTH
    })
    const rest = [mark("    ")]
    const range = { start: call.start + line.start, end: call.start + line.end }
    return rowsOfLine(text, range, { width, margin: { first: [box], rest } })
  })
}

const isUnchanged = (block: ToolBlock): boolean => {
  const data = dataOf(block)
  if (!("oldTodos" in data)) return false
  const before = itemsIn(listField(data, "oldTodos")).map(lineOf)
  return before.join("\n") === itemsOf(block).map(lineOf).join("\n")
}

const head = (view: ToolView): Head => {
  const items = itemsOf(view.block)
  const done = items.filter((item) => item.status === "completed").length
  const words = `${done}/${items.length} done`
  if (isUnchanged(view.block)) return { argument: [unit(`${words}, unchanged`, view.call)], marks: [] }
  return { argument: [mark(words)], marks: [], rows: itemRows(view) }
}

export const todoRenderer: ToolRenderer = makeRenderer({
  call: (block) => itemsOf(block).map(lineOf).join("\n"),
  outcome: () => ({ result: "" }),
  plain: (block) => {
    const items = itemsOf(block)
    const active = items.find((item) => item.status === "in_progress")
    return `${block.tool} ${active?.text ?? `${items.length} todos`}`
  },
  head,
  result: () => NO_BODY
})
