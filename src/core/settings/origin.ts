import type { RuleSource } from "../permission/verdict.ts"

/** Where settings come from, weakest first. */
export const SETTINGS_SOURCES = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings"
] as const satisfies ReadonlyArray<RuleSource>

export type SettingsSource = (typeof SETTINGS_SOURCES)[number]

/** Where one value stands. Line and column count from 1. */
export interface Origin {
  readonly source: SettingsSource
  /** Path of the file; a name in angle brackets for what no file holds. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What is wrong with a file, a key or an entry. Errors and warnings are told, remarks only on request. */
export interface SettingsProblem {
  readonly level: "error" | "warning" | "remark"
  readonly source: SettingsSource
  readonly file: string
  /** Absent when the file as a whole is meant. */
  readonly line?: number
  readonly column?: number
  /** Dotted; empty for the file. */
  readonly path: string
  readonly message: string
  readonly expected?: string
  readonly got?: string
  readonly suggestion?: string
  /** The line of the file and a caret below it. */
  readonly excerpt?: string
}

/** Whether an unusable file must be mended before anything else: it is no JSON, or cannot be read at all. */
export const isFileProblem = ({ level, path }: SettingsProblem): boolean => level === "error" && path === ""

export const placeText = ({ file, line, column }: Pick<SettingsProblem, "file" | "line" | "column">): string => {
  if (line === undefined) return file
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`
}

const fixOf = ({ suggestion, expected, path }: SettingsProblem): string => {
  if (suggestion !== undefined) return suggestion
  if (expected !== undefined) return `set it to ${expected}`
  return path === "" ? "correct the file there" : "remove it"
}

/** One line for stderr, without the program's name. */
export const problemText = (problem: SettingsProblem): string => {
  const what = problem.path === "" ? "settings" : problem.path
  return `${what} (${placeText(problem)}) — ${problem.message}. Fix: ${fixOf(problem)}`
}

/** Each problem once, however often a file is named. */
export const distinctProblems = (problems: ReadonlyArray<SettingsProblem>): ReadonlyArray<SettingsProblem> => {
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const mark = JSON.stringify([problem.file, problem.path, problem.message])
    return !seen.has(mark) && seen.add(mark)
  })
}
