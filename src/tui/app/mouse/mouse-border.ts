import type { MouseEvent } from "../../terminal/input/event.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { borderAt, borderMoved, swapPanes } from "../../screen/layout/borders.ts"
import { outerOf } from "../../screen/layout/neighbour.ts"
import { contains } from "../../screen/cell/rect.ts"
import { leafId } from "../../screen/layout/tree.ts"
import { planOf, sessionOf, treeOf, unzoom, withTree } from "../../model/windows/layout-and-focus.ts"
import { notify } from "../../model/update-result.ts"
import { type AppModel, type DragModel, type DragHandle } from "../../model/app-model.ts"
import { labelOf } from "../view/view.ts"

/** The mouse on borders: dragging one resizes, dragging a title onto another pane exchanges the two. */

/** The mark, the name of the pane and the blanks around it. */
const NAME_COLUMNS = 3

const titleAt = (model: AppModel, { column, row }: MouseEvent): string | undefined => {
  const pane = planOf(model).panes.find(({ title }) => title !== undefined && contains(title, column, row))
  const session = pane === undefined ? undefined : sessionOf(model, pane)
  if (pane === undefined || session === undefined) return undefined
  const width = textWidth(labelOf(model, session, pane).title) + NAME_COLUMNS
  return column < pane.content.x + width ? leafId(pane.leaf) : undefined
}

/** What a press takes hold of. */
export const dragHandleAt = (model: AppModel, event: MouseEvent): DragHandle | undefined => {
  const title = titleAt(model, event)
  if (title !== undefined) return { _tag: "Title", pane: title }
  if (model.layout.zoomed !== undefined || model.layout.temporary !== undefined) return undefined
  const path = borderAt(planOf(model), treeOf(model), { x: event.column, y: event.row })
  return path === undefined ? undefined : { _tag: "Border", path }
}

/** Takes hold of it. The keyboard stays where it is while a border is moved. */
export const startBorderDrag = (model: AppModel, event: MouseEvent, grip: DragHandle): AppModel => ({
  ...model,
  drag: { x: event.column, y: event.row, at: model.now, clicks: 1, grip }
})

export const dragBorder = (model: AppModel, drag: DragModel, { column, row }: MouseEvent): AppModel =>
  drag.grip?._tag === "Border"
    ? withTree(model, borderMoved(planOf(model), treeOf(model), { path: drag.grip.path, x: column, y: row }))
    : model

/** Lets a title go over another pane. */
export const dropTitle = (model: AppModel, pane: string, { column, row }: MouseEvent): AppModel => {
  const shown = unzoom(model)
  const target = planOf(shown).panes.find((each) => contains(outerOf(each), column, row))
  const other = target === undefined ? undefined : leafId(target.leaf)
  if (other === undefined || other === pane) return model
  if (pane === "prompt" || other === "prompt") {
    return notify(model, "the prompt stays below its transcript", { key: "window", timeoutMs: 3_000 })
  }
  return withTree(shown, swapPanes(treeOf(shown), pane, other))
}
