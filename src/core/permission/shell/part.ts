import { allowTexts } from "./allow-texts.ts"
import { unproven, type Candidate, type RepositoryFacts, type ShellPart, type Touch } from "./analysis.ts"
import { textOf } from "./arguments.ts"
import { candidatesOf, lexicalCandidates } from "./candidates.ts"
import { canDamage, criticalAt, overwrittenDisk, type CriticalPlaces } from "./critical.ts"
import { dangerOf } from "./destructive.ts"
import type { Standing } from "./directories.ts"
import { proveFileEdit } from "./file-edit.ts"
import { flagTouches, operandTouches } from "./operands.ts"
import { touchesOfText, touchesOfWord, type Places, type Platform } from "./path-touch.ts"
import type { SimpleCommand, Word } from "./program.ts"
import { cdProblem, proveReading } from "./read-only.ts"
import { redirectTouches } from "./redirects.ts"
import { INTERPRETERS, SHELLS } from "./tables/programs.ts"
import {
  codeGiven,
  commandsGiven,
  nameOf,
  readsCodeFromInput,
  unwrap,
  type CodeText,
  type Unwrapped
} from "./wrappers.ts"

/** One simple command, seen by everybody who has to judge it. */
export interface PartContext {
  readonly home: string
  readonly workingDirs: ReadonlyArray<string>
  readonly repository: RepositoryFacts | undefined
  readonly platform: Platform
  /** How often code was handed over to get here. */
  readonly depth: number
  readonly textMayRun: boolean
  /** Somewhere in the text a `cd` goes to another place. */
  readonly movesInText: boolean
  readonly standingOf: (command: SimpleCommand) => Standing
}

export interface PartFound {
  readonly part: ShellPart
  /** Code in its words. */
  readonly code: ReadonlyArray<CodeText>
  /** Commands among its words. */
  readonly inner: ReadonlyArray<ReadonlyArray<Word>>
}

