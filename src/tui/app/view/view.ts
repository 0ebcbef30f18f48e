import { makeCanvas, type Canvas } from "../../screen/cell/canvas.ts"
import { makeFrame } from "../../screen/cell/frame.ts"
import type { Pools } from "../../screen/cell/pools.ts"
import { textWidth } from "../../screen/cell/width.ts"
import type { PlacedPane, Plan } from "../../screen/layout/plan.ts"
import { rect } from "../../screen/cell/rect.ts"
import { leafId } from "../../screen/layout/tree.ts"
import { fieldRow } from "../../text/line-rows.ts"
import { drawPanel, type PlacedPanel } from "../../overlays/panel/panel.ts"
import { listIn, PANES } from "../../panes/panes.ts"
import { drawList } from "../../panes/list/list-view.ts"
import { matchPlace } from "../../panes/list/list-search.ts"
import { drawStatus } from "../../panes/status/status.ts"
import type { Cursor, Screen } from "../../terminal/render/screen.ts"
import type { TerminalModes } from "../../terminal/render/modes.ts"
import { themeFor } from "../../screen/style/themes.ts"
import type { Theme } from "../../screen/style/theme.ts"
import type { Look } from "../../screen/style/row.ts"
import { hintFor } from "../../keymap/help.ts"
import { focusedPane, hasTitles, planOf, sessionOf } from "../../model/windows/layout-and-focus.ts"
import { badgesOf } from "../../panes/chrome/badge.ts"
import { drawChrome, type Label } from "../../panes/chrome/chrome.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import { drawTabs, tabLabels } from "../../panes/chrome/tab-row.ts"
import { drawMenu } from "../../panes/prompt/completion-menu.ts"
import { type AppModel, currentSession, sizeClass } from "../../model/app-model.ts"
import { offerOf } from "../commands/ex-complete.ts"
import { drawOffer } from "./completion-bar.ts"
import { type DockCursor, drawDock } from "../../overlays/dock/draw-dock.ts"
import { answeringOf, dockedOf, dockPanelOf } from "../../model/dock/docked.ts"
import { panelOf, shownOverlay } from "../../overlays/shown-overlay.ts"
import { isRunning, nameOf, type SessionModel } from "../../model/session-model.ts"
import { drawWhichKey } from "../keys/which-key.ts"

/** The whole screen as a function of the model. */

const QUIET: Look = { role: "subtle" }

interface Spot {
  readonly x: number
  readonly y: number
}

export const themeOf = (model: AppModel): Theme => {
  const { theme } = model.options
  return themeFor(theme === "auto" ? model.scheme : theme, model.caps.colourDepth)
}

/** What the border says about a pane, and in the one with the keyboard where its keys are told. */
const hintsOf = (model: AppModel, { leaf }: PlacedPane, said: string): Pick<Label, "hint" | "shortHint"> => {
  const key = leafId(leaf) === model.focus ? hintFor(model.keys.keymap, "pane:keys", activeContexts(model)) : undefined
  const all = [said, ...(key === undefined ? [] : [`${key} keys`])].filter((part) => part !== "")
  return { hint: all.join(" · "), shortHint: said }
}

/** What stands on the border of a pane. */
export const labelOf = (model: AppModel, session: SessionModel, placed: PlacedPane): Label => {
  const { pane } = placed.leaf
  const { title, hint } = PANES[pane]
  const found = session.lists[pane]?.highlighted === true ? listIn(model, session, placed) : undefined
  const place = found === undefined ? "" : matchPlace(found.list, found.context.items)
  const said = [place, hint?.(session, model) ?? ""].filter((words) => words !== "").join(" · ")
  return { title: title(session, model), ...hintsOf(model, placed, said) }
}

const drawPane = (
  canvas: Canvas,
  model: AppModel,
  { session, pane }: { readonly session: SessionModel; readonly pane: PlacedPane }
): Spot => {
  const id = leafId(pane.leaf)
  const inside = canvas.within(pane.content)
  const isFocused = model.focus === id && answeringOf(model) === undefined
  canvas.hit(pane.content, `pane:${id}`)
  const spec = PANES[pane.leaf.pane]
  if ("draw" in spec) return spec.draw({ canvas: inside, model, session, pane, isFocused })
  const shown = listIn(model, session, pane)
  if (shown === undefined) return { x: 0, y: 0 }
  return drawList(inside, { items: shown.context.items, list: shown.list, isFocused, empty: spec.empty })
}

const drawPanes = (canvas: Canvas, model: AppModel, at: { readonly session: SessionModel; readonly plan: Plan }): Spot => {
  let cursor: Spot = { x: 0, y: 0 }
  for (const pane of at.plan.panes) {
    const spot = drawPane(canvas, model, { session: sessionOf(model, pane) ?? at.session, pane })
    if (leafId(pane.leaf) === model.focus) cursor = { x: pane.content.x + spot.x, y: pane.content.y + spot.y }
  }
  return cursor
}

export const modesOf = (model: AppModel): TerminalModes => ({
  altScreen: true,
  clusterWidths: false,
  paste: true,
  focus: true,
  mouse: model.options.mouse ? "drag" : "off",
  colourScheme: false,
  keyboard: model.caps.keyboard,
  title: model.caps.title
})

