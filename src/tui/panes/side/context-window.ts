import { statusOf } from "../../../core/loop/turn/send-request.ts"
import { togglePin } from "../../model/undoable-actions.ts"
import { toggleFold } from "../list/list-actions.ts"
import type { Handler } from "../../model/action.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import * as Vector from "../../transcript/vector.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import { type Update, withoutCommands, notify } from "../../model/update-result.ts"
import { type FocusedList, onItem, type ListHandlers } from "../list/focused-list.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { plural } from "../../transcript/number-format.ts"
import { CATEGORIES, type ContextItem, type ContextUse, contextUse } from "../../transcript/entries/context-select.ts"
import type { WindowStatus } from "../../../core/model/tokens/window.ts"
import { findLastIndex, get } from "../../../core/domain/append-list.ts"
import { isZeroUsage } from "../../../core/domain/usage.ts"
import { pinnedTokens } from "../../../core/loop/reduction/pins.ts"
import type { AgentState, Conversation } from "../../../core/loop/machine/state.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { lineRow, textRows } from "../../text/line-rows.ts"
import { inOneLine, sanitize } from "../../text/sanitize.ts"
import { type Item, type ListState, NEW_LIST } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"

/** What fills the context window (UI-10): a bar over the whole of it, then the categories. */

const USED: Look = { role: "rate_limit_fill" }
const FREE: Look = { role: "rate_limit_empty" }
const BUFFER: Look = { role: "warning" }
const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const PINNED: Look = { role: "mark" }

/** Estimates over a whole conversation are worth keeping while it does not change. */
const known = new WeakMap<Conversation["messages"], { readonly state: AgentState; readonly use: ContextUse }>()

const useOf = (state: AgentState): ContextUse => {
  const kept = known.get(state.conversation.messages)
  if (kept !== undefined && kept.state.conversation.count === state.conversation.count && kept.state.config === state.config)
    return kept.use
  const use = contextUse(state)
  known.set(state.conversation.messages, { state, use })
  return use
}

const cellsOf = (tokens: number, { windowTokens }: WindowStatus, columns: number): number =>
  Math.round((Math.min(tokens, windowTokens) / windowTokens) * columns)

const columnsFor = (width: number): number => Math.max(4, width - 2)

/** Used, free, the buffer that compaction needs, and what is kept free for the answer. */
const barRow = ({ status }: ContextUse, width: number): Row => {
  const columns = columnsFor(width)
  const used = cellsOf(status.usedTokens, status, columns)
  const free = Math.max(used, cellsOf(status.limitTokens, status, columns))
  const buffer = Math.max(free, cellsOf(status.effectiveTokens, status, columns))
  const spans: ReadonlyArray<Span> = [
    { text: "█".repeat(used), look: USED },
    { text: "░".repeat(free - used), look: FREE },
    { text: "▒".repeat(buffer - free), look: BUFFER },
    { text: "▓".repeat(columns - buffer), look: QUIET }
  ]
  return lineRow(spans, width)
}

/** A letter under the bar for each threshold, and what they mean. */
const marksOf = ({
  autoCompact,
  autoTokens,
  blockingTokens,
  warningTokens
}: WindowStatus): ReadonlyArray<readonly [string, number, string]> => [
  ["w", warningTokens, "warning"],
  ...(autoCompact ? [["c", autoTokens, "compacts"] as const] : []),
  ["x", blockingTokens, "full"]
]

const markRow = ({ status }: ContextUse, width: number): Row => {
  const columns = columnsFor(width)
  const cells = Array.from({ length: columns }, () => " ")
  for (const [letter, tokens] of marksOf(status)) cells[Math.min(columns - 1, cellsOf(tokens, status, columns))] = letter
  return lineRow([{ text: cells.join(""), look: BUFFER }], width)
}

/** The share of the last request that the cache answered. */
const cacheText = ({ conversation: { messages } }: AgentState): string => {
  const place = findLastIndex(messages, (message) => message.type === "assistant" && !isZeroUsage(message.message.usage))
  const message = get(messages, place)
  if (message?.type !== "assistant") return "no request yet"
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message.message.usage
  const sent = input_tokens + cache_read_input_tokens + cache_creation_input_tokens
  return sent === 0
    ? "no request yet"
    : `${Math.round((cache_read_input_tokens / sent) * 100)}% of the last request from the cache`
}

const percentOf = (tokens: number, windowTokens: number): string => `${((tokens / windowTokens) * 100).toFixed(1)}%`

/** Categories are closed until somebody opens them. */
export const CONTEXT_LIST: ListState = { ...NEW_LIST, folded: new Set(CATEGORIES) }

interface Drawing {
  readonly windowTokens: number
  readonly width: number
  readonly glyphs: "unicode" | "ascii"
  readonly folded: ReadonlySet<string>
  readonly pinned: ReadonlySet<string>
}

/** A name, and its figures at the right edge. */
const figureRow = (name: ReadonlyArray<Span>, tokens: number, { windowTokens, width }: Drawing): Row => {
  const figures = `${countText(tokens).padStart(7)} ${percentOf(tokens, windowTokens).padStart(6)}`
  const shown = lineRow(name, Math.max(1, width - figures.length - 1))
  const gap = " ".repeat(Math.max(1, width - shown.width - figures.length))
  return lineRow([...shown.spans, { text: gap + figures, look: QUIET }], width)
}

