import { allowTexts } from "./allow-texts.ts"
import { notProven, type RepositoryFacts, type ShellPart, type Touch } from "../shell-analysis.ts"
import { textOf } from "../arguments/arguments.ts"
import { candidatesOf, CODE_CHARACTERS, lexicalCandidates } from "./candidates.ts"
import { canDamage, criticalAt, overwrittenDisk, type CriticalPlaces } from "../proofs/critical.ts"
import { dangerOf } from "../proofs/destructive.ts"
import type { CommandDirectory } from "./directories.ts"
import { proveFileEdit } from "../proofs/file-edit.ts"
import { codeFromInput, codeWords, handedCode, takesAnyCode } from "./handed-code.ts"
import { flagTouches, operandTouches } from "../touches/operands.ts"
import {
  maybeTouches,
  placesBelow,
  touchesOfText,
  touchesOfWord,
  type Places,
  type Platform
} from "../touches/path-touch.ts"
import type { SimpleCommand, Word } from "../program.ts"
import { cdProblem, proveReading } from "../proofs/read-only.ts"
import { redirectTouches } from "../touches/redirects.ts"
import { EDITORS, isInterpreter, isShellName, programNamed } from "../tables/programs.ts"
import {
  commandsGiven,
  nameOf,
  readsCodeFromInput,
  runsInput,
  unwrap,
  type CodeText,
  type Unwrapped
} from "../arguments/wrappers.ts"

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
  readonly standingOf: (command: SimpleCommand) => CommandDirectory
}

export interface PartFound {
  readonly part: ShellPart
  /** Code in its words. */
  readonly code: ReadonlyArray<CodeText>
  /** Commands among its words. */
  readonly inner: ReadonlyArray<ReadonlyArray<Word>>
}

const touchesOf = (command: SimpleCommand, { at, layers }: Unwrapped, places: Places): ReadonlyArray<Touch> => {
  const { words, redirects } = command
  const outer = layers.flatMap(({ given, name }) => [
    ...flagTouches(given, places),
    // What stands behind the flags is the file that it writes.
    ...(name === "script" ? words.slice(at).flatMap((word) => maybeTouches(word, places)) : [])
  ])
  const isMoving = words[at]?.value === "cd" || words[at]?.value === "pushd"
  const own = isMoving ? directoryTouches(words, at, places) : operandTouches(words, at, places)
  return redirects.length === 0 && outer.length === 0 ? own : [...outer, ...own, ...redirectTouches(redirects, places)]
}

const CHANGING_DIRECTORY = /^(?:-[CDRw]|--chdir|--chroot|--root|--wd)$/

/** Some wrappers go to another directory before they run their program. */
const placesInside = ({ layers }: Unwrapped, places: Places): Places => {
  let inside = places
  for (const { given } of layers) {
    for (const { name, flag, word, value } of given.flags) {
      if (flag.kind !== "r" || value === undefined || !CHANGING_DIRECTORY.test(name)) continue
      inside = placesBelow({ ...word, value: word.value === undefined ? undefined : value }, inside)
    }
  }
  return inside
}

const directoryTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> => {
  if (cdProblem(words, at) !== undefined) return []
  const target = words.slice(at + 1).find((word, index) => index > 0 || textOf(word) !== "--")
  if (target !== undefined) return touchesOfWord(target, "read", places, { via: "directory" })
  return touchesOfText(places.home, "read", places, { via: "directory" })
}

/** What a program that runs its words may run although nobody sees it here. */
const hiddenProgram = (command: SimpleCommand, unwrapped: Unwrapped, code: ReadonlyArray<CodeText>): string | undefined => {
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
  const runsFeed = program === undefined ? layers.length > 1 : isShellName(name) || isInterpreter(name)
  if (feeds && runsFeed) return first.source
  if (words.some(({ dynamic }) => dynamic.some(({ source }) => EVALUATED.test(source)))) return first.source
  const isFed = redirects.some(({ heredoc, operator }) => heredoc !== undefined || operator === "<<<")
  const readsCode = readsCodeFromInput(words, at) || (command.place.inPipeline && takesAnyCode(words, unwrapped))
  return readsCode && !isFed ? (program ?? first).source : undefined
}

/** `${x@P}` expands the value as a prompt, `${!x}` takes it for a name: both run what is in it. */
const EVALUATED = /^\$\{(?:!|[^}]*@P\})/

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

/** Code in some other language: among the words of a program that may run them, or coming in where it is run. */
const foreignCode = ({ words, redirects }: SimpleCommand, open: boolean, readsInput: boolean): ReadonlyArray<string> => [
  ...(open
    ? words
        .slice(1)
        .map(textOf)
        .filter((text) => CODE_CHARACTERS.test(text))
    : []),
  ...(readsInput ? codeFromInput(redirects).map(({ text }) => text) : [])
]

