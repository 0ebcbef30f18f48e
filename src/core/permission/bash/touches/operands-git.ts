import type { Touch } from "../shell-analysis.ts"
import { textOf } from "../arguments/arguments.ts"
import { EXCLUDING, NEW_BRANCH, treeAccess } from "./git-tree.ts"
import { targetTouches } from "./operands-copy.ts"
import {
  isExplicit,
  maybeTouches,
  placesBelow,
  touchesOfText,
  touchesOfWord,
  type Access,
  type Places
} from "./path-touch.ts"
import type { Word } from "../program.ts"
import { gitFlags, GIT_VALUED_GLOBALS, GIT_VERBS } from "../tables/git.ts"

/** Where the sub-command of git stands, after the global options. */
export const gitVerbAt = (words: ReadonlyArray<Word>, at: number): number => {
  let next = at + 1
  for (let word = words[next]; word !== undefined && textOf(word).startsWith("-"); word = words[next]) {
    next += GIT_VALUED_GLOBALS.has(textOf(word)) ? 2 : 1
  }
  return next
}

const WRITING = new Set(["add", "rm", "mv", "checkout", "restore", "clean", "apply", "am", "clone", "init"])
/** Change everything below a directory that they are given. */
const BRINGING_BACK = new Set(["checkout", "restore", "clean", "rm"])
const READING = new Set(["diff", "log", "show", "blame", "grep", "ls-files", "cat-file", "status", "shortlog", "archive"])

/** Flags with a text in the next word that is not a path. */
const TEXT_FLAGS = /^(?:-[mbBncuS]|--(?:message|author|date|source|branch|depth|orphan|reason|format|grep|since|until))$/

/** A revision in front of a path: `HEAD:file`, or a stage: `:0:file`. */
const pathsIn = (text: string): ReadonlyArray<string> => {
  if (!text.includes(":") || text.includes("://")) return [text]
  const pieces = text.split(":")
  const most = Math.min(pieces.length, MOST_COLONS)
  return Array.from({ length: most }, (_, index) => pieces.slice(index).join(":")).filter((path) => path !== "")
}

const MOST_COLONS = 4

/** `:(top,icase)file`: what git does with a path stands in front of it. */
const MAGIC = /^:(?:\([^)]*\)|[!^]+)/

/** Git expands patterns itself, over all that it knows; what they leave out is left out here too. */
const patternTouches = (path: string, places: Places, access: Access = "read"): ReadonlyArray<Touch> => {
  if (!/[*?[]/.test(path)) return []
  const namesLike = (path.split("/").at(-1) ?? "").replace(/\[[^\]]*\]?/g, "*").replaceAll("?", "*")
  return touchesOfText(".", access, places, { recursive: true, rulesOnly: true }).map((touch) => ({ ...touch, namesLike }))
}

interface Reading {
  readonly recursive: boolean
  /** Narrows what is below to what git would look at. */
  readonly only: (touch: Touch) => Touch
}

/** Revisions and paths look alike, so a word counts for the place only when it leaves by itself. */
const readWord = (word: Word, places: Places, { recursive, only }: Reading): ReadonlyArray<Touch> => {
  if (word.value === undefined) return touchesOfWord(word, "read", places, { rulesOnly: true })
  const path = word.value.replace(MAGIC, "")
  return [
    ...pathsIn(path).flatMap((one) =>
      touchesOfText(one, "read", places, { recursive, rulesOnly: !isExplicit(one) }).map(recursive ? only : (touch) => touch)
    ),
    ...patternTouches(path, places).map(only)
  ]
}

const REVISION = /^(?:HEAD|[0-9a-f]{7,40})$|[~^@]/

/** Without a place to search, `grep` goes through all that git knows. */
const searchesAll = (rest: ReadonlyArray<Word>): boolean =>
  rest.map(textOf).filter((text) => !text.startsWith("-") && !REVISION.test(text)).length <= 1

const globalTouches = (words: ReadonlyArray<Word>, at: number, verbAt: number, places: Places): ReadonlyArray<Touch> =>
  words.slice(at + 1, verbAt).flatMap((word, index, globals) => {
    const text = textOf(word)
    const before = globals[index - 1]
    if (before !== undefined && /^(?:-C|--git-dir|--work-tree|--exec-path)$/.test(textOf(before))) {
      return touchesOfWord(word, "read", places)
    }
    const value = /^--(?:git-dir|work-tree|exec-path)=(.+)$/.exec(text)?.[1]
    if (value !== undefined) return touchesOfText(value, "read", places)
    return before !== undefined && textOf(before) === "-c" ? maybeTouches(word, places, true) : []
  })

/** Where git goes before it does anything. */
const placesOfGit = (words: ReadonlyArray<Word>, at: number, verbAt: number, places: Places): Places => {
  let moved = places
  for (let index = at + 1; index < verbAt; index++) {
    const target = words[index + 1]
    if (target !== undefined && words[index]?.value === "-C") moved = placesBelow(target, moved)
  }
  return moved
}

/** Show what is in the files below a directory that they are given. */
const SHOWING = new Set(["diff", "log", "show", "grep", "archive"])

const onlyTracked = (touch: Touch): Touch => ({ ...touch, tracked: true })

