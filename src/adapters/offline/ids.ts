/**
 * Ids of calls. They carry the place in the plan, so that it is still known after compaction dropped earlier responses
 * of the turn, and whether the call was a real one, a search for a missing tool, or made malformed by a fault.
 */
export type CallKind = "call" | "search" | "malformed"

export interface Mark {
  readonly index: number
  readonly kind: CallKind
}

const LETTER: Record<CallKind, string> = { call: "c", search: "s", malformed: "m" }
const MARKED = /^toolu_off_(\d{1,6})([csm])_[0-9a-f]{16}$/

export const callId = (mark: Mark, hash: string): string => `toolu_off_${mark.index}${LETTER[mark.kind]}_${hash}`

export const markOf = (id: string): Mark | undefined => {
  const match = MARKED.exec(id)
  if (match === null) return undefined
  const kind = match[2] === "c" ? "call" : match[2] === "s" ? "search" : "malformed"
  return { index: Number(match[1]), kind }
}