/** Words of other languages with which code starts programs or makes more code. */
const STARTING =
  /system|popen|\bopen[23]\b|\bopen\b[^;\n]*\|\s*["']|os\.exec|(?<!\.)\bexec|spawn|subprocess|child_process|passthru|\bfork\b|(?<!\.)\beval\b|__import__|importlib|getattr|(?<!re\.)\bcompile\b/i
/** In these, quotes of a third kind stand around a command. */
const QUOTING = /^(?:perl|ruby|jruby|php)/
const QUOTED = /`|\bqx\b|%x/

/** Code that starts programs can put their names together in ways that nobody follows here. */
const startsUnseen = (program: Word | undefined, foreign: ReadonlyArray<string>, danger: ShellPart["danger"]): boolean => {
  if (program === undefined) return false
  const name = nameOf(program)
  if (programNamed(name)?.row.role === "script") return danger?.kind === "executes"
  if (EDITORS.has(name)) return foreign.some((text) => STARTING.test(text) || text.includes("!"))
  const isStarting = (text: string): boolean => STARTING.test(text) || (QUOTING.test(name) && QUOTED.test(text))
  return isInterpreter(name) && foreign.some(isStarting)
}

/** A piece of the code is only known at run time. */
const isOpenCode = (words: ReadonlyArray<Word>, at: number): boolean => {
  const program = words[at]
  if (program === undefined || !(isInterpreter(nameOf(program)) || EDITORS.has(nameOf(program)))) return false
  return words.some((word, index) => index > at && word.value === undefined && CODE_CHARACTERS.test(textOf(word)))
}

/** What a quoted text in foreign code could be. */
const NAMES = /[^\s"'`()<>|;,=[\]{}@:\\]+/g
/** The same in the language of an editor, where brackets are wildcards. */
const WORDS = /[^\s"'`<>|;]+/g
const MOST_NAMES = 100

/** Editors know the places and wildcards of the shell. */
const spreadOut = (text: string, { home, cwd }: Places): string =>
  text
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/\$\{?HOME\b\}?|(?<=^|\s)~(?=\/)/g, home)
    .replaceAll(/\$\{?PWD\b\}?/g, cwd ?? "$PWD")

/** Files that foreign code names, for rules only; undefined when there are too many names to look at. */
const foreignTouches = (
  code: ReadonlyArray<string>,
  places: Places,
  isEditor: boolean
): ReadonlyArray<Touch> | undefined => {
  const names = new Set<string>()
  for (const text of code) {
    for (const [name] of (isEditor ? spreadOut(text, places) : text).matchAll(isEditor ? WORDS : NAMES)) {
      if (name.length > 1 && name.length < 300) names.add(name)
      if (names.size > MOST_NAMES) return undefined
    }
  }
  const isGlob = (name: string): boolean => isEditor && /[*?[]/.test(name)
  return Array.from(names).flatMap((name) => touchesOfText(name, "maybe", places, { rulesOnly: true, glob: isGlob(name) }))
}

export const partOf = (command: SimpleCommand, context: PartContext): PartFound => {
  const { words } = command
  const { home, platform, workingDirs, repository, depth } = context
  const unwrapped = unwrap(words)
  const { at } = unwrapped
  const standing = context.standingOf(command)
  const { cwd, moved } = standing
  const places = placesInside(unwrapped, { ...standing, home, platform, tree: repository?.root })
  const touches = touchesOf(command, unwrapped, places)
  const { candidates, open } = candidatesOf(command, unwrapped, context.textMayRun)
  const code = handedCode(command, unwrapped, context.textMayRun)
  const foreign = foreignCode(command, open && codeWords(words, unwrapped).length === 0, runsInput(words, at))
  const danger = dangerOf(command, unwrapped, cwd)
  const program = words[at]
  const named = foreignTouches(foreign, places, program !== undefined && EDITORS.has(nameOf(program)))
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
      candidates: foreign.length === 0 ? candidates : [...candidates, ...foreign.flatMap(lexicalCandidates)],
      allow,
      readOnly: proveReading(command, unwrapped, { cwd, repository, moved: moves, onlyReads }),
      fileEdit: moved && allow.obstacle !== undefined ? notProven(allow.obstacle) : proveFileEdit(command, unwrapped),
      touches: named === undefined || named.length === 0 ? touches : [...touches, ...named],
      danger,
      critical: criticalOf(words, at, open, touches, { home, cwd, workingDirs, platform }),
      dynamicProgram:
        hiddenProgram(command, unwrapped, code) ?? (startsUnseen(program, foreign, danger) ? program?.source : undefined),
      dynamicOperand:
        named === undefined || isOpenCode(words, at) ? (program?.source ?? "") : unknownPlace(touches, unwrapped)
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
