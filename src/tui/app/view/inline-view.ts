/**
 * Inline mode as a function of the model: the live region with what is unfinished, the prompt and the status row. Panes
 * and overlays that need the whole screen cover it for a while.
 */
import { isAsk } from "../../model/asks.ts"
import { answeringOf, dockPanelOf } from "../../model/dock/docked.ts"
import { drawDock } from "../../overlays/dock/draw-dock.ts"
import { shownOverlay, panelOf } from "../../overlays/shown-overlay.ts"
import { drawMenu, menuRows } from "../../panes/prompt/completion-menu.ts"
import { type AppModel, currentSession, sizeClass } from "../../model/app-model.ts"
import { promptLabel, waitingLabel } from "../../panes/chrome/prompt-label.ts"
import { isRunning, type SessionModel } from "../../model/session-model.ts"
import { statusLineRows } from "../../model/status-line.ts"
import { cursorShape, modesOf, themeOf, titleOf, view } from "./view.ts"
import { type Canvas, makeCanvas } from "../../screen/cell/canvas.ts"
import { makeFrame } from "../../screen/cell/frame.ts"
import type { Pools } from "../../screen/cell/pools.ts"
import { textWidth } from "../../screen/cell/width.ts"
import type { Plan } from "../../screen/layout/plan.ts"
import { rect } from "../../screen/cell/rect.ts"
import { fieldRow } from "../../text/line-rows.ts"
import { drawPanel, type Panel } from "../../overlays/panel/panel.ts"
import { promptRows } from "../../model/windows/prompt-height.ts"
import { drawPrompt } from "../../panes/prompt/prompt.ts"
import { drawStatus } from "../../panes/status/status.ts"
import { transcriptContext } from "../../model/conversation/transcript-context.ts"
import type { Cursor, Screen } from "../../terminal/render/screen.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { visibleLine } from "../../text/sanitize.ts"
import type { Entry, LayoutOptions } from "../../transcript/block.ts"
import { defaultFold } from "../../transcript/rows/fold.ts"
import { layoutBlock } from "../../transcript/blocks/block-layout.ts"
import * as Vector from "../../transcript/vector.ts"
import { unsettledRuns } from "../../model/shell-runs.ts"
import { finishedEnd } from "./finished-entries.ts"
import type { InlineParts, InlineScreen } from "../../terminal/surface/inline-screen.ts"
import { dockInRegion, MOST_COLUMNS, mostRows, overlayRoom, ROWS_AROUND } from "../../overlays/panel/overlay-area.ts"
import { openingRows } from "./inline-opening.ts"

const RULE: Look = { role: "paneBorder" }
const LABEL: Look = { role: "paneTitle" }
const QUIET: Look = { role: "subtle" }

const MARGIN_COLUMNS = 2

const layoutOptions = (model: AppModel, session: SessionModel): LayoutOptions =>
  transcriptContext(model, session, { width: model.size.columns + MARGIN_COLUMNS, height: model.size.rows }).options

const entryRows = (entries: ReadonlyArray<Entry>, options: LayoutOptions): ReadonlyArray<Row> =>
  entries.flatMap(({ blocks }) =>
    blocks.flatMap((block) => layoutBlock(block, { ...options, fold: defaultFold(block, options.view) }))
  )

const endOf = (session: SessionModel): number =>
  finishedEnd(session.transcript, isRunning(session), unsettledRuns(session.shells))

/** The end of what is not finished yet. */
const tailRows = (model: AppModel, session: SessionModel, most: number): ReadonlyArray<Row> => {
  if (most <= 0) return []
  const open = Vector.toArray(session.transcript.entries, endOf(session))
  return entryRows(open, layoutOptions(model, session)).slice(-most)
}

interface Drawn {
  readonly frame: Screen["frame"]
  readonly cursor: Cursor
}

const hiddenAt = (x: number, y: number): Cursor => ({ x, y, visible: false, shape: "bar" })

