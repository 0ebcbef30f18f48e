import type { Confirm, ConfirmAction, Overlay } from "./overlay.ts"
import { doing, only, type Update } from "./update-result.ts"
import type { AppModel } from "./app-model.ts"
import { turnHunk } from "./undoable-actions.ts"
import { closeOverlay, openOverlay } from "./open-overlay.ts"
import { sessionGone } from "./windows/show-session.ts"

/** Actions that ask before they happen. */

type Words = Pick<Confirm, "question" | "yes" | "no">

export const confirmOverlay = (action: ConfirmAction, words: Words, back?: Overlay): Confirm => ({
  _tag: "Confirm",
  action,
  ...words,
  selected: 0,
  back
})

export const stopCallOverlay = (
  session: string,
  { callId, tool }: { readonly callId: string; readonly tool: string }
): Confirm =>
  confirmOverlay(
    { _tag: "StopCall", session, callId },
    {
      question: `Stop this call of ${tool}? The turn goes on without it; Esc in the prompt stops the turn.`,
      yes: "Stop the call",
      no: "Let it run"
    }
  )

const runConfirmed = (model: AppModel, action: ConfirmAction): Update => {
  switch (action._tag) {
    case "EndSession":
      return doing(sessionGone(model, action.session), { _tag: "CloseSession", session: action.session })
    case "RunAgain":
      return doing(model, { _tag: "RunShell", session: action.session, command: action.command, inContext: true })
    case "StopCall":
      return doing(model, { _tag: "StopCall", session: action.session, callId: action.callId })
    case "StopTasks":
      return doing(model, ...action.tasks.map((taskId) => ({ _tag: "StopTask" as const, session: action.session, taskId })))
    case "Compact":
      return doing(model, { _tag: "Compact", session: action.session, focus: "" })
    case "RevertHunk":
      return doing(model, turnHunk(action.session, action.deed, "do"))
    case "OpenLink":
      return doing(model, { _tag: "OpenLink", url: action.url })
    case "DeleteSession": {
      const { sessionId } = action.stored
      const stored = model.stored.filter((each) => each.sessionId !== sessionId)
      return doing({ ...model, stored }, { _tag: "DeleteSession", sessionId })
    }
  }
}

/** The answer to a question of the interface itself. */
export const onConfirmed = (model: AppModel, overlay: Confirm, answer: "yes" | "no"): Update => {
  const { action, back } = overlay
  const before = action._tag === "DeleteSession" ? action.without : undefined
  const shown = answer === "yes" ? back : before
  const next = shown === undefined ? closeOverlay(model) : openOverlay(model, shown)
  return answer === "yes" ? runConfirmed(next, action) : only(next)
}
