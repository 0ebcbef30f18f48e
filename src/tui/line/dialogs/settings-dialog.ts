import type { SettingsAnswer, SettingsQuestion } from "../../../core/settings/startup-question.ts"
import { visibleText } from "../../text/sanitize.ts"
import { chosenIndex, type Dialog, numberLabels, type Reading } from "./dialog.ts"
import { problemWords, settingsChoices, settingsTitle } from "../../model/dialogs/settings-lines.ts"

/** The question about settings in plain lines. Whoever chooses nothing leaves. */
export const settingsDialog = (question: SettingsQuestion): Dialog<SettingsAnswer> => {
  const choices = settingsChoices(question)
  const read = (line: string): Reading<SettingsAnswer> => {
    const text = line.trim()
    const index = text === "" ? choices.length - 1 : chosenIndex(text, choices.length)
    const chosen = typeof index === "number" ? choices[index] : undefined
    if (chosen === undefined) return { _tag: "Again", why: "That is not a choice." }
    return { _tag: "Answered", answer: chosen.answer }
  }
  const notes = question.note === undefined ? [] : [visibleText(question.note, "command")]
  const listed = question.problems
    .map(problemWords)
    .flatMap(({ place, what, excerpt, fix }) => [
      place,
      `  ${what}`,
      ...(excerpt === undefined ? [] : excerpt.split("\n").map((line) => `    ${line}`)),
      `  ${fix}`
    ])
  return {
    lines: [settingsTitle(question), ...notes, ...listed, ...numberLabels(choices.map(({ label }) => label))],
    hint: `Enter selection (1-${choices.length}); Enter alone exits`,
    read
  }
}
