import { onPaneAction } from "../../panes/pane-actions.ts"
import { LINE_HANDLERS } from "./on-line-input.ts"
import { onEscapeKey } from "./on-escape.ts"
import { openHistory, onPromptAct } from "../../panes/prompt/on-prompt-key.ts"
import { openDeepSearch } from "../../overlays/pickers/on-browser.ts"
import { openPicker } from "../../model/open-overlay.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { onInterruptKey, onExitKey } from "./interrupt.ts"
import { hastenRetry } from "../../model/hasten-retry.ts"
import { onPaneKey, WINDOW_HANDLERS } from "./window-handlers.ts"
import { SCROLL_HANDLERS } from "./scroll-handlers.ts"
import { CHAT_HANDLERS } from "./prompt-handlers.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { type Handlers, type Press, NO_PRESS } from "../../model/action.ts"
import { type PromptActionId, isPromptAction, PROMPT_ACTIONS } from "../../prompt/prompt-actions.ts"
import {
  type ActionId,
  type PaneActionId,
  type LineActionId,
  type OverlayActionId,
  type PaneKeyId,
  isPaneKey,
  isPaneAction,
  isLineAction,
  isOverlayAction
} from "../../keymap/actions/action-tables.ts"

/** An action goes to the one part that does it, wherever it was asked for: by a key, the mouse or the palette. */

type OwnActionId = Exclude<ActionId, PaneActionId | PromptActionId | LineActionId | OverlayActionId | PaneKeyId>

/** Undefined where nothing waits. */
const retryNow = (model: AppModel): Update | undefined => {
  const session = currentSession(model)
  return session === undefined ? undefined : hastenRetry(model, session, "sameModel")
}

/** Without an entry here an action of the application does not compile; the other parts have records of their own. */
const HANDLERS: Handlers<OwnActionId, AppModel> = {
  ...CHAT_HANDLERS,
  ...SCROLL_HANDLERS,
  ...WINDOW_HANDLERS,
  "app:interrupt": onInterruptKey,
  "app:exit": onExitKey,
  "app:redraw": (model) => withCommands(model, { _tag: "Redraw" }),
  "app:suspend": (model) => withCommands(model, { _tag: "Suspend" }),
  "app:palette": (model) => withoutCommands(openPicker(model, "palette")),
  "app:help": (model) => withoutCommands(openPicker(model, "help")),
  "app:findAll": (model) => openDeepSearch(model, ""),
  "app:retryNow": retryNow,
  "history:search": openHistory,
  "pane:cancel": onEscapeKey
}

const inLine = (model: AppModel, id: LineActionId, press: Press): Update | undefined =>
  model.line === undefined ? undefined : LINE_HANDLERS[id]({ model, line: model.line }, press)

/** Undefined where the action means nothing: the key is then what it is without one. */
export const runAction = (model: AppModel, id: ActionId, press: Press = NO_PRESS): Update | undefined => {
  if (isPaneAction(id)) return onPaneAction(model, id, press)
  if (isPromptAction(id)) return onPromptAct(model, PROMPT_ACTIONS[id])
  if (isPaneKey(id)) return onPaneKey(model, id)
  if (isLineAction(id)) return inLine(model, id, press)
  return isOverlayAction(id) ? undefined : HANDLERS[id](model, press)
}
