import type { Stroke } from "../../keymap/stroke.ts"
import { choiceRows, textRows } from "../../text/line-rows.ts"
import type { Confirm } from "../../model/overlay.ts"
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
