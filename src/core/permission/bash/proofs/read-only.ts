import { PROVEN, notProven, type Proof, type RepositoryFacts } from "../shell-analysis.ts"
import { readArguments, rulesOf, textOf, type Arguments } from "../arguments/arguments.ts"
import { findProblem } from "./find-proof.ts"
import { gitProblem, repositoryProblem } from "./git-proof.ts"
import { jqProblem } from "./jq-proof.ts"
import { disguisedWord, unsafeAssignment, unsafeRedirect } from "./static-words.ts"
import type { SimpleCommand, Word } from "../program.ts"
import { sedProblem } from "./sed-proof.ts"
import { baseName, programNamed, type KnownProgram } from "../tables/programs.ts"
import { EXACT_READERS } from "../tables/readers.ts"
import { isQuery, nameOf, type Unwrapped } from "../arguments/wrappers.ts"

/**
 * The proof that a command only reads: no write besides its redirects, no other process, no network. The files it reads
 * and the targets of its redirects are in its touches and are judged by the rules about paths.
 */
export interface ReadingContext {
  readonly cwd: string | undefined
  readonly repository: RepositoryFacts | undefined
  /** A `cd` to another directory stands in the same text. */
  readonly moved: boolean
  /** Whether a command inside a substitution is proven to only read. */
  readonly onlyReads: (command: SimpleCommand) => boolean
}

/** The problem with a program at a place of its words; undefined when it only reads. */
type Check = (words: ReadonlyArray<Word>, at: number, given: Arguments, context: ReadingContext) => string | undefined

const TEST_FORBIDDEN = /^-[vR]$/

const testProblem: Check = (words, at) => {
  const forbidden = words.slice(at + 1).find((word) => TEST_FORBIDDEN.test(textOf(word)))
  if (forbidden !== undefined) return `${textOf(forbidden)} of test can run code`
  const glob = words.slice(at + 1).find((word) => word.glob)
  if (glob !== undefined) return `An unquoted glob such as ${glob.source} could become a flag`
  const program = words[at]
  return program?.value === "[" && words.at(-1)?.value !== "]" ? "[ has no closing ]" : undefined
}

/** Flags stand first; what looks like one but is none to echo is left to the user. Behind the first text all is text. */
const echoProblem: Check = (words, at) => {
  const first = words.slice(at + 1).find(({ value }) => value === undefined || !/^-[neE]+$/.test(value))
  const strange = first?.value !== undefined && /^--?[A-Za-z]/.test(first.value) ? first : undefined
  return strange === undefined ? undefined : `${strange.source} of echo is not known to be harmless`
}

/** A format with `%n` sets a variable. */
const printfProblem: Check = (words, at) => {
  const format = words[at + 1]
  if (format?.value === undefined) return "printf needs a format that is known"
  if (format.value.startsWith("-")) return "printf with a flag can set a variable"
  const setsVariable = format.glob || /%[^%A-Za-z]*[hjlLtz]*n/.test(format.value)
  return setsVariable ? "The format of printf can set a variable" : undefined
}

const dateProblem: Check = (_words, _at, { problem, operands }) => {
  const strange = operands.find((word) => !textOf(word).startsWith("+"))
  return problem ?? (strange === undefined ? undefined : `date ${textOf(strange)} could set the clock`)
}

/** Old-style letters: `e` shows the environment of processes. */
const psProblem: Check = (_words, _at, { problem, flags, operands }) => {
  const strange = operands.find((word) => !/^(?:[aufxjlw]+|\d+(?:,\d+)*)$/.test(textOf(word)))
  const showing = flags.find(({ value }) => value !== undefined && /env/i.test(value))
  if (strange !== undefined) return `ps ${textOf(strange)} could show the environment of processes`
  return problem ?? (showing === undefined ? undefined : "ps could show the environment of processes")
}

/** `@file` stands for the words in the file. */
const stringsProblem: Check = (_words, _at, { problem, operands }) => {
  const listed = operands.find((word) => textOf(word).startsWith("@"))
  return problem ?? (listed === undefined ? undefined : `${textOf(listed)} of strings is a list of further words`)
}

const noOperands: Check = (words, at, { problem, operands }) =>
  problem ?? (operands.length === 0 ? undefined : `${words[at]?.source ?? ""} takes no operands here`)

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["test", testProblem],
  ["[", testProblem],
  ["echo", echoProblem],
  ["printf", printfProblem],
  ["date", dateProblem],
  ["ps", psProblem],
  ["strings", stringsProblem],
  ["find", (words, at) => findProblem(words, at)],
  ["sed", (_words, _at, given) => sedProblem(given)],
  ["jq", (_words, _at, given) => jqProblem(given)],
  ["true", () => undefined],
  ["false", () => undefined],
  [":", () => undefined]
])

