import type { SettingsProblem } from "./origin.ts"
import type { SettingsSource } from "../domain/settings-source.ts"

/** What a user is asked at the start when settings hold errors. */
export interface SettingsQuestion {
  readonly problems: ReadonlyArray<SettingsProblem>
  /** Where the editor opens; undefined when nothing of it is the user's own to fix. */
  readonly fixable: { readonly file: string; readonly line: number } | undefined
  /** Why the editor that was wanted before could not help. */
  readonly note?: string
}

/** edit: fix it now, then look again. continue: go on without what cannot be used. */
export type SettingsAnswer = "edit" | "continue" | "exit"

const OWN: ReadonlySet<SettingsSource> = new Set(["userSettings", "projectSettings", "localSettings"])
const OF_FOLDER: ReadonlySet<SettingsSource> = new Set(["projectSettings", "localSettings"])

const isAskedAbout = ({ level, source }: SettingsProblem, isTrusted: boolean): boolean =>
  level === "error" && (isTrusted || !OF_FOLDER.has(source))

/** What is reported at the start, because nobody is asked about it. */
export const problemsToReport = (
  problems: ReadonlyArray<SettingsProblem>,
  isTrusted: boolean
): ReadonlyArray<SettingsProblem> =>
  problems.filter((problem) => problem.level !== "remark" && !isAskedAbout(problem, isTrusted))

/**
 * Errors only; warnings are reported and not asked about. Files of a folder without trust do not count, and nobody is led
 * to open them.
 */
export const settingsQuestion = (
  problems: ReadonlyArray<SettingsProblem>,
  isTrusted: boolean
): SettingsQuestion | undefined => {
  const errors = problems.filter((problem) => isAskedAbout(problem, isTrusted))
  if (errors.length === 0) return undefined
  const first = errors.find(({ source }) => OWN.has(source))
  return { problems: errors, fixable: first === undefined ? undefined : { file: first.file, line: first.line ?? 1 } }
}
