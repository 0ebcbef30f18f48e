/**
 * Marks that wait for their other half. While a text still arrives they are not shown, so that none flashes up and
 * goes again when the rest comes.
 */

/** A mark or a reference at the very end may be the first half of a longer one. */
const TRAILING = /(?:[*_~`\\]+|&#?\w{0,8})$/
const OPENERS = /(?<![\p{L}\p{N}\\*_~`])(?:\*{1,3}|_{1,3}|~~|`+)(?=[^\s*_~`])/gu
const LINK_LABEL = /(!?\[)[^\][\n]*$/
const LINK_TARGET = /(!?\[)([^\][\n]*)\](?:\([^()\n]*)?$/

export interface Range {
  readonly from: number
  readonly to: number
}

export interface Unfinished {
  /** Only so much of the text is read. */
  readonly length: number
  /** Not drawn. */
  readonly hidden: ReadonlyArray<Range>
}

export const NOTHING_UNFINISHED = (text: string): Unfinished => ({ length: text.length, hidden: [] })

/** Looks at the last line only: a mark that is open for longer is most likely no mark. */
export const unfinishedIn = (text: string): Unfinished => {
  const trailing = TRAILING.exec(text)
  const length = trailing === null ? text.length : trailing.index
  const lineStart = text.lastIndexOf("\n", length - 1) + 1
  const line = text.slice(lineStart, length)
  const target = LINK_TARGET.exec(line)
  const label = target ?? LINK_LABEL.exec(line)
  if (label?.[1] === undefined) return { length, hidden: [] }
  const from = lineStart + label.index
  const hidden = [{ from, to: from + label[1].length }]
  return { length: target === null ? length : from + label[1].length + (target[2]?.length ?? 0), hidden }
}

/** Emphasis and code marks in plain text of the last line that nothing closes. */
export const openersIn = (text: string): ReadonlyArray<Range> =>
  [...text.matchAll(OPENERS)].map((match) => ({ from: match.index, to: match.index + match[0].length }))
