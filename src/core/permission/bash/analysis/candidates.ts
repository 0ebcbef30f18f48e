import type { Candidate } from "../shell-analysis.ts"
import { readArguments, textOf } from "../arguments/arguments.ts"
import { EVALUATING_FLAGS } from "../tables/builtins.ts"
import { gitVerbAt } from "../touches/operands-git.ts"
import { DYNAMIC, type Assignment, type SimpleCommand, type Word } from "../program.ts"
import { sedRuns } from "../arguments/sed-script.ts"
import { GIT_OTHER_VERBS, GIT_PLAIN_VERBS, GIT_VALUED_GLOBALS } from "../tables/git.ts"
import {
  EDITORS,
  isHarmlessVariable,
  isInterpreter,
  isKnownProgram,
  programNamed,
  SHELL_CHANGING,
  isShellName,
  wrapperNamed
} from "../tables/programs.ts"
import { RUNNER_VERBS } from "../tables/wrappers.ts"
import { isQuery, nameOf, type Unwrapped } from "../arguments/wrappers.ts"

/**
 * What deny and ask rules are compared with. A program that nobody knows may run any of its words, so every word is a
 * possible beginning; of a program whose operands are certainly never run, only the program itself is.
 */

/** A flag as it stands, without an attached value, shortened, or as a short flag with the value directly behind it. */
const isSpelled = (text: string, words: ReadonlySet<string>): boolean => {
  if (words.has(text)) return true
  const equals = text.indexOf("=")
  const flag = equals > 0 ? text.slice(0, equals) : text
  if (words.has(flag) || (/^-[^-]./.test(text) && words.has(text.slice(0, 2)))) return true
  if (!/^--./.test(flag)) return false
  for (const word of words) if (word.startsWith(flag)) return true
  return false
}

