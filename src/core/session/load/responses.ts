import type { Entry } from "./transcript-index.ts"
import { rawOf, type JsonObject } from "../../domain/json/json-object.ts"
import type { Links } from "../transcript/record.ts"

/**
 * Which response an assistant line belongs to. Fragments of one response share their `message.id`, but the id alone is
 * not enough: endpoints that number from the start in every process give the same one again, and a later answer must
 * not slip in beside an earlier one. So fragments also have to hang together.
 */
export interface Response {
  /** Name of the response in this ledger: its `message.id`, or one made from its first line when that is taken. */
  readonly name: string
  /** What the response answers: the line above its first fragment, results and notes aside. */
  readonly anchor: Entry | null
  requestId: string | null
  stopReason: string | null
}

/** Responses by `message.id`: nearly always one each, which then needs no list around it. */
export type Responses = Map<string, Response | Array<Response>>

interface Marks {
  readonly requestId: string | null
  readonly stopReason: string | null
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const marksOf = (raw: JsonObject): Marks => ({
  requestId: textOrNull(raw["requestId"]),
  stopReason: textOrNull(rawOf(raw["message"])?.["stop_reason"])
})

const agree = (left: string | null, right: string | null): boolean => left === null || right === null || left === right

/** One response comes from one request and ends in one way. */
const fits = (response: Response, marks: Marks): boolean =>
  agree(response.requestId, marks.requestId) && agree(response.stopReason, marks.stopReason)

/** The line that asks or answers, from here on upwards: results and notes hang between fragments too. */
const speaker = (from: Entry | null): Entry | null => {
  let entry = from
  while (entry !== null && entry.links.messageId === null && (entry.links.type !== "user" || entry.links.source !== null)) {
    entry = entry.parent
  }
  return entry
}

/** Fragments are written close together; with one id for all, older responses need not be asked. */
const NEAR = 16

/** Where an assistant line stands: the line above it and, for lines that lost theirs, the one written before it. */
export interface Standpoint {
  readonly parent: Entry | null
  readonly before: Entry | null
}

/** The name of the response that an assistant line belongs to; a new one is entered. */
export const responseFor = (
  responses: Responses,
  { links, raw }: { readonly links: Links; readonly raw: JsonObject },
  { parent, before }: Standpoint
): string | null => {
  const { messageId, uuid, isCopy } = links
  if (messageId === null) return null
  const marks = marksOf(raw)
  const entered = responses.get(messageId)
  const known = entered === undefined || Array.isArray(entered) ? entered : [entered]
  const anchor = speaker(parent ?? before)
  const found = known
    ?.slice(-NEAR)
    .findLast(
      (response) =>
        fits(response, marks) &&
        (parent ?? before) !== null &&
        (response.anchor === anchor || response.name === anchor?.response || response.name === before?.response)
    )
  if (found !== undefined) {
    found.requestId ??= marks.requestId
    found.stopReason ??= marks.stopReason
    return found.name
  }
  // A copy bears the name under which its original was read, which is taken.
  const isFree = known === undefined && !isCopy
  const response: Response = { name: isFree ? messageId : `${messageId}:${uuid}`, anchor, ...marks }
  if (known === undefined) responses.set(messageId, response)
  else {
    known.push(response)
    responses.set(messageId, known)
  }
  return response.name
}
