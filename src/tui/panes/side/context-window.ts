import { CATEGORY_ORDER } from "../../../core/context/usage/category.ts"
import { type ContextUsage, goesNext, type UsageCategory } from "../../../core/context/usage/context-usage.ts"
import { type Finding, findingsOf } from "../../../core/context/usage/findings.ts"
import { type UsageItem, uuidOf } from "../../../core/context/usage/item.ts"
import { nextLine } from "../../../core/context/usage/usage-lines.ts"
import { findLastIndex, get } from "../../../core/domain/append-list.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { isZeroUsage } from "../../../core/domain/usage.ts"
import type { WindowStatus } from "../../../core/model/tokens/window.ts"
import { usageOf } from "../../../core/loop/reduction/context-usage.ts"
import { pinnedTokens } from "../../../core/loop/reduction/pins.ts"
import type { AgentState, Conversation } from "../../../core/loop/machine/state.ts"
import { type Item, type ListState, NEW_LIST } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import { EMPTY_ROW, lineRow, textRows } from "../../text/line-rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { plural } from "../../transcript/number-format.ts"
import { barRow, gridRows, letterSpan } from "./context-picture.ts"

/** What fills the context window: a picture of the whole of it, then each piece by category, then what to do about it. */

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const WARNING: Look = { role: "warning", bold: true }
const ERROR: Look = { role: "error", bold: true }
const PINNED: Look = { role: "mark" }

const HEAD_LOOKS: Readonly<Record<WindowStatus["state"], Look>> = {
  ok: { role: "text", bold: true },
  warning: WARNING,
  error: ERROR,
  compact: WARNING,
  blocked: ERROR
}

/** It looks at every message, so it is kept while nothing changes that it depends on. */
const known = new WeakMap<Conversation, { readonly state: AgentState; readonly usage: ContextUsage }>()

export const knownUsage = (state: AgentState): ContextUsage => {
  const kept = known.get(state.conversation)
  if (kept?.state.config === state.config && kept.state.toolbox === state.toolbox) return kept.usage
  const usage = usageOf(state)
  known.set(state.conversation, { state, usage })
  return usage
}

/** Categories are closed until somebody opens them. */
export const CONTEXT_LIST: ListState = { ...NEW_LIST, folded: new Set<string>(CATEGORY_ORDER) }

/** The share of the last request that the cache answered. */
const cacheText = ({ conversation: { messages } }: AgentState): string => {
  const place = findLastIndex(messages, (message) => message.type === "assistant" && !isZeroUsage(message.message.usage))
  const message = get(messages, place)
  if (message?.type !== "assistant") return "Nothing has been counted yet: these are estimates."
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message.message.usage
  const sent = input_tokens + cache_read_input_tokens + cache_creation_input_tokens
  const share = sent === 0 ? 0 : Math.round((cache_read_input_tokens / sent) * 100)
  return `${share}% of the last request came from the cache.`
}

const leftText = ({ autoCompact, percentLeft, autoTokens, blockingTokens }: WindowStatus): string =>
  autoCompact
    ? `${percentLeft}% until auto-compact at ${countText(autoTokens)}`
    : `${percentLeft}% left, full at ${countText(blockingTokens)}`

const factsOf = (state: AgentState, usage: ContextUsage): ReadonlyArray<string> => {
  const { pins } = state.conversation
  return [
    leftText(usage.status),
    cacheText(state),
    ...(pins.length === 0
      ? []
      : [`${plural(pins.length, "pinned message")}, ${countText(pinnedTokens(pins))} tokens in every summary.`]),
    nextLine(usage.next)
  ]
}

const headText = ({ status: { usedTokens, windowTokens } }: ContextUsage): string =>
  `${countText(usedTokens)} of ${countText(windowTokens)} tokens · ${Math.round((usedTokens / windowTokens) * 100)}%`

/** Figures further from their names than this are hard to read. */
const MOST_COLUMNS = 100

/** Beside the picture the words need this much. */
const WORDS_COLUMNS = 30
const GAP: Span = { text: "   ", look: QUIET }

