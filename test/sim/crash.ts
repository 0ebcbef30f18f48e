import type { Restored } from "../../src/core/loop/turn/start-turn.ts"
import type { JsonObject } from "../../src/core/domain/json/json-object.ts"
import type { Message } from "../../src/core/domain/message.ts"
import { emptyLedger, addLine, type TranscriptIndex } from "../../src/core/session/load/transcript-index.ts"
import { pairCalls } from "../../src/core/session/load/pairing.ts"
import { messagesOf, restore } from "../../src/core/session/load/restore.ts"
import { selectConversation, type View } from "../../src/core/session/load/conversation-lines.ts"
import type { DiskLine } from "./world.ts"

/** A crash keeps the lines written so far, except perhaps a torn last one; the session is read back from them. */
export const resumeFrom = (disk: ReadonlyArray<DiskLine>): Restored => {
  const { ledger, view } = readDisk(disk)
  const loaded = restore(ledger, view, { lines: disk.length, invalid: 0, tornTail: false, oversized: 0 })
  return {
    messages: loaded.messages,
    replacements: new Map(),
    totals: { models: {}, costUsd: 0, apiMs: 0 },
    tip: loaded.chain.tip,
    queue: []
  }
}

/** The conversation that ended at a line. */
export const windowAt = (disk: ReadonlyArray<DiskLine>, at: string): ReadonlyArray<Message> =>
  pairCalls(messagesOf(readDisk(disk, at).view.lines).messages)

const rawOf = (line: DiskLine): JsonObject => {
  const envelope = { parentUuid: line.parentUuid, sessionId: "s", cwd: "/project", isSidechain: false }
  return JSON.parse(JSON.stringify({ ...line.message, ...envelope })) as JsonObject
}

/** A transcript as it is loaded: what a boundary let go is read again. */
const readDisk = (disk: ReadonlyArray<DiskLine>, at?: string): { ledger: TranscriptIndex; view: View } => {
  const ledger = emptyLedger()
  const raws = disk.map(rawOf)
  raws.forEach((raw, index) => addLine(ledger, raw, { offset: index, length: 1 }))
  const view = selectConversation(ledger, { at })
  for (const entry of view.lines) entry.raw ??= raws[entry.position] ?? null
  return { ledger, view }
}

const isPrompt = (message: Message): boolean =>
  message.type === "user" &&
  message.isMeta !== true &&
  message.toolUseResult === undefined &&
  message.uuid.includes("prompt")

const isResult = (message: Message): boolean => message.type === "user" && message.sourceToolAssistantUUID !== undefined

const isCopy = ({ message }: DiskLine): boolean => "copyOf" in message

/** A line of a window that was not written to its end counts for nothing. */
const isUnfinished = (disk: ReadonlyArray<DiskLine>, index: number): boolean => {
  const line = disk[index]
  if (line === undefined || !isCopy(line)) return false
  const next = disk.slice(index).find((each) => !isCopy(each))
  return next?.endsWindow !== true
}

/** Prompts and results that were on disk and belong to the part the model still sees must come back. */
export const lostAfterResume = (whole: ReadonlyArray<DiskLine>, restored: Restored): ReadonlyArray<string> => {
  const disk = whole.filter((_, index) => !isUnfinished(whole, index))
  const boundary = disk.findLastIndex(
    ({ message, endsWindow }) => endsWindow === true || (message.type === "system" && message.subtype === "compact_boundary")
  )
  const known = new Set(restored.messages.map((message) => message.uuid))
  return disk
    .slice(boundary + 1)
    .filter((line) => line.isWithdrawn !== true && (isPrompt(line.message) || isResult(line.message)))
    .map((line) => line.message.uuid)
    .filter((uuid) => !known.has(uuid))
}
