/** One page of a result list. Pages put together are the list. */
export interface PageRequest {
  readonly offset: number
  /** 0: everything after the offset. */
  readonly limit: number
}

export interface Page<Entry> {
  readonly entries: ReadonlyArray<Entry>
  /** Present only if the limit left something out. */
  readonly appliedLimit?: number
  readonly appliedOffset?: number
  /** There are entries, but none this far. */
  readonly pastEnd: boolean
}

export const pageOf = <Entry>(all: ReadonlyArray<Entry>, { offset, limit }: PageRequest): Page<Entry> => {
  const rest = all.slice(offset)
  const cut = limit > 0 && rest.length > limit
  return {
    entries: cut ? rest.slice(0, limit) : rest,
    ...(cut ? { appliedLimit: limit } : {}),
    ...(offset > 0 ? { appliedOffset: offset } : {}),
    pastEnd: all.length > 0 && rest.length === 0
  }
}

/** How many entries must be known to cut this page and to say whether more remain. */
export const entriesNeeded = ({ offset, limit }: PageRequest): number => (limit === 0 ? Infinity : offset + limit + 1)
