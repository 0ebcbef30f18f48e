/** Shorter lists are searched faster than they are put in order. */
const SHORT = 8

/** Finds the first entry with a key in lists that do not change; a long list is put in order once. */
export const makeLookup = <A extends object>(keyOf: (entry: A) => string) => {
  const known = new WeakMap<ReadonlyArray<A>, ReadonlyMap<string, A>>()
  const ordered = (list: ReadonlyArray<A>): ReadonlyMap<string, A> => {
    const found = known.get(list) ?? new Map(list.toReversed().map((entry) => [keyOf(entry), entry]))
    known.set(list, found)
    return found
  }
  return (list: ReadonlyArray<A>, key: string): A | undefined =>
    list.length <= SHORT ? list.find((entry) => keyOf(entry) === key) : ordered(list).get(key)
}
