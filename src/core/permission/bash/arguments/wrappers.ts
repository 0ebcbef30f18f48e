import { memoizeText } from "../../../domain/text/bounded-memo.ts"
import { readArguments, textOf, type Arguments } from "./arguments.ts"
import { DYNAMIC, type Word } from "../program.ts"
import { fits } from "../tables/flags.ts"
import { baseName, INPUT_RUNNERS, isInterpreter, isShellName, wrapperNamed, type KnownWrapper } from "../tables/programs.ts"

/** A command with the programs taken away that only run another one. */
export interface Unwrapped {
  /** Where the innermost program stands; after the last word when there is none. */
  readonly at: number
  readonly layers: ReadonlyArray<Layer>
  /** Code in words of the wrappers. */
  readonly code: ReadonlyArray<CodeText>
}

export interface Layer {
  readonly at: number
  /** Where the words of what it runs begin. */
  readonly end: number
  readonly name: string
  readonly known: KnownWrapper
  readonly given: Arguments
  /** An allow rule may look through it. */
  readonly strippable: boolean
}

export interface CodeText {
  readonly text: string
  /** A piece of it is only known at run time. */
  readonly dynamic: boolean
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

const shortName = memoizeText((text) => baseName(text).toLowerCase())

/** Longer words are not names that anybody asks for twice. */
const MOST_NAME_CHARS = 64

/** The program that a word names, whatever its directory and case. */
export const nameOf = (word: Word): string => {
  const text = textOf(word)
  return text.length > MOST_NAME_CHARS ? baseName(text).toLowerCase() : shortName(text)
}

const codeOf = (words: ReadonlyArray<Word>): CodeText => ({
  text: words.map(textOf).join(" "),
  dynamic: words.some(({ value }) => value === undefined)
})

/** `command -v x` asks where x is and runs nothing. */
export const isQuery = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  const first = words[at + 1]
  return program?.value === "command" && first !== undefined && /^-[vV]$/.test(textOf(first))
}

const codeInFlags = (given: Arguments): ReadonlyArray<CodeText> =>
  given.flags.flatMap(({ flag, value, word }) =>
    flag.kind === "x" && value !== undefined ? [{ text: value, dynamic: word.value === undefined }] : []
  )

const looksThrough = (name: string, { row }: KnownWrapper, given: Arguments): boolean => {
  if (row.strippable !== true || given.problem !== undefined) return false
  return name !== "timeout" || given.operands.every((word) => word.value !== undefined && fits("k", word.value))
}

const isDash = (word: Word): boolean => textOf(word) === "-"

interface ReadLayer {
  readonly layer: Layer
  readonly next: number
}

const readLayer = (words: ReadonlyArray<Word>, at: number): ReadLayer | undefined => {
  const program = words[at]
  if (program?.value === undefined || isQuery(words, at)) return undefined
  const name = nameOf(program)
  const wrapper = wrapperNamed(name)
  if (wrapper === undefined) return undefined
  const { row, flags } = wrapper
  const operandsBefore = (row.operands ?? 0) + (row.dash === true && words.slice(at + 1).some(isDash) ? 1 : 0)
  const given = readArguments(words, at + 1, { flags, numbers: name === "nice", operandsBefore })
  let next = given.next
  if (row.assignments === true) {
    for (let word = words[next]; word !== undefined && ASSIGNMENT.test(textOf(word)); word = words[next]) next++
  }
  // `nice -5` is an old way of writing `nice -n 5`, and `nice --5` the opposite.
  const isOldStyle = name === "nice" && words.slice(at + 1, next).some((word) => /^--?\d/.test(textOf(word)))
  const strippable = looksThrough(name, wrapper, given) && program.value === name && !isOldStyle
  return { layer: { at, end: next, name, known: wrapper, given, strippable }, next }
}

/** Several readers ask about the same words. */
const known = new WeakMap<ReadonlyArray<Word>, Unwrapped>()

/** Looks through wrappers with whatever flags they have: what counts is what runs in the end. */
export const unwrap = (words: ReadonlyArray<Word>): Unwrapped => {
  const found = known.get(words) ?? unwrapWords(words)
  known.set(words, found)
  return found
}

const unwrapWords = (words: ReadonlyArray<Word>): Unwrapped => {
  const layers: Array<Layer> = []
  const code: Array<CodeText> = []
  let at = 0
  for (let read = readLayer(words, at); read !== undefined; read = readLayer(words, at)) {
    layers.push(read.layer)
    code.push(...codeInFlags(read.layer.given))
    at = read.next
    if (read.layer.known.row.code === true) {
      if (at < words.length) code.push(codeOf(words.slice(at)))
      at = words.length
    }
  }
  return { at, layers, code }
}

const VALUED_SHELL_FLAGS = /^(?:[-+][oO]|--rcfile|--init-file)$/

/** The code of `sh -c`, with any flags around it. */
const shellCode = (words: ReadonlyArray<Word>, at: number): CodeText | undefined => {
  let asked = false
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (word === undefined) break
    const text = textOf(word)
    if (text.startsWith("--command=")) return { text: text.slice(10), dynamic: word.value === undefined }
    if (/^-[A-Za-z]*c/.test(text) || text === "--command") asked = true
    if (VALUED_SHELL_FLAGS.test(text)) index++
    else if (!/^[-+]./.test(text)) return asked ? codeOf([word]) : undefined
  }
  return undefined
}

