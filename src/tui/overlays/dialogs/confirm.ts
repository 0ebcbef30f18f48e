import { choiceRows } from "../../text/choice-rows.ts"
import { hintLine } from "../../keymap/hint.ts"
import { overlayOf } from "../panel/overlay-spec.ts"
import { type Choice, choosing } from "./choices.ts"
import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import { turnHunk } from "../../model/undoable-actions.ts"
import { sessionGone } from "../../model/windows/show-session.ts"
import { notify, type Update, withCommands, withoutCommands } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { textRows } from "../../text/line-rows.ts"
import type { Confirm, ConfirmAction } from "../../model/overlay.ts"

/** A question of the interface itself with two answers. The harmless one is chosen at first. */

const runConfirmed = (model: AppModel, action: ConfirmAction): Update => {
  switch (action._tag) {
    case "EndSession":
      return withCommands(sessionGone(model, action.session), { _tag: "CloseSession", session: action.session })
    case "RunAgain":
      return withCommands(model, { _tag: "RunShell", session: action.session, command: action.command, inContext: true })
    case "StopCall":
      return withCommands(model, { _tag: "StopCall", session: action.session, callId: action.callId })
    case "StopTasks":
      return withCommands(
        model,
        ...action.tasks.map((taskId) => ({ _tag: "StopTask" as const, session: action.session, taskId }))
      )
    case "Compact":
      return withCommands(model, { ...action, focus: "" })
    case "ClearResults":
      return withCommands(model, action)
    case "SwitchModel":
      return withCommands(action.words === "" ? model : notify(model, action.words), ...action.cmds)
    case "RevertHunk":
      return withCommands(model, turnHunk(action.session, action.deed, "do"))
    case "OpenLink":
      return withCommands(model, { _tag: "OpenLink", url: action.url })
    case "DeleteSession": {
      const { sessionId } = action.stored
      const stored = model.stored.filter((each) => each.sessionId !== sessionId)
      return withCommands({ ...model, stored }, { _tag: "DeleteSession", sessionId })
    }
  }
}

/** The answer to a question of the interface itself. */
const onConfirmed = (model: AppModel, overlay: Confirm, answer: "yes" | "no"): Update => {
  const { action, back } = overlay
  const before = action._tag === "DeleteSession" ? action.without : undefined
  const shown = answer === "yes" ? back : before
  const next = shown === undefined ? closeOverlay(model) : openOverlay(model, shown)
  return answer === "yes" ? runConfirmed(next, action) : withoutCommands(next)
}

const choicesOf = ({ yes, no }: Confirm): ReadonlyArray<Choice<Confirm>> => [
  { key: "n", label: no, means: "no", pick: ({ model, overlay }) => onConfirmed(model, overlay, "no") },
  { key: "y", label: yes, means: "yes", pick: ({ model, overlay }) => onConfirmed(model, overlay, "yes") }
]

export const CONFIRM_OVERLAY = overlayOf("Confirm", {
  ...choosing<Confirm>({
    choices: choicesOf,
    leave: ({ model, overlay }) => onConfirmed(model, overlay, "no"),
    marked: ({ model, overlay }, selected) => withoutCommands(openOverlay(model, { ...overlay, selected }))
  }),
  panel: ({ keys: { keymap } }, overlay) => ({
    title: "Sure?",
    tone: "destructive",
    width: 70,
    body: (width) => textRows(overlay.question, width),
    top: 0,
    foot: (width) => choiceRows(choicesOf(overlay), overlay.selected, width),
    hint: hintLine(
      keymap,
      ["Confirmation"],
      [
        [["confirm:next", "confirm:previous"], "choose"],
        ["confirm:choose", "answer"],
        ["confirm:leave", "never mind"]
      ]
    )
  })
})
