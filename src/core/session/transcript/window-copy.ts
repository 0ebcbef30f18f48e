import type { Uuid } from "../../domain/id.ts"
import { rawOf, type JsonObject } from "../../domain/json/json-object.ts"
import type { Message } from "../../domain/message.ts"
import { isBoundaryLine } from "./boundary.ts"

/**
 * A window that is written down once more, under other names: readers of a transcript go on from its newest branch and
 * look no further back than its last boundary, so a pointer to older lines would not bring them back.
 */
type Names = ReadonlyMap<Uuid, Uuid>

const renamedList = (value: unknown, names: Names): unknown =>
  Array.isArray(value) ? value.map((each: unknown) => renamedValue(each, names)) : value

const renamedValue = (value: unknown, names: Names): unknown =>
  typeof value === "string" ? (names.get(value) ?? value) : renamedList(value, names)

const renamedFields = (fields: JsonObject | null, names: Names): JsonObject | undefined =>
  fields === null
    ? undefined
    : Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, renamedValue(value, names)]))

/** What a boundary says it keeps, by the new names. */
const renamedMetadata = (metadata: JsonObject | null, names: Names): JsonObject => {
  const segment = renamedFields(rawOf(metadata?.["preservedSegment"]), names)
  const messages = renamedFields(rawOf(metadata?.["preservedMessages"]), names)
  return {
    ...metadata,
    ...(segment === undefined ? {} : { preservedSegment: segment }),
    ...(messages === undefined ? {} : { preservedMessages: messages })
  }
}

/** Says of a line that it repeats an earlier one. Such a line is never the end of a conversation. */
export const COPY_OF = "copyOf"

/** A message for the file once more. */
export const copied = (message: Message, names: Names): Message => {
  const origin = { [COPY_OF]: message.uuid }
  return { ...renamed(message, names), ...origin }
}

/** The message under its new name; what it says of others of the window names them by theirs. */
export const renamed = (message: Message, names: Names): Message => {
  const uuid = names.get(message.uuid) ?? message.uuid
  if (message.type === "system" && isBoundaryLine(message)) {
    return { ...message, uuid, compactMetadata: renamedMetadata(rawOf(message["compactMetadata"]), names) }
  }
  if (message.type !== "user" || message.sourceToolAssistantUUID === undefined) return { ...message, uuid }
  const source = message.sourceToolAssistantUUID
  return { ...message, uuid, sourceToolAssistantUUID: names.get(source) ?? source }
}
