import { isToolResult, isToolUse } from "../../domain/block.ts"
import type { CallId } from "../../domain/id.ts"
import { rawOf } from "../../domain/json/json-object.ts"
import { blocksOf, type Message } from "../../domain/message.ts"

/** Which files come back after a summary took away what was read of them. */

export const RESTORED_FILES = 5
export const RESTORED_TOKENS_PER_FILE = 5_000

/** No more are looked at. */
const MOST_CANDIDATES = 100

const PATH_FIELDS: Readonly<Record<string, string>> = {
  Read: "file_path",
  Edit: "file_path",
  Write: "file_path",
  NotebookEdit: "notebook_path"
}

const pathOf = (tool: string, input: unknown): string | undefined => {
  const field = Object.hasOwn(PATH_FIELDS, tool) ? PATH_FIELDS[tool] : undefined
  const path = field === undefined ? undefined : rawOf(input)?.[field]
  return typeof path === "string" && path !== "" ? path : undefined
}

/** A file that was put into the conversation. */
const attachedPath = (message: Message): string | undefined => {
  if (message.type !== "attachment" || message.attachment.type !== "file") return undefined
  const path = message.attachment["filename"]
  return typeof path === "string" ? path : undefined
}

/** Files whose text these messages hold, in the order in which they came last. */
const filesIn = (messages: ReadonlyArray<Message>): ReadonlySet<string> => {
  const asked = new Map<CallId, string>()
  const found = new Set<string>()
  const note = (path: string | undefined): void => {
    if (path === undefined) return
    found.delete(path)
    found.add(path)
  }
  for (const message of messages) {
    note(attachedPath(message))
    if (message.type === "assistant") {
      for (const block of message.message.content) {
        const path = isToolUse(block) ? pathOf(block.name, block.input) : undefined
        if (isToolUse(block) && path !== undefined) asked.set(block.id, path)
      }
    }
    if (message.type !== "user") continue
    for (const block of blocksOf(message.message.content)) {
      if (isToolResult(block) && block.is_error !== true) note(asked.get(block.tool_use_id))
    }
  }
  return found
}

/** Files that a reduction takes away: not those that what stays still holds, and not those that are said anyway. */
export const lostFiles = (
  older: ReadonlyArray<Message>,
  kept: ReadonlyArray<Message>,
  isSaidAnyway: (path: string) => boolean
): ReadonlyArray<string> => {
  const staying = filesIn(kept)
  return [...filesIn(older)].filter((path) => !staying.has(path) && !isSaidAnyway(path)).slice(-MOST_CANDIDATES)
}

export interface DatedFile {
  readonly path: string
  readonly mtimeMs: number
}

/** The files that changed last: what was worked on is worth more than what was looked up. */
export const newestFirst = (files: ReadonlyArray<DatedFile>): ReadonlyArray<DatedFile> =>
  files.toSorted((left, right) => right.mtimeMs - left.mtimeMs)
