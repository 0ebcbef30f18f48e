/** Where the user came from: the jump list, walked older and newer. */
import type { Place } from "../index/entries.ts"

export interface Jumps {
  /** Oldest first. */
  readonly places: ReadonlyArray<Place>
  /** Which one stands here; the length of the list when none does. */
  readonly at: number
}

export const NO_JUMPS: Jumps = { places: [], at: 0 }

const MOST_JUMPS = 100

const isSame = (a: Place, b: Place): boolean => a.key === b.key && a.block === b.block && a.offset === b.offset

/** Remembers a place that is about to be left; it is kept once. */
export const pushJump = ({ places }: Jumps, place: Place): Jumps => {
  const next = [...places.filter((other) => !isSame(other, place)), place].slice(-MOST_JUMPS)
  return { places: next, at: next.length }
}

/** So many older (negative) or newer; undefined when the list does not reach that far. */
export const walkJumps = (
  jumps: Jumps,
  here: Place,
  by: number
): { readonly jumps: Jumps; readonly place: Place } | undefined => {
  const leaving = by < 0 && jumps.at === jumps.places.length
  const all = leaving ? pushJump(jumps, here) : jumps
  const from = leaving ? all.places.length - 1 : jumps.at
  const at = from + by
  const place = all.places[at]
  return place === undefined ? undefined : { jumps: { places: all.places, at }, place }
}
