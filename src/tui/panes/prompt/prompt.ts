import { hintFor } from "../../keymap/help.ts"
import { isWaitingToRetry } from "../../model/hasten-retry.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import type { AppModel } from "../../model/app-model.ts"
import { queuedTexts } from "../../model/queued-prompts.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { parseSlash } from "../../prompt/slash-commands.ts"
import { lineText } from "../../model/waiting-line.ts"
import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { comparePositions, type Position } from "../../editor/lines.ts"
import type { Rect } from "../../screen/cell/rect.ts"
import { lineRow } from "../../text/line-rows.ts"
import { bufferIn, caretIn, isEmptyEditor, type PromptEditor, selectionIn } from "../../prompt/editor.ts"
import { type PromptLayout, type PromptRow, scrollToCaret } from "../../prompt/wrap.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { secondsText } from "../../transcript/number-format.ts"
import { glyphsOf } from "../../transcript/rows/glyphs.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { sanitize, visibleLine } from "../../text/sanitize.ts"
import {
  hasHintRow,
  promptLayout,
  promptTextWidth,
  MOST_QUEUED,
  MARK_COLUMNS,
  shownRun
} from "../../model/windows/prompt-height.ts"
import { drawHints } from "../status/hints.ts"
import { verbOf } from "../status/tips.ts"

/** The prompt: what the agent does at the moment, what is queued, the text, and a row of hints. */

const TEXT: Look = { role: "text" }
const CHIP: Look = { role: "suggestion", bold: true }
const QUIET: Look = { role: "subtle" }
const GHOST: Look = { role: "subtle", dim: true }
const RUNNING: Look = { role: "claude" }
const WAITING: Look = { role: "warning", bold: true }
const LOW: Look = { role: "warning" }
const MARKS: Readonly<Record<"prompt" | "shell" | "memory", { readonly text: string; readonly look: Look }>> = {
  prompt: { text: "> ", look: { role: "claude", bold: true } },
  shell: { text: "! ", look: { role: "bashBorder", bold: true } },
  memory: { text: "# ", look: { role: "remember", bold: true } }
}

const queueRows = (session: SessionModel, width: number): ReadonlyArray<Row> => {
  const texts = [...queuedTexts(session).map(({ text }) => text), ...session.waiting.map(lineText)]
  const shown = texts
    .slice(0, MOST_QUEUED)
    .map((text) =>
      lineRow(
        [{ text: "  queued: ", look: QUIET }, ...sanitize(text.split("\n", 1)[0] ?? "", "command", { look: QUIET })],
        width
      )
    )
  const hidden = texts.length - shown.length
  return hidden > 0 ? [...shown, lineRow([{ text: `  … ${hidden} more queued`, look: QUIET }], width)] : shown
}

/** Escape has something else to leave first while text is inserted or a menu is open, and outside the prompt. */
const interruptKey = ({ focus }: AppModel, { prompt: { editor, completion } }: SessionModel): string => {
  const isFirst = editor._tag !== "Vim" || editor.vim.mode.name === "normal"
  return focus === "prompt" && isFirst && completion.menu === undefined ? "esc" : "ctrl+c"
}

const retryHint = (model: AppModel, session: SessionModel): string => {
  const key = isWaitingToRetry(session) ? hintFor(model.keys.keymap, "app:retryNow", activeContexts(model)) : undefined
  return key === undefined ? "" : `${key} tries now`
}

const runRow = (model: AppModel, session: SessionModel, width: number): Row | undefined => {
  const status = shownRun(model, session)
  if (status === undefined) return undefined
  const { spinner } = glyphsOf(model.options)
  const glyph = model.options.reducedMotion ? "•" : (spinner[model.spinner % spinner.length] ?? "•")
  const tokens =
    status.inputTokens + status.outputTokens === 0
      ? ""
      : `↑${countText(status.inputTokens)} ↓${countText(status.outputTokens)}`
  const left = status.contextLeftPercent === undefined ? "" : `${status.contextLeftPercent}% context left`
  const verb = status.isWaiting ? "" : visibleLine(verbOf(model, session), "command")
  const words = verb === "" ? status.words : `${verb} · ${status.words}`
  const first: Span = { text: `${glyph} ${words}`, look: status.isWaiting ? WAITING : RUNNING }
  const others: ReadonlyArray<Span> = [
    { text: retryHint(model, session), look: QUIET },
    { text: status.target ?? "", look: QUIET },
    { text: secondsText(status.elapsedMs), look: QUIET },
    { text: `${interruptKey(model, session)} to interrupt`, look: QUIET },
    { text: left, look: LOW },
    { text: tokens, look: QUIET },
    { text: status.offline ? "offline model (not an LLM)" : "", look: QUIET }
  ]
  return lineRow(whatFits([first, ...others.filter(({ text }) => text !== "")], width), width)
}

/** Whole parts from the left, as many as fit: the most important stand first. */
const whatFits = (parts: ReadonlyArray<Span>, width: number): ReadonlyArray<Span> => {
  const shown: Array<Span> = []
  let used = 0
  for (const part of parts) {
    const span = shown.length === 0 ? part : { ...part, text: ` · ${part.text}` }
    used += textWidth(span.text)
    if (used > width && shown.length > 0) break
    shown.push(span)
  }
  return shown
}

const PLACEHOLDER = "Type a message. / commands · @ files · ! shell · ? help"

