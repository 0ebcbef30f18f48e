import { parseStrokes } from "../../../../src/tui/keymap/stroke.ts"
import { defaultKeymap } from "../../../../src/tui/keymap/keymap.ts"
import { keysFor, type KeyNode } from "../../../../src/tui/keymap/trie.ts"
import type { Row, Span } from "../../../../src/tui/screen/style/row.ts"
import {
  type Block,
  DEFAULT_OPTIONS,
  type Entry,
  type LayoutOptions,
  type TextBlock,
  type ToolBlock,
  type UserBlock
} from "../../../../src/tui/transcript/block.ts"
import { lookOf } from "../../../../src/tui/screen/style/look.ts"
import type { ListContext } from "../../../../src/tui/transcript/list/view/list-context.ts"
import { openList, type TranscriptList } from "../../../../src/tui/transcript/list/state/transcript-list.ts"
import {
  listRedrawn,
  updateList,
  type ListActionName,
  LIST_ACTIONS,
  listTookObject
} from "../../../../src/tui/transcript/list/update.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { visibleRows } from "../../../../src/tui/transcript/list/view/viewport.ts"

/** A plain layout: every source line cut at the width, a blank row above, long blocks folded to their first rows. */

const TEXT = lookOf("text")
export const FOLD_AT = 4

export const user = (id: string, source: string): Entry => {
  const block: UserBlock = { id: `${id}.0`, kind: "user", revision: 0, source, gap: true }
  return { id, kind: "user", blocks: [block] }
}

export const textBlock = (id: string, source: string, revision = 0): TextBlock => ({
  id,
  kind: "text",
  revision,
  source,
  streaming: false,
  lineage: {},
  gap: true
})

export const says = (id: string, source: string, revision = 0): Entry => ({
  id,
  kind: "assistant",
  blocks: [textBlock(`${id}.0`, source, revision)]
})

export const calls = (id: string, source: string, extra: Partial<ToolBlock> = {}): Entry => {
  const block: ToolBlock = {
    id: `${id}.0`,
    kind: "tool",
    revision: 0,
    source,
    callId: id,
    tool: "Bash",
    state: "ok",
    input: {},
    partial: false,
    ...extra
  }
  return { id, kind: "tool", blocks: [block] }
}

const textRow = (source: string, start: number, end: number): Row => {
  const span: Span = { text: source.slice(start, end), look: TEXT, at: start }
  return { spans: [span], width: end - start, start, end }
}

const openRows = (block: Block, width: number): Array<Row> => {
  const rows: Array<Row> = block.gap === true ? [{ spans: [], width: 0, start: 0, end: 0 }] : []
  let start = 0
  for (const line of block.source.split("\n")) {
    for (let from = 0; from === 0 || from < line.length; from += width) {
      rows.push(textRow(block.source, start + from, start + Math.min(line.length, from + width)))
    }
    start += line.length + 1
  }
  return rows
}

export const plainLayout = (block: Block, { width, fold }: LayoutOptions): ReadonlyArray<Row> => {
  if (block.meta === true) return []
  const rows = openRows(block, width)
  if (fold === "open" || block.kind !== "tool" || rows.length <= FOLD_AT) return rows
  const hidden = rows.slice(2)
  const span: Span = { text: `… ${hidden.length} more lines (za)`, look: lookOf("fold") }
  const start = hidden[0]?.start ?? 0
  return [...rows.slice(0, 2), { spans: [span], width: span.text.length, start, end: block.source.length, hides: true }]
}

export const contextOf = (width: number, height: number, extra: Partial<ListContext> = {}): ListContext => ({
  height,
  options: { ...DEFAULT_OPTIONS, width },
  layout: plainLayout,
  parts: (block) => block.parts ?? [],
  autoScroll: true,
  ...extra
})

export const vectorOf = (entries: ReadonlyArray<Entry>): Vector.Vector<Entry> =>
  entries.reduce((vector, entry) => Vector.push(vector, entry), Vector.empty<Entry>())

export const listOf = (entries: ReadonlyArray<Entry>, context: ListContext): TranscriptList =>
  listRedrawn(openList(vectorOf(entries)), context)

const KEYS = keysFor(defaultKeymap(), ["Transcript", "Pane"])

const isListAction = (id: string | undefined): id is ListActionName => id !== undefined && Object.hasOwn(LIST_ACTIONS, id)

/** The action of the list that a key has by default; nothing for a text object behind an operator or a selection. */
export const actionOf = (keys: string): ListActionName | undefined => {
  const node = parseStrokes(keys).reduce<KeyNode | undefined>((at, stroke) => at?.children.get(stroke), KEYS)
  const id = node?.bound?.action
  return isListAction(id) ? id : undefined
}

/** The actions of a script such as `j 3k ]u`, one after the other; `f:x` gives an argument. */
export const press = (list: TranscriptList, script: string, context: ListContext): TranscriptList =>
  script.split(" ").reduce((state, word) => {
    const [, digits = "", name = "", argument] = /^([1-9]\d*)?(.+?)(?:=(.))?$/.exec(word) ?? []
    const count = digits === "" ? undefined : Number(digits)
    const id = actionOf(name)
    if (id === undefined) return listTookObject(state, { name, count }, context)
    return updateList(
      state,
      { name: id, ...(count !== undefined && { count }), ...(argument !== undefined && { argument }) },
      context
    )
  }, list)

export const screen = (list: TranscriptList, context: ListContext): ReadonlyArray<string> =>
  visibleRows(list, context).map(({ row }) => row.spans.map((span) => span.text).join(""))

/** The text from the cursor to the end of its line. */
export const atCursor = ({ cursor, entries }: TranscriptList): string => {
  const entry = cursor === undefined ? undefined : Vector.toArray(entries.source).find(({ id }) => id === cursor.entry)
  const block = entry?.blocks.find(({ id }) => id === cursor?.block)
  return block?.source.slice(cursor?.offset).split("\n")[0] ?? ""
}