const generalProblem: Check = (words, at, given, context) =>
  programNamed(baseName(textOf(words[at] ?? EMPTY)))?.row.role === "none"
    ? noOperands(words, at, given, context)
    : given.problem

const EMPTY: Word = { source: "", start: 0, end: 0, value: "", literal: "", quoting: "bare", glob: false, dynamic: [] }

/** Exactly the name, or exactly where the system keeps it. */
const SYSTEM_PLACE = /^(?:\/usr)?\/bin\/([\w[.+-]+)$/

const tableName = (value: string): string => SYSTEM_PLACE.exec(value)?.[1] ?? value

const globProblem = (known: KnownProgram, words: ReadonlyArray<Word>, at: number): string | undefined => {
  if (known.row.globs === true) return undefined
  const glob = words.find((word, index) => index > at && word.glob)
  return glob === undefined ? undefined : `A name that ${glob.source} expands to could become a flag`
}

const programProblem = (words: ReadonlyArray<Word>, at: number, context: ReadingContext): string | undefined => {
  const program = words[at]
  if (program?.value === undefined) return "There is no program"
  const name = tableName(program.value)
  if (EXACT_READERS.has([name, ...words.slice(at + 1).map(textOf)].join(" "))) return undefined
  if (isQuery(words, at)) return undefined
  if (name === "cd") return cdProblem(words, at)
  if (name === "git") {
    const problem = gitProblem(words, at, context.cwd)
    if (problem !== undefined) return problem
    return context.moved ? "cd together with git could meet another repository" : repositoryProblem(context.repository)
  }
  const known = programNamed(name)
  if (known?.row.reads !== true) return `${program.value} is not known to only read`
  const given = readArguments(words, at + 1, rulesOf(known))
  const problem = (CHECKS.get(name) ?? generalProblem)(words, at, given, context)
  if (problem !== undefined) return problem.includes(name) ? problem : `${problem} (${name})`
  const { most } = known.row
  if (most !== undefined && given.operands.length > most) return `${name} has an operand too many`
  return globProblem(known, words, at)
}

/** A plain `cd` to one directory; where it leads is a touch. */
export const cdProblem = (words: ReadonlyArray<Word>, at: number): string | undefined => {
  const rest = words.slice(at + 1)
  const operands = rest.filter((word, index) => !(index === 0 && textOf(word) === "--"))
  const [target] = operands
  if (operands.length > 1) return "cd with more than one word is not understood"
  if (target === undefined) return undefined
  const isPlain = target.value !== undefined && !target.glob && !/^[-~]/.test(target.value)
  return isPlain ? undefined : `cd ${target.source} leads to a place that is not known`
}

/** The exit code, the number of arguments and the process: numbers, never secrets. */
const NUMBERS: ReadonlySet<string> = new Set(["?", "#", "$"])

/** Words only known at run time that echo and printf may print: what commands that only read have said. */
const isTolerated = (words: ReadonlyArray<Word>, at: number, index: number, context: ReadingContext): boolean => {
  const program = words[at]?.value
  const isText = program === "echo" ? index > at : program === "printf" && index > at + 1
  const word = words[index]
  if (!isText || word === undefined || word.quoting === "strange") return false
  return word.dynamic.every(
    ({ kind, name, commands }) =>
      (kind === "substitution" && commands.length > 0 && commands.every(context.onlyReads)) ||
      (kind === "variable" && name !== undefined && NUMBERS.has(name))
  )
}

const wordProblem = (words: ReadonlyArray<Word>, at: number, context: ReadingContext): string | undefined => {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    if (word === undefined) break
    const isHidden = word.value === undefined && !isTolerated(words, at, index, context)
    const problem = isHidden ? `${word.source} is only known at run time` : disguisedWord(words, index, at)
    if (problem !== undefined) return problem
  }
  return undefined
}

const wrapperProblem = ({ layers }: Unwrapped, words: ReadonlyArray<Word>, at: number): string | undefined => {
  for (const { name, strippable, known } of layers) {
    if (!strippable || known.row.leavesTraces === true) return `${name} runs another program`
    const target = words[at]
    const isEchoed = target !== undefined && nameOf(target) === "echo"
    if (known.row.feeds === true && !isEchoed) return "xargs adds words that nobody has seen"
  }
  return undefined
}

export const proveReading = (command: SimpleCommand, unwrapped: Unwrapped, context: ReadingContext): Proof => {
  const { words, assignments, redirects, place } = command
  const { at } = unwrapped
  if (words.length === 0 && assignments.length > 0) return notProven("it sets variables of the shell")
  const problem =
    wordProblem(words, at, context) ??
    unsafeAssignment(assignments) ??
    wrapperProblem(unwrapped, words, at) ??
    (place.inBackground ? "It runs in the background" : undefined) ??
    (words.length === 0 ? undefined : programProblem(words, at, context)) ??
    unsafeRedirect(redirects)
  return problem === undefined ? PROVEN : notProven(problem)
}