/** Words that are neither flags nor their values. */
const operandsOf = (rest: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  rest.filter((word, index) => {
    const before = rest[index - 1]
    const flag = before === undefined ? "" : textOf(before)
    return !textOf(word).startsWith("-") && !TEXT_FLAGS.test(flag) && !NEW_BRANCH.test(flag)
  })

/** The last one is what the others become or are put into. */
const movedTouches = (operands: ReadonlyArray<Word>, places: Places): ReadonlyArray<Touch> => {
  const sources = operands.slice(0, -1)
  const target = operands.at(-1)
  return [
    ...sources.flatMap((word) => touchesOfWord(word, "remove", places, { recursive: true })),
    ...(target === undefined ? [] : targetTouches(target, sources, places))
  ]
}

/** Files that git does not know are put away as well. */
const takesUntracked = (name: string, rest: ReadonlyArray<Word>): boolean =>
  name === "stash" && rest.some((word) => /^(?:-[A-Za-z]*[ua]|--include-untracked|--all)$/.test(textOf(word)))

/** All that git knows, unless paths are named: behind `--`, or by words that are paths because something is there. */
const treeTouches = (name: string, rest: ReadonlyArray<Word>, places: Places): ReadonlyArray<Touch> => {
  const border = rest.findIndex((word) => textOf(word) === "--")
  if (border >= 0 && rest.slice(border + 1).some((word) => !EXCLUDING.test(textOf(word)))) return []
  const operands = operandsOf(border < 0 ? rest : rest.slice(0, border))
  const access = treeAccess(name, rest.map(textOf), operands.map(textOf))
  if (access === undefined) return []
  const mayBePaths =
    border < 0 && (READING.has(name) || WRITING.has(name)) && !rest.some((word) => NEW_BRANCH.test(textOf(word)))
  const named = mayBePaths
    ? operands.flatMap((word) => (word.value === undefined ? [] : touchesOfWord(word, "read", places)))
    : []
  const unlessThere = named.flatMap(({ path }) => (path === undefined ? [] : [path]))
  return touchesOfText(places.moved ? "." : (places.tree ?? "."), access, places, { recursive: true, rulesOnly: true }).map(
    (touch) => ({
      ...touch,
      ...(takesUntracked(name, rest) ? {} : { tracked: true as const }),
      ...(unlessThere.length === 0 ? {} : { unlessThere })
    })
  )
}

/** Change files that nobody names here. */
const PATCHING = new Set(["apply", "am"])

export const gitTouches = (words: ReadonlyArray<Word>, at: number, start: Places): ReadonlyArray<Touch> => {
  const verbAt = gitVerbAt(words, at)
  const verb = words[verbAt]
  const global = globalTouches(words, at, verbAt, start)
  const places = placesOfGit(words, at, verbAt, start)
  if (verb === undefined) return global
  const name = textOf(verb)
  const rest = words.slice(verbAt + 1)
  const isOfAll = rest.some((word) => /^--(?:no-index|untracked)$/.test(textOf(word)))
  const only = isOfAll ? (touch: Touch): Touch => touch : onlyTracked
  const touched = rest.flatMap((word, index) => {
    const text = textOf(word)
    const before = rest[index - 1]
    const flag = before === undefined ? "" : textOf(before)
    if (/^(?:-F|--file|--pathspec-from-file)$/.test(flag)) return touchesOfWord(word, "read", places)
    if (OUTPUT_FLAG.test(flag) || (flag === "-o" && SHORT_OUTPUT.has(name))) return touchesOfWord(word, "write", places)
    if (TEXT_FLAGS.test(flag)) return []
    if (text.startsWith("-")) return valueTouches(name, word, places)
    if (WRITING.has(name) && isRemoteName(text)) return []
    if (WRITING.has(name)) {
      const access = name === "rm" ? "remove" : "write"
      return [
        ...touchesOfWord(word, access, places, { recursive: BRINGING_BACK.has(name) }),
        ...patternTouches(text.replace(MAGIC, ""), places, access)
      ]
    }
    return READING.has(name) ? readWord(word, places, { recursive: SHOWING.has(name), only }) : maybeTouches(word, places)
  })
  if (name === "grep" && searchesAll(rest)) {
    touched.push(...touchesOfText(".", "read", places, { recursive: true, rulesOnly: true }).map(only))
  }
  touched.push(...treeTouches(name, rest, places))
  if (name === "mv") touched.push(...movedTouches(operandsOf(rest), places))
  if (name === "clean" && rest.every((word) => textOf(word).startsWith("-"))) {
    touched.push(...touchesOfText(".", "write", places, { recursive: true, rulesOnly: true }))
  }
  const isAnywhere = rest.some((word) => textOf(word).startsWith("--unsafe-"))
  const changed = PATCHING.has(name)
    ? touchesOfText(isAnywhere ? "/" : ".", "write", places, { recursive: true, rulesOnly: !isAnywhere })
    : []
  return global.length === 0 && changed.length === 0 ? touched : [...global, ...touched, ...changed]
}

const isRemoteName = (text: string): boolean => text.includes("://") || /^[\w.-]+@[\w.-]+:/.test(text)

const OUTPUT_FLAG = /^--(?:outp?u?t?|output-d[a-z]*)$/
const SHORT_OUTPUT = new Set(["archive", "format-patch"])

/** `--output=file` of the commands that show differences; values of other flags may be files too, unless they are text. */
const valueTouches = (verb: string, word: Word, places: Places): ReadonlyArray<Touch> => {
  const text = textOf(word)
  const file = /^--(?:outp?u?t?|output-d[a-z]*|directory)=(.+)$/.exec(text)?.[1]
  if (file !== undefined) return touchesOfText(file, "write", places)
  const equals = text.indexOf("=")
  const flag = text.startsWith("--") ? text.slice(0, equals < 0 ? text.length : equals) : text.slice(0, 2)
  return maybeTouches(word, places, TEXT_FLAGS.test(flag) || isTextFlag(verb, flag))
}

const isTextFlag = (verb: string, flag: string): boolean => {
  const known = Object.hasOwn(GIT_VERBS, verb) ? gitFlags(verb, GIT_VERBS[verb]?.flags ?? "").get(flag) : undefined
  return known !== undefined && /[twk]/.test(known.kind)
}
