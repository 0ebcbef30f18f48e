/** A block as rows. All that a row shows of the source it says where; together the rows stand for all of it. */
import { estimateText } from "../../../core/model/tokens/estimate.ts"
import { lookOf, TEXT, withTrait } from "../../screen/style/look.ts"
import type { Row } from "../../screen/style/row.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { columnsOf } from "../../text/wrap.ts"
import type {
  AttachmentBlock,
  Block,
  BoundaryBlock,
  ErrorBlock,
  Header,
  LayoutOptions,
  NoticeBlock,
  TextBlock,
  ThinkingBlock,
  TurnBlock,
  UserBlock
} from "../block.ts"
import {
  behind,
  blankRow,
  covering,
  cutRow,
  fillRows,
  mark,
  oneLine,
  QUIET,
  rangeRows,
  STRONG,
  unit
} from "../rows/compose.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { secondsText } from "../number-format.ts"
import { FOLD_LIMITS, foldRows, headOnly } from "../rows/fold.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import { clockText } from "../timestamp.ts"
import { answerRows } from "../rows/markdown-rows.ts"
import { toolRows } from "./tool-rows.ts"

const THOUGHT = withTrait(QUIET, "italic")
const INDENT = "  "
const LIVE_THOUGHT_ROWS = 3

const whole = ({ source }: Block): { start: number; end: number } => ({ start: 0, end: source.length })

const PASTE = withTrait(lookOf("suggestion"), "bold")

/** What was typed, with a row for each paste while it is closed. */
const spokenRows = (
  block: UserBlock,
  style: Parameters<typeof rangeRows>[2],
  fold: LayoutOptions["fold"]
): ReadonlyArray<Row> => {
  const { source, pastes = [] } = block
  if (fold === "open" || pastes.length === 0) return rangeRows(source, whole(block), style)
  const rows: Array<Row> = []
  let at = 0
  for (const paste of pastes) {
    rows.push(...rangeRows(source, { start: at, end: paste.start }, style))
    rows.push({ ...cutRow([unit(`${paste.label} (za)`, paste, PASTE)], style.width), hides: true })
    at = paste.end
  }
  return [...rows, ...rangeRows(source, { start: at, end: source.length }, style)]
}

const userRows = (block: UserBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const glyphs = glyphsOf(options)
  const bar = [mark(`${glyphs.bar} `, lookOf("briefLabelYou"))]
  const isMarked = block.prefix === "!" || block.prefix === "#"
  const prefix = isMarked ? [mark(`${block.prefix} `, lookOf("bashBorder"))] : []
  const width = Math.max(1, options.width - columnsOf([...bar, ...prefix]))
  const kind = block.prefix === undefined ? "prose" : "command"
  const rows = spokenRows(block, { width, kind, tab: options.tabWidth }, options.fold)
  const shown = foldRows(rows.length === 0 ? [blankRow(0)] : rows, headOnly(FOLD_LIMITS.user), { ...options, width })
  return fillRows(behind(shown, [...bar, ...prefix]), "userMessageBackground")
}

const headerRow = (header: Header | undefined, options: LayoutOptions): ReadonlyArray<Row> => {
  if (header === undefined || (options.view !== "verbose" && !header.isOther)) return []
  const time = header.time === undefined ? "" : ` ${clockText(header.time, options.utcOffsetMs)}`
  const model = oneLine(header.model, "command", { look: QUIET })
  return [cutRow([...model, ...(options.view === "verbose" ? [mark(time)] : [])], options.width)]
}

const textRows = (block: TextBlock, options: LayoutOptions): ReadonlyArray<Row> => [
  ...headerRow(block.header, options),
  ...answerRows(block, options)
]

const thoughtSummary = (block: ThinkingBlock, options: LayoutOptions): string => {
  const ended = block.endedAt ?? (block.streaming ? options.now : undefined)
  const seconds = block.startedAt === undefined || ended === undefined ? "" : ` ${secondsText(ended - block.startedAt)}`
  const tokens = block.tokens ?? estimateText(block.source)
  return `thinking${seconds}, ${countText(tokens)} ${tokens === 1 ? "token" : "tokens"}`
}

/** Live: the last rows. Settled: one row, or all of it when it is opened. */
const thinkingRows = (block: ThinkingBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  if (options.thinking === "hide" || options.view === "focus") return []
  const isOpen = options.thinking === "show" || options.fold === "open"
  const summary = block.redacted ? block.source : thoughtSummary(block, options)
  if (block.redacted || (!block.streaming && !isOpen)) {
    const row = cutRow([mark(INDENT), unit(summary, whole(block), THOUGHT)], options.width)
    return [block.redacted ? row : { ...row, hides: true }]
  }
  const width = Math.max(1, options.width - INDENT.length)
  const rows = rangeRows(block.source, whole(block), { width, kind: "prose", look: THOUGHT })
  const shown = isOpen ? rows : rows.slice(-LIVE_THOUGHT_ROWS)
  return behind([cutRow([mark(summary, THOUGHT)], width), ...shown], [mark(INDENT)])
}

