/** What a user means by pointing at a character: a path or a link as a whole, else a word. */
import { charClass } from "../../../editor/vim/text/char-class.ts"
import { clusterAt, nextColumn, previousColumn } from "../../../editor/clusters.ts"

export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

const LINK = /[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`]+/gi
/** Names joined by slashes, with a line and a column behind them. */
const PATH = /(?:~|\.{1,2})?(?:\/?[\w@+.-]+(?:\/[\w@+.-]+)+|\/[\w@+.-]+)\/?(?::\d+(?::\d+)?)?/g
/** A single name is a path when it ends in a kind of file. */
const FILE = /[\w@+-]+(?:\.[\w@+-]+)*\.[a-z]\w{0,7}(?::\d+(?::\d+)?)?/gi
/** What follows a link in a sentence and does not belong to it. */
const TRAILING = /[.,;:!?)\]}'"]+$/

const around = (text: string, column: number, pattern: RegExp): Word | undefined => {
  for (const match of text.matchAll(pattern)) {
    const found = match[0].replace(TRAILING, "")
    if (match.index > column) return undefined
    if (column < match.index + found.length) return { text: found, start: match.index, end: match.index + found.length }
  }
  return undefined
}

/** The path under a column, with its line if it has one. */
export const pathAround = (text: string, column: number): Word | undefined =>
  around(text, column, LINK) === undefined ? (around(text, column, PATH) ?? around(text, column, FILE)) : undefined

export const linkAround = (text: string, column: number): Word | undefined => around(text, column, LINK)

/** A run of characters of one class. */
const runAround = (text: string, column: number): Word => {
  const classAt = (at: number): number => charClass(clusterAt(text, at), false)
  const kind = classAt(column)
  let start = column
  let end = nextColumn(text, column)
  while (start > 0 && classAt(previousColumn(text, start)) === kind) start = previousColumn(text, start)
  while (end < text.length && classAt(end) === kind) end = nextColumn(text, end)
  return { text: text.slice(start, end), start, end }
}

/** The unit under a column. */
export const unitAround = (text: string, column: number): Word =>
  linkAround(text, column) ?? pathAround(text, column) ?? runAround(text, column)

/** The keyword at a column or the first one after it, as `*` takes it. */
export const wordAround = (text: string, column: number): Word | undefined => {
  let at = column
  while (at < text.length && charClass(clusterAt(text, at), false) < 2) at = nextColumn(text, at)
  return at < text.length ? runAround(text, at) : undefined
}
