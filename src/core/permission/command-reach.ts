import { blindly, readCommand, type Segment, type Word } from "./command-words.ts"
import { matchesCommand, matchesFromAny, type CommandPattern } from "./command-pattern.ts"
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
  /** The words with single blanks between them. */
  readonly text: string
  /** Where in the text a program might begin: with and without its directory, or after `=` or `!`. */
  readonly starts: ReadonlyArray<number>
  /** The command without flags before its sub-command; undefined when there are none. */
  readonly bare: string | undefined
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

/** A flag as it stands, without an attached value, and as a short flag with the value directly behind it. */
const spellings = (word: string): ReadonlyArray<string> => [
  word.split("=")[0] ?? word,
  ...(/^-[^-]/.test(word) ? [word.slice(0, 2)] : [])
]

const isInert = (program: string, words: ReadonlyArray<string>, textMayRun: boolean): boolean => {
  const executing = EXECUTING_WORDS.get(program)
  if (executing !== undefined) return !words.some((word) => spellings(word).some((spelled) => executing.has(spelled)))
  return TEXT_PROGRAMS.has(program) ? !textMayRun : READERS.has(program) || WRITERS.has(program)
}

const isDynamic = (program: string, first: Word | undefined, operands: ReadonlyArray<Word>): boolean => {
  if (first === undefined) return false
  if (first.dynamic) return true
  const readsInput = SHELLS.has(program) && operands.every(({ text }) => text.startsWith("-"))
  const runsOperands = SHELLS.has(program) || WRAPPERS.has(program)
  return readsInput || (runsOperands && operands.some((word) => word.dynamic))
}

/** Of a program that runs nothing only the program itself counts, otherwise any word may be one. */
const startsOf = (words: ReadonlyArray<string>, programAt: number, inert: boolean): ReadonlyArray<number> => {
  const starts = new Set<number>()
  let offset = 0
  for (const [index, word] of words.entries()) {
    if (!inert || index === 0 || index === programAt) {
      starts.add(offset).add(offset + word.lastIndexOf("/") + 1)
      if (index >= programAt) starts.add(offset + word.indexOf("=") + 1).add(offset + word.indexOf("!") + 1)
    }
    offset += word.length + 1
  }
  return [...starts].sort((left, right) => left - right)
}

const VALUED_GLOBALS = new Set(
  "-C -c --git-dir --work-tree --namespace --exec-path --prefix -H --context --host -n --kubeconfig".split(" ")
)

/** `git -C dir push` as `git push`: flags before the sub-command do not hide it. */
const withoutGlobals = (program: string, operands: ReadonlyArray<string>): string | undefined => {
  if (!EXECUTING_WORDS.has(program)) return undefined
  let at = 0
  while (operands[at]?.startsWith("-") === true) at += VALUED_GLOBALS.has(operands[at] ?? "") ? 2 : 1
  return at === 0 ? undefined : [program, ...operands.slice(at)].join(" ")
}

const partOf = (segment: Segment, textMayRun: boolean): Part => {
  const words = segment.words.map(({ text }) => text)
  const programAt = programIndex(words)
  const program = baseName(words[programAt] ?? "").toLowerCase()
  const inert = isInert(program, words, textMayRun)
  return {
    segment,
    words,
    text: words.join(" "),
    starts: startsOf(words, programAt, inert),
    bare: withoutGlobals(program, words.slice(programAt + 1)),
    programAt,
    program,
    inert,
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

const partMightRun = (part: Part, pattern: CommandPattern): boolean =>
  matchesFromAny(pattern, part.text, part.starts) || (part.bare !== undefined && matchesCommand(pattern, part.bare))

/** Whether anything the command might run matches the pattern. */
export const mightRun = (reach: Reach, pattern: CommandPattern): boolean =>
  matchesCommand(pattern, reach.raw) || reach.parts.some((part) => partMightRun(part, pattern))

/** A part whose program is known only when it runs. */
export const dynamicPart = (reach: Reach): Part | undefined => reach.parts.find((part) => part.dynamic)