const NOTICE_LOOKS = { info: QUIET, warning: lookOf("warning"), error: lookOf("error") } as const

const noticeRows = (block: NoticeBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const lead = [mark(`${glyphsOf(options).dot} `, NOTICE_LOOKS[block.level])]
  const width = Math.max(1, options.width - columnsOf(lead))
  const style = { width, look: NOTICE_LOOKS[block.level], tab: options.tabWidth }
  const rows = foldRows(rangeRows(block.source, whole(block), style), headOnly(FOLD_LIMITS.result), { ...options, width })
  const [first, ...rest] = rows
  return first === undefined ? [] : [...behind([first], lead), ...behind(rest, [mark(INDENT)])]
}

const errorRows = (block: ErrorBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const glyphs = glyphsOf(options)
  const bar = [mark(`${glyphs.bar} `, lookOf("error"))]
  const width = Math.max(1, options.width - columnsOf(bar))
  const feed = block.source.indexOf("\n")
  const end = feed < 0 ? block.source.length : feed + 1
  const look = withTrait(lookOf("error"), "bold")
  const first = rangeRows(block.source, { start: 0, end }, { width, kind: "prose", look })
  const details = rangeRows(block.source, { start: end, end: block.source.length }, { width, kind: "prose" })
  const rows = [...first, ...(options.fold === "open" ? details : foldRows(details, headOnly(0), { ...options, width }))]
  const next =
    block.nextStep === undefined
      ? []
      : [cutRow([mark(`${glyphs.arrow} `), mark(block.nextStep, STRONG)], width, block.source.length)]
  return behind([...rows, ...next], bar)
}

const boundaryText = (block: BoundaryBlock, options: LayoutOptions): string => {
  const { dot, arrow } = glyphsOf(options)
  const before = block.tokensBefore === undefined ? "" : countText(block.tokensBefore)
  const after = block.tokensAfter === undefined ? "" : ` ${arrow} ${countText(block.tokensAfter)}`
  return [
    block.trigger === "manual" ? "compacted" : "compacted automatically",
    before === "" ? "" : `${before}${after} tokens`,
    block.hasSummary ? (options.fold === "open" ? "za hides the summary" : "za shows the summary") : "",
    "u undoes it"
  ]
    .filter((part) => part !== "")
    .join(` ${dot} `)
}

const boundaryRows = (block: BoundaryBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const { rule } = glyphsOf(options)
  const look = lookOf("subtle")
  const text = ` ${boundaryText(block, options)} `
  const lead = rule.repeat(2)
  const rest = Math.max(0, options.width - columnsOf([mark(`${lead}${text}`)]))
  const isOpen = options.fold === "open" && block.hasSummary
  const words = isOpen ? mark(text) : unit(text, whole(block))
  const line = cutRow([mark(lead, look), words, mark(rule.repeat(rest), look)], options.width)
  if (!isOpen) return [block.hasSummary ? { ...line, hides: true } : line]
  const width = Math.max(1, options.width - INDENT.length)
  return [line, ...behind(rangeRows(block.source, whole(block), { width, kind: "prose", look: QUIET }), [mark(INDENT)])]
}

const FIGURE_BREAK = " · "

/** As many whole figures as fit: half of one says something else. */
const figuresIn = (source: string, width: number): string => {
  const [first = "", ...others] = source.split(FIGURE_BREAK)
  let text = first
  for (const figure of others) {
    const longer = `${text}${FIGURE_BREAK}${figure}`
    if (textWidth(longer) > width) break
    text = longer
  }
  return text
}

const turnRows = (block: TurnBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  if (!options.showTurns) return []
  const { dot } = glyphsOf(options)
  const text = figuresIn(block.source, options.width - INDENT.length).replaceAll("·", dot)
  return [cutRow([mark(INDENT), { text, look: QUIET, at: 0 }], options.width)]
}

const attachmentRows = (block: AttachmentBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const name = oneLine(block.source, "command", { look: TEXT, at: 0 })
  return [cutRow([mark(`${INDENT}+ `), ...name], options.width)]
}

const rowsOf = (block: Block, options: LayoutOptions): ReadonlyArray<Row> => {
  switch (block.kind) {
    case "user":
      return userRows(block, options)
    case "text":
      return textRows(block, options)
    case "thinking":
      return thinkingRows(block, options)
    case "tool":
      return toolRows(block, options)
    case "notice":
      return noticeRows(block, options)
    case "error":
      return errorRows(block, options)
    case "boundary":
      return boundaryRows(block, options)
    case "turn":
      return turnRows(block, options)
    case "attachment":
      return attachmentRows(block, options)
  }
}

/** The rows of a block: none if the options hide it, otherwise rows that stand for all of its source in order. */
export const layoutBlock = (block: Block, options: LayoutOptions): ReadonlyArray<Row> => {
  if (block.meta === true && !options.meta) return []
  if (options.asked !== undefined && block.kind === "tool" && block.callId === options.asked) return []
  const rows = rowsOf(block, options)
  if (rows.length === 0) return rows
  return covering(block.gap === true ? [blankRow(0), ...rows] : rows, block.source.length)
}
