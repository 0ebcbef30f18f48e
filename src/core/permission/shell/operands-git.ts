import type { Touch } from "./analysis.ts"
import { textOf } from "./arguments.ts"
import { maybeTouches, touchesOfText, touchesOfWord, type Places } from "./path-touch.ts"
import type { Word } from "./program.ts"
import { GIT_VALUED_GLOBALS } from "./tables/git.ts"

/** Where the sub-command of git stands, after the global options. */
export const gitVerbAt = (words: ReadonlyArray<Word>, at: number): number => {
  let next = at + 1
  for (let word = words[next]; word !== undefined && textOf(word).startsWith("-"); word = words[next]) {
    next += GIT_VALUED_GLOBALS.has(textOf(word)) ? 2 : 1
  }
  return next
}

const WRITING = new Set(["add", "rm", "mv", "checkout", "restore", "clean", "apply", "am", "clone", "init"])
const READING = new Set(
  ["diff", "log", "show", "blame", "grep", "ls-files", "cat-file", "status", "shortlog", "archive"]
)

/** Flags with a text in the next word that is no path. */
const TEXT_FLAGS =
  /^(?:-[mbBncuS]|--(?:message|author|date|source|branch|depth|orphan|reason|format|grep|since|until))$/

/** A revision in front of a path: `HEAD:file`. */
const pathsIn = (text: string): ReadonlyArray<string> => {
  const colon = text.indexOf(":")
  return colon < 0 || text.includes("://") ? [text] : [text, text.slice(colon + 1)].filter((path) => path !== "")
}

const isExplicit = (text: string): boolean => text.startsWith("/") || text.split("/").includes("..")

/** Revisions and paths look alike, so a word counts for the place only when it leaves by itself. */
const readWord = (word: Word, places: Places): ReadonlyArray<Touch> => {
  if (word.value === undefined) return touchesOfWord(word, "read", places, { rulesOnly: true })
  return pathsIn(word.value).flatMap((path) => touchesOfText(path, "read", places, { rulesOnly: !isExplicit(path) }))
}

const globalTouches = (words: ReadonlyArray<Word>, at: number, verbAt: number, places: Places): ReadonlyArray<Touch> =>
  words.slice(at + 1, verbAt).flatMap((word, index, globals) => {
    const text = textOf(word)
    const before = globals[index - 1]
    if (before !== undefined && /^(?:-C|--git-dir|--work-tree|--exec-path)$/.test(textOf(before))) {
      return touchesOfWord(word, "read", places)
    }
    const value = /^--(?:git-dir|work-tree|exec-path)=(.+)$/.exec(text)?.[1]
    return value === undefined ? [] : touchesOfText(value, "read", places)
  })

export const gitTouches = (words: ReadonlyArray<Word>, at: number, places: Places): ReadonlyArray<Touch> => {
  const verbAt = gitVerbAt(words, at)
  const verb = words[verbAt]
  const global = globalTouches(words, at, verbAt, places)
  if (verb === undefined) return global
  const name = textOf(verb)
  const rest = words.slice(verbAt + 1)
  const touched = rest.flatMap((word, index) => {
    const text = textOf(word)
    const before = rest[index - 1]
    const flag = before === undefined ? "" : textOf(before)
    if (/^(?:-F|--file|--pathspec-from-file)$/.test(flag)) return touchesOfWord(word, "read", places)
    if (TEXT_FLAGS.test(flag) || text.startsWith("-")) return outputOf(text, places)
    if (WRITING.has(name) && isRemoteName(text)) return []
    if (WRITING.has(name)) return touchesOfWord(word, name === "rm" ? "remove" : "write", places)
    return READING.has(name) ? readWord(word, places) : maybeTouches(word, places, true)
  })
  return global.length === 0 ? touched : [...global, ...touched]
}

const isRemoteName = (text: string): boolean => text.includes("://") || /^[\w.-]+@[\w.-]+:/.test(text)

/** `--output=file` of the commands that show differences. */
const outputOf = (text: string, places: Places): ReadonlyArray<Touch> => {
  const file = /^--output(?:-directory)?=(.+)$/.exec(text)?.[1]
  return file === undefined ? [] : touchesOfText(file, "write", places)
}
