import { Record } from "effect"
import { type ActionId, type PaneKeyId, paneOfKey } from "../../keymap/actions/action-tables.ts"
import { beginVisit } from "../../panes/transcript/transcript-visit.ts"
import { nextTab, previousTab } from "../../model/windows/tabs.ts"
import { typeInPrompt } from "../../panes/prompt/type-in-prompt.ts"
import { stillAt } from "../../model/questions/attention.ts"
import { openPane } from "../../panes/panes.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import { planOf, focusOn } from "../../model/windows/layout-and-focus.ts"
import { closePane, showPane, WINDOW_MOVES, splitPane } from "../../model/windows/window-actions.ts"
import { showSession } from "../../model/windows/show-session.ts"
import { notify, type Update, withoutCommands, withCommands } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"

/** Panes, sessions and tab pages: where they are and which has the keyboard. */

/** The next session that asks, or has something new. */
const nextAttention = (model: AppModel): AppModel => {
  const ids = [...model.sessions.keys()]
  const at = ids.indexOf(model.current)
  const order = [...ids.slice(at + 1), ...ids.slice(0, at)]
  const found =
    order.find((id) => (model.sessions.get(id)?.asks.length ?? 0) > 0) ??
    order.find((id) => (model.sessions.get(id)?.unread ?? 0) > 0)
  if (found === undefined) return notify(model, "no other session needs you")
  return showSession(model, found)
}

/** From the prompt it only shows and hides: whoever types goes on typing. */
const toggleTodos = (model: AppModel): AppModel => {
  if (model.focus === "tasks") return closePane(model)
  if (model.focus !== "prompt") return showPane(model, "tasks")
  const isShown = planOf(model).panes.some(({ leaf }) => leaf.pane === "tasks")
  return isShown
    ? focusOn(closePane({ ...model, focus: "tasks" }), "prompt")
    : { ...showPane(model, "tasks"), focus: "prompt" }
}

/** The pane that an action goes to; what waits until the hands are still is called for by the key of its list. */
export const onPaneKey = (model: AppModel, id: PaneKeyId): Update => {
  const pane = paneOfKey(id)
  if (pane === "prompt") return typeInPrompt(model, "here")
  return pane === "approvals" && stillAt(model) !== undefined
    ? withoutCommands({ ...model, overlays: { ...model.overlays, summoned: true } })
    : openPane(model, pane)
}

const toggleMouse: Handler<AppModel> = (model) => {
  const { mouse } = model.options
  const toggled = { ...model, options: { ...model.options, mouse: !mouse } }
  return withoutCommands(notify(toggled, mouse ? "mouse off: the terminal selects" : "mouse on"))
}

export const WINDOW_HANDLERS = {
  ...Record.map(
    WINDOW_MOVES,
    (move): Handler<AppModel> =>
      (model, { count }) =>
        withoutCommands(move(model, count))
  ),
  /** The keys after it do something; it alone does not. */
  "window:prefix": withoutCommands,
  "window:attention": (model) => withoutCommands(nextAttention(model)),
  "window:newSession": (model) =>
    withCommands(
      { ...model, layout: { ...model.layout, splitNext: "row" } },
      { _tag: "OpenSession", which: { _tag: "New" }, replaces: undefined }
    ),
  "window:split": (model) => withoutCommands(splitPane(model, "column", "chooser")),
  "window:splitVertical": (model) => withoutCommands(splitPane(model, "row", "chooser")),
  "window:nextTab": (model, { count }) => withoutCommands(nextTab(model, count)),
  "window:previousTab": (model, { count }) => withoutCommands(previousTab(model, count)),
  "window:toggleMouse": toggleMouse,
  "app:toggleTodos": (model) => withoutCommands(toggleTodos(model)),
  "app:toggleTranscript": (model) => withoutCommands(beginVisit(model))
} as const satisfies Partial<Handlers<ActionId, AppModel>>
