import type { TrustAnswer } from "../../../core/settings/trust/decide.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { trustChoices, trustLines, trustTitle } from "../../model/dialogs/trust-lines.ts"
import { updateChoice } from "../../model/dialogs/choice-dialog.ts"
import { choiceRows } from "../../text/choice-rows.ts"
import { EMPTY_ROW, textRows } from "../../text/line-rows.ts"
import type { TrustDialog } from "../../model/overlay.ts"
import type { Panel } from "../panel/panel.ts"

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

export const updateTrust = (dialog: TrustDialog, stroke: Stroke, bodyHeight: number): TrustOutcome => {
  const choices = trustChoices(dialog.question)
  const outcome = updateChoice(dialog, { stroke, count: choices.length, bodyHeight })
  const chosen = outcome._tag === "Chosen" ? choices[outcome.index] : undefined
  if (chosen !== undefined) return { _tag: "Answered", answer: chosen.answer }
  return { _tag: "Open", dialog: outcome._tag === "Open" ? { ...dialog, ...outcome.state } : dialog }
}
