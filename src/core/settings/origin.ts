import type { SettingsSource } from "../domain/settings-source.ts"

/** Where one value stands. Line and column count from 1. */
export interface Origin {
  readonly source: SettingsSource
  /** Path of the file; a name in angle brackets for what no file holds. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What is wrong with a file, a key or an entry. Errors and warnings are reported, remarks only on request. */
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
  /** All of it in one sentence, with its place, where such problems have a form of their own. */
  readonly sentence?: string
  /** The line of the file and a caret below it. */
  readonly excerpt?: string
  /** Something that was to be denied or asked about is not: this must stay in sight. */
  readonly leavesOpen?: true
}

const GUARDS: ReadonlySet<string> = new Set(["", "permissions", "permissions.deny", "permissions.ask"])

/** Whether a problem at this path takes rules away that only ever tighten. */
export const guardsAt = (level: SettingsProblem["level"], path: string): Pick<SettingsProblem, "leavesOpen"> =>
  level !== "remark" && GUARDS.has(path) ? { leavesOpen: true } : {}

/** Whether an unusable file must be fixed before anything else: it is not JSON, or cannot be read at all. */
export const isFileProblem = ({ level, path }: SettingsProblem): boolean => level === "error" && path === ""

export const placeText = ({ file, line, column }: Pick<SettingsProblem, "file" | "line" | "column">): string => {
  if (line === undefined) return file
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`
}

/** What to do about it. */
export const fixOf = ({ suggestion, expected, path }: SettingsProblem): string => {
  if (suggestion !== undefined) return suggestion
  if (expected !== undefined) return `set it to ${expected}`
  return path === "" ? "correct the file there" : "remove it"
}

/** One line for stderr, without the program's name. */
export const problemText = (problem: SettingsProblem): string => {
  if (problem.sentence !== undefined) return problem.sentence
  const what = problem.path === "" ? "settings" : problem.path
  return `${what} (${placeText(problem)}) — ${problem.message}. Fix: ${fixOf(problem)}`
}

/** One short line that stays on screen for as long as the problem lasts. */
export const bannerText = ({ file, line, path, message }: SettingsProblem): string => {
  const name = file.slice(file.lastIndexOf("/") + 1)
  const isRule = message.startsWith("Ignored rule")
  const words = isRule ? message : path === "" ? `${message}; its rules do not hold` : `${path}: ${message}`
  return `${name}${line === undefined ? "" : `:${line}`}: ${words}`
}

/** The line of the file with its caret, set off; empty where there is none to show. */
export const excerptLines = ({ excerpt }: SettingsProblem): string =>
  excerpt === undefined ? "" : `    ${excerpt.replaceAll("\n", "\n    ")}\n`

/** Each problem once, however often a file is named. */
export const distinctProblems = (problems: ReadonlyArray<SettingsProblem>): ReadonlyArray<SettingsProblem> => {
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const mark = JSON.stringify([problem.file, problem.path, problem.message])
    return !seen.has(mark) && seen.add(mark)
  })
}
