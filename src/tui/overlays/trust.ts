import type { TrustAnswer } from "../../core/trust/decide.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { trustChoices, trustLines, trustTitle } from "../line/trust-lines.ts"
import { choiceRows, EMPTY_ROW, textRows } from "./option-rows.ts"
import type { TrustDialog } from "./overlay.ts"
import type { Panel } from "./panel.ts"

/** Whether the folder's own configuration may take effect: asked before the first session opens. */

const lastOf = (question: TrustDialog["question"]): number => trustChoices(question).length - 1

export const openTrust = (question: TrustDialog["question"]): TrustDialog => ({
  _tag: "Trust",
  question,
  selected: lastOf(question),
  top: 0
})

export const trustPanel = ({ question, selected, top }: TrustDialog): Panel => {
  const [folder = "", reason = "", ...entries] = trustLines(question)
  const choices = trustChoices(question).map(({ label }, index) => ({ key: String(index + 1), label }))
  return {
    title: trustTitle(question),
    tone: "destructive",
    width: 100,
    body: (width) => [
      ...textRows(folder, width, { role: "text", bold: true }, "command"),
      ...textRows(reason, width),
      EMPTY_ROW,
      ...entries.flatMap((line) => textRows(line, width, undefined, "command"))
    ],
    top,
    foot: (width) => choiceRows(choices, selected, width),
    hint: `j k choose · Enter answer · Esc ${question.isLate === true ? "go on" : "exit"} · d u scroll`,
    scrollKey: "d"
  }
}

export type TrustOutcome =
  | { readonly _tag: "Open"; readonly dialog: TrustDialog }
  | { readonly _tag: "Answered"; readonly answer: TrustAnswer }

const moved = (dialog: TrustDialog, by: number): TrustOutcome => {
  const count = trustChoices(dialog.question).length
  return { _tag: "Open", dialog: { ...dialog, selected: (dialog.selected + by + count) % count } }
}

const scrolled = (dialog: TrustDialog, by: number): TrustOutcome => ({
  _tag: "Open",
  dialog: { ...dialog, top: Math.max(0, dialog.top + by) }
})

const answered = (dialog: TrustDialog, index: number): TrustOutcome => {
  const chosen = trustChoices(dialog.question)[index]
  return chosen === undefined ? { _tag: "Open", dialog } : { _tag: "Answered", answer: chosen.answer }
}

export const updateTrust = (dialog: TrustDialog, stroke: Stroke, bodyHeight: number): TrustOutcome => {
  const page = Math.max(1, bodyHeight - 1)
  switch (stroke) {
    case "1":
    case "2":
    case "3":
      return answered(dialog, Number(stroke) - 1)
    case "<CR>":
      return answered(dialog, dialog.selected)
    case "<Esc>":
      return answered(dialog, lastOf(dialog.question))
    case "j":
    case "<Down>":
    case "<Tab>":
      return moved(dialog, 1)
    case "k":
    case "<Up>":
    case "<S-Tab>":
      return moved(dialog, -1)
    case "d":
    case "<C-d>":
    case "<PageDown>":
      return scrolled(dialog, page)
    case "u":
    case "<C-u>":
    case "<PageUp>":
      return scrolled(dialog, -page)
    default:
      return { _tag: "Open", dialog }
  }
}