const CODE_CHARACTERS = /[\s;&|()`$<>'"]/

const touchesOf = (command: SimpleCommand, { at, layers }: Unwrapped, places: Places): ReadonlyArray<Touch> => {
  const { words, redirects } = command
  const outer = layers.flatMap(({ given }) => flagTouches(given, places))
  const isMoving = words[at]?.value === "cd" || words[at]?.value === "pushd"
  const own = isMoving ? directoryTouches(words, at, places) : operandTouches(words, at, places)
  return redirects.length === 0 && outer.length === 0 ? own : [...outer, ...own, ...redirectTouches(redirects, places)]
}

const directoryTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> => {
  if (cdProblem(words, at) !== undefined) return []
  const target = words.slice(at + 1).find((word, index) => index > 0 || textOf(word) !== "--")
  if (target !== undefined) return touchesOfWord(target, "read", places, { via: "directory" })
  return touchesOfText(places.home, "read", places, { via: "directory" })
}

/** What a program that runs its words may run although nobody sees it here. */
const hiddenProgram = (
  command: SimpleCommand,
  unwrapped: Unwrapped,
  code: ReadonlyArray<CodeText>
): string | undefined => {
  const { words, redirects } = command
  const { at, layers } = unwrapped
  const first = words[0]
  if (first === undefined) return undefined
  const program = words[at]
  if (program !== undefined && (program.value === undefined || program.glob)) return program.source
  const early = words.find((word, index) => index < at && word.value === undefined)
  if (early !== undefined) return early.source
  if (code.some(({ dynamic }) => dynamic)) return first.source
  const feeds = layers.some(({ known }) => known.row.feeds === true)
  const name = program === undefined ? "" : nameOf(program)
  const runsFeed = program === undefined ? layers.length > 1 : SHELLS.has(name) || INTERPRETERS.has(name)
  if (feeds && runsFeed) return first.source
  const isFed = redirects.some(({ heredoc, operator }) => heredoc !== undefined || operator === "<<<")
  return readsCodeFromInput(words, at) && !isFed ? program?.source : undefined
}

/** Code that comes in through a redirect of a program that runs it. */
const codeFromInput = (command: SimpleCommand, runs: boolean): ReadonlyArray<CodeText> =>
  runs
    ? command.redirects.flatMap(({ heredoc, operator, target }) => {
        if (heredoc !== undefined) return [{ text: heredoc.body, dynamic: heredoc.dynamic.length > 0 }]
        if (operator !== "<<<" || target === undefined) return []
        return [{ text: textOf(target), dynamic: target.value === undefined }]
      })
    : []

/** Of a program that runs its words, each may be one that does damage; a few are enough, since operands add up. */
const MOST_PROGRAMS = 8

const criticalOf = (
  words: ReadonlyArray<Word>,
  at: number,
  open: boolean,
  touches: ReadonlyArray<Touch>,
  places: CriticalPlaces
): string | undefined => {
  const own = criticalAt(words, at, places) ?? overwrittenDisk(touches)
  if (own !== undefined || !open) return own
  const seen = new Map<string, number>()
  for (const [index, word] of words.entries()) {
    const name = nameOf(word)
    const times = seen.get(name) ?? 0
    if (index === at || times >= MOST_PROGRAMS || !canDamage(name)) continue
    seen.set(name, times + 1)
    const found = criticalAt(words, index, places)
    if (found !== undefined) return found
  }
  return undefined
}

const unknownPlace = (touches: ReadonlyArray<Touch>, unwrapped: Unwrapped): string | undefined => {
  const isHidden = ({ path, form, rulesOnly, access }: Touch): boolean =>
    path === undefined || (form === "unprovable" && !rulesOnly && access !== "maybe")
  const hidden = touches.find(isHidden)
  if (hidden !== undefined) return hidden.asked
  const feeder = unwrapped.layers.find(({ known }) => known.row.feeds === true)
  return feeder === undefined ? undefined : `what ${feeder.name} adds`
}

/** Code in some other language among the words. */
const foreignCode = (words: ReadonlyArray<Word>): ReadonlyArray<Candidate> =>
  words.flatMap((word, index) =>
    index > 0 && CODE_CHARACTERS.test(textOf(word)) ? lexicalCandidates(textOf(word)) : []
  )

export const partOf = (command: SimpleCommand, context: PartContext): PartFound => {
  const { words } = command
  const { home, platform, workingDirs, repository, depth } = context
  const unwrapped = unwrap(words)
  const { at } = unwrapped
  const standing = context.standingOf(command)
  const { cwd, others, moved } = standing
  const places: Places = { home, cwd, others, moved, platform }
  const touches = touchesOf(command, unwrapped, places)
  const { candidates, open } = candidatesOf(command, unwrapped, context.textMayRun)
  const runsInput = readsCodeFromInput(words, at) || context.textMayRun
  const code = [...unwrapped.code, ...codeGiven(words, at), ...codeFromInput(command, runsInput)]
  const program = words[at]
  const onlyReads = (inner: SimpleCommand): boolean => proveIn(inner, context).proven
  const moves = context.movesInText
  const seenMoved = { ...standing, moved: moved || (moves && program?.value === "git") }
  const allow = allowTexts(command, unwrapped, seenMoved, touches)
  return {
    code,
    inner: commandsGiven(words, at),
    part: {
      text: command.source.trim(),
      program: program?.value === undefined ? (unwrapped.layers.at(-1)?.name ?? "") : nameOf(program),
      depth: command.place.depth + depth,
      handed: depth > 0 || command.guessed === true,
      candidates: open && code.length === 0 ? [...candidates, ...foreignCode(words)] : candidates,
      allow,
      readOnly: proveReading(command, unwrapped, { cwd, repository, moved: moves, onlyReads }),
      fileEdit: moved && allow.obstacle !== undefined ? unproven(allow.obstacle) : proveFileEdit(command, unwrapped),
      touches,
      danger: dangerOf(words, unwrapped),
      critical: criticalOf(words, at, open, touches, { home, cwd, workingDirs, platform }),
      dynamicProgram: hiddenProgram(command, unwrapped, code),
      dynamicOperand: unknownPlace(touches, unwrapped)
    }
  }
}

/** The proof for a command inside a substitution. */
const proveIn = (command: SimpleCommand, context: PartContext): ShellPart["readOnly"] =>
  proveReading(command, unwrap(command.words), {
    cwd: context.standingOf(command).cwd,
    repository: context.repository,
    moved: context.movesInText,
    onlyReads: (inner) => proveIn(inner, context).proven
  })
