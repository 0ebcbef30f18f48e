import { FEWER_LEVELS, type JsonReading, locationFrom } from "./positioned-json.ts"

/** What to say where a settings file stops being JSON. */

const SHOWN_COLUMNS = 100

/** The line of the file and, below it, a caret at the place. Long lines show the part around it. */
export const excerptOf = (text: string, at: number): string => {
  const { column } = locationFrom(text, at)
  const start = text.lastIndexOf("\n", at - 1) + 1
  const end = text.indexOf("\n", at)
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, "")
  const skipped = Math.max(0, column - 1 - SHOWN_COLUMNS / 2)
  const visible = line.slice(skipped, skipped + SHOWN_COLUMNS).replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")
  return `${visible}\n${" ".repeat(column - 1 - skipped)}^`
}

/** An excerpt in so many columns, with the caret in view. What is cut is marked. */
export const fittedExcerpt = (excerpt: string, columns: number): string => {
  const [line = "", caret = ""] = excerpt.split("\n")
  if (line.length <= columns && caret.length <= columns) return excerpt
  const room = Math.max(3, columns)
  const from = Math.max(0, Math.min(caret.length - Math.ceil(room / 2), line.length + 1 - room))
  const part = line.slice(from, from + room)
  const begun = from > 0 ? `…${part.slice(1)}` : part
  const shown = from + room < line.length ? `${begun.slice(0, -1)}…` : begun
  return `${shown}\n${caret.slice(from)}`
}

/** Where somebody has to put the cursor, what is wrong there and what to do. */
export interface Break {
  readonly at: number
  readonly message: string
  readonly suggestion: string
}

const lastBefore = (text: string, at: number): number => text.slice(0, at).trimEnd().length - 1

const COMMENT = /^(?:\/\/|\/\*|#)/
const CLOSING = /^[}\]]/
const WHOLE_TEXT = /^"(?:[^"\\]|\\.)*"/
/** What people and word processors write instead of double quotes. */
const QUOTES = /['`\u2018-\u201f\u00ab\u00bb]/
/** Blanks that JSON does not know, and characters without a shape. */
const UNSEEN = /[\p{Cf}\p{Z}\p{Cc}]/u
const BARE_WORD = /^[A-Za-z_$]/

export const describeBreak = (text: string, { at, expected }: JsonReading & { readonly _tag: "Broken" }): Break => {
  const rest = /.*/y.exec(text.slice(at))?.[0] ?? ""
  const before = lastBefore(text, at)
  const broken = (why: string, suggestion: string, place = at): Break => ({
    at: place,
    message: `not JSON: ${why}`,
    suggestion
  })
  if (expected === FEWER_LEVELS)
    return { at, message: "too many levels stand inside each other", suggestion: "write it with fewer" }
  if (COMMENT.test(rest)) return broken("comments are not allowed", "remove the comment")
  if (CLOSING.test(rest) && text[before] === ",") {
    return broken("a comma must not stand before the closing bracket", "remove this comma", before)
  }
  const [first = ""] = rest
  if (QUOTES.test(first)) return broken("names and texts stand in double quotes", `write " instead of ${first}`)
  if (UNSEEN.test(first)) {
    const code = first.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
    return broken(`a character that cannot be seen stands here (U+${code})`, "remove it, or put a blank in its place")
  }
  if (at >= text.length) return broken(`the file ends where ${expected} was expected`, "complete the file, or remove it")
  if (rest.startsWith('"')) {
    if (!WHOLE_TEXT.test(rest)) return broken("the text that begins here has no end", "close it with a double quote")
    return expected.includes(",")
      ? broken("a comma is missing before this", "add the comma")
      : broken("this text holds a character that must be escaped", "write \\t for a tab, \\n for a new line, \\\\ for \\")
  }
  if (BARE_WORD.test(rest) && expected !== "the end of the file") {
    return broken(`expected ${expected}`, "put names and texts into double quotes")
  }
  return broken(`expected ${expected}`, "correct the file there")
}
