import { plural } from "../transcript/number-format.ts"
import type { SessionModel } from "./session-model.ts"

/** What the user says to the hunks of a change: accepted, reverted, commented on. */
export interface Review {
  readonly accepted: ReadonlySet<string>
  readonly reverted: ReadonlySet<string>
  readonly comments: ReadonlyArray<HunkComment>
  /** What the header of a hunk shows of this, by the name of the hunk. */
  readonly marks: ReadonlyMap<string, string>
}

export interface HunkComment {
  readonly hunk: string
  readonly path: string
  readonly line: number
  /** The line that it is about, as the patch has it. */
  readonly quoted: string
  readonly text: string
}

export const NO_REVIEW: Review = { accepted: new Set(), reverted: new Set(), comments: [], marks: new Map() }

const marksOf = ({ accepted, reverted, comments }: Omit<Review, "marks">): Review["marks"] => {
  const names = new Set([...accepted, ...reverted, ...comments.map(({ hunk }) => hunk)])
  return new Map(
    [...names].map((name) => {
      const said = comments.filter(({ hunk }) => hunk === name).length
      const words = [
        ...(accepted.has(name) ? ["accepted"] : []),
        ...(reverted.has(name) ? ["reverted"] : []),
        ...(said > 0 ? [plural(said, "comment")] : [])
      ]
      return [name, words.join(", ")]
    })
  )
}

export const reviewed = (session: SessionModel, change: Partial<Omit<Review, "marks">>): SessionModel => {
  const next = { ...session.review, ...change }
  return { ...session, review: { ...next, marks: marksOf(next) } }
}
