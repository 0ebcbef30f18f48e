import type { AppModel } from "../../model/app-model.ts"
import { isRunning, nameOf } from "../../model/session-model.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { choiceRows } from "../../text/choice-rows.ts"
import { textRows } from "../../text/line-rows.ts"
import type { ExitDialog } from "../../model/overlay.ts"
import type { Panel } from "../panel/panel.ts"

/** Leaving while work goes on: asked once, with the names of what would be stopped. */

const CHOICES = [
  { key: "1", label: "Stay" },
  { key: "2", label: "Stop everything and leave" },
  { key: "3", label: "Leave when it is done" }
]

export const exitPanel = (model: AppModel, { selected, isWaiting }: ExitDialog): Panel => {
  const running = [...model.sessions.values()].filter(isRunning).map(nameOf)
  const rest = isWaiting
    ? "Nacre leaves when it is done; until then everything goes on."
    : "What was done so far is saved and can be resumed."
  return {
    title: "Leave?",
    tone: "destructive",
    width: 60,
    body: (width) => textRows(`Still running: ${running.join(", ")}. ${rest}`, width),
    top: 0,
    foot: (width) => choiceRows(CHOICES, selected, width),
    hint: "Esc stays"
  }
}

export type ExitOutcome =
  | { readonly _tag: "Open"; readonly dialog: ExitDialog }
  | { readonly _tag: "Stay" }
  | { readonly _tag: "Leave" }

/** The dialog stays as a reminder; it goes with the program. */
const waiting = (dialog: ExitDialog): ExitOutcome => ({ _tag: "Open", dialog: { ...dialog, selected: 2, isWaiting: true } })

const moved = (dialog: ExitDialog, by: 1 | -1): ExitOutcome => ({
  _tag: "Open",
  dialog: { ...dialog, selected: (dialog.selected + by + CHOICES.length) % CHOICES.length, isWaiting: false }
})

export const updateExit = (dialog: ExitDialog, stroke: Stroke): ExitOutcome => {
  switch (stroke) {
    case "1":
    case "n":
    case "<Esc>":
      return { _tag: "Stay" }
    case "2":
    case "y":
      return { _tag: "Leave" }
    case "3":
    case "w":
      return waiting(dialog)
    case "<CR>":
      return dialog.selected === 2 ? waiting(dialog) : { _tag: dialog.selected === 1 ? "Leave" : "Stay" }
    case "j":
    case "<Down>":
      return moved(dialog, 1)
    case "k":
    case "<Up>":
      return moved(dialog, -1)
    default:
      return { _tag: "Open", dialog }
  }
}
