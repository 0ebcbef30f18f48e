import type { Uuid } from "../../domain/id.ts"
import type { MetaRecord } from "./meta-record.ts"

/**
 * Records that describe the session as a whole and must be findable near the end of the file: the latest of each kind
 * is written again as the file grows, so that a list reads only the tail.
 */
export type SessionRecords = ReadonlyMap<string, MetaRecord>

/** Growth after which the standing records are written again: what a list reads of a file's end. */
export const STANDING_BYTES = 64 * 1024

const KINDS: ReadonlySet<string> = new Set([
  "custom-title",
  "ai-title",
  "agent-name",
  "agent-color",
  "agent-setting",
  "tag",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "worktree-state"
])

const keyOf = (record: MetaRecord): string => (record.type === "pr-link" ? `pr-link ${record.prUrl}` : record.type)

export const withRecords = (standing: SessionRecords, records: Iterable<MetaRecord>): SessionRecords => {
  const next = new Map(standing)
  for (const record of records) if (KINDS.has(record.type)) next.set(keyOf(record), record)
  return next
}

/** The records to write again. The pointer to the tip must name the tip of now, or it would cut off what came since. */
export const standingRecords = (standing: SessionRecords, tip: Uuid | null): ReadonlyArray<MetaRecord> =>
  [...standing.values()].map((record) =>
    record.type === "last-prompt" && tip !== null ? { ...record, leafUuid: tip } : record
  )