/** Blanks and what shells give a meaning: a word with these in it may be code. */
export const CODE_CHARACTERS = /[\s;&|()`$<>'"]/

/** `+cmd` is a command of the pager, which can start programs. */
const RUNS_PLUS: ReadonlySet<string> = new Set(["less", "more"])

const isGitInert = (words: ReadonlyArray<Word>, at: number, running: ReadonlySet<string>): boolean => {
  const verb = words[gitVerbAt(words, at)]
  if (verb !== undefined && !GIT_PLAIN_VERBS.has(textOf(verb))) return false
  return !words.some((word, index) => index > at && isSpelled(textOf(word), running))
}

/** Programs with sub-commands that hand words on to others; a variable of make may be a program. */
const isRunnerInert = (name: string, rest: ReadonlyArray<Word>, running: ReadonlySet<string>): boolean => {
  const isVerb = programNamed(name)?.row.role === "verb"
  const mayRun = (text: string): boolean =>
    isSpelled(text, running) || (isVerb && (CODE_CHARACTERS.test(text) || (name.endsWith("make") && text.includes("="))))
  return !rest.some((word) => mayRun(textOf(word)))
}

/** The operands of this program are certainly never run. */
export const isInert = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  if (program === undefined) return true
  const name = nameOf(program)
  const rest = words.slice(at + 1)
  const running = RUNNER_VERBS.get(name)
  if (running !== undefined) return name === "git" ? isGitInert(words, at, running) : isRunnerInert(name, rest, running)
  if (isQuery(words, at)) return true
  if (isShellName(name) || isInterpreter(name) || SHELL_CHANGING.has(name) || EDITORS.has(name)) return false
  if (wrapperNamed(name) !== undefined) return false
  const evaluating = EVALUATING_FLAGS[name]
  if (evaluating !== undefined && rest.some((word) => evaluating.test(textOf(word)))) return false
  const known = programNamed(name)
  if (known === undefined) return isKnownProgram(name)
  switch (known.row.role) {
    case "code":
      return false
    case "none":
      return rest.every((word) => textOf(word).startsWith("-"))
    case "script":
      return !rest.some((word) => sedRuns(textOf(word).replace(/^(?:-\w*e|--e[a-z]*=)/, "")))
    default:
      if (RUNS_PLUS.has(name) && rest.some((word) => textOf(word).startsWith("+"))) return false
      return !readArguments(words, at + 1, known).flags.some(({ flag }) => flag.kind === "x")
  }
}

/** Behind these a program may begin inside a word: `--exec=rm`, `EXEC:rm`, `|rm`, `/bin/rm`. */
const INSIDE = /[=!:,@|+/;"'`([{<>&$]/g

/** Where programs may begin in the joined words. */
const startsIn = (texts: ReadonlyArray<string>, last: number): ReadonlyArray<number> => {
  const starts: Array<number> = []
  let offset = 0
  const add = (start: number): void => {
    if (start > (starts.at(-1) ?? -1)) starts.push(start)
  }
  for (const [index, text] of texts.entries()) {
    if (index > last) break
    add(offset)
    // A short flag may have its value directly behind it.
    if (/^-[A-Za-z]./.test(text)) add(offset + 2)
    for (const found of text.matchAll(INSIDE)) add(offset + found.index + 1)
    offset += text.length + 1
  }
  return starts
}

const VALUED_GLOBALS = new Set([
  ...GIT_VALUED_GLOBALS,
  "--prefix",
  "-H",
  "--context",
  "--host",
  "-n",
  "--kubeconfig",
  "--cwd"
])

/** `git -C dir push` as `git push`: flags before the sub-command do not hide it. */
const withoutGlobals = (words: ReadonlyArray<Word>, at: number): string | undefined => {
  const program = words[at]
  if (program === undefined) return undefined
  const name = nameOf(program)
  if (programNamed(name)?.row.role !== "verb") return undefined
  let next = at + 1
  for (let word = words[next]; word !== undefined && textOf(word).startsWith("-"); word = words[next]) {
    next += VALUED_GLOBALS.has(textOf(word)) ? 2 : 1
  }
  return next === at + 1 ? undefined : [name, ...words.slice(next).map(textOf)].join(" ")
}

const ALIAS = /^alias\.[^=]*(?:=(.*))?$/is

/** What git would run under another name: aliases that are set here, and sub-commands that only an alias can be. */
const aliasTexts = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<string> => {
  const program = words[at]
  if (program === undefined || nameOf(program) !== "git") return []
  const verbAt = gitVerbAt(words, at)
  const verb = words[verbAt]
  const rest = words.slice(verbAt + 1).map(textOf)
  const isForeign = verb !== undefined && !GIT_PLAIN_VERBS.has(textOf(verb)) && !GIT_OTHER_VERBS.has(textOf(verb))
  const set = words.flatMap((word, index) => {
    const found = index > at ? ALIAS.exec(textOf(word)) : null
    if (found === null) return []
    const next = words[index + 1]
    return [`git ${found[1] ?? (next === undefined ? "" : textOf(next))}`]
  })
  // Runs another sub-command, once for each repository.
  const handed = verb !== undefined && textOf(verb) === "for-each-repo" ? rest.filter((text) => !text.startsWith("--")) : []
  return [
    ...set,
    ...(handed.length === 0 ? [] : [["git", ...handed].join(" ")]),
    ...(isForeign ? [["git", DYNAMIC, ...rest].join(" ")] : [])
  ]
}

/** `a${IFS}b` is two words once it runs. */
const splitText = (word: Word): string =>
  word.value === undefined && word.dynamic.some(({ source }) => /^\$\{?IFS/.test(source))
    ? word.literal.replaceAll(DYNAMIC, " ")
    : textOf(word)

export const printsText = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  return program !== undefined && programNamed(nameOf(program))?.row.role === "text"
}

/** Variables whose value a shell or a program runs later. */
const RUN_LATER =
  /^(?:\w*(?:PAGER|EDITOR|ASKPASS|COMMAND|WRAPPER|OPTIONS|OPTS?)|GIT_\w+|VISUAL|BROWSER|BASH_ENV|ENV|SHELL|PS[0-4]|LESS\w*)$/

export const isRunLater = (name: string): boolean => RUN_LATER.test(name)

/** Values of variables that some program may run: all that a program is started with, and some by their name. */
const assignedCode = (assignments: ReadonlyArray<Assignment>, isAlone: boolean): ReadonlyArray<Candidate> =>
  assignments.flatMap(({ name, value }) =>
    value === undefined || isHarmlessVariable(name) || (isAlone && !isRunLater(name)) ? [] : lexicalCandidates(textOf(value))
  )

const SYSTEM_PROGRAM = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/

/** A copy of a program or a link to it is the program under another name. */
const copiedPrograms = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<Candidate> => {
  const program = words[at]
  const role = program === undefined ? undefined : programNamed(nameOf(program))?.row.role
  if (role !== "copy" && role !== "link" && role !== "move") return []
  return words.slice(at + 1).flatMap((word) => {
    const name = SYSTEM_PROGRAM.exec(textOf(word))?.[1]
    return name === undefined ? [] : [{ text: name, starts: [0] }]
  })
}

export interface Candidates {
  readonly candidates: ReadonlyArray<Candidate>
  /** Any word of it may be run, so code in its words counts. */
  readonly open: boolean
}

/** `textMayRun`: somewhere in the text a program runs what others print. */
export const candidatesOf = (
  command: Pick<SimpleCommand, "source" | "words" | "assignments">,
  unwrapped: Unwrapped,
  textMayRun: boolean
): Candidates => {
  const { words, assignments } = command
  const { at, layers } = unwrapped
  const texts = words.map(splitText)
  const joined = texts.join(" ")
  const strange = layers.some(({ given, known }) => given.flags.some(({ name }) => !known.flags.has(name)))
  const open = strange || (textMayRun && printsText(words, at)) || !isInert(words, at)
  const starts = startsIn(texts, open ? texts.length : at)
  const bare = withoutGlobals(words, at)
  const source = command.source.trim()
  return {
    open,
    candidates: [
      { text: joined, starts },
      ...(source === joined ? [] : [{ text: source, starts: [0] }]),
      ...(bare === undefined ? [] : [{ text: bare, starts: [0] }]),
      ...aliasTexts(words, at).map((text) => ({ text, starts: [0] })),
      ...copiedPrograms(words, at),
      ...assignedCode(assignments, words.length === 0)
    ]
  }
}

const OPERATORS = /[;&|()<>`{}\n\r]+|\$\(/
const BLANKS = /[\s\0]+/
/** Quotes may stand inside a word, around one, around a whole command, or around the members of a list. */
const QUOTES = [
  [/["'\\]/g, ""],
  [/["'\\]/g, " "],
  [/["'\\]/g, ";"],
  [/["'\\,[\]]+/g, " "]
] as const

/**
 * The text cut at operators and blanks with quotes and escapes taken away, for when there is nothing better: a text
 * that no parser understood, or code in another language. Every word may begin a command.
 */
export const lexicalCandidates = (text: string): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  for (const version of new Set(QUOTES.map(([marks, instead]) => text.replaceAll(marks, instead)))) {
    for (const segment of version.split(OPERATORS)) {
      const words = segment.split(BLANKS).filter((word) => word !== "")
      if (words.length > 0) found.push({ text: words.join(" "), starts: startsIn(words, words.length) })
    }
  }
  return found
}
