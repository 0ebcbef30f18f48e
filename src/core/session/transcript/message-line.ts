import { isContentBlock, type ContentBlock } from "../../domain/block.ts"
import type { AssistantMessage, AttachmentMessage, Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import { observeUsage, zeroUsage } from "../../domain/usage.ts"
import { rawOf, type JsonObject } from "../../domain/json/json-object.ts"

/** The message inside a chain line: the envelope comes off, every other field stays, known or not. */
const ENVELOPE: ReadonlySet<string> = new Set([
  "parentUuid",
  "sessionId",
  "cwd",
  "gitBranch",
  "version",
  "userType",
  "entrypoint",
  "isSidechain",
  "agentId",
  "slug",
  "sessionKind",
  "forkedFrom",
  "producer"
])

interface Head extends JsonObject {
  readonly uuid: string
  readonly timestamp: string
}

/** The fields of a line without its envelope, and with the decoded ones in their place: one new object per line. */
const withoutEnvelope = <const Decoded extends object>(raw: JsonObject, decoded: Decoded): Head & Decoded => {
  const fields: Record<string, unknown> = {}
  for (const key in raw) if (!ENVELOPE.has(key)) fields[key] = raw[key]
  const timestamp = raw["timestamp"]
  const head = { uuid: String(raw["uuid"]), timestamp: typeof timestamp === "string" ? timestamp : "" }
  return Object.assign(fields, head, decoded)
}

/** A result whose details are off still answers its call, so only the details are dropped. */
const repairedResult = (value: unknown): ContentBlock | null => {
  const raw = rawOf(value)
  if (raw === null || raw["type"] !== "tool_result" || typeof raw["tool_use_id"] !== "string") return null
  const content = typeof raw["content"] === "string" ? raw["content"] : ""
  return { type: "tool_result", tool_use_id: raw["tool_use_id"], content, is_error: raw["is_error"] === true }
}

const blocksFrom = (content: ReadonlyArray<unknown>): ReadonlyArray<ContentBlock> =>
  content.every(isContentBlock)
    ? content
    : content.flatMap((block) => {
        const kept = isContentBlock(block) ? block : repairedResult(block)
        return kept === null ? [] : [kept]
      })

/** The text of a result that has one. */
const resultText = (content: unknown): string | undefined => {
  if (!Array.isArray(content) || content.length !== 1) return undefined
  const result = rawOf(content[0])
  if (result?.["type"] !== "tool_result") return undefined
  const said: unknown = result["content"]
  if (typeof said === "string") return said
  const text = Array.isArray(said) && said.length === 1 ? rawOf(said[0])?.["text"] : undefined
  return typeof text === "string" ? text : undefined
}

/** A result's record often says once more what the model was told. Equal texts are one text in memory. */
const sharedRecord = (record: unknown, text: string): unknown => {
  if (record === text) return text
  const fields = rawOf(record)
  if (fields === null) return record
  const repeats = Object.keys(fields).filter((key) => fields[key] === text)
  return repeats.length === 0 ? record : { ...fields, ...Object.fromEntries(repeats.map((key) => [key, text])) }
}

const userMessage = (raw: JsonObject): UserMessage | null => {
  const content = rawOf(raw["message"])?.["content"]
  if (typeof content !== "string" && !Array.isArray(content)) return null
  const record = raw["toolUseResult"]
  const text = record === undefined ? undefined : resultText(content)
  return withoutEnvelope(raw, {
    type: "user",
    message: { role: "user", content: typeof content === "string" ? content : blocksFrom(content) },
    ...(text === undefined ? {} : { toolUseResult: sharedRecord(record, text) })
  })
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const assistantMessage = (raw: JsonObject): AssistantMessage | null => {
  const message = rawOf(raw["message"])
  const content = message?.["content"]
  if (message === null || (typeof content !== "string" && !Array.isArray(content))) return null
  return withoutEnvelope(raw, {
    type: "assistant",
    message: {
      ...message,
      id: textOrNull(message["id"]) ?? String(raw["uuid"]),
      type: "message",
      role: "assistant",
      model: textOrNull(message["model"]) ?? "unknown",
      content: typeof content === "string" ? [{ type: "text", text: content }] : blocksFrom(content),
      stop_reason: textOrNull(message["stop_reason"]),
      stop_sequence: textOrNull(message["stop_sequence"]),
      usage: observeUsage(zeroUsage, message["usage"])
    }
  })
}

const systemMessage = (raw: JsonObject): SystemMessage | null =>
  typeof raw["subtype"] === "string" ? withoutEnvelope(raw, { type: "system", subtype: raw["subtype"] }) : null

/** Words that are not all there are made anew from the fields. */
const renderedFrom = (value: unknown): AttachmentMessage["rendered"] => {
  if (!Array.isArray(value)) return undefined
  const parts = value.flatMap((part): NonNullable<AttachmentMessage["rendered"]> => {
    const content = rawOf(part)?.["content"]
    if (Array.isArray(content)) return content.every(isContentBlock) ? [{ content }] : []
    return typeof content === "string" ? [{ content }] : []
  })
  return parts.length === value.length ? parts : undefined
}

const attachmentMessage = (raw: JsonObject): AttachmentMessage | null => {
  const attachment = rawOf(raw["attachment"])
  if (attachment === null || typeof attachment["type"] !== "string") return null
  const decoded = { type: "attachment", attachment: { ...attachment, type: attachment["type"] } } as const
  const rendered = renderedFrom(raw["rendered"])
  return withoutEnvelope(raw, rendered === undefined ? decoded : { ...decoded, rendered })
}

/** Null when the line has its place in the chain but nothing that could be shown or sent. */
export const messageOf = (raw: JsonObject): Message | null => {
  switch (raw["type"]) {
    case "user":
      return userMessage(raw)
    case "assistant":
      return assistantMessage(raw)
    case "system":
      return systemMessage(raw)
    case "attachment":
      return attachmentMessage(raw)
    default:
      return null
  }
}