const isSelected = (editor: PromptEditor, at: Position): boolean => {
  const selection = selectionIn(editor)
  if (selection === undefined) return false
  const [from, to] =
    comparePositions(selection.anchor, selection.head) <= 0
      ? [selection.anchor, selection.head]
      : [selection.head, selection.anchor]
  if (selection.shape === "line") return at.line >= from.line && at.line <= to.line
  if (selection.shape === "block") {
    const [left, right] = [selection.anchor.column, selection.head.column].toSorted((a, b) => a - b)
    return at.line >= from.line && at.line <= to.line && at.column >= (left ?? 0) && at.column <= (right ?? 0)
  }
  const isVim = editor._tag === "Vim"
  const afterStart = comparePositions(at, from) >= 0
  return afterStart && (isVim ? comparePositions(at, to) <= 0 : comparePositions(at, to) < 0)
}

const textRow = (row: PromptRow, editor: PromptEditor): ReadonlyArray<Span> =>
  row.glyphs.map((glyph) => {
    const base = glyph.kind === "chip" ? CHIP : TEXT
    return { text: glyph.text, look: isSelected(editor, { line: row.line, column: glyph.offset }) ? SELECTED : base }
  })

const SELECTED: Look = { role: "text", background: "selectionBg" }

const spanRow = (spans: ReadonlyArray<Span>): Row => ({
  spans,
  width: spans.reduce((sum, { text }) => sum + textWidth(text), 0),
  start: 0,
  end: 0
})

interface TextArea {
  /** First row of the pane that shows text. */
  readonly top: number
  readonly height: number
  /** First row of the text that is shown. */
  readonly first: number
  readonly layout: PromptLayout
}

const textArea = (
  session: SessionModel,
  area: { readonly top: number; readonly height: number; readonly width: number }
): TextArea => {
  const layout = promptLayout(session, area.width)
  return {
    top: area.top,
    height: area.height,
    layout,
    first: scrollToCaret(Math.max(0, layout.caret.row - area.height + 1), layout, area.height)
  }
}

/** What a command wants to be told, while nothing of it is typed. */
const argumentHint = ({ prompt: { editor, mode } }: SessionModel): string => {
  const { count, lines } = bufferIn(editor)
  const line = lines[0] ?? ""
  const isAtEnd = caretIn(editor).column === line.length
  const argument =
    mode === "prompt" && count === 1 && isAtEnd && /^\/\S+ $/.test(line) ? parseSlash(line)?.command?.argument : undefined
  return argument === undefined ? "" : `<${argument}>`
}

const drawText = (
  canvas: Canvas,
  session: SessionModel,
  { top, height, first, layout }: TextArea
): { readonly x: number; readonly y: number } => {
  const { editor, mode } = session.prompt
  canvas.text(1, top, MARKS[mode].text, MARKS[mode].look)
  for (const [index, row] of layout.rows.slice(first, first + height).entries()) {
    canvas.row(1 + MARK_COLUMNS, top + index, spanRow(textRow(row, editor)))
  }
  if (isEmptyEditor(editor) && mode === "prompt") {
    const ghost = session.prompt.suggestion === undefined ? PLACEHOLDER : `${session.prompt.suggestion}  (tab)`
    canvas.row(1 + MARK_COLUMNS, top, lineRow([{ text: ghost, look: GHOST }], promptTextWidth(canvas.area.width)))
  }
  const hint = argumentHint(session)
  if (hint !== "") canvas.text(1 + MARK_COLUMNS + layout.caret.column, top, hint, GHOST)
  if (first > 0) canvas.text(canvas.area.width - 1, top, "▲", QUIET)
  if (first + height < layout.rows.length) canvas.text(canvas.area.width - 1, top + height - 1, "▼", QUIET)
  return { x: 1 + MARK_COLUMNS + layout.caret.column, y: top + layout.caret.row - first }
}

interface PromptParts {
  readonly above: ReadonlyArray<Row>
  readonly hint: number
  readonly text: TextArea
}

const partsOf = (model: AppModel, session: SessionModel, { width, height }: Pick<Rect, "width" | "height">): PromptParts => {
  const hint = hasHintRow(model) && height > 1 ? 1 : 0
  const run = runRow(model, session, width - 2)
  const all = [...(run === undefined ? [] : [run]), ...queueRows(session, width - 2)]
  const above = all.slice(0, Math.max(0, height - hint - 1))
  return {
    above,
    hint,
    text: textArea(session, { top: above.length, height: Math.max(1, height - hint - above.length), width })
  }
}

/** The place in the text under a cell of the pane; undefined outside of the text's rows. */
export const promptPositionAt = (
  model: AppModel,
  session: SessionModel,
  at: { readonly area: Rect; readonly x: number; readonly y: number }
): Position | undefined => {
  const { top, height, first, layout } = partsOf(model, session, at.area).text
  const row =
    at.y < top || at.y >= top + height ? undefined : layout.rows[Math.min(first + at.y - top, layout.rows.length - 1)]
  if (row === undefined) return undefined
  let column = 1 + MARK_COLUMNS
  for (const glyph of row.glyphs) {
    column += glyph.width
    if (at.x < column) return { line: row.line, column: glyph.offset }
  }
  return { line: row.line, column: row.end }
}

/** Draws the prompt; the caret is where the terminal's cursor goes. */
export const drawPrompt = (
  canvas: Canvas,
  model: AppModel,
  session: SessionModel
): { readonly x: number; readonly y: number } => {
  const { above, hint, text } = partsOf(model, session, canvas.area)
  for (const [y, row] of above.entries()) canvas.row(1, y, row)
  const caret = drawText(canvas, session, text)
  if (hint === 1) drawHints(canvas, model, canvas.area.height - 1)
  return caret
}
