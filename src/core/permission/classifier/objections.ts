/** How often the classifier said no. After too many objections a user looks, because one of the two is mistaken. */
export interface ObjectionCount {
  /** Since something was allowed. */
  readonly consecutive: number
  readonly total: number
}

export const NO_OBJECTIONS: ObjectionCount = { consecutive: 0, total: 0 }

export const MOST_OBJECTIONS: ObjectionCount = { consecutive: 3, total: 20 }

export const afterObjection = ({ consecutive, total }: ObjectionCount): ObjectionCount => ({
  consecutive: consecutive + 1,
  total: total + 1
})

/** Anything that was allowed, by whomever. */
export const afterAllow = (count: ObjectionCount): ObjectionCount =>
  count.consecutive === 0 ? count : { ...count, consecutive: 0 }

/** A user approved: the count that made them be asked begins anew. */
export const afterApproval = (count: ObjectionCount): ObjectionCount =>
  count.total >= MOST_OBJECTIONS.total ? NO_OBJECTIONS : afterAllow(count)

/** Why a user has to look now; undefined while the classifier may go on. */
export const tooManyObjections = ({ consecutive, total }: ObjectionCount): string | undefined => {
  if (consecutive >= MOST_OBJECTIONS.consecutive) return `the classifier blocked ${consecutive} actions in a row`
  return total >= MOST_OBJECTIONS.total ? `the classifier blocked ${total} actions in this session` : undefined
}
