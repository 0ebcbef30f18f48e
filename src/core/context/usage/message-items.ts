import {
  isDocument,
  isImage,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type ContentBlock,
  type ToolResultBlock,
  type ToolUseBlock
} from "../../domain/block.ts"
import type { CallId, Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import { isZeroUsage } from "../../domain/usage.ts"
import type { Part } from "../../model/request/api-turn.ts"
import { estimateBlock, estimateText } from "../../model/tokens/estimate.ts"
import { speakerOf } from "../../session/speaker.ts"
import { categoryOfAttachment, type CategoryId } from "./category.ts"
import { filesIn } from "./instruction-files.ts"
import type { InstructionUse, UsageItem } from "./item.ts"
import { numberTurns } from "./turns.ts"

/** What a request holds of a conversation, block by block. */

const LABEL_CHARS = 60

export const firstLine = (value: string): string => value.trim().split("\n", 1)[0]?.slice(0, LABEL_CHARS).trim() ?? ""

/** Fields of a call's input that say best what it is about. */
const TELLING_FIELDS = ["file_path", "notebook_path", "path", "command", "pattern", "url", "query", "description", "skill"]
const PATH_FIELDS = ["file_path", "notebook_path"]

const textField = (input: unknown, names: ReadonlyArray<string>): string | undefined => {
  if (typeof input !== "object" || input === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(input))
  return names.map((name) => fields.get(name)).find((value) => typeof value === "string" && value !== "") as
    | string
    | undefined
}

const callLabel = ({ name, input }: Pick<ToolUseBlock, "name" | "input">): string => {
  const what = textField(input, TELLING_FIELDS)
  return what === undefined ? name : `${name} ${firstLine(what)}`
}

/** What of a message is known to all of its parts. */
interface Known {
  readonly message: Message
  readonly turn: number
  readonly isCached: boolean
}

/** What is known of the messages and calls of a conversation before its parts are looked at. */
interface Facts {
  readonly known: ReadonlyMap<Uuid, Known>
  readonly calls: ReadonlyMap<CallId, ToolUseBlock>
  readonly pins: ReadonlySet<Uuid>
  /** Something of a request has been cached. */
  readonly isCached: boolean
}

/** Where the newest counted response begins: what stands before it was sent with its request. */
const newestRequestEnd = (messages: ReadonlyArray<Message>): { readonly end: number; readonly isCached: boolean } => {
  const newest = messages.findLast(
    (message) => message.type === "assistant" && message.isApiErrorMessage !== true && !isZeroUsage(message.message.usage)
  )
  if (newest?.type !== "assistant") return { end: 0, isCached: false }
  const { id, usage } = newest.message
  return {
    end: messages.findIndex((message) => message.type === "assistant" && message.message.id === id),
    isCached: usage.cache_read_input_tokens + usage.cache_creation_input_tokens > 0
  }
}

interface Conversation {
  readonly messages: ReadonlyArray<Message>
  readonly turnsBefore: number
  readonly pins: ReadonlySet<Uuid>
}

export const factsOf = ({ messages, pins, turnsBefore }: Conversation): Facts => {
  const { end, isCached } = newestRequestEnd(messages)
  const known = new Map<Uuid, Known>()
  const calls = new Map<CallId, ToolUseBlock>()
  numberTurns(messages, turnsBefore, (message, turn, index) => {
    known.set(message.uuid, { message, turn, isCached: isCached && index < end })
    if (message.type !== "assistant") return
    for (const block of message.message.content) if (isToolUse(block)) calls.set(block.id, block)
  })
  return { known, calls, pins, isCached }
}

type Attachment = Extract<Message, { type: "attachment" }>["attachment"]

type Draft = Omit<UsageItem, "turn" | "cached" | "pinned">

const isOfMemory = (path: string, kind: string): boolean =>
  kind === "memory" || kind.includes("auto-memory") || path.endsWith("/MEMORY.md")

/** The files that an attachment says it is made of, each with whose it is. */
const namedFiles = ({ files, type }: Attachment): ReadonlyMap<string, Pick<InstructionUse, "kind" | "reason">> =>
  new Map(
    (Array.isArray(files) ? files : []).flatMap((file) => {
      const path = textField(file, ["path"])
      const reason = textField(file, ["reason"]) ?? (type === "instructions" ? "session_start" : "nested_traversal")
      return path === undefined ? [] : [[path, { kind: textField(file, ["kind"]) ?? "", reason }] as const]
    })
  )

/** Files that stand in one text, each with what it takes; none when it names none. */
const fileItems = (
  value: string,
  { attachment, uuid }: Extract<Message, { type: "attachment" }>,
  category: CategoryId
): ReadonlyArray<Draft> => {
  const named = namedFiles(attachment)
  const { before, files } = filesIn(value, (path) => named.size === 0 || named.has(path))
  if (files.length === 0) return []
  const items = files.map(({ path, label, text }): Draft => {
    const { kind, reason } = named.get(path) ?? { kind: label, reason: "session_start" }
    return {
      category: isOfMemory(path, kind) ? "memory" : category,
      label: path,
      tokens: estimateText(text),
      source: { kind: "file", path, uuid },
      file: { path, kind, reason, chars: text.length, lines: text.split("\n").length }
    }
  })
  return [{ category, label: "about these files", tokens: estimateText(before), source: { kind: "builtin" } }, ...items]
}

const isMedia = (block: ContentBlock): boolean => isImage(block) || isDocument(block)

const mediaItems = (blocks: ReadonlyArray<ContentBlock>, source: UsageItem["source"]): ReadonlyArray<Draft> =>
  blocks.filter(isMedia).map((block) => ({ category: "images", label: block.type, tokens: estimateBlock(block), source }))

const resultItems = (block: ToolResultBlock, uuid: Uuid, facts: Facts): ReadonlyArray<Draft> => {
  const call = facts.calls.get(block.tool_use_id)
  const path = textField(call?.input, PATH_FIELDS)
  const source = { kind: "message", uuid, ...(path === undefined ? {} : { path }) } as const
  const media = mediaItems(typeof block.content === "object" ? block.content : [], source)
  const tokens = estimateBlock(block) - media.reduce((sum, item) => sum + item.tokens, 0)
  const label = call === undefined ? "result" : callLabel(call)
  return [{ category: "tool_results", label, tokens: Math.max(0, tokens), source, call: block.tool_use_id }, ...media]
}

const responseItem = (block: ContentBlock, uuid: Uuid): Draft => {
  const base = { tokens: estimateBlock(block), source: { kind: "message", uuid } } as const
  if (isToolUse(block)) return { ...base, category: "tool_calls", label: callLabel(block), call: block.id }
  if (isThinking(block)) return { ...base, category: "thinking", label: "thinking" }
  return { ...base, category: "answers", label: isText(block) ? firstLine(block.text) : block.type }
}

const categoryOf = (message: Message): CategoryId => {
  if (message.type === "attachment") return categoryOfAttachment(message.attachment.type)
  if (message.type !== "user") return "attachments"
  if (message.isCompactSummary === true) return "summaries"
  return speakerOf(message) === "program" ? "attachments" : "prompts"
}

const attachmentLabel = (attachment: Attachment, category: CategoryId): string => {
  if (category === "prompts") return firstLine(textField(attachment, ["prompt", "text"]) ?? attachment.type)
  const path = textField(attachment, ["filename", "filePath", "path"])
  return path === undefined ? attachment.type : `${attachment.type} ${path}`
}

const userItems = (block: ContentBlock, message: Message, facts: Facts): ReadonlyArray<Draft> => {
  const { uuid } = message
  const source = { kind: "message", uuid } as const
  if (isToolResult(block)) return resultItems(block, uuid, facts)
  if (isMedia(block)) return mediaItems([block], source)
  const category = categoryOf(message)
  const words = isText(block) ? block.text : block.type
  if (message.type !== "attachment") {
    return [{ category, label: firstLine(words), tokens: estimateBlock(block), source }]
  }
  const isOfFiles = category === "instructions" || category === "memory"
  const files = isOfFiles ? fileItems(words, message, category) : []
  return files.length > 0
    ? files
    : [{ category, label: attachmentLabel(message.attachment, category), tokens: estimateBlock(block), source }]
}

/** What one block of the conversation adds to a request. */
export const itemsOfPart = ({ block, source }: Part, facts: Facts): ReadonlyArray<UsageItem> => {
  const known = facts.known.get(source)
  if (known === undefined) return []
  const { message, turn, isCached } = known
  const drafts = message.type === "assistant" ? [responseItem(block, source)] : userItems(block, message, facts)
  return drafts.map((draft) => ({ ...draft, turn, cached: isCached, pinned: facts.pins.has(source) }))
}
