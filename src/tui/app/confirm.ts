import type { Confirm, ConfirmAction } from "../overlays/overlay.ts"
import { doing, only, type Update } from "./change.ts"
import type { AppModel } from "./model.ts"
import { closeOverlay } from "./open-overlay.ts"
import { sessionGone } from "./show-session.ts"

/** Actions that ask before they happen. */

export const confirmOverlay = (action: ConfirmAction, words: Pick<Confirm, "question" | "yes" | "no">): Confirm => ({
  _tag: "Confirm", action, ...words, selected: 0
})

const runConfirmed = (model: AppModel, action: ConfirmAction): Update => {
  switch (action._tag) {
    case "EndSession":
      return doing(sessionGone(model, action.session), { _tag: "CloseSession", session: action.session })
    case "RunAgain":
      return doing(model, { _tag: "RunShell", session: action.session, command: action.command, inContext: true })
    case "StopTurn":
      return doing(model, { _tag: "Interrupt", session: action.session })
    case "StopTasks":
      return doing(model, ...action.tasks.map((taskId) => ({ _tag: "StopTask" as const, session: action.session, taskId })))
    case "OpenLink":
      return doing(model, { _tag: "OpenLink", url: action.url })
  }
}

/** The answer to a question of the interface itself. */
export const onConfirmed = (model: AppModel, overlay: Confirm, answer: "yes" | "no"): Update => {
  const closed = closeOverlay(model)
  return answer === "yes" ? runConfirmed(closed, overlay.action) : only(closed)
}
