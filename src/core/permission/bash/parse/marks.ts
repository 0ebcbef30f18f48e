/**
 * A place in the text that two independent readings must agree on: the words, commands, comments, operators, redirects
 * and here-documents they found. What both found must be the same.
 */
export interface Mark {
  readonly kind: string
  readonly start: number
  readonly end: number
}

const compare = (one: Mark, other: Mark): number =>
  one.start - other.start || one.end - other.end || (one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0)

/** Offset of the first place where the readings differ. */
export const firstDifference = (ours: ReadonlyArray<Mark>, theirs: ReadonlyArray<Mark>): number | undefined => {
  const left = ours.toSorted(compare)
  const right = theirs.toSorted(compare)
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const one = left[index]
    const other = right[index]
    if (one === undefined || other === undefined || compare(one, other) !== 0) {
      return Math.min(one?.start ?? Infinity, other?.start ?? Infinity)
    }
  }
  return undefined
}
