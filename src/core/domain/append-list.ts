/**
 * A persistent append-only list: `append` is O(1) amortised and never changes an older version.
 *
 * Versions share one backing array. A version owns the elements before its length; appending writes the next slot
 * only when no newer version has taken it, otherwise the prefix is copied once. Readers never look past `length`.
 */
export interface Log<A> {
  readonly length: number
  readonly backing: Array<A>
}

const EMPTY: Log<never> = { length: 0, backing: [] }

export const empty = <A>(): Log<A> => EMPTY

export const fromArray = <A>(items: ReadonlyArray<A>): Log<A> => ({ length: items.length, backing: items.slice() })

export const append = <A>(log: Log<A>, item: A): Log<A> => {
  const free = log.length > 0 && log.backing.length === log.length
  const backing = free ? log.backing : log.backing.slice(0, log.length)
  backing.push(item)
  return { length: log.length + 1, backing }
}

export const appendAll = <A>(log: Log<A>, items: ReadonlyArray<A>): Log<A> => items.reduce<Log<A>>(append, log)

export const get = <A>(log: Log<A>, index: number): A | undefined =>
  index >= 0 && index < log.length ? log.backing[index] : undefined

export const last = <A>(log: Log<A>): A | undefined => get(log, log.length - 1)

export const toArray = <A>(log: Log<A>, from = 0): Array<A> => log.backing.slice(from, log.length)

export const take = <A>(log: Log<A>, count: number): Log<A> =>
  count >= log.length ? log : { length: Math.max(0, count), backing: log.backing }

/** Walks backwards until the predicate holds; conversation questions are nearly always about the recent end. */
export const findLastIndex = <A>(log: Log<A>, predicate: (item: A) => boolean): number => {
  for (let index = log.length - 1; index >= 0; index--) {
    const item = log.backing[index]
    if (item !== undefined && predicate(item)) return index
  }
  return -1
}
