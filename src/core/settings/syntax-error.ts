import { type JsonReading, placeOf } from "./json-text.ts"

/** What to say where a settings file stops being JSON. */

const SHOWN_COLUMNS = 100

/** The line of the file and, below it, a caret at the place. Long lines show the part around it. */
export const excerptOf = (text: string, at: number): string => {
  const { column } = placeOf(text, at)
  const start = text.lastIndexOf("\n", at - 1) + 1
  const end = text.indexOf("\n", at)
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, "")
  const skipped = Math.max(0, column - 1 - SHOWN_COLUMNS / 2)
  const visible = line.slice(skipped, skipped + SHOWN_COLUMNS).replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")
  return `${visible}\n${" ".repeat(column - 1 - skipped)}^`
}

const isComment = (text: string, at: number): boolean => /^(?:\/\/|\/\*|#)/.test(text.slice(at, at + 2))

const lastBefore = (text: string, at: number): string => text.slice(0, at).trimEnd().at(-1) ?? ""

export const describeBreak = (text: string, { at, expected }: JsonReading & { readonly _tag: "Broken" }): string => {
  if (isComment(text, at)) return "not JSON: comments are not allowed"
  const found = text[at]
  if ((found === "}" || found === "]") && lastBefore(text, at) === ",") {
    return "not JSON: a comma must not stand before the closing bracket"
  }
  if (found === "'") return "not JSON: names and texts stand in double quotes"
  return found === undefined
    ? `not JSON: the file ends where ${expected} was expected`
    : `not JSON: expected ${expected}`
}
