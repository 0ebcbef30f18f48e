import type { Frame } from "../../screen/cell/frame.ts"

/**
 * Rows as they stand on the terminal before a frame is drawn: those of the last frame, moved by scrolling, blank where
 * scrolling uncovered them, or unknown. Comparing is one loop over numbers whichever it is.
 */
export interface ShownRow {
  readonly words: Int32Array
  readonly links: Uint16Array
  /** Where the row begins in both. */
  readonly offset: number
  readonly linked: boolean
}

/** No cell has this word, so every cell of an unknown row counts as changed. */
const UNKNOWN_WORD = -1

export const unknownRow = (columns: number): ShownRow => ({
  words: new Int32Array(columns).fill(UNKNOWN_WORD),
  links: new Uint16Array(columns),
  offset: 0,
  linked: false
})

export const blankRow = (columns: number): ShownRow => ({
  words: new Int32Array(columns),
  links: new Uint16Array(columns),
  offset: 0,
  linked: false
})

export const rowOf = ({ words, links, linkedRows, columns }: Frame, y: number): ShownRow => ({
  words,
  links,
  offset: y * columns,
  linked: linkedRows[y] === 1
})

/** The first changed column at or after one, or the number of columns. */
export const nextChange = (next: ShownRow, shown: ShownRow, from: number, columns: number): number => {
  const { words, offset } = next
  const { words: shownWords, offset: shownOffset } = shown
  if (next.linked || shown.linked) return nextLinkedChange(next, shown, from, columns)
  let x = from
  while (x < columns && words[offset + x] === shownWords[shownOffset + x]) x++
  return x
}

const nextLinkedChange = (next: ShownRow, shown: ShownRow, from: number, columns: number): number => {
  let x = from
  while (
    x < columns &&
    next.words[next.offset + x] === shown.words[shown.offset + x] &&
    next.links[next.offset + x] === shown.links[shown.offset + x]
  ) {
    x++
  }
  return x
}

/** The first column at or after one that is as shown, or the number of columns. */
export const nextSame = (next: ShownRow, shown: ShownRow, from: number, columns: number): number => {
  const { words, offset } = next
  const { words: shownWords, offset: shownOffset } = shown
  let x = from
  while (x < columns && words[offset + x] !== shownWords[shownOffset + x]) x++
  if (x === columns || !(next.linked || shown.linked)) return x
  return nextLinkedChange(next, shown, x, x + 1) === x ? nextSame(next, shown, x + 1, columns) : x
}

/** How many cells hold another glyph or style; links are left out, as this only weighs. */
export const countChanges = (next: ShownRow, shown: ShownRow, columns: number): number => {
  const { words, offset } = next
  const { words: shownWords, offset: shownOffset } = shown
  let count = 0
  for (let x = 0; x < columns; x++) if (words[offset + x] !== shownWords[shownOffset + x]) count++
  return count
}

/** The first cell at or after one whose words differ, or the number of cells. */
const firstDifference = (a: Frame, b: Frame, from: number): number => {
  const cells = a.words.length
  let at = from
  if (at % 2 === 1) {
    if (a.words[at] !== b.words[at]) return at
    at += 1
  }
  const pair = samePairs(a.pairs, b.pairs, at / 2) * 2
  if (pair >= cells) return cells
  return a.words[pair] === b.words[pair] && pair + 1 < cells ? pair + 1 : pair
}

/** Four pairs at a time: most of a screen is the same, and this is what it costs. */
const samePairs = (a: BigInt64Array, b: BigInt64Array, from: number): number => {
  const end = a.length
  const lastFour = end - 3
  let at = from
  while (at < lastFour && a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2] && a[at + 3] === b[at + 3]) {
    at += 4
  }
  while (at < end && a[at] === b[at]) at++
  return at
}

/** The rows of two frames of one size and generation that differ. */
export const changedRows = (shown: Frame, next: Frame): ReadonlyArray<number> => {
  const { columns, rows } = next
  const changed: Array<number> = []
  let difference = firstDifference(shown, next, 0)
  for (let y = 0; y < rows; y++) {
    const linked = shown.linkedRows[y] === 1 || next.linkedRows[y] === 1
    const differs =
      difference < (y + 1) * columns || (linked && nextChange(rowOf(next, y), rowOf(shown, y), 0, columns) < columns)
    if (!differs) continue
    changed.push(y)
    if (difference < (y + 1) * columns) difference = firstDifference(shown, next, (y + 1) * columns)
  }
  return changed
}
