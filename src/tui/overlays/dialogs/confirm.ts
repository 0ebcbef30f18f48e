import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import { turnHunk } from "../../model/undoable-actions.ts"
import { sessionGone } from "../../model/windows/show-session.ts"
import { type Update, doing, only } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { choiceRows } from "../../text/choice-rows.ts"
import { textRows } from "../../text/line-rows.ts"
import type { Confirm, ConfirmAction } from "../../model/overlay.ts"
import type { Panel } from "../panel/panel.ts"

/** A question of the interface itself with two answers. The harmless one is chosen at first. */

export const confirmPanel = ({ question, yes, no, selected }: Confirm): Panel => ({
  title: "Sure?",
  tone: "destructive",
  width: 70,
  body: (width) => textRows(question, width),
  top: 0,
  foot: (width) =>
    choiceRows(
      [
        { key: "n", label: no },
        { key: "y", label: yes }
      ],
      selected,
      width
    ),
  hint: "j k choose · Enter answer · Esc never mind"
})

export type ConfirmOutcome =
  | { readonly _tag: "Open"; readonly dialog: Confirm }
  | { readonly _tag: "Answered"; readonly answer: "yes" | "no" }

export const updateConfirm = (dialog: Confirm, stroke: Stroke): ConfirmOutcome => {
  switch (stroke) {
    case "y":
      return { _tag: "Answered", answer: "yes" }
    case "n":
    case "<Esc>":
      return { _tag: "Answered", answer: "no" }
    case "<CR>":
      return { _tag: "Answered", answer: dialog.selected === 1 ? "yes" : "no" }
    case "j":
    case "k":
    case "<Down>":
    case "<Up>":
      return { _tag: "Open", dialog: { ...dialog, selected: 1 - dialog.selected } }
    default:
      return { _tag: "Open", dialog }
  }
}

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
