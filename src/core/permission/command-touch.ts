import type { Part, Reach } from "./command-reach.ts"
import type { Word } from "./command-words.ts"
import { resolvePath } from "./path-scope.ts"
import { READERS, TEXT_PROGRAMS, WRITERS } from "./programs.ts"

/** Paths a command might touch. Words of unknown programs count as paths, read and written, unless they cannot be. */
export interface Touch {
  readonly path: string
  /** `maybe`: nobody knows what the program does with it. */
  readonly access: "read" | "write" | "maybe"
  /** Absolute or going up: the word itself says that it leaves the directory. */
  readonly explicit: boolean
}

/** The ways one word can hold a path: itself, a flag's value, `@file`, either side of a colon. */
const pathTexts = (word: string): ReadonlyArray<string> => {
  const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : undefined
  const attached = /^-[A-Za-z](.+)$/.exec(word)?.[1]
  const parts = word.includes(":") && !word.includes("://") ? word.split(":") : []
  const whole = word.startsWith("-") ? [] : [word]
  return [...whole, value, attached, word.startsWith("@") ? word.slice(1) : undefined, ...parts].filter(
    (text): text is string => text !== undefined && text !== ""
  )
}

const isExplicit = (text: string): boolean => text.startsWith("/") || text.split("/").includes("..")

interface Places {
  readonly bases: ReadonlyArray<string>
  readonly home: string
}

const expandHome = (text: string, home: string): string =>
  text === "~" || text.startsWith("~/") ? home + text.slice(1) : text

const touchesOf = (word: Word, access: Touch["access"], places: Places): ReadonlyArray<Touch> =>
  pathTexts(word.text).flatMap((text) => {
    const path = expandHome(text, places.home)
    const bases = path.startsWith("/") ? ["/"] : places.bases
    return bases.map((base) => ({ path: resolvePath(base, path), access, explicit: isExplicit(path) }))
  })

const accessOf = (program: string): Touch["access"] | undefined => {
  if (TEXT_PROGRAMS.has(program)) return undefined
  if (READERS.has(program)) return "read"
  return WRITERS.has(program) ? "write" : "maybe"
}

/** Streams and the null device are no files. */
const isHarmlessDevice = (path: string): boolean => /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(path)

const partTouches = (part: Part, places: Places): ReadonlyArray<Touch> => {
  const access = accessOf(part.program)
  const operands = part.segment.words.slice(part.programAt + 1)
  const program = part.segment.words.slice(part.programAt, part.programAt + 1)
  return [
    ...program.filter(({ text }) => /[./]/.test(text)).flatMap((word) => touchesOf(word, "read", places)),
    ...(access === undefined ? [] : operands.flatMap((word) => touchesOf(word, access, places))),
    ...part.segment.redirects.flatMap(({ direction, target }) =>
      touchesOf(target, direction === "out" ? "write" : "read", places)
    )
  ]
}

/** Where relative words may be relative to: the shell's directory and every directory the command changes to. */
const basesOf = (reach: Reach, cwd: string, home: string): ReadonlyArray<string> => {
  const targets = reach.parts
    .filter(({ program }) => program === "cd" || program === "pushd")
    .flatMap(({ words, programAt }) => words.slice(programAt + 1).filter((word) => !word.startsWith("-")))
  return [...new Set([cwd, ...targets.map((target) => resolvePath(cwd, expandHome(target, home)))])]
}

export const touchedPaths = (reach: Reach, cwd: string, home: string): ReadonlyArray<Touch> => {
  const places = { bases: basesOf(reach, cwd, home), home }
  return reach.parts.flatMap((part) => partTouches(part, places)).filter(({ path }) => !isHarmlessDevice(path))
}

/** A word that might name any file: an expansion or glob among the operands or redirects. */
export const dynamicOperand = (reach: Reach): string | undefined => {
  for (const part of reach.parts) {
    const operands = TEXT_PROGRAMS.has(part.program) ? [] : part.segment.words.slice(part.programAt + 1)
    const found = [...operands, ...part.segment.redirects.map(({ target }) => target)].find((word) => word.dynamic)
    if (found !== undefined) return found.text
  }
  return undefined
}
