import { NO_PRESS } from "../../model/action.ts"
import { TRANSCRIPT_ACTIONS } from "../../panes/transcript/transcript-actions.ts"
import type { MouseEvent } from "../../terminal/input/event.ts"
import { outerOf } from "../../screen/layout/neighbour.ts"
import { contains } from "../../screen/cell/rect.ts"
import { leafId } from "../../screen/layout/tree.ts"
import type { PlacedPane } from "../../screen/layout/plan.ts"
import { listIn } from "../../panes/panes.ts"
import { withList } from "../../panes/list/focused-list.ts"
import { itemUnder, pointAt, scrolledBy } from "../../model/list-state.ts"
import { promptPositionAt } from "../../panes/prompt/prompt.ts"
import { cursorInView } from "../../transcript/list/state/cursor.ts"
import { dragTo, pressAt, selectedUnit } from "../../transcript/list/mouse.ts"
import { selectedText } from "../../transcript/list/commands/selection.ts"
import { listRedrawn } from "../../transcript/list/update.ts"
import { isSameView, scrollBy } from "../../transcript/list/view/viewport.ts"
import { focusOn, planOf, sessionOf } from "../../model/windows/layout-and-focus.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession, type DragModel, withCurrent, withSession } from "../../model/app-model.ts"
import { onPaneAction } from "../../panes/pane-actions.ts"
import { placeCaret } from "../../panes/prompt/place-caret.ts"
import { pressOf } from "./mouse-press.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"

/** The mouse inside a pane. */

const WHEEL_ROWS = 3

/** Rows that one notch of the wheel moves. */
const wheelRows = ({ options }: AppModel): number => Math.max(1, Math.round(WHEEL_ROWS * options.scrollSpeed))

export const paneAt = (model: AppModel, { column, row }: MouseEvent): PlacedPane | undefined =>
  planOf(model).panes.find((pane) => contains(outerOf(pane), column, row))

/** A cell of the transcript's text, in its own coordinates. */
const cellIn = ({ content }: PlacedPane, { column, row }: { readonly column: number; readonly row: number }) => ({
  x: column - content.x - 1,
  y: row - content.y
})

/** Scrolls the pane under the pointer; the keyboard stays where it is. */
export const turnWheel = (model: AppModel, event: MouseEvent): AppModel => {
  const pane = paneAt(model, event)
  const session = pane === undefined ? undefined : sessionOf(model, pane)
  if (pane === undefined || session === undefined) return model
  const rows = event.button === "wheelUp" ? -wheelRows(model) : wheelRows(model)
  const { pane: id } = pane.leaf
  if (id === "transcript" || id === "prompt") {
    return withSession(model, session.id, (each) => {
      const context = transcriptContextOf(model, each)
      return { ...each, list: listRedrawn(cursorInView(scrollBy(each.list, rows, context), context), context) }
    })
  }
  const shown = listIn(model, session, pane)
  return shown === undefined
    ? model
    : withSession(model, session.id, (each) => ({
        ...each,
        lists: { ...each.lists, [id]: scrolledBy(shown.list, rows, shown.context) }
      }))
}

const GRAINS = ["char", "word", "line"] as const

const grainOf = ({ clicks }: DragModel) => GRAINS[Math.min(clicks, GRAINS.length) - 1] ?? "char"

const pressTranscript = (
  model: AppModel,
  pane: PlacedPane,
  at: { readonly event: MouseEvent; readonly drag: DragModel }
): Update => {
  const cell = cellIn(pane, at.event)
  const pointed = withCurrent(model, (each) => {
    const context = transcriptContextOf(model, each)
    const isFirst = at.drag.clicks === 1
    return {
      ...each,
      list: isFirst ? pressAt(each.list, cell, context) : selectedUnit(each.list, cell, { grain: grainOf(at.drag), context })
    }
  })
  if (!at.event.ctrl) return withoutCommands(pointed)
  const opened = TRANSCRIPT_ACTIONS["transcript:openLink"]({ model: pointed })
  return opened[0].overlays.opened === pointed.overlays.opened
    ? TRANSCRIPT_ACTIONS["transcript:openPath"]({ model: pointed })
    : opened
}

const pressPrompt = (model: AppModel, pane: PlacedPane, event: MouseEvent): Update => {
  const session = currentSession(model)
  const { content } = pane
  const position =
    session === undefined
      ? undefined
      : promptPositionAt(model, session, { area: content, x: event.column - content.x, y: event.row - content.y })
  return position === undefined ? withoutCommands(model) : placeCaret(model, position)
}

