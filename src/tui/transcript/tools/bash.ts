/** Shell calls: the command in full, the output from both ends. */
import { humanSize } from "../../../core/domain/text/bytes.ts"
import { LIMITS } from "../../../core/domain/limits.ts"
import { plain } from "../../text/ansi/ansi.ts"
import { lookOf } from "../../screen/style/look.ts"
import type { Row, Span } from "../../screen/style/row.ts"
import type { ToolBlock } from "../block.ts"
import { cutRow, mark, oneLine, QUIET } from "../rows/compose.ts"
import { plural, secondsText } from "../number-format.ts"
import { FOLD_LIMITS, headOnly, OUTPUT_FOLD } from "../rows/fold.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import { codeRows } from "../rows/code-rows.ts"
import { outputRows } from "./output-rows.ts"
import { numberField, textField } from "../fields.ts"
import { body, dataOf, inputOf, limitOf, makeRenderer, outcomeText, progressOf } from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

const LIVE_LINES = 6
const EXIT = /^(?:Error: )?Exit code (\d+)(?: \(([A-Z0-9]+)\))?/
const WARNING = lookOf("warning")
const ERROR = lookOf("error")

/**
 * What the command printed, in parts that each begin with a line: of a long output the beginning and the end, then the
 * notices of the tool. A record without them leaves only the model's copy.
 */
const printed = (block: ToolBlock): ReadonlyArray<string> => {
  if (block.outcome === undefined) return [textField(progressOf(block), "output")]
  const data = dataOf(block)
  if (typeof data["stdout"] !== "string") return [outcomeText(block)]
  return [data["stdout"], textField(data, "outputTail"), textField(data, "stderr")].filter((text) => text !== "")
}

const sourceOf = (block: ToolBlock): string => printed(block).map(plain).join("\n")

const LEFT_OUT = "left out here"

/** The rows of all parts; between the beginning and the end of a long output stands that something is missing. */
const printedRows = (view: ToolView): ReadonlyArray<Row> => {
  const { block, result, width, options } = view
  const hasGap = textField(dataOf(block), "outputTail") !== ""
  let at = result.start
  return printed(block).flatMap((part, index) => {
    const gap = index === 1 && hasGap ? [cutRow([mark(`${glyphsOf(options).more} ${LEFT_OUT}`)], width, at)] : []
    const rows = outputRows(part, { ...view, result: { ...result, start: at } })
    at += plain(part).length + 1
    return [...gap, ...rows]
  })
}

const exitMark = (block: ToolBlock): ReadonlyArray<Span> => {
  const [, code, signal] = EXIT.exec(outcomeText(block)) ?? []
  if (code !== undefined) return [mark(`exit ${signal ?? code}`, ERROR)]
  return dataOf(block)["interrupted"] === true && block.state !== "cancelled" ? [mark("stopped", ERROR)] : []
}

const marksOf = (block: ToolBlock): ReadonlyArray<Span> => {
  const input = inputOf(block)
  const task = textField(dataOf(block), "backgroundTaskId")
  const isBackground = task !== "" || input["run_in_background"] === true
  return [
    ...exitMark(block),
    ...(isBackground ? [mark(`background ${task}`.trim(), WARNING)] : []),
    ...(input["dangerouslyDisableSandbox"] === true ? [mark("no sandbox", WARNING)] : [])
  ]
}

const described = (block: ToolBlock): ReadonlyArray<Span> =>
  oneLine(textField(inputOf(block), "description"), "prose", { look: QUIET })

/** A command of one short line stands in the head row; any other has rows of its own. */
const head = (view: ToolView): Head => {
  const { block, call, options } = view
  const marks = marksOf(block)
  const command = block.source.slice(call.start, call.end)
  const rows = codeRows({ source: block.source, range: call, language: "bash", width: view.width, options })
  const [first] = rows
  const taken = block.tool.length + 16
  if (rows.length === 1 && first !== undefined && first.width <= Math.max(20, view.width - taken)) {
    return { argument: first.spans, marks: [...marks, ...described(block)] }
  }
  const isFolded = options.fold === "closed" && rows.length > FOLD_LIMITS.command
  return {
    argument: described(block),
    marks: isFolded ? [...marks, mark(`command of ${plural(command.split("\n").length, "line")}`)] : marks,
    rows
  }
}

const countersOf = (view: ToolView): string => {
  const { block, options } = view
  const progress = progressOf(block)
  const lines = numberField(progress, "totalLines") ?? 0
  const bytes = numberField(progress, "totalBytes") ?? 0
  const limit = numberField(inputOf(block), "timeout") ?? LIMITS.bashTimeoutMs
  const elapsed = block.startedAt === undefined ? 0 : options.now - block.startedAt
  const isLate = elapsed > limit / 2 && elapsed < limit
  const left = isLate ? ` ${glyphsOf(options).dot} stops in ${secondsText(limit - elapsed)}` : ""
  return lines === 0 && left === "" ? "" : `${plural(lines, "line")}, ${humanSize(bytes)}${left}`
}

/** The last lines, as they come. */
const running = (view: ToolView): Body => {
  const rows = printedRows(view)
  const tail = rows.slice(-LIVE_LINES)
  const counters = countersOf(view)
  const last: ReadonlyArray<Row> = counters === "" ? [] : [cutRow([mark(counters)], view.width, view.result.end)]
  return body(view, [...tail, ...last], headOnly(LIVE_LINES + 1))
}

/** Notices of the tool itself are the last part of what is printed. */
const noticeStart = (view: ToolView): number => {
  const data = dataOf(view.block)
  const notices = typeof data["stdout"] === "string" ? plain(textField(data, "stderr")) : ""
  return notices === "" ? view.result.end : view.result.end - notices.length
}

/** A heavier gutter sets off what went to the error stream. */
const gutterOf = (view: ToolView): ((row: Row) => boolean) => {
  const from = noticeStart(view)
  return (row) => row.start >= from && row.start < view.result.end
}

/** The record holds both ends of a long output at most; where the rest is must not be left to guess. */
const restRow = (view: ToolView): ReadonlyArray<Row> => {
  const size = numberField(dataOf(view.block), "persistedOutputSize")
  if (size === undefined) return []
  const cut = textField(dataOf(view.block), "outputTail") === "" ? "cut here: " : ""
  const words = `${glyphsOf(view.options).more} ${cut}${humanSize(size)} in all, o in activity shows it`
  return [cutRow([mark(words)], view.width, view.result.end)]
}

const result = (view: ToolView): Body => {
  const rows = [...printedRows(view), ...restRow(view)]
  const limit = limitOf(view, OUTPUT_FOLD.limit)
  return { ...body(view, rows, { ...OUTPUT_FOLD, limit }), isError: gutterOf(view) }
}

export const bashRenderer: ToolRenderer = makeRenderer({
  call: (block) => textField(inputOf(block), "command"),
  outcome: (block) => ({ result: sourceOf(block) }),
  ownsFailures: true,
  head,
  running,
  result
})
