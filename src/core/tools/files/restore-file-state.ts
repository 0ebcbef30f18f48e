import { Result } from "effect"
import { isToolResult, isToolUse, type ToolUseBlock } from "../../domain/block.ts"
import { LIMITS } from "../../domain/limits.ts"
import { type AttachmentMessage, blocksOf, type Message, type UserMessage } from "../../domain/message.ts"
import { bodyToText } from "../../domain/text/encoding.ts"
import { emptyCache, type FileCache, type FileEntry, recordEntry } from "./file-cache.ts"
import { toLf } from "../../domain/text/line-ending.ts"
import { normalise } from "../../domain/path/path-text.ts"
import { applyPlan, planEdit } from "./plan-edit.ts"
import { afterChanges, afterRead } from "./read-coverage.ts"

/**
 * What the model knows about files, read back from the results of a conversation. A transcript holds the texts but no
 * hashes, so these entries are recalled: before one is used, the file must be seen to hold that text still.
 */
type Data = Readonly<Record<string, unknown>>

/** Something that a call did with a file; an entry for what was known before gives one for after, or none. */
type CacheUpdate = (known: FileEntry | undefined) => FileEntry | undefined

interface Found {
  readonly path: string
  /** Nothing that was known before matters. */
  readonly isWhole: boolean
  readonly update: CacheUpdate
}

const dataOf = (value: unknown): Data => (typeof value === "object" && value !== null ? (value as Data) : {})

const recalledEntry = (path: string, content: string, rest: Partial<FileEntry>): FileEntry => ({
  path,
  content: toLf(content),
  mtimeMs: 0,
  size: 0,
  hash: "",
  partial: false,
  source: "read",
  recalled: { isWhole: true, firstLine: 1 },
  ...rest
})

const pageOf = (path: string, file: Data, content: string): Found => {
  const [first, count, total] = [file["startLine"], file["numLines"], file["totalLines"]].map(Number)
  const from = first ?? 1
  const last = from + (count ?? 0) - 1
  const reachesEnd = last >= (total ?? Infinity)
  const isWhole = from === 1 && reachesEnd
  const page = recalledEntry(path, content, {
    partial: !isWhole,
    seen: (count ?? 0) > 0 ? [{ first: from, last }] : [],
    recalled: { isWhole, firstLine: from }
  })
  const update: CacheUpdate = (known) => {
    const joined = afterRead(known, page, reachesEnd)
    if ((joined.seen?.length ?? 0) > 1) return page
    const wasJoined = joined.content !== page.content
    return wasJoined ? { ...joined, recalled: { isWhole: !joined.partial, firstLine: 1 } } : joined
  }
  return { path, isWhole, update }
}

const readDeed = (data: Data): Found | undefined => {
  const file = dataOf(data["file"])
  const { filePath, content } = file
  if (data["type"] !== "text" || typeof filePath !== "string" || typeof content !== "string") return undefined
  return pageOf(normalise(filePath), file, content)
}

const writeDeed = (data: Data): Found | undefined => {
  const { filePath, content } = data
  if (typeof filePath !== "string" || typeof content !== "string") return undefined
  const path = normalise(filePath)
  return { path, isWhole: true, update: () => recalledEntry(path, content, { source: "edit" }) }
}

/** The edit made once more on the text it was made on; what was too long to be kept must be read again. */
const editDeed = (data: Data): Found | undefined => {
  const { filePath, originalFile: original, oldString, newString, replaceAll } = data
  if (typeof filePath !== "string" || typeof oldString !== "string" || typeof newString !== "string") return undefined
  const path = normalise(filePath)
  if (oldString === "") return { path, isWhole: true, update: () => recalledEntry(path, newString, { source: "edit" }) }
  const update: CacheUpdate = (known) => {
    if (typeof original !== "string") return undefined
    const bytes = new TextEncoder().encode(original)
    const question = { path, bytes, hash: "", oldString, newString, replaceAll: replaceAll === true, entry: known }
    const plan = planEdit({ ...question, policy: "relaxed", freelyReadable: true })
    if (Result.isFailure(plan)) return undefined
    const { after, changes, encoding } = applyPlan(plan.success)
    const seen = known === undefined ? changes.map(({ lines }) => lines) : (known.seen ?? [])
    return recalledEntry(path, bodyToText(after, encoding), {
      partial: known?.partial ?? true,
      seen: afterChanges(seen, changes),
      source: "edit"
    })
  }
  return { path, isWhole: false, update }
}

const forgetDeed = (data: Data): Found | undefined => {
  const path = data["notebook_path"] ?? data["filePath"]
  return typeof path === "string" ? { path: normalise(path), isWhole: true, update: () => undefined } : undefined
}

const UPDATES: ReadonlyMap<string, (data: Data) => Found | undefined> = new Map([
  ["Read", readDeed],
  ["Write", writeDeed],
  ["Edit", editDeed],
  ["NotebookEdit", forgetDeed]
])

const seeded =
  (update: CacheUpdate): CacheUpdate =>
  (known) => {
    const entry = update(known)
    return entry && { ...entry, source: "seeded" }
  }

/** What a prompt named with `@` was shown with it. */
const mentionDeed = ({ attachment }: AttachmentMessage): Found | undefined => {
  const found = attachment.type === "file" ? readDeed(dataOf(attachment["content"])) : undefined
  return found && { ...found, update: seeded(found.update) }
}

const callDeed = (message: UserMessage, calls: ReadonlyMap<string, ToolUseBlock>): Found | undefined => {
  if (message.toolUseResult === undefined) return undefined
  const result = blocksOf(message.message.content).find(isToolResult)
  const call = result === undefined || result.is_error === true ? undefined : calls.get(result.tool_use_id)
  return call === undefined ? undefined : UPDATES.get(call.name)?.(dataOf(message.toolUseResult))
}

/** What was done with each file, least recently touched file first. */
const updatesIn = (messages: ReadonlyArray<Message>): ReadonlyMap<string, ReadonlyArray<CacheUpdate>> => {
  const calls = new Map<string, ToolUseBlock>()
  const updates = new Map<string, Array<CacheUpdate>>()
  for (const message of messages) {
    if (message.type === "assistant") {
      for (const block of message.message.content) if (isToolUse(block)) calls.set(block.id, block)
    }
    const isUser = message.type === "user"
    const found = isUser ? callDeed(message, calls) : message.type === "attachment" ? mentionDeed(message) : undefined
    if (found === undefined) continue
    const known = found.isWhole ? [] : (updates.get(found.path) ?? [])
    updates.delete(found.path)
    updates.set(found.path, [...known, found.update])
  }
  return updates
}

export const recallFiles = (messages: ReadonlyArray<Message>): FileCache => {
  const newest = [...updatesIn(messages).values()].slice(-LIMITS.fileCacheEntries)
  return newest.reduce((cache, updates) => {
    const entry = updates.reduce<FileEntry | undefined>((known, update) => update(known), undefined)
    return entry === undefined ? cache : recordEntry(cache, entry)
  }, emptyCache)
}
