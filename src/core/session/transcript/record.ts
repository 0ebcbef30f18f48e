import type { Message } from "../../domain/message.ts"
import type { SessionId, Uuid } from "../../domain/id.ts"
import { isBoundaryLine, readPreserved, type Preserved } from "./boundary.ts"
import { COPY_OF } from "./window-copy.ts"
import { isMetaRecord, type MetaRecord } from "./meta-record.ts"
import { isRaw, rawOf, type JsonObject } from "../../domain/json/json-object.ts"

/**
 * What one parsed line of a transcript is. Only identity and links are checked here; the message inside is decoded
 * when the line turns out to be part of the conversation (message-line.ts).
 */

/** Fields around a message on disk; everything else on a chain line belongs to the message. */
export interface Envelope {
  readonly parentUuid: Uuid | null
  readonly logicalParentUuid?: Uuid
  readonly sessionId: SessionId
  readonly cwd: string
  readonly gitBranch?: string
  readonly version: string
  readonly userType: "external"
  readonly entrypoint: string
  readonly isSidechain: boolean
  readonly agentId?: string
  readonly sessionKind?: string
  readonly producer: "nacre"
}

/** A line as we write it. */
export type ChainLine = Envelope & Message

export type ChainType = "user" | "assistant" | "attachment" | "system"

/** The links of a chain line, read without looking at its message. */
export interface Links {
  readonly uuid: Uuid
  readonly type: ChainType
  readonly parentUuid: Uuid | null
  readonly logicalParentUuid: Uuid | null
  readonly sessionId: string
  readonly timestamp: string
  readonly isSidechain: boolean
  /** `message.id` of an assistant line. */
  readonly messageId: string | null
  /** The assistant line whose call this line answers. */
  readonly source: Uuid | null
  readonly isSummary: boolean
  /** Repeats an earlier line, and so is never the end of a conversation. */
  readonly isCopy: boolean
  /** Set on compaction boundaries only. */
  readonly boundary: Preserved | null
}

export type Line =
  | { readonly _tag: "Chain"; readonly links: Links; readonly raw: JsonObject }
  | { readonly _tag: "Meta"; readonly record: MetaRecord }
  /** Not of the chain but with a place in it: older writers linked messages through progress lines. */
  | { readonly _tag: "Bridge"; readonly uuid: Uuid; readonly parentUuid: Uuid | null; readonly type: string }
  | { readonly _tag: "Unknown"; readonly raw: JsonObject }

const isChainType = (type: unknown): type is ChainType =>
  type === "user" || type === "assistant" || type === "attachment" || type === "system"

const textOr = <A>(value: unknown, otherwise: A): string | A => (typeof value === "string" ? value : otherwise)

const answersCall = (raw: JsonObject): boolean => {
  const content = rawOf(raw["message"])?.["content"]
  return Array.isArray(content) && content.some((block) => rawOf(block)?.["type"] === "tool_result")
}

/** A result names its call's line; writers that do not say so still make it the parent. */
const sourceOf = (raw: JsonObject, parentUuid: Uuid | null): Uuid | null => {
  if (raw["type"] !== "user") return null
  const named = raw["sourceToolAssistantUUID"]
  if (typeof named === "string") return named
  return answersCall(raw) ? parentUuid : null
}

type Share = (text: string) => string

const sharedOr = <A>(value: unknown, otherwise: A, share: Share): string | A =>
  typeof value === "string" ? share(value) : otherwise

const linksOf = (raw: JsonObject, uuid: Uuid, { type, share }: { type: ChainType; share: Share }): Links => {
  const parentUuid = sharedOr(raw["parentUuid"], null, share)
  const source = sourceOf(raw, parentUuid)
  return {
    uuid,
    type,
    parentUuid,
    logicalParentUuid: textOr(raw["logicalParentUuid"], null),
    sessionId: sharedOr(raw["sessionId"], "", share),
    timestamp: textOr(raw["timestamp"], ""),
    isSidechain: raw["isSidechain"] === true,
    messageId: type === "assistant" ? sharedOr(rawOf(raw["message"])?.["id"], uuid, share) : null,
    source: source === null ? null : share(source),
    isSummary: raw["isCompactSummary"] === true,
    isCopy: raw[COPY_OF] !== undefined,
    boundary: isBoundaryLine(raw) ? readPreserved(raw) : null
  }
}

const asItIs: Share = (text) => text

/**
 * Classifies one parsed JSON value; null when it is not an object and so no line at all. `share` may give back an equal
 * text that is in memory already.
 */
export const readLine = (value: unknown, share: Share = asItIs): Line | null => {
  if (!isRaw(value)) return null
  const { type, uuid } = value
  if (typeof uuid === "string" && isChainType(type)) {
    return { _tag: "Chain", links: linksOf(value, uuid, { type, share }), raw: value }
  }
  if (isMetaRecord(value)) return { _tag: "Meta", record: value }
  if (typeof uuid === "string" && typeof type === "string" && "parentUuid" in value) {
    return { _tag: "Bridge", uuid, parentUuid: textOr(value["parentUuid"], null), type }
  }
  return { _tag: "Unknown", raw: value }
}
