import type { Into, Touch } from "../shell-analysis.ts"
import { hasFlag, textOf, type Arguments } from "../arguments/arguments.ts"
import { touchesOfText, touchesOfWord, type Access, type Places } from "./path-touch.ts"
import type { Word } from "../program.ts"

/** Programs that put something elsewhere: what they take, and under which names it arrives. */

/** Places on other machines and in containers do not count. */
export const isLocal = (word: Word): boolean => !/^[^/]+:|:\/\//.test(textOf(word))

/** The name something keeps in a directory that it is put into; what ends in `/.` brings its contents only. */
const keptName = (text: string): string => {
  const last =
    text
      .replace(/[?#].*$/s, "")
      .replace(/\/+$/, "")
      .split(/[/:]/)
      .at(-1) ?? ""
  return last === "." || last === ".." ? "" : last
}

/** What comes into the target when it is a directory. */
const intoOf = (sources: ReadonlyArray<Word>, places: Places): Into => ({
  names: sources.flatMap((word) => {
    const isPlain = word.value !== undefined && (!word.glob || word.value.includes("://"))
    const name = isPlain ? keptName(word.value ?? "") : ""
    return name === "" ? [] : [name]
  }),
  globs: sources.flatMap((word) =>
    word.glob ? touchesOfWord(word, "read", places).flatMap(({ glob }) => (glob === undefined ? [] : [glob])) : []
  )
})

const isDirectory = (text: string): boolean => /(?:^|\/)\.{0,2}$/.test(text)

/** Things arrive in a directory under the names that they had. */
export const putInto = (
  directory: string,
  sources: ReadonlyArray<Word>,
  places: Places,
  recursive = false
): ReadonlyArray<Touch> => {
  const { names, globs } = intoOf(sources, places)
  return [
    ...touchesOfText(directory, "write", places, { recursive }).map((touch) =>
      globs.length === 0 ? touch : { ...touch, into: { names: [], globs, isDirectory: true as const } }
    ),
    ...names.flatMap((name) => touchesOfText(`${directory.replace(/\/+$/, "")}/${name}`, "write", places))
  ]
}

/** The same behind a flag, which has named the directory already. */
const putIntoNamed: typeof putInto = (directory, sources, places, recursive) =>
  putInto(directory, sources, places, recursive).filter(
    ({ asked, into }) => asked !== directory || into !== undefined || recursive === true
  )

/** A place that things are put into, or that they become: only the file system knows which. */
export const targetTouches = (
  target: Word,
  sources: ReadonlyArray<Word>,
  places: Places,
  recursive = false
): ReadonlyArray<Touch> => {
  if (target.value !== undefined && !target.glob && (sources.length > 1 || isDirectory(target.value))) {
    return putInto(target.value, sources, places, recursive)
  }
  const into = intoOf(sources, places)
  return touchesOfWord(target, "write", places, { recursive }).map((touch) => ({ ...touch, into }))
}

interface Moving {
  /** What happens to the sources. */
  readonly sources: Access
  readonly recursive: boolean
}

/** Sources and a target, which is the last operand unless a flag names it. */
export const sourcesAndTarget = (given: Arguments, places: Places, { sources, recursive }: Moving): ReadonlyArray<Touch> => {
  const { operands } = given
  const named = given.flags.findLast(({ name }) => name === "-t" || name === "--target-directory")
  const isMakingDirectories = sources === "read" && hasFlag(given, "-d --directory")
  if (isMakingDirectories && named === undefined) return operands.flatMap((word) => touchesOfWord(word, "write", places))
  const from = named === undefined ? operands.slice(0, -1) : operands
  const target = named === undefined ? operands.at(-1) : undefined
  const isMerging = recursive && sources === "read"
  const taken = from
    .filter(isLocal)
    .flatMap((word) => touchesOfWord(word, sources, places, { recursive }))
    .map((touch): Touch => (recursive ? { ...touch, copied: true } : touch))
  if (named !== undefined) return [...taken, ...putIntoNamed(named.value ?? "", from, places, isMerging)]
  return target === undefined || !isLocal(target) ? taken : [...taken, ...targetTouches(target, from, places, isMerging)]
}

/** A link is made in the target, or here when there is none. */
export const linkTouches = (given: Arguments, places: Places): ReadonlyArray<Touch> => {
  const { operands } = given
  const named = given.flags.findLast(({ name }) => name === "-t" || name === "--target-directory")
  const from = named === undefined && operands.length > 1 ? operands.slice(0, -1) : operands
  const target = operands.length > 1 ? operands.at(-1) : undefined
  const read = from.flatMap((word) => touchesOfWord(word, "read", places))
  if (named !== undefined) return [...read, ...putIntoNamed(named.value ?? "", from, places)]
  if (target !== undefined) return [...read, ...targetTouches(target, from, places)]
  return [...read, ...intoOf(from, places).names.flatMap((name) => touchesOfText(name, "write", places))]
}
