import type { Touch } from "../shell-analysis.ts"
import { hasFlag, readArguments, textOf, type Arguments } from "../arguments/arguments.ts"
import {
  isListOfFiles,
  maybeTouches,
  touchesOfText,
  touchesOfWord,
  unknownTouch,
  type Access,
  type Places
} from "./path-touch.ts"
import type { Word } from "../program.ts"
import type { KnownProgram } from "../tables/programs.ts"

/** Archivers read or write the archive and the members, depending on the mode. */

const deepAll = (words: ReadonlyArray<Word>, access: Access, places: Places): ReadonlyArray<Touch> =>
  words.flatMap((word) => touchesOfWord(word, access, places, { recursive: true }))

const below = (directory: string | undefined, places: Places): ReadonlyArray<Touch> =>
  touchesOfText(directory ?? ".", "write", places, { recursive: true })

const valueOf = (given: Arguments, list: string): string | undefined => {
  const names = list.split(" ")
  return given.flags.findLast(({ name }) => names.includes(name))?.value
}

/** `tar xCf dir a` is `tar -x -C dir -f a`: letters take their arguments one after the other. */
export const spreadLetters = (words: ReadonlyArray<Word>, at: number, { flags }: KnownProgram): ReadonlyArray<Word> => {
  const bundle = words[at + 1]
  if (bundle?.value === undefined || !/^[A-Za-z]+$/.test(bundle.value)) return words
  let next = at + 2
  const spread = Array.from(bundle.value).flatMap((letter) => {
    const flag: Word = { ...bundle, value: `-${letter}`, literal: `-${letter}` }
    const value = flags.get(`-${letter}`)?.argument === "needed" ? words[next++] : undefined
    return value === undefined ? [flag] : [flag, value]
  })
  return [...words.slice(0, at + 1), ...spread, ...words.slice(next)]
}

const tarTouches = (words: ReadonlyArray<Word>, at: number, known: KnownProgram, places: Places): ReadonlyArray<Touch> => {
  const given = readArguments(spreadLetters(words, at, known), at + 1, known)
  const isMaking = hasFlag(given, "-c -r -u -A --create --append --update")
  const isListing = hasFlag(given, "-t -d --list -O --to-stdout")
  const directory = valueOf(given, "-C --directory --one-top-level")
  const files = given.flags.flatMap(({ name, flag, value, word }) => {
    if (flag.kind !== "r" || value === undefined) return []
    const isArchive = name === "-f" || name === "--file"
    const own = touchesOfText(value, isArchive && isMaking ? "write" : "read", places)
    return isListOfFiles(name) ? [...own, unknownTouch(word)] : own
  })
  // Names in the archive may begin at the root.
  const anywhere = !isMaking && !isListing && hasFlag(given, "-P --absolute-names")
  const members = isMaking
    ? deepAll(given.operands, hasFlag(given, "--remove-files") ? "remove" : "read", inside(directory, places))
    : isListing
      ? []
      : below(directory, places)
  return [...files, ...members, ...(anywhere ? touchesOfText("/", "write", places) : [])]
}

const inside = (directory: string | undefined, places: Places): Places => {
  if (directory === undefined) return places
  const [found] = touchesOfText(directory, "read", places)
  return { ...places, cwd: found?.path, others: [], stays: [] }
}

export const archiveTouches = (
  words: ReadonlyArray<Word>,
  at: number,
  name: string,
  known: KnownProgram,
  places: Places
): ReadonlyArray<Touch> => {
  if (name.endsWith("tar")) return tarTouches(words, at, known, places)
  const given = readArguments(words, at + 1, known)
  const [archive, ...members] = given.operands
  const named = archive === undefined ? [] : [archive]
  if (name === "zip") return [...deepAll(named, "write", places), ...deepAll(members, "read", places)]
  if (name === "unzip" || name === "zipinfo") {
    const isListing = name === "zipinfo" || words.some((word) => /^-[ltvZp]+$/.test(textOf(word)))
    return [...deepAll(named, "read", places), ...(isListing ? [] : below(valueOf(given, "-d"), places))]
  }
  const named7z = name.startsWith("7z") && archive !== undefined ? sevenTouches(textOf(archive), members, words, places) : []
  const unpacked =
    name === "cpio" && words.some((word) => /^(?:-[A-Za-z0-9]*i|--extract$)/.test(textOf(word)))
      ? below(undefined, places)
      : []
  return [...words.slice(at + 1).flatMap((word) => maybeTouches(word, places)), ...named7z, ...unpacked]
}

/** `7z x a -odir`: the first operand says what is done. */
const sevenTouches = (
  verb: string,
  members: ReadonlyArray<Word>,
  words: ReadonlyArray<Word>,
  places: Places
): ReadonlyArray<Touch> => {
  if (verb !== "x" && verb !== "e") return deepAll(members.slice(1), "read", places)
  const directory = words
    .map(textOf)
    .find((text) => /^-o./.test(text))
    ?.slice(2)
  return below(directory, places)
}

const PACKED = /\.(?:gz|tgz|bz2|xz|lzma|zst|lz4|Z)$/
const SUFFIXES: Readonly<Record<string, string>> = { gzip: ".gz", bzip2: ".bz2", xz: ".xz", zstd: ".zst", lz4: ".lz4" }

/** What is packed or unpacked in place is written under its name with the suffix, or without it. */
export const packedTouches = (name: string, operands: ReadonlyArray<Word>, places: Places): ReadonlyArray<Touch> =>
  operands.flatMap(({ value }) => {
    if (value === undefined) return []
    const suffix = Object.hasOwn(SUFFIXES, name) ? SUFFIXES[name] : undefined
    const names = [value.replace(PACKED, ""), ...(suffix === undefined ? [] : [`${value}${suffix}`])]
    return names.filter((one) => one !== value).flatMap((one) => touchesOfText(one, "write", places, { rulesOnly: true }))
  })
