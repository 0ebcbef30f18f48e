import { textOf, readArguments, rulesOf } from "../arguments/arguments.ts"
import { isInert, isRunLater, printsText } from "./candidates.ts"
import { DYNAMIC, type Assignment, type Redirect, type SimpleCommand, type Word } from "../program.ts"
import { EDITORS, isInterpreter, programNamed, isShellName } from "../tables/programs.ts"
import { codeGiven, nameOf, readsCodeFromInput, runsInput, type CodeText, type Unwrapped } from "../arguments/wrappers.ts"

/** Texts of shell code that a command hands over, in whatever way: they are read in turn, for rules that deny or ask. */

/** Behind some wrapper stands nothing, so that a shell starts there; or one of the words that it runs is a shell. */
const startsShell = (words: ReadonlyArray<Word>, { at, layers }: Unwrapped): boolean => {
  const inner = layers.at(-1)
  if (inner !== undefined && inner.known.row.feeds !== true && inner.end >= words.length) return true
  const mayRunWords = inner?.known.row.code === true || !isInert(words, at)
  return mayRunWords && words.some((word, index) => index > 0 && isShellName(nameOf(word)))
}

/** What comes in is run by a shell: the program itself, or one that it starts. */
export const takesCode = (words: ReadonlyArray<Word>, unwrapped: Unwrapped): boolean =>
  readsCodeFromInput(words, unwrapped.at) || startsShell(words, unwrapped)

/** What comes in is run by whatever program. */
export const takesAnyCode = (words: ReadonlyArray<Word>, unwrapped: Unwrapped): boolean =>
  takesCode(words, unwrapped) || runsInput(words, unwrapped.at)

/** Code that comes in through a redirect of a program that runs it. */
export const codeFromInput = (redirects: ReadonlyArray<Redirect>): ReadonlyArray<CodeText> =>
  redirects.flatMap(({ heredoc, operator, target }) => {
    if (heredoc !== undefined) return [{ text: heredoc.body, dynamic: heredoc.dynamic.length > 0 }]
    if (operator !== "<<<" || target === undefined) return []
    return [{ text: textOf(target), dynamic: target.value === undefined }]
  })

/** In backticks a backslash hides the backticks and substitutions of the next level; one layer comes off when it runs. */
const ESCAPED_CODE = /\\(?:`|\\+`|\$\()/

const nestedBackticks = ({ source, place }: SimpleCommand): ReadonlyArray<CodeText> =>
  place.inSubstitution && ESCAPED_CODE.test(source) ? [{ text: source.replace(/\\([\\`$])/g, "$1"), dynamic: false }] : []

const isWhole = (text: string): boolean => !text.includes(DYNAMIC)

/** Values of variables that a program or the shell itself runs. */
const assignedCode = (assignments: ReadonlyArray<Assignment>): ReadonlyArray<CodeText> =>
  assignments.flatMap(({ name, value }) => {
    const text = value === undefined || !isRunLater(name) ? DYNAMIC : textOf(value)
    return isWhole(text) ? [{ text, dynamic: false }] : []
  })

/** Programs whose code is not that of a shell. */
const hasOwnLanguage = (name: string): boolean => isInterpreter(name) || EDITORS.has(name) || name.endsWith("make")

/** The name in front of what an option of ssh sets. */
const SSH_OPTION = /^[A-Z][A-Za-z]+(?:\s*=|\s)\s*/

/** Values of flags behind which a command stands. */
const flagCode = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<CodeText> => {
  const program = words[at]
  const known = program === undefined ? undefined : programNamed(nameOf(program))
  if (program === undefined || known === undefined || hasOwnLanguage(nameOf(program))) return []
  if (!known.runsByFlag) return []
  return readArguments(words, at + 1, rulesOf(known)).flags.flatMap(({ flag, value = "" }) => {
    const text = value.replace(SSH_OPTION, "")
    return flag.kind === "x" && isWhole(text) ? [{ text, dynamic: false }] : []
  })
}

/** What is printed where something runs printed text. */
const printedCode = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<CodeText> => {
  const printed = words
    .slice(at + 1)
    .map(textOf)
    .filter((text) => !/^-[neE]+$/.test(text))
  const text = printed.join(" ")
  return printsText(words, at) && text !== "" && isWhole(text) ? [{ text, dynamic: false }] : []
}

/** Code in words that are there for nothing else. */
export const codeWords = (words: ReadonlyArray<Word>, unwrapped: Unwrapped): ReadonlyArray<CodeText> => [
  ...unwrapped.code,
  ...codeGiven(words, unwrapped.at)
]

/** `textMayRun`: somewhere in the text a program runs what others print. */
export const handedCode = (command: SimpleCommand, unwrapped: Unwrapped, textMayRun: boolean): ReadonlyArray<CodeText> => {
  const { words, assignments, redirects } = command
  return [
    ...codeWords(words, unwrapped),
    ...flagCode(words, unwrapped.at),
    ...assignedCode(assignments),
    ...nestedBackticks(command),
    ...(textMayRun ? printedCode(words, unwrapped.at) : []),
    ...(textMayRun || takesCode(words, unwrapped) ? codeFromInput(redirects) : [])
  ]
}
