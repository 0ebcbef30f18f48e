import type { Touch } from "../shell-analysis.ts"
import { hasFlag, readArguments, rulesOf, textOf, UNKNOWN_FLAG, type Arguments } from "../arguments/arguments.ts"
import { archiveTouches, packedTouches } from "./operands-archive.ts"
import { isLocal, linkTouches, putInto, sourcesAndTarget, targetTouches } from "./operands-copy.ts"
import { findTouches } from "./operands-find.ts"
import { gitTouches } from "./operands-git.ts"
import {
  isExplicit,
  isListOfFiles,
  maybeTouches,
  touchesOfText,
  touchesOfWord,
  unknownTouch,
  type Access,
  type Places
} from "./path-touch.ts"
import type { Word } from "../program.ts"
import { programNamed, type KnownProgram } from "../tables/programs.ts"
import type { OperandRole } from "../tables/row.ts"
import { seenNames } from "./searched-names.ts"
import { sedScripts, sedFiles } from "../arguments/sed-script.ts"
import { nameOf } from "../arguments/wrappers.ts"

/** Which files a program reads, writes and removes, by the roles of its words. */

const NONE: ReadonlyArray<Touch> = []

const all = (words: ReadonlyArray<Word>, access: Access, places: Places, recursive = false): ReadonlyArray<Touch> =>
  words.flatMap((word) => touchesOfWord(word, access, places, { recursive }))

const here = (access: Access, places: Places, recursive: boolean): ReadonlyArray<Touch> =>
  touchesOfText(".", access, places, { recursive })

/** Files named by flags. */
export const flagTouches = (given: Arguments, places: Places): ReadonlyArray<Touch> =>
  given.flags.flatMap(({ name, flag, value, word }) => {
    if (value === undefined || !/[rof]/.test(flag.kind)) return []
    const access = flag.kind === "o" ? "write" : "read"
    const glob = word.glob && /[*?[]/.test(value)
    const own =
      word.value === undefined ? touchesOfWord(word, access, places) : touchesOfText(value, access, places, { glob })
    return isListOfFiles(name) ? [...own, unknownTouch(word)] : own
  })

/** What a flag that nobody knows takes may be a file: its own value, or the word behind it. */
const strangeTouches = (words: ReadonlyArray<Word>, at: number, given: Arguments, places: Places) => {
  const strange = new Set(given.flags.flatMap(({ flag, word }) => (flag === UNKNOWN_FLAG ? [word] : [])))
  if (strange.size === 0) return NONE
  return words.flatMap((word, index) => {
    const before = words[index - 1]
    const isValue = index > at + 1 && before !== undefined && strange.has(before) && !textOf(word).startsWith("-")
    return isValue || strange.has(word) ? maybeTouches(word, places) : []
  })
}

const PATTERN_FLAGS = "-e --regexp -f --file --files --from-file"

/** To jq `-e` is about the exit code. */
const afterPattern = (name: string, given: Arguments): ReadonlyArray<Word> =>
  hasFlag(given, name === "jq" ? "-f --from-file" : PATTERN_FLAGS) ? given.operands : given.operands.slice(1)

const searchTouches = (
  name: string,
  given: Arguments,
  places: Places,
  deep: boolean,
  searchesHere: boolean
): ReadonlyArray<Touch> => {
  const roots = afterPattern(name, given)
  const touches = roots.length === 0 && searchesHere ? here("read", places, deep) : all(roots, "read", places, deep)
  const seen = deep ? seenNames(name, given) : undefined
  return seen === undefined ? touches : touches.map((touch) => ({ ...touch, seen }))
}

const scriptTouches = (name: string, given: Arguments, places: Places): ReadonlyArray<Touch> => {
  const inPlace = hasFlag(given, "-i --in-place")
  const isScripted = hasFlag(given, "-e --expression -f --file")
  const files = isScripted ? given.operands : given.operands.slice(1)
  const [first] = given.operands
  // Some systems want the suffix of the copy as a word of its own.
  const changed = inPlace && !isScripted && first?.value === "" ? files.slice(1) : files
  const named = name === "sed" ? sedScripts(given).flatMap(sedFiles) : []
  return [
    ...all(changed, inPlace ? "write" : "read", places),
    ...named.flatMap(({ file, access }) =>
      touchesOfText(file, access, places, { rulesOnly: access === "maybe" && !isExplicit(file) })
    )
  ]
}

const DATA_FLAG = /^(?:-[dFHbw]|--(?:data|json|form|header|proxy-header|variable|url-query|cookie|write-out).*)$/

/** `@file` in the data of a request, and files that a report is written to. */
const dataTouches = (given: Arguments, places: Places): ReadonlyArray<Touch> =>
  given.flags.flatMap(({ name, value = "" }) => {
    if (!DATA_FLAG.test(name)) return []
    const isCookieFile = /^(?:-b|--cookie)$/.test(name) && !value.includes("=")
    const file = isCookieFile ? value : /^[^@<]*[@<](.+)$/s.exec(value)?.[1]?.split(";")[0]
    const written = Array.from(value.matchAll(/%output\{(?:>>)?([^}]+)\}/g), ([, target = ""]) => target)
    return [
      ...(file === undefined ? NONE : touchesOfText(file, "read", places)),
      ...written.flatMap((target) => touchesOfText(target, "write", places))
    ]
  })

