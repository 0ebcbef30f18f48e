import type { AllowTexts, Touch } from "../shell-analysis.ts"
import { textOf } from "../arguments/arguments.ts"
import type { CommandDirectory } from "./directories.ts"
import { unplainWord, unsafeAssignment, unsafeRedirect } from "../proofs/static-words.ts"
import { isFreeRedirect, isWriting } from "../touches/redirects.ts"
import type { SimpleCommand, Word } from "../program.ts"
import {
  isInterpreter,
  programNamed,
  SHELL_CHANGING,
  isShellName,
  VERB_PROGRAMS,
  type KnownProgram
} from "../tables/programs.ts"
import { nameOf, type Unwrapped } from "../arguments/wrappers.ts"

/** What an allow rule is compared with, and what keeps a pattern from speaking for a command. */

/** A word with blanks in it keeps its quotes, so that two words never look like one. */
const shown = (word: Word): string => {
  const text = textOf(word)
  return word.value === undefined || text === "" || /\s/.test(text) ? word.source : text
}

const textFrom = (words: ReadonlyArray<Word>, at: number): string => words.slice(at).map(shown).join(" ")

/** More wrappers around each other than this are no longer looked through. */
const MOST_LAYERS = 8

/** The command itself, as it is written, and without the wrappers that change nothing. */
const textsOf = ({ source, words }: SimpleCommand, { at, layers }: Unwrapped): ReadonlyArray<string> => {
  const texts = new Set([textFrom(words, 0), source.trim()])
  for (const [index, { strippable }] of layers.entries()) {
    if (!strippable || index >= MOST_LAYERS) break
    const next = layers[index + 1]?.at ?? at
    if (next < words.length) texts.add(textFrom(words, next))
  }
  return [...texts].filter((text) => text !== "")
}

const CHANGING_ROLES = new Set([
  "write",
  "remove",
  "copy",
  "move",
  "link",
  "mode",
  "filter",
  "dd",
  "archive",
  "script",
  "find"
])

/** With one more word it may write or run something. */
const hasChangingFlag = ({ row, runsByFlag, writesByFlag }: KnownProgram): boolean =>
  row.role !== "verb" && (runsByFlag || writesByFlag)

/** Words that nobody has seen are added to a program for which they matter. */
const feedProblem = (words: ReadonlyArray<Word>, { at, layers }: Unwrapped): string | undefined => {
  if (!layers.some(({ known }) => known.row.feeds === true)) return undefined
  const program = words[at]
  const name = program === undefined ? "" : nameOf(program)
  const isVerbMissing = VERB_PROGRAMS.has(name) && words.length === at + 1
  const known = programNamed(name)
  const isChanging = known !== undefined && (CHANGING_ROLES.has(known.row.role) || hasChangingFlag(known))
  const matters = isVerbMissing || isChanging || name === "git" || isShellName(name) || isInterpreter(name)
  return matters ? `xargs adds words for ${name} that nobody has seen` : undefined
}

const directoryProblem = (
  command: SimpleCommand,
  name: string,
  standing: CommandDirectory,
  touches: ReadonlyArray<Touch>
): string | undefined => {
  if (!standing.moved) return undefined
  if (name === "git") return "cd together with git could meet another repository"
  if (command.redirects.some((redirect) => isWriting(redirect) && !isFreeRedirect(redirect))) {
    return "cd together with a redirect to a file could write to an unexpected place"
  }
  const written = touches.find(
    ({ access, asked, rulesOnly }) => access !== "read" && access !== "maybe" && !rulesOnly && !asked.startsWith("/")
  )
  return written === undefined ? undefined : `cd comes before a change of ${written.asked}, which is relative to it`
}

export const allowTexts = (
  command: SimpleCommand,
  unwrapped: Unwrapped,
  standing: CommandDirectory,
  touches: ReadonlyArray<Touch>
): AllowTexts => {
  const { words, assignments, redirects, place } = command
  const program = words[unwrapped.at]
  const name = program === undefined ? "" : nameOf(program)
  const changing = words.find((word, index) => index <= unwrapped.at && SHELL_CHANGING.has(textOf(word)))
  const obstacle =
    (words.length === 0 && assignments.length > 0 ? "It sets variables of the shell" : undefined) ??
    unplainWord(words, unwrapped.at) ??
    (changing === undefined ? undefined : `${textOf(changing)} changes the shell itself`) ??
    unsafeAssignment(assignments) ??
    unsafeRedirect(redirects) ??
    (place.inBackground ? "It runs in the background" : undefined) ??
    (place.inFunction ? "It is part of a function" : undefined) ??
    feedProblem(words, unwrapped) ??
    directoryProblem(command, name, standing, touches)
  return { texts: textsOf(command, unwrapped), obstacle }
}
