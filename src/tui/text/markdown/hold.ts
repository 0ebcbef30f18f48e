/** Beginnings of lines that say nothing yet: shown now, they would vanish with the next character. */
import type { Leaf } from "./frame.ts"
import type { ScanState } from "./open-leaf.ts"

const MARKS_ONLY = /^(?:[\s>*+-]|\d{1,9}[.)])*(?:[-=*_+~`#|:\s]*|\d{1,9})(?:\[[ xX]?\]?)?\s*$/
const FENCE_ONLY = /^\s*[`~]+\s*$/

/** A row of a table is shown when it is whole: its columns would jump with every letter. */
const TABLE_ROW = /^[\s>]*\|/

export const isUndecided = (rest: string, { open }: ScanState): boolean => {
  if (open?.kind === "fence") return FENCE_ONLY.test(rest)
  return MARKS_ONLY.test(rest) || (open?.kind === "table" && TABLE_ROW.test(rest))
}

/** Lines that look like a table wait until its rule says that they are one. */
export const withoutTableHead = (leaf: Leaf): Leaf | undefined => {
  if (leaf.kind !== "paragraph") return leaf
  const kept = leaf.lines.findLastIndex((line) => !line.text.startsWith("|")) + 1
  if (kept === leaf.lines.length) return leaf
  const lines = leaf.lines.slice(0, kept)
  return kept === 0 ? undefined : { ...leaf, lines, end: lines.at(-1)?.end ?? leaf.end }
}
