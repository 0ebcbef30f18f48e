import { choiceRows } from "../../text/choice-rows.ts"
import { type Choice, choosing, startHints } from "./choices.ts"
import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import { type Update, withoutCommands, withCommands } from "../../model/update-result.ts"
import { type AtOverlay, overlayOf } from "../panel/overlay-spec.ts"
import type { TrustAnswer } from "../../../core/settings/trust/decide.ts"
import { trustChoices, trustLines, trustTitle } from "../../model/dialogs/trust-lines.ts"
import { EMPTY_ROW, textRows } from "../../text/line-rows.ts"
import type { TrustDialog } from "../../model/overlay.ts"

/** Whether the folder's own configuration may take effect: asked before the first session opens. */

const lastOf = (question: TrustDialog["question"]): number => trustChoices(question).length - 1

export const openTrust = (question: TrustDialog["question"]): TrustDialog => ({
  _tag: "Trust",
  question,
  selected: lastOf(question),
  top: 0
})

/** What was seen may be trusted; leaving is always possible. */
const answered = ({ model, placed }: AtOverlay<TrustDialog>, answer: TrustAnswer): Update =>
  answer === "trust" && !placed().isUsable
    ? withoutCommands(model)
    : withCommands(closeOverlay(model), { _tag: "AnswerTrust", answer })

const choicesOf = ({ question }: TrustDialog): ReadonlyArray<Choice<TrustDialog>> =>
  trustChoices(question).map(({ answer, label }, index) => ({
    key: String(index + 1),
    label,
    pick: (at) => answered(at, answer)
  }))

export const TRUST_OVERLAY = overlayOf("Trust", {
  ...choosing<TrustDialog>({
    choices: choicesOf,
    leave: (at) => choicesOf(at.overlay).at(-1)?.pick(at) ?? withoutCommands(at.model),
    marked: ({ model, overlay }, selected) => withoutCommands(openOverlay(model, { ...overlay, selected })),
    scrolled: (overlay, top) => ({ ...overlay, top })
  }),
  panel: ({ keys: { keymap } }, overlay) => {
    const { question, selected, top } = overlay
    const [folder = "", reason = "", ...entries] = trustLines(question)
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
      foot: (width) => choiceRows(choicesOf(overlay), selected, width),
      ...startHints(keymap, question.isLate === true ? "go on" : "exit")
    }
  }
})
