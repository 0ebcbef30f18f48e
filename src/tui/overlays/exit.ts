import type { AppModel } from "../app/model.ts"
import { isRunning, nameOf } from "../app/session-model.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { choiceRows, textRows } from "./option-rows.ts"
import type { ExitDialog } from "./overlay.ts"
import type { Panel } from "./panel.ts"

/** Leaving while work goes on: asked once, with the names of what would be stopped. */

const CHOICES = [
  { key: "1", label: "Stay" },
  { key: "2", label: "Stop everything and leave" }
]

export const exitPanel = (model: AppModel, { selected }: ExitDialog): Panel => {
  const running = [...model.sessions.values()].filter(isRunning).map(nameOf)
  return {
    title: "Leave?",
    tone: "destructive",
    width: 60,
    body: (width) =>
      textRows(`Still running: ${running.join(", ")}. What was done so far is saved and can be resumed.`, width),
    top: 0,
    foot: (width) => choiceRows(CHOICES, selected, width),
    hint: "Esc stays"
  }
}

export type ExitOutcome =
  { readonly _tag: "Open"; readonly dialog: ExitDialog } | { readonly _tag: "Stay" } | { readonly _tag: "Leave" }

export const updateExit = (dialog: ExitDialog, stroke: Stroke): ExitOutcome => {
  switch (stroke) {
    case "1":
    case "n":
    case "<Esc>":
      return { _tag: "Stay" }
    case "2":
    case "y":
      return { _tag: "Leave" }
    case "<CR>":
      return dialog.selected === 1 ? { _tag: "Leave" } : { _tag: "Stay" }
    case "j":
    case "k":
    case "<Down>":
    case "<Up>":
      return { _tag: "Open", dialog: { ...dialog, selected: 1 - dialog.selected } }
    default:
      return { _tag: "Open", dialog }
  }
}
