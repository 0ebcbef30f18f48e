import type { Uuid } from "../../domain/id.ts"
import { rawOf, type JsonObject } from "../../domain/json/json-object.ts"

/** What a compaction boundary says about the older messages that stay in the conversation. */
export interface Preserved {
  /** The line after which the kept messages stand. */
  readonly anchorUuid: Uuid | null
  readonly segment: { readonly headUuid: Uuid; readonly tailUuid: Uuid } | null
  readonly uuids: ReadonlyArray<Uuid> | null
}

export const isBoundaryLine = (line: { readonly type?: unknown; readonly subtype?: unknown }): boolean =>
  line.type === "system" && line.subtype === "compact_boundary"

const texts = (value: unknown): ReadonlyArray<string> | null =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)

export const readPreserved = (boundary: JsonObject): Preserved => {
  const metadata = rawOf(boundary["compactMetadata"])
  const segment = rawOf(metadata?.["preservedSegment"])
  const messages = rawOf(metadata?.["preservedMessages"])
  const headUuid = text(segment?.["headUuid"])
  const tailUuid = text(segment?.["tailUuid"])
  return {
    anchorUuid: text(segment?.["anchorUuid"]) ?? text(messages?.["anchorUuid"]),
    segment: headUuid === null || tailUuid === null ? null : { headUuid, tailUuid },
    uuids: texts(messages?.["uuids"])
  }
}

/** Which of `following`, the uuids after a boundary in memory, are older messages that it keeps. */
export const preservedOf = (boundary: JsonObject, following: ReadonlyArray<Uuid>): ReadonlySet<Uuid> => {
  const { segment, uuids } = readPreserved(boundary)
  if (uuids !== null) return new Set(uuids)
  if (segment === null) return new Set()
  const from = following.indexOf(segment.headUuid)
  const to = following.indexOf(segment.tailUuid)
  return new Set(from < 0 || to < from ? [] : following.slice(from, to + 1))
}