export const isScriptRunner = (name: string): boolean => isShellName(name) || isInterpreter(name) || SOURCING.has(name)

/** A program that runs the file it is given. */
export const runsFiles = (words: ReadonlyArray<Word>, at: number): boolean =>
  words[at] !== undefined && isScriptRunner(nameOf(words[at]))

const SOURCING: ReadonlySet<string> = new Set(["source", "."])

/** Names of what comes in, as a file. */
const INPUT_NAME = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/

/** No script is named, so what comes in is the script. */
const lacksScript = (words: ReadonlyArray<Word>, at: number): boolean => {
  const operands = words
    .slice(at + 1)
    .map(textOf)
    .filter((text) => !/^[-+]./.test(text))
  return operands[0] === undefined || INPUT_NAME.test(operands[0])
}

/** A program that is not a shell and takes what comes in for commands or code. */
export const runsInput = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  if (program === undefined) return false
  const name = nameOf(program)
  return INPUT_RUNNERS.has(name) || (isInterpreter(name) && lacksScript(words, at))
}

/** The shell has no script to run, so it runs what comes in. */
export const readsCodeFromInput = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  if (program === undefined) return false
  if (SOURCING.has(nameOf(program))) return words.slice(at + 1, at + 2).some((word) => INPUT_NAME.test(textOf(word)))
  if (!isShellName(nameOf(program))) return false
  const rest = words.slice(at + 1).map(textOf)
  if (rest.some((text) => /^-[A-Za-z]*c/.test(text) || text.startsWith("--command"))) return false
  const isValue = (index: number): boolean => VALUED_SHELL_FLAGS.test(rest[index - 1] ?? "")
  const operands = rest.filter((text, index) => !/^[-+]./.test(text) && !isValue(index))
  return operands[0] === undefined || INPUT_NAME.test(operands[0]) || rest.includes("-s")
}

/** Builtins that run the text behind `-C`. */
const CALLING: ReadonlySet<string> = new Set(["mapfile", "readarray", "compgen", "complete"])

/** Code that the program at `at` was given as text. */
export const codeGiven = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<CodeText> => {
  const program = words[at]
  if (program === undefined) return []
  const name = nameOf(program)
  if (isShellName(name)) {
    const code = shellCode(words, at)
    return code === undefined ? [] : [code]
  }
  const rest = words.slice(at + 1)
  if (name === "eval") return rest.length === 0 ? [] : [codeOf(rest)]
  if (name === "alias") return rest.map(aliasCode)
  if (CALLING.has(name)) {
    return rest.flatMap((word, index) => (/^-\w*C$/.test(textOf(word)) ? [codeOf(rest.slice(index + 1, index + 2))] : []))
  }
  if (name !== "trap") return []
  const action = rest.find((word) => !/^-[lp-]/.test(textOf(word)))
  return action === undefined ? [] : [codeOf([action])]
}

const aliasCode = (word: Word): CodeText => {
  const { text, dynamic } = codeOf([word])
  return { text: text.slice(text.indexOf("=") + 1), dynamic }
}

const ENDS_COMMAND = /^[;+]$/
const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/
const FD_RUNS = /^(?:-[xX]|--exec|--exec-batch)$/

/** `{}` stands for whatever is found. */
const withPlaceholder = (word: Word): Word => {
  const literal = word.literal.replaceAll("{}", DYNAMIC)
  if (literal === word.literal) return word
  const part = { kind: "expansion", source: "{}", quoted: true, commands: [] } as const
  return { ...word, value: undefined, literal, dynamic: [...word.dynamic, part] }
}

/** Without a placeholder what is found comes last. */
const fdCommand = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const last = words.at(-1)
  if (last === undefined || words.some((word) => /\{(?:\/|\.|\/\/|\/\.)?\}/.test(textOf(word))))
    return words.map(withPlaceholder)
  const found = { ...last, source: "{}", value: "{}", literal: "{}", glob: false, dynamic: [] }
  return [...words, withPlaceholder(found)]
}

/** Commands among the words of find and fd. */
export const commandsGiven = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<ReadonlyArray<Word>> => {
  const program = words[at]
  const name = program === undefined ? "" : nameOf(program)
  if (name === "fd" || name === "fdfind") {
    const start = words.findIndex((word, index) => index > at && FD_RUNS.test(textOf(word)))
    return start < 0 || start + 1 >= words.length ? [] : [fdCommand(words.slice(start + 1))]
  }
  if (name !== "find") return []
  const commands: Array<ReadonlyArray<Word>> = []
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (word === undefined || !FIND_RUNS.test(textOf(word))) continue
    let end = index + 1
    while (end < words.length && !ENDS_COMMAND.test(textOf(words[end] ?? word))) end++
    if (end > index + 1) commands.push(words.slice(index + 1, end).map(withPlaceholder))
    index = end
  }
  return commands
}
