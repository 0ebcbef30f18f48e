import { isOfflineModel } from "../../../core/model/catalog/model.ts"
import { currentModel, statusOf } from "../../../core/loop/turn/send-request.ts"
import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { costOf } from "../../../core/model/catalog/cost.ts"
import { focusedPane, hasTitles } from "../../model/windows/layout-and-focus.ts"
import { statusBadge } from "../chrome/badge.ts"
import { modeOf } from "../chrome/prompt-label.ts"
import { rect } from "../../screen/cell/rect.ts"
import { lineRow, spanRow } from "../../text/line-rows.ts"
import { modeLabel } from "./mode-label.ts"
import { cutLine } from "../../text/cut.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize, visibleLine } from "../../text/sanitize.ts"
import { isRunning, nameOf, type SessionModel } from "../../model/session-model.ts"
import type { AppModel } from "../../model/app-model.ts"
import { bannerWords, drawHintsAsStatus } from "./hints.ts"
import type { WindowStatus } from "../../../core/model/tokens/window.ts"
import { turnOf } from "../../../core/loop/machine/transition.ts"

/** The one row that is always there. Fields fall away from the least important up when room runs out. */

interface Field {
  readonly id: string
  readonly text: string
  /** The same in fewer columns, for narrow terminals. */
  readonly short?: string
  readonly look: Look
  /** Lower goes first when there is no room. */
  readonly worth: number
}

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const ACCENT: Look = { role: "claude" }
const FOCUS: Look = { role: "paneBorderFocused", bold: true }
const WARNING: Look = { role: "warning", bold: true }
const ERROR: Look = { role: "error", bold: true }
const BADGE: Look = { role: "badge", bold: true }
const MODES: Readonly<Record<string, Look>> = {
  plan: { role: "planMode", bold: true },
  acceptEdits: { role: "autoAccept", bold: true },
  auto: { role: "warning", bold: true },
  bypassPermissions: { role: "error", bold: true },
  dontAsk: { role: "warning", bold: true }
}

