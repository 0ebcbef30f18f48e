/** A call as rows: its head, the call where it is long, and what came of it behind a thin gutter. */
import { lookOf, TEXT, withTrait } from "../../screen/style/look.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { columnsOf } from "../../text/wrap.ts"
import type { CallState, LayoutOptions, Part, ToolBlock } from "../block.ts"
import { behind, cutRow, mark, shiftRows, oneLine, QUIET, type Range, shortenSpans, STRONG, unit } from "../rows/compose.ts"
import { secondsText } from "../number-format.ts"
import { FOLD_LIMITS, foldRows, headOnly } from "../rows/fold.ts"
import { glyphsOf, stateGlyph } from "../rows/glyphs.ts"
import { mcpName } from "../tools/mcp.ts"
import { rendererOf } from "../tools/registry.ts"
import type { Body, Head, ToolRenderer, ToolView } from "../tools/renderer.ts"
import { isSettled } from "../state.ts"
import { unknownRenderer } from "../tools/unknown.ts"

const STATE_LOOKS: Readonly<Record<CallState, Look>> = {
  queued: QUIET,
  checking: QUIET,
  asking: withTrait(lookOf("permission"), "bold"),
  running: lookOf("claude"),
  ok: lookOf("success"),
  failed: lookOf("error"),
  cancelled: QUIET,
  denied: lookOf("warning")
}

const STATE_WORDS: Partial<Record<CallState, string>> = {
  checking: "being checked",
  asking: "waiting for you",
  cancelled: "cancelled",
  denied: "denied"
}

/** Columns left of a result: two blanks, the gutter, a blank. */
const GUTTER_COLUMNS = 4
const SHOWN_AFTER_MS = 2_000
/** The argument is worth more than the marks behind it. */
const LEAST_ARGUMENT = 30

const partRange = (block: ToolBlock, name: Part["name"]): Range =>
  block.parts?.find((part) => part.name === name) ?? { start: block.source.length, end: block.source.length }

const viewOf = (block: ToolBlock, options: LayoutOptions): ToolView => ({
  block,
  options,
  width: Math.max(1, options.width - GUTTER_COLUMNS),
  call: partRange(block, "call"),
  result: partRange(block, "result")
})

const elapsedText = (block: ToolBlock, options: LayoutOptions): string => {
  const isWaiting = block.state === "queued" || block.state === "checking" || block.state === "asking"
  if (block.startedAt === undefined || isWaiting) return ""
  const elapsed = (block.endedAt ?? options.now) - block.startedAt
  return elapsed >= SHOWN_AFTER_MS ? secondsText(elapsed) : ""
}

const nameSpans = (block: ToolBlock): ReadonlyArray<Span> => {
  const name = mcpName(block.tool)
  if (name === undefined) return oneLine(block.tool, "command", { look: STRONG })
  return [...oneLine(name.server, "command", { look: STRONG }), ...oneLine(` ${name.tool}`, "command", { look: TEXT })]
}

const separated = (groups: ReadonlyArray<Span>): ReadonlyArray<Span> => groups.flatMap((span) => [mark("  "), span])

/** As many marks as leave room for the argument; the first ones matter most. */
const fittingMarks = (marks: ReadonlyArray<Span>, room: number): ReadonlyArray<Span> => {
  let columns = 0
  const end = marks.findIndex((span) => {
    columns += columnsOf([span]) + 2
    return columns > room
  })
  return end < 0 ? marks : marks.slice(0, end)
}