/** A click points at an item, and opens or closes the fold that it heads; a second one opens any other. */
const pressList = (
  model: AppModel,
  pane: PlacedPane,
  at: { readonly event: MouseEvent; readonly drag: DragModel }
): Update => {
  const session = currentSession(model)
  const shown = session === undefined ? undefined : listIn(model, session, pane)
  if (shown === undefined || at.event.row < pane.content.y) return withoutCommands(model)
  const list = pointAt(shown.list, at.event.row - pane.content.y, shown.context)
  const pointed = withList(model, shown.pane, list)
  const under = itemUnder(list, shown.context.items)
  const isHead = under !== undefined && under.id === under.fold
  if (at.drag.clicks !== (isHead ? 1 : 2)) return withoutCommands(pointed)
  return onPaneAction(pointed, isHead ? "pane:foldToggle" : "pane:open", NO_PRESS) ?? withoutCommands(pointed)
}

export const pressInPane = (model: AppModel, pane: PlacedPane, event: MouseEvent): Update => {
  const drag = pressOf(model, event)
  const focused = focusOn({ ...model, drag }, leafId(pane.leaf))
  if (event.row < pane.content.y) return withoutCommands(focused)
  if (pane.leaf.pane === "transcript") return pressTranscript(focused, pane, { event, drag })
  return pane.leaf.pane === "prompt" ? pressPrompt(focused, pane, event) : pressList(focused, pane, { event, drag })
}

/** The transcript in which the button went down. */
const draggedPane = (model: AppModel): PlacedPane | undefined => {
  const { drag } = model
  if (drag === undefined) return undefined
  return planOf(model).panes.find(({ leaf, content }) => leaf.pane === "transcript" && contains(content, drag.x, drag.y))
}

/** Rows that the view goes on at once towards a pointer beyond the edge. */
const MOST_PULLED = 3

/** The row to select to; nothing can be beyond the first row of the screen, so that row itself pulls. */
const rowToSelect = ({ content }: PlacedPane, { row }: MouseEvent): number => {
  const y = row === 0 && content.y === 0 ? -1 : row - content.y
  return Math.max(-MOST_PULLED, Math.min(y, content.height - 1 + MOST_PULLED))
}

/** Grows the selection of the transcript in which the button went down; beyond its edges the view goes on. */
export const dragInPane = (model: AppModel, event: MouseEvent): AppModel => {
  const start = model.drag
  const pane = draggedPane(model)
  const session = pane === undefined ? undefined : sessionOf(model, pane)
  if (start === undefined || pane === undefined || session === undefined) return model
  const from = cellIn(pane, { column: start.x, row: start.y })
  const to = { x: cellIn(pane, event).x, y: rowToSelect(pane, event) }
  const drag = { from, to, grain: grainOf(start), block: event.alt }
  const list = dragTo(session.list, drag, transcriptContextOf(model, session))
  const isBeyond = to.y < 0 || to.y >= pane.content.height
  const hasMoved = !isSameView(list.viewport, session.list.viewport)
  const { pull: _pull, ...held } = start
  return {
    ...withSession(model, session.id, (each) => ({ ...each, list })),
    drag: isBeyond && hasMoved ? { ...held, pull: { event, at: model.now } } : held
  }
}

const PULL_MS = 50

/** When a pointer that rests beyond the edge pulls the view again. */
export const pullAt = ({ drag }: AppModel): number | undefined =>
  drag?.pull === undefined ? undefined : drag.pull.at + PULL_MS

export const continuePaneDrag = (model: AppModel): AppModel => {
  const due = pullAt(model)
  const event = model.drag?.pull?.event
  return due === undefined || event === undefined || model.now < due ? model : dragInPane(model, event)
}

/** The button is up: nothing is held any more. */
export const endPaneDrag = (model: AppModel): AppModel => {
  if (model.drag === undefined) return model
  const { pull: _pull, grip: _grip, ...press } = model.drag
  return { ...model, drag: press }
}

/** What was selected is copied when the button is let go, if the user wants that. */
export const releaseInPane = (model: AppModel): Update => {
  const session = currentSession(model)
  const selection = session?.list.selection
  if (session === undefined || selection?.by !== "mouse" || !model.options.copyOnSelect) return withoutCommands(model)
  if (draggedPane(model) === undefined) return withoutCommands(model)
  const text = selectedText(session.list, selection, transcriptContextOf(model, session))
  return text === ""
    ? withoutCommands(model)
    : withCommands({ ...model, yanked: text }, { _tag: "Copy", text, what: "the selection" })
}