export const cursorShape = (session: SessionModel | undefined, isPrompt: boolean): Cursor["shape"] => {
  if (!isPrompt || session === undefined || session.prompt.editor._tag === "Standard") return "bar"
  const { mode } = session.prompt.editor.vim
  if (mode.name !== "insert") return "block"
  return mode.session.replace ? "underline" : "bar"
}

const drawTooSmall = (canvas: Canvas, { size }: AppModel): void => {
  const text = `terminal too small (${size.columns}x${size.rows}, need 40x12)`
  canvas.text(Math.max(0, Math.floor((size.columns - textWidth(text)) / 2)), Math.floor(size.rows / 2), text, QUIET)
}

/** The command or search line lies on the last row of the focused pane. */
const drawLine = (canvas: Canvas, model: AppModel, plan: Plan): Spot | undefined => {
  const { line } = model
  const pane = plan.panes.find(({ leaf }) => leafId(leaf) === line?.pane) ?? plan.panes[0]
  if (line === undefined || pane === undefined) return undefined
  const { content } = pane
  const y = content.y + content.height - 1
  const { row, column } = fieldRow(line.kind, { text: line.text, caret: line.caret }, content.width - 1)
  const offer = content.height > 1 ? offerOf(model, line) : undefined
  if (offer !== undefined) drawOffer(canvas, rect(content.x, y - 1, content.width, 1), offer)
  canvas.fill(rect(content.x, y, content.width, 1), { role: "text" })
  canvas.row(content.x, y, row)
  return { x: content.x + column, y }
}

export const titleOf = (session: SessionModel): string => `${isRunning(session) ? "●" : "○"} ${nameOf(session)} — nacre`

const drawOverlay = (canvas: Canvas, model: AppModel): PlacedPanel | undefined => {
  const overlay = shownOverlay(model)
  const panel = overlay === undefined ? undefined : panelOf(model, overlay)
  if (panel === undefined) return undefined
  return drawPanel(canvas, panel, {
    size: model.size,
    sizeClass: sizeClass(model),
    ascii: model.options.glyphs === "ascii"
  })
}

/** The question above the prompt; its cursor is that of the screen as long as keys go to it. */
const drawQuestion = (canvas: Canvas, model: AppModel, { dock }: Plan): DockCursor | undefined => {
  const docked = dock === undefined ? undefined : dockedOf(model)
  const panel = docked === undefined ? undefined : dockPanelOf(model, docked)
  if (dock === undefined || panel === undefined) return undefined
  const hasKeyboard = answeringOf(model) !== undefined
  const joins = { left: dock.x > 0, right: dock.x + dock.width < model.size.columns }
  const cursor = drawDock(canvas.within(dock), panel, { ascii: model.options.glyphs === "ascii", joins, hasKeyboard })
  return hasKeyboard ? { ...cursor, x: dock.x + cursor.x, y: dock.y + cursor.y } : undefined
}

export const view = (model: AppModel, pools: Pools): Screen => {
  const frame = makeFrame(pools, model.size.columns, model.size.rows)
  const canvas = makeCanvas(frame, themeOf(model))
  const session = currentSession(model)
  const modes = modesOf(model)
  const hidden: Cursor = { x: 0, y: 0, visible: false, shape: "bar" }
  if (sizeClass(model) === "below" || session === undefined) {
    if (sizeClass(model) === "below") drawTooSmall(canvas, model)
    else if (drawOverlay(canvas, model) === undefined) canvas.text(1, 0, "opening the session …", QUIET)
    return { frame, modes, cursor: hidden }
  }
  const plan = planOf(model)
  if (model.options.borders !== "none" && hasTitles(model)) {
    drawChrome(canvas, plan, {
      borders: model.options.borders,
      focus: answeringOf(model) === undefined ? model.focus : "",
      labelOf: (pane) => labelOf(model, sessionOf(model, pane) ?? session, pane),
      badges: badgesOf(model, plan)
    })
  }
  if (plan.tabs !== undefined) drawTabs(canvas, plan.tabs, tabLabels(model))
  const spot = drawPanes(canvas, model, { session, plan })
  const docked = drawQuestion(canvas, model, plan)
  drawStatus(canvas.within(plan.status), model, session)
  drawMenu(canvas, model, { session, plan })
  const line = drawLine(canvas, model, plan)
  const over = drawOverlay(canvas, model)?.cursor ?? docked
  drawWhichKey(canvas, model)
  const at = over ?? line ?? spot
  const isTyping =
    over === undefined
      ? line !== undefined ||
        model.focus === "prompt" ||
        focusedPane(model) === "transcript" ||
        model.options.alwaysShowCursor
      : over.visible || model.options.alwaysShowCursor
  const shape = over === undefined && line === undefined ? cursorShape(session, model.focus === "prompt") : "bar"
  return {
    frame,
    modes,
    cursor: {
      x: at.x,
      y: at.y,
      visible: isTyping,
      shape: focusedPane(model) === "transcript" && over === undefined && line === undefined ? "block" : shape
    },
    ...(model.caps.title ? { title: titleOf(session) } : {}),
    ...(model.caps.progress && isRunning(session) ? { progress: { state: "busy" as const } } : {})
  }
}
