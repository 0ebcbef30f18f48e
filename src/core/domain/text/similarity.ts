/** How alike two short texts are: shared pairs of neighbouring characters over all pairs, from 0 to 1. */
export const similarity = (left: string, right: string): number => {
  if (left === right) return 1
  if (left.length < 2 || right.length < 2) return 0
  const pairs = new Map<string, number>()
  for (let index = 0; index < left.length - 1; index++) {
    const pair = left.slice(index, index + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let shared = 0
  for (let index = 0; index < right.length - 1; index++) {
    const pair = right.slice(index, index + 2)
    const left = pairs.get(pair) ?? 0
    if (left > 0) {
      shared += 1
      pairs.set(pair, left - 1)
    }
  }
  return (2 * shared) / (left.length + right.length - 2)
}
