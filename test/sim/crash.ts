import type { Restored } from "../../src/core/loop/turn/start-turn.ts"
import type { Message } from "../../src/core/domain/message.ts"
import { emptyLedger, addLine } from "../../src/core/session/load/transcript-index.ts"
import { restore } from "../../src/core/session/load/restore.ts"
import { selectConversation } from "../../src/core/session/load/conversation-lines.ts"
import type { DiskLine } from "./world.ts"

/** A crash keeps the lines written so far, except perhaps a torn last one; the session is read back from them. */
export const resumeFrom = (disk: ReadonlyArray<DiskLine>): Restored => {
  const ledger = emptyLedger()
  disk.forEach((line, index) => {
    const raw: unknown = JSON.parse(
      JSON.stringify({ ...line.message, parentUuid: line.parentUuid, sessionId: "s", cwd: "/project", isSidechain: false })
    )
    addLine(ledger, raw, { offset: index, length: 1 })
  })
  const loaded = restore(ledger, selectConversation(ledger), {
    lines: disk.length,
    invalid: 0,
    tornTail: false,
    oversized: 0
  })
  return {
    messages: loaded.messages,
    replacements: new Map(),
    totals: { models: {}, costUsd: 0, apiMs: 0 },
    tip: loaded.chain.tip,
    queue: []
  }
}

const isPrompt = (message: Message): boolean =>
  message.type === "user" &&
  message.isMeta !== true &&
  message.toolUseResult === undefined &&
  message.uuid.includes("prompt")

const isResult = (message: Message): boolean => message.type === "user" && message.sourceToolAssistantUUID !== undefined

/** Prompts and results that were on disk and belong to the part the model still sees must come back. */
export const lostAfterResume = (disk: ReadonlyArray<DiskLine>, restored: Restored): ReadonlyArray<string> => {
  const boundary = disk.findLastIndex(
    (line) => line.message.type === "system" && line.message.subtype === "compact_boundary"
  )
  const known = new Set(restored.messages.map((message) => message.uuid))
  return disk
    .slice(boundary + 1)
    .filter((line) => isPrompt(line.message) || isResult(line.message))
    .map((line) => line.message.uuid)
    .filter((uuid) => !known.has(uuid))
}