/** The picture with the facts beside it, or a bar over them where that is too much. */
const windowRows = (
  usage: ContextUsage,
  facts: ReadonlyArray<string>,
  { width, height }: Pick<PaneScene, "width" | "height">
): ReadonlyArray<Row> => {
  const rowsIn = (columns: number): ReadonlyArray<Row> => [
    ...textRows(headText(usage), columns, HEAD_LOOKS[usage.status.state]),
    ...facts.flatMap((fact) => textRows(fact, columns, QUIET))
  ]
  const grid = gridRows(usage)
  const room = width - (grid[0]?.width ?? 0) - GAP.text.length
  if (room < WORDS_COLUMNS || height < grid.length + 4) {
    const [head, ...rest] = rowsIn(width)
    return [head ?? EMPTY_ROW, barRow(usage, width), ...rest]
  }
  const words = rowsIn(room)
  return Array.from({ length: Math.max(grid.length, words.length) }, (_row, index) => {
    const picture = grid[index]?.spans ?? [{ text: " ".repeat(grid[0]?.width ?? 0), look: QUIET }]
    return lineRow([...picture, GAP, ...(words[index]?.spans ?? [])], width)
  })
}

const percentOf = (tokens: number, { windowTokens }: WindowStatus): string =>
  `${((tokens / windowTokens) * 100).toFixed(1)}%`

const FIGURES = 15

/** A name, and its figures at the right edge. */
const figureRow = (
  name: ReadonlyArray<Span>,
  tokens: number,
  at: { readonly usage: ContextUsage; readonly width: number }
): Row => {
  const figures = `${countText(tokens).padStart(7)} ${percentOf(tokens, at.usage.status).padStart(6)}`
  const shown = lineRow(name, Math.max(1, at.width - FIGURES))
  const gap = " ".repeat(Math.max(1, at.width - shown.width - figures.length))
  return lineRow([...shown.spans, { text: gap + figures, look: QUIET }], at.width)
}

interface Drawing {
  readonly usage: ContextUsage
  readonly width: number
  readonly glyphs: "unicode" | "ascii"
  readonly folded: ReadonlySet<string>
  /** Paths are shown as they are from here. */
  readonly folder: string
  /** Number of the newest prompt. */
  readonly newestTurn: number
}

const MARKS = {
  unicode: { open: "▾", closed: "▸", pin: "◆", next: "↓" },
  ascii: { open: "-", closed: "+", pin: "*", next: "v" }
} as const

const MESSAGE = "message:"
const FINDING = "finding:"

/** Where there is room for words beside the label of an item. */
const REMARKS_FROM = 76
const REMARK_COLUMNS = 24

const remarksOf = ({ turn, cached }: UsageItem, newestTurn: number): string => {
  const ago = turn === undefined ? undefined : newestTurn - turn
  const since = ago === undefined ? [] : [ago <= 0 ? "this turn" : `${plural(ago, "turn")} ago`]
  return [...since, ...(cached ? ["cached"] : [])].join(" · ")
}

const nameRow = (item: UsageItem, drawing: Drawing, room: number): ReadonlyArray<Span> => {
  const marks = MARKS[drawing.glyphs]
  const lead: ReadonlyArray<Span> = [
    { text: item.pinned ? ` ${marks.pin} ` : "   ", look: PINNED },
    { text: goesNext(item, drawing.usage.next) ? `${marks.next} ` : "  ", look: WARNING }
  ]
  const label = item.label.replaceAll(drawing.folder, "")
  return lineRow([...lead, ...sanitize(label, "command", { look: QUIET })], room).spans
}

const itemRow = (item: UsageItem, drawing: Drawing): Row => {
  const room = drawing.width - FIGURES
  if (drawing.width < REMARKS_FROM) return figureRow(nameRow(item, drawing, room), item.tokens, drawing)
  const name = lineRow(nameRow(item, drawing, room - REMARK_COLUMNS), room - REMARK_COLUMNS)
  const gap = " ".repeat(Math.max(1, room - REMARK_COLUMNS - name.width))
  return figureRow(
    [...name.spans, { text: `${gap}${remarksOf(item, drawing.newestTurn)}`, look: QUIET }],
    item.tokens,
    drawing
  )
}