/** The line between what is finished or grows and where one types. */
const drawRule = (canvas: Canvas, model: AppModel, session: SessionModel): void => {
  const { width } = canvas.area
  const waiting = waitingLabel(model)
  const rule = model.options.glyphs === "ascii" ? "-" : "─"
  canvas.text(0, 0, rule.repeat(width), RULE)
  canvas.text(1, 0, ` ${visibleLine(promptLabel(model, session), "command")} `, LABEL)
  const hint = ` ${waiting} `
  if (waiting !== "") canvas.text(Math.max(0, width - textWidth(hint) - 1), 0, hint, LABEL)
}

/** Drawing the menu needs to know where the prompt is, as a plan says it. */
const planWith = (y: number, width: number, height: number): Plan => ({
  panes: [{ leaf: { pane: "prompt" }, title: undefined, content: rect(0, y, width, height) }],
  separators: [],
  tabs: undefined,
  status: rect(0, y + height, width, 1),
  dock: undefined,
  hidden: []
})

/** How the rows of the region are shared out. */
const shareRows = (model: AppModel, session: SessionModel) => {
  const most = mostRows(model)
  const status = most >= 2 ? 1 + Math.min(statusLineRows(model), Math.max(0, most - 4)) : 0
  const rule = most >= 5 ? 1 : 0
  const prompt = Math.max(1, Math.min(promptRows(model, session, model.size.columns), most - status - rule))
  const room = Math.max(0, most - status - rule - prompt)
  const tail = tailRows(model, session, room)
  const candidates = session.prompt.completion.menu?.items.length ?? 0
  const menu = Math.min(room, menuRows(model), candidates)
  return { status, rule, prompt, tail, above: Math.max(tail.length, Math.max(0, menu - rule - status)) }
}

const drawLive = (model: AppModel, session: SessionModel, pools: Pools): Drawn => {
  const { columns } = model.size
  const { status, rule, prompt, tail, above } = shareRows(model, session)
  const wide = Math.min(columns, MOST_COLUMNS)
  // Rows below the cursor are the ones that resizing terminals treat in the strangest ways, so there are few.
  const top = above + rule + status
  const frame = makeFrame(pools, columns, top + prompt)
  const canvas = makeCanvas(frame, themeOf(model))
  for (const [index, row] of tail.entries()) canvas.row(0, above - tail.length + index, row)
  if (rule > 0) drawRule(canvas.within(rect(0, above, wide, 1)), model, session)
  const spot = drawPrompt(canvas.within(rect(0, top, columns, prompt)), model, session)
  if (status > 0) drawStatus(canvas.within(rect(0, above + rule, wide, status)), model, session)
  drawMenu(canvas, model, { session, plan: planWith(top, columns, prompt) })
  const line = drawLine(canvas, model)
  const cursor: Cursor = { x: spot.x, y: top + spot.y, visible: true, shape: cursorShape(session, true) }
  return { frame, cursor: line ?? cursor }
}

/** The command line takes the last row. */
const drawLine = (canvas: Canvas, { line }: AppModel): Cursor | undefined => {
  if (line === undefined) return undefined
  const { width, height } = canvas.area
  const { row, column } = fieldRow(line.kind, { text: line.text, caret: line.caret }, width - 1)
  canvas.fill(rect(0, height - 1, width, 1), { role: "text" })
  canvas.row(0, height - 1, row)
  return { x: column, y: height - 1, visible: true, shape: "bar" }
}

interface Dialog {
  readonly panel: Panel
  readonly pools: Pools
}

