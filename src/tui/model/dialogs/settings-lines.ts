import { isFileProblem, placeText, type SettingsProblem, fixOf } from "../../../core/settings/origin.ts"
import type { SettingsAnswer, SettingsQuestion } from "../../../core/settings/startup-question.ts"
import { visibleText } from "../../text/sanitize.ts"

/** The question about settings that cannot be used, in words: the dialog and the line mode say the same. */

export const settingsTitle = ({ problems }: SettingsQuestion): string => {
  const noun = problems.every(isFileProblem) ? "settings file" : "setting"
  return problems.length === 1 ? `A ${noun} cannot be used` : `${problems.length} ${noun}s cannot be used`
}

/** What is said about one problem; the excerpt stands between `what` and `fix`. */
export interface ProblemWords {
  readonly place: string
  readonly what: string
  readonly excerpt: string | undefined
  readonly fix: string
}

export const problemWords = (problem: SettingsProblem): ProblemWords => ({
  place: visibleText(placeText(problem), "command"),
  what: visibleText(problem.path === "" ? problem.message : `${problem.path}: ${problem.message}`, "command"),
  excerpt: problem.excerpt,
  fix: `Fix: ${visibleText(fixOf(problem), "command")}`
})

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

export interface SettingsChoice {
  readonly answer: SettingsAnswer
  readonly label: string
}

/** The last one is what happens when nobody chooses. */
export const settingsChoices = ({ problems, fixable }: SettingsQuestion): ReadonlyArray<SettingsChoice> => {
  const what = problems.every(isFileProblem) ? (problems.length === 1 ? "this file" : "these files") : "these values"
  const edit =
    fixable === undefined ? [] : [{ answer: "edit" as const, label: `Fix ${fileName(fixable.file)} in the editor` }]
  return [...edit, { answer: "continue", label: `Continue without ${what}` }, { answer: "exit", label: "Exit" }]
}
