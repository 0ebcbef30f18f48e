/** What the end of a command means. Some programs answer with exit code 1 where nothing went wrong. */
import { programName, programWords, readCommand, type Segment } from "../../permission/bash/parse/command-segments.ts"

export interface CommandEnd {
  readonly code: number | null
  readonly signal: string | null
}

export interface ExitMeaning {
  readonly isError: boolean
  /** First line of a failure, for example `Exit code 139 (SIGSEGV)`. */
  readonly headline: string
  /** Why a code other than 0 is an answer. */
  readonly interpretation?: string
}

const SIGNAL_NUMBERS: ReadonlyMap<string, number> = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGQUIT", 3],
  ["SIGILL", 4],
  ["SIGTRAP", 5],
  ["SIGABRT", 6],
  ["SIGFPE", 8],
  ["SIGKILL", 9],
  ["SIGSEGV", 11],
  ["SIGPIPE", 13],
  ["SIGALRM", 14],
  ["SIGTERM", 15]
])

const NO_MATCH = "Exit code 1: nothing matched."
const DIFFERENT = "Exit code 1: there are differences."
const NOT_TRUE = "Exit code 1: the condition does not hold."
const PARTLY_SEARCHED = "Exit code 1: some places could not be searched."

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ["grep", NO_MATCH],
  ["rg", NO_MATCH],
  ["egrep", NO_MATCH],
  ["fgrep", NO_MATCH],
  ["git grep", NO_MATCH],
  ["diff", DIFFERENT],
  ["git diff", DIFFERENT],
  ["test", NOT_TRUE],
  ["[", NOT_TRUE],
  ["find", PARTLY_SEARCHED]
])

/** Options of git before the subcommand that take a value as their own word. */
const GIT_VALUE_OPTIONS = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"])

const gitSubcommand = (args: ReadonlyArray<string>): string | undefined => {
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ""
    if (GIT_VALUE_OPTIONS.has(word)) index++
    else if (!word.startsWith("-")) return word
  }
  return undefined
}

const answerKey = (segment: Segment): string => {
  const name = programName(segment)
  return name === "git" ? `git ${gitSubcommand(programWords(segment).slice(1)) ?? ""}` : name
}

/** The last command decides, because its code is the code of the whole line. */
const answerOf = (command: string): string | undefined => {
  const { segments, complete } = readCommand(command)
  const last = segments.at(-1)
  return complete && last !== undefined ? ANSWERS.get(answerKey(last)) : undefined
}

const signalOf = (end: CommandEnd): string | undefined => {
  if (end.signal !== null) return end.signal
  return [...SIGNAL_NUMBERS].find(([, number]) => end.code === 128 + number)?.[0]
}

/** The code as a shell would report it: 128 and the number of the signal for a killed command. */
export const exitCodeOf = (end: CommandEnd): number => end.code ?? 128 + (SIGNAL_NUMBERS.get(end.signal ?? "") ?? 0)

export const interpretExit = (command: string, end: CommandEnd): ExitMeaning => {
  const code = exitCodeOf(end)
  const signal = signalOf(end)
  const headline = signal === undefined ? `Exit code ${code}` : `Exit code ${code} (${signal})`
  if (end.code === 0) return { isError: false, headline }
  const interpretation = end.code === 1 ? answerOf(command) : undefined
  return interpretation === undefined ? { isError: true, headline } : { isError: false, headline, interpretation }
}
