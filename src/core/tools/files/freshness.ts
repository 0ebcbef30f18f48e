import type { FileEntry, LineRange } from "./file-cache.ts"
import { hasSeen } from "./read-coverage.ts"

/** Whether the model knows a file well enough to change it. */
export type StalenessPolicy = "strict" | "relaxed"

export type Freshness =
  | "fresh"
  /** The file holds changes that the model has not seen; the edit is safe all the same and the model is told. */
  | "otherChanges"
  | "unread"
  | "stale"
  /** The text in question was never shown. */
  | "unseen"

/** Before the text is searched for: nothing known, or something else than what is on disk now. */
export const knowledgeOf = (entry: FileEntry | undefined, currentHash: string): "fresh" | "unread" | "stale" => {
  if (entry === undefined) return "unread"
  return entry.hash === currentHash ? "fresh" : "stale"
}

export interface EditFacts {
  readonly policy: StalenessPolicy
  readonly entry: FileEntry | undefined
  readonly currentHash: string
  /** The lines of each match. */
  readonly matches: ReadonlyArray<LineRange>
  /** The replaced text stands in what was shown of the file. */
  readonly knowsText: boolean
  /** Reading the file would need nobody's consent. */
  readonly freelyReadable: boolean
}

/**
 * Strict: the replaced text must have been shown, and where the file was changed since then, it must still be there
 * exactly once. Relaxed: a single match in a file that may be read anyway is enough.
 */
export const editFreshness = (facts: EditFacts): Freshness => {
  const { entry, matches } = facts
  const knowledge = knowledgeOf(entry, facts.currentHash)
  const seen = entry !== undefined && matches.every((lines) => hasSeen(entry, lines))
  if (knowledge === "fresh" && seen) return "fresh"
  const isEnough = facts.policy === "relaxed" ? facts.freelyReadable : knowledge === "stale" && facts.knowsText
  if (isEnough && matches.length === 1) return "otherChanges"
  return knowledge === "fresh" ? "unseen" : knowledge
}

/** To replace all of a file, all of it must have been seen as it is, under every policy. */
export const writeFreshness = (entry: FileEntry | undefined, currentHash: string): Exclude<Freshness, "otherChanges"> => {
  const knowledge = knowledgeOf(entry, currentHash)
  return knowledge === "fresh" && entry?.partial === true ? "unseen" : knowledge
}
