import type { TrustAnswer, TrustQuestion } from "../../../core/settings/trust/decide.ts"
import { chosenIndex, type Dialog, numberLabels, type Reading } from "./dialog.ts"
import { trustChoices, trustLines, trustTitle } from "../../model/dialogs/trust-lines.ts"

/** The trust question in plain lines. Whoever chooses nothing gets the last choice. */
export const trustDialog = (question: TrustQuestion): Dialog<TrustAnswer> => {
  const choices = trustChoices(question)
  const byDefault = question.isLate === true ? "goes on without them" : "exits"
  const read = (line: string): Reading<TrustAnswer> => {
    const text = line.trim()
    const index = text === "" ? choices.length - 1 : chosenIndex(text, choices.length)
    const chosen = typeof index === "number" ? choices[index] : undefined
    if (chosen === undefined) return { _tag: "Again", why: "That is not a choice." }
    return { _tag: "Answered", answer: chosen.answer }
  }
  return {
    lines: [trustTitle(question), ...trustLines(question), ...numberLabels(choices.map(({ label }) => label))],
    hint: `Enter selection (1-${choices.length}); Enter alone ${byDefault}`,
    read
  }
}