const urlTouches = (name: string, given: Arguments, places: Places): ReadonlyArray<Touch> => {
  const isNamed = hasFlag(given, "-O --output-document")
  const writesHere = name === "curl" ? hasFlag(given, "-O --remote-name --remote-name-all") : !isNamed
  const directory = given.flags.findLast((flag) => DIRECTORY_FLAG.test(flag.name))?.value
  return [
    ...dataTouches(given, places),
    ...given.operands.filter((word) => /^file:|^\//i.test(textOf(word))).flatMap((word) => fileUrl(word, places)),
    ...(writesHere ? putInto(directory ?? ".", given.operands, places) : NONE)
  ]
}

/** Where things go that keep their names. */
const DIRECTORY_FLAG = /^(?:--output-dir|-P|--directory-prefix)$/

const fileUrl = (word: Word, places: Places): ReadonlyArray<Touch> =>
  word.value === undefined
    ? touchesOfWord(word, "read", places)
    : touchesOfText(textOf(word).replace(/^file:(?:\/\/[^/]*)?/i, ""), "read", places)

const remoteTouches = (name: string, given: Arguments, places: Places): ReadonlyArray<Touch> =>
  name === "ssh" ? NONE : sourcesAndTarget(given, places, { sources: "read", recursive: hasFlag(given, "-r") })

/** A script and its arguments; some interpreters change the files they are given. */
const codeTouches = (words: ReadonlyArray<Word>, at: number, name: string, places: Places): ReadonlyArray<Touch> => {
  const rest = words.slice(at + 1)
  const isInline = rest.some((word) => /^-[A-Za-z]*[ceEpn]$|^--(?:eval|print|command)/.test(textOf(word)))
  const operands = rest.filter((word) => !textOf(word).startsWith("-"))
  if ((name === "perl" || name === "ruby") && rest.some((word) => /^-[A-Za-z]*i/.test(textOf(word)))) {
    return operands.flatMap((word) => touchesOfWord(word, "write", places))
  }
  return [
    ...(isInline ? NONE : all(operands.slice(0, 1), "read", places)),
    ...rest.filter((word) => word !== operands[0]).flatMap((word) => maybeTouches(word, places, true))
  ]
}

/** The side of a volume that belongs to this machine, in whatever bundle of flags it stands. */
const volumeTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> =>
  words.slice(at + 1).flatMap((word) => {
    const text = textOf(word)
    const host = /^(?:-\w*v|--volume=)?([./~][^:=]*):/.exec(text)?.[1] ?? /(?:^|,)(?:source|src)=([^,]+)/.exec(text)?.[1]
    return host === undefined ? NONE : touchesOfText(host, "write", places, { recursive: true })
  })

const CONTAINERS: ReadonlySet<string> = new Set(["docker", "podman", "kubectl"])

/** `docker cp` in either direction: one side is a place on this machine. */
const containerTouches = (name: string, operands: ReadonlyArray<Word>, places: Places): ReadonlyArray<Touch> => {
  const at = operands.findIndex((word) => textOf(word) === "cp")
  const [from, to] = operands.slice(at + 1)
  if (!CONTAINERS.has(name) || at < 0 || at > 1 || from === undefined || to === undefined) return NONE
  return [
    ...(isLocal(from) ? touchesOfWord(from, "read", places, { recursive: true, rulesOnly: true }) : NONE),
    ...(isLocal(to) ? targetTouches(to, [from], places, true).map((touch) => ({ ...touch, rulesOnly: true })) : NONE)
  ]
}

const ddTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> =>
  words.slice(at + 1).flatMap((word) => {
    const [, side, file] = /^(if|of)=(.*)$/s.exec(textOf(word)) ?? []
    if (side === undefined || file === undefined) return []
    const access = side === "if" ? "read" : "write"
    return word.value === undefined ? touchesOfWord(word, access, places) : touchesOfText(file, access, places)
  })

const FILE_TEST = /^-[abcdefghkprsuwxLOGNS]$|^-(?:nt|ot|ef)$/

const testTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> =>
  words.slice(at + 1).flatMap((word, index, operands) => {
    const before = operands[index - 1]
    const after = operands[index + 1]
    const tested =
      (before !== undefined && FILE_TEST.test(textOf(before))) ||
      (after !== undefined && /^-(?:nt|ot|ef)$/.test(textOf(after)))
    return tested ? touchesOfWord(word, "read", places) : []
  })

const roleTouches = (
  role: OperandRole,
  name: string,
  given: Arguments,
  places: Places,
  deep: boolean
): ReadonlyArray<Touch> => {
  const { operands } = given
  switch (role) {
    case "read": {
      const followsLinks = name === "diff" && deep && !hasFlag(given, "--no-dereference")
      return operands.flatMap((word) => touchesOfWord(word, "read", places, { recursive: deep, followsLinks }))
    }
    case "write":
      // What a patch changes stands in the patch.
      return [
        ...all(operands, "write", places, deep),
        ...(name === "patch" ? touchesOfText(".", "write", places, { recursive: true, rulesOnly: true }) : NONE),
        ...packedTouches(name, operands, places)
      ]
    case "remove":
      return all(operands, "remove", places, deep)
    case "list":
      return operands.length === 0 ? here("read", places, deep) : all(operands, "read", places, deep)
    case "pattern":
    case "search":
      return searchTouches(name, given, places, deep, role === "search" || deep)
    case "copy":
      return sourcesAndTarget(given, places, { sources: "read", recursive: deep })
    case "move":
      return sourcesAndTarget(given, places, { sources: "remove", recursive: deep })
    case "link":
      return linkTouches(given, places)
    case "mode":
      return all(hasFlag(given, "--reference") ? operands : operands.slice(1), "write", places, deep)
    case "filter":
      return [...all(operands.slice(0, 1), "read", places), ...all(operands.slice(1), "write", places)]
    case "script":
      return scriptTouches(name, given, places)
    case "url":
      return urlTouches(name, given, places)
    case "remote":
      return remoteTouches(name, given, places)
    case "verb":
      return [...operands.flatMap((word) => maybeTouches(word, places, true)), ...containerTouches(name, operands, places)]
    default:
      return NONE
  }
}

const knownTouches = (words: ReadonlyArray<Word>, at: number, name: string, known: KnownProgram, places: Places) => {
  const { row } = known
  switch (row.role) {
    case "text":
    case "none":
      return flagTouches(readArguments(words, at + 1, known), places)
    case "code":
      return codeTouches(words, at, name, places)
    case "dd":
      return ddTouches(words, at, places)
    case "test":
      return testTouches(words, at, places)
    case "find":
      return findTouches(words, at, places)
    case "archive":
      return archiveTouches(words, at, name, known, places)
    default: {
      const given = readArguments(words, at + 1, rulesOf(known))
      const deep = row.recursive === "always" || (row.recursive !== undefined && hasFlag(given, row.recursive))
      return [
        ...flagTouches(given, places),
        ...strangeTouches(words, at, given, places),
        ...(name === "file" ? given.flags.filter((flag) => flag.name === "-f").map(({ word }) => unknownTouch(word)) : NONE),
        ...(name === "docker" || name === "podman" ? volumeTouches(words, at, places) : NONE),
        ...roleTouches(row.role, name, given, places, deep)
      ]
    }
  }
}

/** What the program at `at` touches. */
export const operandTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> => {
  const program = words[at]
  if (program === undefined) return NONE
  const name = nameOf(program)
  const itself = textOf(program).includes("/") ? touchesOfWord(program, "read", places, { rulesOnly: true }) : NONE
  if (name === "git") return [...itself, ...gitTouches(words, at, places)]
  const known = programNamed(name)
  const touched =
    known === undefined
      ? words.slice(at + 1).flatMap((word) => maybeTouches(word, places))
      : knownTouches(words, at, name, known, places)
  return itself.length === 0 ? touched : [...itself, ...touched]
}
