import type { Candidate } from "./analysis.ts"
import { readArguments, textOf } from "./arguments.ts"
import { DYNAMIC, type SimpleCommand, type Word } from "./program.ts"
import { INTERPRETERS, isKnownProgram, programNamed, SHELL_CHANGING, SHELLS, wrapperNamed } from "./tables/programs.ts"
import { GIT_VALUED_GLOBALS } from "./tables/git.ts"
import { RUNNER_VERBS } from "./tables/wrappers.ts"
import { isQuery, nameOf, type Unwrapped } from "./wrappers.ts"

/**
 * What deny and ask rules are compared with. A program that nobody knows may run any of its words, so every word is a
 * possible beginning; of a program whose operands are certainly never run, only the program itself is.
 */

/** A flag as it stands, without an attached value, and as a short flag with the value directly behind it. */
const isSpelled = (text: string, words: ReadonlySet<string>): boolean => {
  if (words.has(text)) return true
  const equals = text.indexOf("=")
  return (equals > 0 && words.has(text.slice(0, equals))) || (/^-[^-]./.test(text) && words.has(text.slice(0, 2)))
}

const SED_RUNS = /(?:^|[;{}\s\d$/!])e(?:\s+\S|$)/

/** `+cmd` is a command of the editor or pager, which can start programs. */
const RUNS_PLUS: ReadonlySet<string> = new Set("vi vim nvim ex view less more emacs".split(" "))

/** The operands of this program are certainly never run. */
const isInert = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  if (program === undefined) return true
  const name = nameOf(program)
  const rest = words.slice(at + 1)
  const running = RUNNER_VERBS.get(name)
  if (running !== undefined) return !rest.some((word) => isSpelled(textOf(word), running))
  if (isQuery(words, at)) return true
  if (SHELLS.has(name) || INTERPRETERS.has(name) || SHELL_CHANGING.has(name)) return false
  if (wrapperNamed(name) !== undefined) return false
  const known = programNamed(name)
  if (known === undefined) return isKnownProgram(name)
  switch (known.row.role) {
    case "code":
      return false
    case "none":
      return rest.every((word) => textOf(word).startsWith("-"))
    case "script":
      return !rest.some((word) => SED_RUNS.test(textOf(word)))
    default:
      if (RUNS_PLUS.has(name) && rest.some((word) => textOf(word).startsWith("+"))) return false
      return !readArguments(words, at + 1, known).flags.some(({ flag }) => flag.kind === "x")
  }
}

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
    const inside = [text.lastIndexOf("/") + 1, ...(index === 0 ? [] : [text.indexOf("=") + 1, text.indexOf("!") + 1])]
    for (const start of inside.filter((found) => found > 0).sort((left, right) => left - right)) add(offset + start)
    offset += text.length + 1
  }
  return starts
}

const VALUED_GLOBALS = new Set(
  [...GIT_VALUED_GLOBALS, "--prefix", "-H", "--context", "--host", "-n", "--kubeconfig", "--cwd"]
)

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

/** `a${IFS}b` is two words once it runs. */
const splitText = (word: Word): string =>
  word.value === undefined && word.dynamic.some(({ source }) => /^\$\{?IFS/.test(source))
    ? word.literal.replaceAll(DYNAMIC, " ")
    : textOf(word)

const printsText = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  return program !== undefined && programNamed(nameOf(program))?.row.role === "text"
}

export interface Candidates {
  readonly candidates: ReadonlyArray<Candidate>
  /** Any word of it may be run, so code in its words counts. */
  readonly open: boolean
}

/** `textMayRun`: somewhere in the text a program runs what others print. */
export const candidatesOf = (
  command: Pick<SimpleCommand, "source" | "words">,
  unwrapped: Unwrapped,
  textMayRun: boolean
): Candidates => {
  const { words } = command
  const texts = words.map(splitText)
  const joined = texts.join(" ")
  const strange = unwrapped.layers.some(({ given, known }) => given.flags.some(({ name }) => !known.flags.has(name)))
  const open = strange || (textMayRun && printsText(words, unwrapped.at)) || !isInert(words, unwrapped.at)
  const starts = startsIn(texts, open ? texts.length : unwrapped.at)
  const bare = withoutGlobals(words, unwrapped.at)
  const source = command.source.trim()
  return {
    open,
    candidates: [
      { text: joined, starts },
      ...(source === joined ? [] : [{ text: source, starts: [0] }]),
      ...(bare === undefined ? [] : [{ text: bare, starts: [0] }])
    ]
  }
}

const OPERATORS = /[;&|()<>`{}\n\r]+|\$\(/
const BLANKS = /\s+/

/**
 * The text cut at operators and blanks with quotes and escapes taken away, for when there is nothing better: a text
 * that no parser understood, or code in another language. Every word may begin a command.
 */
export const lexicalCandidates = (text: string): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  for (const version of new Set([text.replaceAll(/["'\\]/g, ""), text.replaceAll(/["'\\]/g, " ")])) {
    for (const segment of version.split(OPERATORS)) {
      const words = segment.split(BLANKS).filter((word) => word !== "")
      if (words.length > 0) found.push({ text: words.join(" "), starts: startsIn(words, words.length) })
    }
  }
  return found
}
