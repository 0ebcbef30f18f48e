/** Reading words out of a sentence: quotes, lists, paths. */
import { posix } from "node:path"
import type { Turn } from "./conversation.ts"

/** Sources of regular expressions: a quoted piece; a quoted piece or a single word. */
export const QUOTED = "`[^`]*`|\"[^\"]*\"|'[^']*'"
export const QUOTED_OR_WORD = String.raw`(?:${QUOTED}|\S+)`

/** A sentence pattern that is written in parts; it matches whole sentences in upper and lower case. */
export const sentence = (...parts: ReadonlyArray<string>): RegExp => new RegExp(`^${parts.join("")}$`, "i")

const QUOTES = /^(?:`([\s\S]*)`|"([\s\S]*)"|'([\s\S]*)')$/
const FENCED = /^```[^\n]*\n([\s\S]*?)\n?```$/

export const isQuoted = (text: string): boolean => QUOTES.test(text)

/** The text without the quotes or the fence around it. */
export const unquote = (text: string): string => {
  const trimmed = text.trim()
  const match = FENCED.exec(trimmed) ?? QUOTES.exec(trimmed)
  return match?.slice(1).find((group) => group !== undefined) ?? trimmed
}

const SEPARATOR = /\s*(?:,\s*(?:and\s+|or\s+)?|;\s*|\s+and\s+|\s+or\s+|\n)\s*/i

/** `A, B and C`, or a bulleted list, as items. */
export const listItems = (text: string): ReadonlyArray<string> =>
  text
    .split(SEPARATOR)
    .map((item) => unquote(item.replace(/^(?:[-*•]|\d+[.)])\s+/, "")).trim())
    .filter((item) => item !== "")

/** Files without an extension that people name in a sentence. */
const KNOWN_NAMES = /^(?:readme|license|licence|makefile|dockerfile|changelog|contributing|authors|notice)$/i
const PATH_LIKE = /^(?:~|\.{0,2}\/|[\w@.-]+\/|\.)?[^\s,;:?*]*[/.][^\s,;:?*]*$/

export const looksLikePath = (word: string): boolean => {
  if (isQuoted(word)) return unquote(word) !== ""
  return KNOWN_NAMES.test(word) || (PATH_LIKE.test(word) && /\w/.test(word) && !/^https?:\/\//i.test(word))
}

/** Tools want absolute paths; without a known directory the path stays as it was said. A mention means its file. */
export const pathFrom = (turn: Turn, said: string): string => {
  const path = unquote(said).replace(/^@/, "")
  return turn.cwd === undefined || path.startsWith("/") || path.startsWith("~") ? path : posix.join(turn.cwd, path)
}

/** The path as people would say it. */
export const shownPath = (turn: Turn, path: string): string =>
  turn.cwd !== undefined && path.startsWith(`${turn.cwd}/`) ? path.slice(turn.cwd.length + 1) : path

export const firstLine = (text: string): string => text.trim().split("\n")[0]?.trim() ?? ""

export const firstWords = (text: string, count: number): string => text.trim().split(/\s+/).slice(0, count).join(" ")

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const clip = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text)
