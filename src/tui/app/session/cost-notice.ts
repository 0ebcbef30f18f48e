/** Tells once when a session has cost a certain sum, then at each doubling of it. It never stops anything. */
const FIRST_USD = 5

/** The highest mark that a cost has passed; 0 below the first. */
export const costMark = (costUsd: number): number =>
  costUsd < FIRST_USD ? 0 : FIRST_USD * 2 ** Math.floor(Math.log2(costUsd / FIRST_USD))

/** What to say when the cost went from one sum to another; undefined when no mark lies between. */
export const costNotice = (beforeUsd: number, afterUsd: number): string | undefined => {
  const mark = costMark(afterUsd)
  return mark > costMark(beforeUsd) ? `this session has cost more than $${mark}; /cost shows what` : undefined
}