const idOf = (category: string, item: UsageItem, index: number): string => {
  const uuid = uuidOf(item)
  return uuid === undefined ? `${category}:${index}` : `${MESSAGE}${category}:${index}:${uuid}`
}

const categoryItems = (category: UsageCategory, drawing: Drawing): ReadonlyArray<Item> => {
  const { id, label, tokens, items } = category
  const isFolded = drawing.folded.has(id)
  const name: ReadonlyArray<Span> = [
    { text: `${MARKS[drawing.glyphs][isFolded ? "closed" : "open"]} `, look: QUIET },
    letterSpan(id),
    { text: ` ${label}`, look: TEXT },
    { text: `  ${items.length}`, look: QUIET }
  ]
  const head: Item = {
    id,
    fold: id,
    rows: [figureRow(name, tokens, drawing)],
    text: label,
    source: items.map((item) => `${countText(item.tokens).padStart(7)}  ${item.label}`).join("\n")
  }
  if (isFolded) return [head]
  return [
    head,
    ...items.map((item, index): Item => ({
      id: idOf(id, item, index),
      fold: id,
      rows: [itemRow(item, drawing)],
      source: item.label
    }))
  ]
}

const findingItem = (finding: Finding, index: number, width: number): Item => {
  const frees = finding.freesTokens === undefined ? "" : ` Frees ${countText(finding.freesTokens)} tokens.`
  const rows = textRows(`${finding.text}${frees}`, Math.max(1, width - 2)).map((row, line) =>
    lineRow([{ text: line === 0 ? "! " : "  ", look: WARNING }, ...row.spans], width)
  )
  return { id: `${FINDING}${index}`, rows: index === 0 ? [EMPTY_ROW, ...rows] : rows, source: finding.text }
}

export const contextItems = (scene: PaneScene): ReadonlyArray<Item> => {
  const { session, options } = scene
  const width = Math.min(scene.width, MOST_COLUMNS)
  const usage = knownUsage(session.state)
  const facts = factsOf(session.state, usage)
  const turns = usage.categories.flatMap(({ items }) => items.map(({ turn }) => turn ?? 0))
  const drawing: Drawing = {
    usage,
    width,
    glyphs: options.glyphs,
    folder: `${session.cwd}/`,
    folded: (session.lists.context ?? CONTEXT_LIST).folded,
    newestTurn: turns.reduce((newest, turn) => Math.max(newest, turn), 0)
  }
  return [
    {
      id: "window",
      rows: [...windowRows(usage, facts, { width, height: scene.height }), EMPTY_ROW],
      source: [headText(usage), ...facts].join("\n")
    },
    ...usage.categories.flatMap((category) => categoryItems(category, drawing)),
    ...usage.spaces.map(({ id, label, tokens }): Item => ({
      id,
      rows: [figureRow([{ text: "  ", look: QUIET }, letterSpan(id), { text: ` ${label}`, look: QUIET }], tokens, drawing)],
      source: label
    })),
    ...findingsOf(usage).map((finding, index) => findingItem(finding, index, width))
  ]
}

/** The record that an item of the pane stands for; undefined for a category or for what is no message. */
export const recordOfItem = ({ id }: Item): string | undefined => {
  const [, uuid] = /^message:[^:]+:\d+:(.+)$/s.exec(id) ?? []
  return uuid
}

/** The piece of the request, or the finding, that an item of the pane stands for. */
export const pieceOf = ({ id }: Item, usage: ContextUsage): UsageItem | undefined => {
  const [, category, index] = /^(?:message:)?([^:]+):(\d+)(?::|$)/.exec(id) ?? []
  return usage.categories.find((each) => each.id === category)?.items[Number(index)]
}

export const findingOf = ({ id }: Item, usage: ContextUsage): Finding | undefined =>
  id.startsWith(FINDING) ? findingsOf(usage)[Number(id.slice(FINDING.length))] : undefined