const MARKS = { unicode: { open: "▾", closed: "▸", pin: "◆" }, ascii: { open: "-", closed: "+", pin: "*" } } as const

const MESSAGE = "message:"

/** The record that an item of the pane stands for; undefined for a category or for what is no message. */
export const recordOfItem = ({ id }: Item): string | undefined => {
  const [, uuid] = /^message:\d+:(.+)$/s.exec(id) ?? []
  return uuid
}

const messageItem = (
  category: string,
  { item, index }: { readonly item: ContextItem; readonly index: number },
  drawing: Drawing
): Item => {
  const isPinned = item.uuid !== undefined && drawing.pinned.has(item.uuid)
  const mark = isPinned ? `${MARKS[drawing.glyphs].pin} ` : "  "
  const words = inOneLine(sanitize(item.label, "prose", { look: QUIET }))
  return {
    id: item.uuid === undefined ? `${category}:${index}` : `${MESSAGE}${index}:${item.uuid}`,
    fold: category,
    rows: [figureRow([{ text: `  ${mark}`, look: PINNED }, ...words], item.tokens, drawing)],
    source: item.label
  }
}

const shareItems = ({ category, tokens, items }: ContextUse["shares"][number], drawing: Drawing): ReadonlyArray<Item> => {
  const isFolded = drawing.folded.has(category)
  const mark = MARKS[drawing.glyphs][isFolded ? "closed" : "open"]
  const name: ReadonlyArray<Span> = [
    { text: `${mark} `, look: QUIET },
    { text: category, look: TEXT },
    { text: `  ${items.length}`, look: QUIET }
  ]
  const head: Item = {
    id: category,
    fold: category,
    rows: [figureRow(name, tokens, drawing)],
    text: category,
    source: items.map((item) => `${countText(item.tokens).padStart(7)}  ${item.label}`).join("\n")
  }
  return isFolded ? [head] : [head, ...items.map((item, index) => messageItem(category, { item, index }, drawing))]
}

export const contextItems = ({ session, width, options }: PaneScene): ReadonlyArray<Item> => {
  const use = useOf(session.state)
  const { usedTokens, windowTokens, percentLeft } = use.status
  const head = `${countText(usedTokens)} of ${countText(windowTokens)} tokens · ${percentLeft}% left`
  const legend = marksOf(use.status)
    .map(([letter, tokens, meaning]) => `${letter} ${meaning} at ${countText(tokens)}`)
    .join(" · ")
  const { pins } = session.state.conversation
  const kept =
    pins.length === 0
      ? []
      : [`${plural(pins.length, "pinned message")}, ${countText(pinnedTokens(pins))} tokens in every summary`]
  const facts = [legend, cacheText(session.state), ...kept]
  const rows = [
    ...textRows(head, width, TEXT),
    barRow(use, width),
    markRow(use, width),
    ...facts.flatMap((fact) => textRows(fact, width, QUIET))
  ]
  const drawing: Drawing = {
    windowTokens,
    width,
    glyphs: options.glyphs,
    folded: (session.lists.context ?? CONTEXT_LIST).folded,
    pinned: new Set(session.state.conversation.pins.map(({ uuid }) => uuid))
  }
  return [
    { id: "window", rows, source: [head, ...facts].join("\n") },
    ...use.shares.flatMap((share) => shareItems(share, drawing))
  ]
}

/** The answers to it are paid for, so it is asked about; what it would free is said before. */
const askToCompact = ({ model, session: { id, state } }: FocusedList): Update => {
  const { usedTokens, windowTokens } = statusOf(state)
  const size = `${countText(usedTokens)} of ${countText(windowTokens)} tokens are used.`
  return withoutCommands(
    openOverlay(
      model,
      confirmOverlay(
        { _tag: "Compact", session: id },
        {
          question: `Summarise the conversation so far? ${size} All of it stays in the transcript, and /compact undo brings it back.`,
          yes: "Summarise it",
          no: "Leave it as it is"
        }
      )
    )
  )
}

const goToRecord = onItem(({ model, session, item }) => {
  const record = recordOfItem(item)
  if (record === undefined) return undefined
  const { entries } = session.transcript
  const entry = Vector.get(
    entries,
    Vector.findLastIndex(entries, ({ uuid }) => uuid === record)
  )
  return withoutCommands(entry === undefined ? notify(model, "it is not in the transcript") : goToEntry(model, entry.id))
})

/** A message is gone to; a category opens or closes. */
const open: Handler<FocusedList> = (at, press) =>
  goToRecord(at, press) ?? (at.item?.fold === undefined ? undefined : toggleFold(at, press))

export const CONTEXT_HANDLERS: ListHandlers = {
  "pane:open": open,
  "list:openFull": open,
  "pane:goToCall": goToRecord,
  "list:compact": askToCompact,
  "list:pin": onItem(({ model, session, item }) => togglePin(model, session, recordOfItem(item)))
}
