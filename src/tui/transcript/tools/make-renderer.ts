/** What renderers have in common: reading loose inputs, the shape of a head, and what a call that failed looks like. */
import { displayPath } from "../../../core/tools/search/display.ts"
import { lookOf, TEXT } from "../../screen/style/look.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import type { TextKind } from "../../text/sanitize.ts"
import type { ToolBlock } from "../block.ts"
import { cutRow, oneLine, rangeRows, shortenSpans, unit } from "../rows/compose.ts"
import { fieldsOf, type Fields, textField } from "../fields.ts"
import { FOLD_LIMITS, headOnly, type FoldShape } from "../rows/fold.ts"
import { glyphsOf } from "../rows/glyphs.ts"
import type { Body, CallText, Head, ToolRenderer, ToolView } from "./renderer.ts"

export const inputOf = (block: ToolBlock): Fields => fieldsOf(block.input)
export const dataOf = (block: ToolBlock): Fields => fieldsOf(block.outcome?.data)
export const progressOf = (block: ToolBlock): Fields => fieldsOf(block.progress)
/** What the model was told; other programs put its errors between tags that only the model needs. */
export const outcomeText = ({ outcome }: ToolBlock): string => {
  const text = outcome?.text ?? ""
  return outcome?.isError === true ? text.replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, "$1") : text
}

const ERROR = lookOf("error")

/** The first line of the call, tied to its characters as far as they are shown as they are. */
export const callArgument = (view: ToolView, shown?: string, kind: TextKind = "command"): ReadonlyArray<Span> => {
  const { block, call } = view
  const whole = block.source.slice(call.start, call.end)
  const text = shown ?? whole.split("\n", 1)[0] ?? ""
  if (text === "") return []
  const style = { look: TEXT, at: call.start }
  if (whole === text) return oneLine(text, kind, style)
  if (whole.startsWith(text)) {
    const spans = oneLine(text, kind, style)
    return [...spans, unit("", { start: call.start + text.length, end: call.end })]
  }
  const visible = oneLine(text, kind, { look: TEXT }).map((span) => span.text)
  return [unit(visible.join(""), call, TEXT)]
}

export const pathArgument = (view: ToolView): ReadonlyArray<Span> => {
  const path = view.block.source.slice(view.call.start, view.call.end)
  return callArgument(view, displayPath(path, view.options.cwd))
}

export const limitOf = (view: ToolView, standard: number): number => view.options.limits[view.block.tool] ?? standard

/** The result as it is. */
export const resultRows = (view: ToolView, look: Look = TEXT): ReadonlyArray<Row> =>
  rangeRows(view.block.source, view.result, { width: view.width, look, tab: view.options.tabWidth })

export const NO_BODY: Body = { rows: [], fold: headOnly(FOLD_LIMITS.result) }

export const body = (view: ToolView, rows: ReadonlyArray<Row>, fold?: FoldShape): Body => ({
  rows,
  fold: fold ?? headOnly(limitOf(view, FOLD_LIMITS.result))
})

/** One row of our own words in place of the whole result. */
export const instead = (view: ToolView, text: string, look?: Look): Body => {
  const { more } = glyphsOf(view.options)
  return body(view, [cutRow(shortenSpans([unit(text, view.result, look)], view.width, more), view.width)])
}

/** Why it did not happen. */
const refusal = (view: ToolView): Body => {
  const { denial } = view.block
  if (denial !== undefined) {
    const words = oneLine(denial, "prose", { look: TEXT }).map((span) => span.text)
    return instead(view, words.join(""))
  }
  return view.block.state === "cancelled" ? NO_BODY : body(view, resultRows(view, lookOf("inactive")))
}

interface Spec {
  readonly call: (block: ToolBlock) => string
  readonly head?: (view: ToolView) => Head
  readonly running?: (view: ToolView) => Body
  readonly result?: (view: ToolView) => Body
  /** What came of it, as text; the model's copy of it unless the tool knows better. */
  readonly outcome?: (block: ToolBlock) => Omit<CallText, "call">
  readonly plain?: (block: ToolBlock) => string
  /** Also takes failures, because their output reads like any other. */
  readonly ownsFailures?: true
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? ""

/** A renderer from what is special about a tool. */
export const makeRenderer = (spec: Spec): ToolRenderer => {
  const outcome = (block: ToolBlock): Omit<CallText, "call"> => {
    const failed = block.outcome?.isError === true && spec.ownsFailures !== true
    return spec.outcome === undefined || failed ? { result: outcomeText(block) } : spec.outcome(block)
  }
  const result = (view: ToolView): Body => {
    const { state } = view.block
    const hasPrinted =
      state === "cancelled" && spec.ownsFailures === true && textField(dataOf(view.block), "stdout").trim() !== ""
    if ((state === "denied" || state === "cancelled") && !hasPrinted) return refusal(view)
    if (state === "failed" && spec.ownsFailures !== true) return body(view, resultRows(view, ERROR))
    return spec.result === undefined ? body(view, resultRows(view)) : spec.result(view)
  }
  return {
    head: spec.head ?? ((view) => ({ argument: callArgument(view), marks: [] })),
    running: spec.running ?? (() => NO_BODY),
    result,
    plain: spec.plain ?? ((block) => `${block.tool} ${firstLine(spec.call(block))}`.trim()),
    source: (block) => ({ call: spec.call(block), ...outcome(block) })
  }
}