const headRow = (view: ToolView, head: Head): Row => {
  const { block, options } = view
  const word = STATE_WORDS[block.state]
  const elapsed = elapsedText(block, options)
  const state = mark(`${stateGlyph(block.state, options)} `, STATE_LOOKS[block.state])
  const lead = [state, ...nameSpans(block)]
  const tail = [
    ...(word === undefined ? [] : [mark(word, STATE_LOOKS[block.state])]),
    ...head.marks.filter((span) => span.text !== ""),
    ...(elapsed === "" ? [] : [mark(elapsed)])
  ]
  const room = options.width - columnsOf(lead)
  const wanted = Math.min(columnsOf(head.argument) + 2, LEAST_ARGUMENT)
  const marks = separated(fittingMarks(tail, room - wanted))
  const argument = head.argument.length === 0 ? [] : [mark("  "), ...head.argument]
  const fitted = shortenSpans(argument, room - columnsOf(marks), glyphsOf(options).more)
  return cutRow([...lead, ...fitted, ...marks], options.width)
}

const gutter = (options: LayoutOptions, isError: boolean): ReadonlyArray<Span> => {
  const glyphs = glyphsOf(options)
  return [
    mark("  "),
    isError ? mark(`${glyphs.errorGutter} `, lookOf("error")) : mark(`${glyphs.gutter} `, lookOf("gutter"))
  ]
}

const bodyRows = (view: ToolView, { rows, fold, isError }: Body): ReadonlyArray<Row> => {
  const { options } = view
  const shown = foldRows(rows, fold, { ...options, width: view.width })
  return shown.flatMap((row) => behind([row], gutter(options, isError?.(row) === true)))
}

/** The call's own rows stand a little to the right, without a gutter: they are the question, not the answer. */
const callRows = (view: ToolView, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const { block, options } = view
  const limit = block.tool === "Bash" || block.tool === "PowerShell" ? FOLD_LIMITS.command : FOLD_LIMITS.diff
  return behind(foldRows(rows, headOnly(limit), { ...options, width: view.width }), [mark(" ".repeat(GUTTER_COLUMNS))])
}

const drawn = (view: ToolView, renderer: ToolRenderer): ReadonlyArray<Row> => {
  const { block, options } = view
  const head = renderer.head(view)
  if (options.view === "focus") return [headRow(view, head)]
  const rows = [headRow(view, head), ...callRows(view, head.rows ?? [])]
  if (block.state === "running") return [...rows, ...bodyRows(view, renderer.running(view))]
  return isSettled(block.state) ? [...rows, ...bodyRows(view, renderer.result(view))] : rows
}

const NOTE = "(this call could not be drawn in its own way)"

/** A renderer that fails costs its block its looks, never its words. */
const callRowsOf = (block: ToolBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const view = viewOf(block, options)
  try {
    return drawn(view, rendererOf(block.tool))
  } catch {
    const note = cutRow([mark(NOTE)], view.width, block.source.length)
    return [...drawn(view, unknownRenderer), ...behind([note], gutter(options, false))]
  }
}

/** Calls of one server in a row: one row that counts them, or all of them. */
const runRows = (block: ToolBlock, members: ReadonlyArray<ToolBlock>, options: LayoutOptions): ReadonlyArray<Row> => {
  if (options.fold === "closed") {
    const server = mcpName(block.tool)?.server ?? block.tool
    const words = oneLine(`called ${server} ${members.length} times`, "command", { look: TEXT })
    const text = words.map((span) => span.text).join("")
    const state = mark(`${stateGlyph(block.state, options)} `, STATE_LOOKS[block.state])
    const row = cutRow([state, unit(text, { start: 0, end: block.source.length }, TEXT)], options.width)
    return [{ ...row, hides: true }]
  }
  let start = 0
  return members.flatMap((member) => {
    const rows = shiftRows(callRowsOf(member, options), start)
    start += member.source.length + 1
    return rows
  })
}

export const toolRows = (block: ToolBlock, options: LayoutOptions): ReadonlyArray<Row> =>
  block.members === undefined ? callRowsOf(block, options) : runRows(block, block.members, options)

/** One line in plain words about a call. */
export const plainCall = (block: ToolBlock): string => {
  try {
    return rendererOf(block.tool).plain(block)
  } catch {
    return block.tool
  }
}