const costText = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`

const modelField = (session: SessionModel): Field => {
  const model = currentModel(session.state)
  const { effort } = session.state.config.choice
  const withEffort = (name: string): string => (effort === undefined ? name : `${name} ${effort}`)
  const isOffline = isOfflineModel(model)
  return {
    id: "model",
    text: withEffort(isOffline ? "offline model (not an LLM)" : model),
    // Maker and date of a model say least.
    short: isOffline ? "offline" : model.replace(/^claude-/, "").replace(/-\d{8}$/, ""),
    look: ACCENT,
    worth: 90
  }
}

const BAR_CELLS = 6

const CONTEXT_LOOKS: Readonly<Record<WindowStatus["state"], Look>> = {
  ok: QUIET,
  warning: WARNING,
  error: ERROR,
  compact: WARNING,
  blocked: ERROR
}

/** What a user should know before the window is full. */
const roomText = ({ state, percentLeft, autoCompact }: WindowStatus): string => {
  if (state === "blocked") return "context full · /compact or /clear"
  const left = autoCompact ? `${percentLeft}% until auto-compact` : `${percentLeft}% left`
  return state === "error" ? `${left} · /compact or /clear` : left
}

const shortRoomText = ({ state, percentLeft }: WindowStatus): string =>
  state === "blocked" ? "context full" : `${percentLeft}% ctx left`

/** How full the window is, as a share and as a bar. */
const contextField = (session: SessionModel, glyphs: "unicode" | "ascii"): Field => {
  const status = statusOf(session.state)
  const { usedTokens, windowTokens, state } = status
  const share = usedTokens / windowTokens
  const filled = Math.min(BAR_CELLS, Math.round(share * BAR_CELLS))
  const [full, empty] = glyphs === "ascii" ? ["#", "-"] : ["▰", "▱"]
  const bar = full.repeat(filled) + empty.repeat(BAR_CELLS - filled)
  return {
    id: "context",
    text: `${Math.round(share * 100)}% ${bar} ${state === "ok" ? "context" : roomText(status)}`,
    short: state === "ok" ? `${Math.round(share * 100)}% ctx` : shortRoomText(status),
    look: CONTEXT_LOOKS[state],
    worth: state === "ok" ? 80 : 94
  }
}

const homeShort = (path: string): string => path.split("/").slice(-2).join("/")

/** The directory and its branch; a star says that the working tree has changes. */
const placeText = ({ cwd, branch, workingFiles }: SessionModel): string =>
  branch === undefined ? homeShort(cwd) : `${homeShort(cwd)} ${branch}${workingFiles.length > 0 ? "*" : ""}`

/** What vim is in, wherever the keyboard is. */
const vimText = (model: AppModel, session: SessionModel): string => {
  const { selection } = session.list
  if (focusedPane(model) === "transcript" && selection?.by === "keys") {
    return selection.shape === "char" ? "VISUAL" : `VISUAL ${selection.shape.toUpperCase()}`
  }
  return model.focus === "prompt" ? modeOf(model, session) : ""
}

const turnCost = ({ state }: SessionModel): string => {
  const turn = turnOf(state)
  const cost = turn === undefined ? undefined : costOf(currentModel(state), turn.usage)
  return cost === undefined || cost === 0 ? "" : ` (turn ${costText(cost)})`
}

/** Commands in the background, and other sessions at work. */
const backgroundText = (model: AppModel, session: SessionModel): string => {
  const shells = session.tasks.filter(({ status }) => status === "running").length
  const others = [...model.sessions.values()].filter((each) => each.id !== session.id && isRunning(each)).length
  return [shells > 0 ? `${shells} in background` : "", others > 0 ? `${others} running elsewhere` : ""]
    .filter((part) => part !== "")
    .join(", ")
}

/** Without borders only this row can say which pane has the keyboard. */
const focusText = (model: AppModel): string => {
  const mark = model.options.glyphs === "ascii" ? ">" : "▸"
  return hasTitles(model) || model.focus === "prompt" ? "" : `${mark} ${focusedPane(model)}`
}

/** That commands are confined is worth a word; that they should be and cannot be is worth a warning. */
const sandboxField = (model: AppModel, { state }: SessionModel): Field => {
  const { enabled } = state.permission.sandbox
  const isMissing = enabled && model.sandbox?.availability.available === false
  return isMissing
    ? { id: "sandbox", text: "sandbox unavailable", look: WARNING, worth: 96 }
    : { id: "sandbox", text: enabled ? "sandbox" : "", look: QUIET, worth: 55 }
}

const fieldsOf = (model: AppModel, session: SessionModel): ReadonlyArray<Field> => {
  const { permission, totals } = session.state
  const waiting = [...model.sessions.values()].reduce((sum, each) => sum + each.asks.length, 0)
  const fields: ReadonlyArray<Field> = [
    { id: "focus", text: focusText(model), look: FOCUS, worth: 98 },
    { id: "mode", text: modeLabel(permission.mode), look: MODES[permission.mode] ?? QUIET, worth: 100 },
    sandboxField(model, session),
    { id: "vim", text: vimText(model, session), look: TEXT, worth: 85 },
    { id: "approvals", text: waiting > 0 ? `${waiting} waiting` : "", look: WARNING, worth: 95 },
    { id: "banner", text: bannerWords(model), look: WARNING, worth: 99 },
    { id: "new", text: statusBadge(model), look: BADGE, worth: 97 },
    { id: "session", text: nameOf(session), look: TEXT, worth: 40 },
    modelField(session),
    { id: "directory", text: placeText(session), look: QUIET, worth: 50 },
    contextField(session, model.options.glyphs),
    { id: "cost", text: `${costText(totals.costUsd)}${turnCost(session)}`, look: QUIET, worth: 60 },
    { id: "background", text: backgroundText(model, session), look: QUIET, worth: 70 }
  ]
  return fields
    .filter(({ text }) => text !== "")
    .map((field) => ({
      ...field,
      text: visibleLine(field.text, "command"),
      ...(field.short === undefined ? {} : { short: visibleLine(field.short, "command") })
    }))
}

const SEPARATOR = " · "

const widthOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + textWidth(text), 0) + Math.max(0, texts.length - 1) * SEPARATOR.length + 2

/** Fields of this worth are shown before others are written out. */
const NEEDED = 70

/**
 * The fields that have room, in their order: what is needed in its short form from the worthiest down, then in full for
 * as long as that fits, then the rest.
 */
const fitting = (fields: ReadonlyArray<Field>, width: number): ReadonlyArray<Field> => {
  const byWorth = fields.toSorted((left, right) => right.worth - left.worth)
  const needed = byWorth.filter(({ worth }) => worth >= NEEDED)
  const texts = new Map<Field, string>()
  const fits = (): boolean => widthOf([...texts.values()]) <= width
  const add = (field: Field, text: string): void => {
    const before = texts.get(field)
    texts.set(field, text)
    if (fits() || texts.size === 1) return
    if (before === undefined) texts.delete(field)
    else texts.set(field, before)
  }
  for (const field of needed) add(field, field.short ?? field.text)
  for (const field of needed) if (texts.has(field)) add(field, field.text)
  for (const field of byWorth) if (field.worth < NEEDED) add(field, field.text)
  return fields.flatMap((field) => {
    const text = texts.get(field)
    return text === undefined ? [] : [{ ...field, text }]
  })
}

interface PlacedField extends Field {
  readonly x: number
}

const placedFields = (model: AppModel, session: SessionModel, width: number): ReadonlyArray<PlacedField> => {
  let x = 1
  return fitting(fieldsOf(model, session), width).map((field) => {
    const placed = { ...field, x }
    x += textWidth(field.text) + SEPARATOR.length
    return placed
  })
}

/** The field under a column. */
export const statusFieldAt = (model: AppModel, session: SessionModel, column: number): string | undefined =>
  placedFields(model, session, model.size.columns).find(({ x, text }) => column >= x && column < x + textWidth(text))?.id

/** What the user's command printed, cut where the screen ends. */
const drawStatusLine = (canvas: Canvas, { statusLine, options }: AppModel, rows: number): void => {
  const left = 1 + (options.statusLine?.padding ?? 0)
  const width = Math.max(1, canvas.area.width - left - 1)
  for (const [y, spans] of statusLine.rows.slice(0, rows).entries()) {
    canvas.row(left, y, spanRow(cutLine(spans, { width }).spans))
  }
}

/** Rows of the user's command over our own, which is always the last one. */
export const drawStatus = (canvas: Canvas, model: AppModel, session: SessionModel): void => {
  const { width, height } = canvas.area
  drawStatusLine(canvas, model, height - 1)
  drawOwnStatus(canvas.within(rect(0, height - 1, width, 1)), model, session)
}

const drawOwnStatus = (canvas: Canvas, model: AppModel, session: SessionModel): void => {
  if (drawHintsAsStatus(canvas, model)) return
  const { width } = canvas.area
  for (const [index, field] of placedFields(model, session, width).entries()) {
    if (index > 0) canvas.text(field.x - SEPARATOR.length, 0, SEPARATOR, QUIET)
    canvas.row(field.x, 0, lineRow(sanitize(field.text, "command", { look: field.look }), Math.max(0, width - field.x)))
  }
}
