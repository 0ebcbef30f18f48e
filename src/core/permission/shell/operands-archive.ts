import type { Touch } from "./analysis.ts"
import { hasFlag, readArguments, textOf, type Arguments } from "./arguments.ts"
import { maybeTouches, touchesOfText, touchesOfWord, type Access, type Places } from "./path-touch.ts"
import type { Word } from "./program.ts"
import type { KnownProgram } from "./tables/programs.ts"

/** Archivers read or write the archive and the members, depending on the mode. */

const deepAll = (words: ReadonlyArray<Word>, access: Access, places: Places): ReadonlyArray<Touch> =>
  words.flatMap((word) => touchesOfWord(word, access, places, { recursive: true }))

const below = (directory: string | undefined, places: Places): ReadonlyArray<Touch> =>
  touchesOfText(directory ?? ".", "write", places, { recursive: true })

const valueOf = (given: Arguments, list: string): string | undefined => {
  const names = list.split(" ")
  return given.flags.findLast(({ name }) => names.includes(name))?.value
}

/** `tar xzf a` is `tar -xzf a`. */
const dashed = (words: ReadonlyArray<Word>, at: number): ReadonlyArray<Word> =>
  words.map((word, index) =>
    index === at + 1 && word.value !== undefined && /^[A-Za-z]+$/.test(word.value)
      ? { ...word, value: `-${word.value}`, literal: `-${word.literal}` }
      : word
  )

const tarTouches = (
  words: ReadonlyArray<Word>,
  at: number,
  known: KnownProgram,
  places: Places
): ReadonlyArray<Touch> => {
  const given = readArguments(dashed(words, at), at + 1, known)
  const isMaking = hasFlag(given, "-c -r -u -A --create --append --update")
  const isListing = hasFlag(given, "-t -d --list -O --to-stdout")
  const directory = valueOf(given, "-C --directory --one-top-level")
  const files = given.flags.flatMap(({ name, flag, value }) => {
    if (flag.kind !== "r" || value === undefined) return []
    const isArchive = name === "-f" || name === "--file"
    return touchesOfText(value, isArchive && isMaking ? "write" : "read", places)
  })
  const members = isMaking
    ? deepAll(given.operands, hasFlag(given, "--remove-files") ? "remove" : "read", inside(directory, places))
    : isListing
      ? []
      : below(directory, places)
  return [...files, ...members]
}

const inside = (directory: string | undefined, places: Places): Places => {
  if (directory === undefined) return places
  const [found] = touchesOfText(directory, "read", places)
  return { ...places, cwd: found?.path, others: [] }
}

export const archiveTouches = (
  words: ReadonlyArray<Word>,
  at: number,
  name: string,
  known: KnownProgram,
  places: Places
): ReadonlyArray<Touch> => {
  if (name === "tar") return tarTouches(words, at, known, places)
  const given = readArguments(words, at + 1, known)
  const [archive, ...members] = given.operands
  const named = archive === undefined ? [] : [archive]
  if (name === "zip") return [...deepAll(named, "write", places), ...deepAll(members, "read", places)]
  if (name === "unzip" || name === "zipinfo") {
    const isListing = name === "zipinfo" || words.some((word) => /^-[ltvZp]+$/.test(textOf(word)))
    return [...deepAll(named, "read", places), ...(isListing ? [] : below(valueOf(given, "-d"), places))]
  }
  return words.slice(at + 1).flatMap((word) => maybeTouches(word, places))
}
