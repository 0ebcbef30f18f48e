import type { SessionId, Uuid } from "../domain/id.ts"
import { messageOf } from "./transcript/message-line.ts"
import type { MetaRecord } from "./transcript/meta-record.ts"
import { isRaw, type JsonObject } from "../domain/json/json-object.ts"
import { readLine } from "./transcript/record.ts"
import { noOpening, openingTitle, openingWith } from "./title.ts"

/** A copy of a session under a new id. Messages keep their uuids and say where they came from. */
interface ForkIds {
  readonly from: SessionId
  readonly to: SessionId
}

/** Names belong to the original; the fork gets its own. */
const NAMES: ReadonlySet<string> = new Set(["custom-title", "ai-title", "agent-name"])

const withOwner = (raw: JsonObject, { to }: ForkIds): JsonObject => ("sessionId" in raw ? { ...raw, sessionId: to } : raw)

/**
 * One line of the fork, or null when it is not copied. Lines that we do not understand are copied byte by byte: the
 * program that wrote them may.
 */
export const forkLine = (text: string, value: unknown, ids: ForkIds): string | null => {
  const line = readLine(value)
  switch (line?._tag) {
    case "Chain":
      return JSON.stringify({
        ...line.raw,
        sessionId: ids.to,
        forkedFrom: { sessionId: ids.from, messageUuid: line.links.uuid }
      })
    case "Meta":
      return NAMES.has(line.record.type) ? null : JSON.stringify(withOwner({ ...line.record }, ids))
    default:
      return text
  }
}

export interface ForkOptions {
  readonly from: SessionId
  /** Id of the fork. */
  readonly sessionId: SessionId
  /** Name given by the user, else made of the first prompt. */
  readonly name?: string
  /** Message the fork goes on from; the newest one when absent. */
  readonly at?: Uuid
}

export interface ForkRewriter {
  readonly rewrite: (text: string, value: unknown) => string | null
  /** Lines at the fork's end; to be asked for when every line was rewritten. */
  readonly tail: () => ReadonlyArray<string>
}

/** Rewrites one session's lines in order, once. It remembers the first prompt for the fork's name. */
export const forkRewriter = ({ from, sessionId, name, at }: ForkOptions): ForkRewriter => {
  let opening = noOpening
  const ids: ForkIds = { from, to: sessionId }
  return {
    rewrite: (text, value) => {
      const message = opening.prompt === null && isRaw(value) ? messageOf(value) : null
      if (message?.type === "user") opening = openingWith(opening, message)
      return forkLine(text, value, ids)
    },
    tail: () => {
      const customTitle = name ?? `${openingTitle(opening) ?? "Session"} (branch)`
      const records: ReadonlyArray<MetaRecord> = [
        { type: "custom-title", customTitle, sessionId },
        ...(at === undefined ? [] : [{ type: "last-prompt", leafUuid: at, sessionId } as const])
      ]
      return records.map((record) => JSON.stringify(record))
    }
  }
}
