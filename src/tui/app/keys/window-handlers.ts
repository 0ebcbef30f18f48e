import { Record } from "effect"
import type { ActionId } from "../../keymap/actions/action-tables.ts"
import { beginVisit } from "../../panes/transcript/transcript-visit.ts"
import { nextTab, previousTab } from "../../model/windows/tabs.ts"
import { typeInPrompt } from "../../panes/prompt/type-in-prompt.ts"
import { stillAt } from "../../model/questions/attention.ts"
import { refreshPane } from "../../model/windows/pane-refresh.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import type { PaneId } from "../../screen/layout/tree.ts"
import { planOf, focusOn } from "../../model/windows/layout-and-focus.ts"
import { closePane, showPane, WINDOW_MOVES, splitPane } from "../../model/windows/window-actions.ts"
import { showSession } from "../../model/windows/show-session.ts"
import { notify, withoutCommands, withCommands } from "../../model/update-result.ts"
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

const shows =
  (pane: PaneId): Handler<AppModel> =>
  (model) => [showPane(model, pane), refreshPane(model, pane)]

/** What waits until the hands are still is called for by the key of its list. */
const showApprovals: Handler<AppModel> = (model, press) =>
  stillAt(model) === undefined
    ? shows("approvals")(model, press)
    : withoutCommands({ ...model, overlays: { ...model.overlays, summoned: true } })

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
  "window:transcript": shows("transcript"),
  "window:activity": shows("activity"),
  "window:changes": shows("changes"),
  "window:files": shows("files"),
  "window:tasks": shows("tasks"),
  "window:context": shows("context"),
  "window:sessions": shows("sessions"),
  "window:approvals": showApprovals,
  "window:prompt": (model) => typeInPrompt(model, "here"),
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
