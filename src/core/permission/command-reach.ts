import { blindly, readCommand, type Segment, type Word } from "./command-words.ts"
import { matchesFromAny, type CommandPattern } from "./command-pattern.ts"
import { baseName, EXECUTING_WORDS, KEYWORDS, READERS, SHELLS, TEXT_PROGRAMS, WRAPPERS, WRITERS } from "./programs.ts"

/**
 * Everything a shell text might run, for deny and ask rules: each simple command at any depth, code handed to other
 * programs, and for programs nobody knows every tail of their words, since any wrapper just shifts the program along.
 */
export interface Reach {
  readonly raw: string
  readonly parts: ReadonlyArray<Part>
}

/** One simple command. */
export interface Part {
  readonly segment: Segment
  readonly words: ReadonlyArray<string>
  /** Index of the program's word, after assignments and keywords. */
  readonly programAt: number
  /** Base name in lower case; empty when there is no program. */
  readonly program: string
  /** The operands are certainly never run. */
  readonly inert: boolean
  /** Might run something that is not written in the text. */
  readonly dynamic: boolean
}

const MAX_NESTING = 6
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/

const programIndex = (words: ReadonlyArray<string>): number => {
  const index = words.findIndex((word) => !ASSIGNMENT.test(word) && !KEYWORDS.has(word))
  return index < 0 ? words.length : index
}

const isInert = (program: string, words: ReadonlyArray<string>, textMayRun: boolean): boolean => {
  if (TEXT_PROGRAMS.has(program)) return !textMayRun
  if (READERS.has(program) || WRITERS.has(program)) return true
  const executing = EXECUTING_WORDS.get(program)
  return executing !== undefined && !words.some((word) => executing.has(word.split("=")[0] ?? word))
}

const isDynamic = (program: string, first: Word | undefined, operands: ReadonlyArray<Word>): boolean => {
  if (first === undefined) return false
  if (first.dynamic) return true
  const readsInput = SHELLS.has(program) && operands.every(({ text }) => text.startsWith("-"))
  const runsOperands = SHELLS.has(program) || WRAPPERS.has(program)
  return readsInput || (runsOperands && operands.some((word) => word.dynamic))
}

const partOf = (segment: Segment, textMayRun: boolean): Part => {
  const words = segment.words.map(({ text }) => text)
  const programAt = programIndex(words)
  const program = baseName(words[programAt] ?? "").toLowerCase()
  return {
    segment,
    words,
    programAt,
    program,
    inert: isInert(program, words, textMayRun),
    dynamic: isDynamic(program, segment.words[programAt], segment.words.slice(programAt + 1))
  }
}

const CODE_READERS = new Set(["xargs", "parallel", "eval", ...SHELLS])

/** Some program reads code from its input or arguments, so text printed elsewhere may become a command. */
const readsCode = ({ words }: Segment): boolean =>
  words.some(({ text }) => CODE_READERS.has(baseName(text).toLowerCase()))

const holdsCode = ({ text }: Word): boolean => /[\s;&|()`$<>'"]/.test(text)

const segmentsOf = (text: string, home: string): ReadonlyArray<Segment> => {
  const reading = readCommand(text, home)
  return reading.sound ? reading.segments : [...reading.segments, ...blindly(text)]
}

const partsOf = (text: string, home: string, depth: number): ReadonlyArray<Part> => {
  const segments = segmentsOf(text, home)
  const textMayRun = segments.some(readsCode)
  return segments.flatMap((segment) => {
    const part = partOf(segment, textMayRun)
    if (part.inert || depth >= MAX_NESTING) return [part]
    const code = segment.words.filter((word) => holdsCode(word) && word.text !== text)
    return [part, ...code.flatMap((word) => partsOf(word.text, home, depth + 1))]
  })
}

export const reachOf = (command: string, home: string): Reach => ({
  raw: command.trim(),
  parts: partsOf(command, home, 0)
})

/** Offsets in the joined words where a program might begin, with and without its directory, or after `=` or `!`. */
const offsetsOf = (part: Part): ReadonlyArray<number> => {
  const offsets = new Set<number>()
  let offset = 0
  for (const [index, word] of part.words.entries()) {
    if (!part.inert || index === 0 || index === part.programAt) {
      offsets.add(offset)
      offsets.add(offset + word.lastIndexOf("/") + 1)
      if (index >= part.programAt) offsets.add(offset + word.indexOf("=") + 1).add(offset + word.indexOf("!") + 1)
    }
    offset += word.length + 1
  }
  return [...offsets].sort((left, right) => left - right)
}

const VALUED_GLOBALS = new Set(
  "-C -c --git-dir --work-tree --namespace --exec-path --prefix -H --context --host -n --kubeconfig".split(" ")
)

/** `git -C dir push` as `git push`: flags before the sub-command do not hide it. */
const withoutGlobals = (part: Part): string | undefined => {
  if (!EXECUTING_WORDS.has(part.program)) return undefined
  let at = part.programAt + 1
  while (part.words[at]?.startsWith("-") === true) at += VALUED_GLOBALS.has(part.words[at] ?? "") ? 2 : 1
  return at === part.programAt + 1 ? undefined : [part.program, ...part.words.slice(at)].join(" ")
}

const partMightRun = (part: Part, pattern: CommandPattern): boolean => {
  if (matchesFromAny(pattern, part.words.join(" "), offsetsOf(part))) return true
  const plain = withoutGlobals(part)
  return plain !== undefined && matchesFromAny(pattern, plain, [0])
}

/** Whether anything the command might run matches the pattern. */
export const mightRun = (reach: Reach, pattern: CommandPattern): boolean =>
  matchesFromAny(pattern, reach.raw, [0]) || reach.parts.some((part) => partMightRun(part, pattern))

/** A part whose program is known only when it runs. */
export const dynamicPart = (reach: Reach): Part | undefined => reach.parts.find((part) => part.dynamic)