/** A dialog in place of the prompt. It is drawn twice: how high it is shows only when it is drawn. */
const drawDialog = (model: AppModel, session: SessionModel, { panel, pools }: Dialog): Drawn => {
  const { size, sizeClass: as } = overlayRoom(model, panel)
  const style = { sizeClass: as, ascii: model.options.glyphs === "ascii" }
  const { columns } = size
  const scratch = makeCanvas(makeFrame(pools, columns, size.rows), themeOf(model))
  const rows = drawPanel(scratch, panel, { size, ...style }).area.height
  const frame = makeFrame(pools, model.size.columns, rows + 1)
  const canvas = makeCanvas(frame, themeOf(model))
  drawStatus(canvas.within(rect(0, 0, columns, 1)), model, session)
  const { cursor } = drawPanel(canvas.within(rect(0, 1, columns, rows)), panel, { size: { columns, rows }, ...style })
  return { frame, cursor: { ...cursor, y: cursor.y + 1, shape: "bar" } }
}

const NO_JOINS = { left: false, right: false }

/** A question between the status and the prompt, of which the beginning of what is typed stays. */
const drawQuestion = (model: AppModel, session: SessionModel, pools: Pools): Drawn | undefined => {
  const docked = answeringOf(model)
  const panel = docked === undefined ? undefined : dockPanelOf(model, docked)
  const size = panel === undefined ? undefined : dockInRegion(model, panel)
  if (panel === undefined || size === undefined) return undefined
  const { columns, rows } = size
  const frame = makeFrame(pools, model.size.columns, rows + ROWS_AROUND)
  const canvas = makeCanvas(frame, themeOf(model))
  drawStatus(canvas.within(rect(0, 0, columns, 1)), model, session)
  const ascii = model.options.glyphs === "ascii"
  const cursor = drawDock(canvas.within(rect(0, 1, columns, rows)), panel, { ascii, joins: NO_JOINS, hasKeyboard: true })
  drawPrompt(canvas.within(rect(0, 1 + rows, columns, 1)), model, session)
  return { frame, cursor: { ...cursor, y: cursor.y + 1, shape: "bar" } }
}

const drawOpening = (model: AppModel, pools: Pools): Drawn => {
  const frame = makeFrame(pools, model.size.columns, 1)
  makeCanvas(frame, themeOf(model)).text(0, 0, "opening the session …", QUIET)
  return { frame, cursor: hiddenAt(0, 0) }
}

const drawRegion = (model: AppModel, pools: Pools): Drawn | undefined => {
  const session = currentSession(model)
  if (session === undefined) return shownOverlay(model) === undefined ? drawOpening(model, pools) : undefined
  if (model.focus !== "prompt" && sizeClass(model) !== "below") return undefined
  if (isAsk(model.overlays.shown)) return drawQuestion(model, session, pools)
  const overlay = shownOverlay(model)
  const panel = overlay === undefined ? undefined : panelOf(model, overlay)
  if (panel === undefined) return drawLive(model, session, pools)
  return overlayRoom(model, panel).isInRegion ? drawDialog(model, session, { panel, pools }) : undefined
}

/** What is finished, and how it looks when it is written. */
const historyOf = (model: AppModel, session: SessionModel | undefined): Pick<InlineParts, "finished" | "rows"> => {
  if (session === undefined) return { finished: undefined, rows: () => [] }
  return {
    finished: { session: session.id, entries: session.transcript.entries, end: endOf(session) },
    rows: (unwritten) => [
      ...openingRows(model, session, unwritten),
      ...entryRows(unwritten.entries, layoutOptions(model, session))
    ]
  }
}

export const inlineView = (model: AppModel, pools: Pools): InlineScreen => {
  const session = currentSession(model)
  const drawn = drawRegion(model, pools)
  const { frame, cursor } = drawn ?? drawOpening(model, pools)
  const isBusy = session !== undefined && isRunning(session)
  return {
    frame,
    cursor,
    modes: { ...modesOf(model), altScreen: false, mouse: "off" },
    ...(model.caps.title && session !== undefined ? { title: titleOf(session) } : {}),
    ...(model.caps.progress && isBusy ? { progress: { state: "busy" as const } } : {}),
    inline: {
      size: model.size,
      reflow: model.caps.reflow,
      theme: themeOf(model),
      ...historyOf(model, session),
      cover: drawn === undefined ? view(model, pools) : undefined
    }
  }
}
