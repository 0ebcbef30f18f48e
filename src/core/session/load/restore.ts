import type { Uuid } from "../../domain/id.ts"
import { SYNTHETIC_MODEL, type AssistantMessage, type Message } from "../../domain/message.ts"
import { continuedChain, type ChainState } from "../transcript/chain.ts"
import { clean } from "./clean.ts"
import type { Interruption } from "./interruption.ts"
import { type Entry, type TranscriptIndex, readMessage, type Spending, type Where } from "./transcript-index.ts"
import type { CostState, MetaRecord, Replacement } from "../transcript/meta-record.ts"
import { noticesOf, type Notice, type ScanReport } from "./notice.ts"
import { queueOf } from "./queue.ts"
import { withRecords, type SessionRecords } from "../transcript/standing.ts"
import { displayTitle, openingTitle, titlesOf } from "../title.ts"
import type { View } from "./conversation-lines.ts"

/** What a session brings back when it is continued: a fold over the lines of its conversation and its records. */
export interface Restored {
  /** Fit to be continued, as the loop keeps them. */
  readonly messages: ReadonlyArray<Message>
  readonly interruption: Interruption
  readonly endedInError: boolean
  /** State for appending to the same file. */
  readonly chain: ChainState
  readonly standing: SessionRecords
  readonly title: string | null
  readonly lastPrompt: string | null
  /** Model of the last real answer. */
  readonly model: string | null
  /** For display only: a transcript is data and never decides what is allowed. */
  readonly recordedPermissionMode: string | null
  readonly costState: CostState | null
  /** Usage of responses after the last cost record, once per response. */
  readonly spending: ReadonlyArray<Spending>
  readonly contentReplacements: ReadonlyArray<Replacement>
  /** Messages that stay word for word, with their text. */
  readonly pins: ReadonlyArray<{ readonly uuid: Uuid; readonly text: string }>
  /** Prompts that were queued and not sent. */
  readonly queue: ReadonlyArray<unknown>
  /** Checkpoints, labels and the other records with a meaning of their own, in file order. */
  readonly records: ReadonlyArray<MetaRecord>
  /** Directory and branch of the conversation's last line. */
  readonly cwd: string | null
  readonly gitBranch: string | null
  readonly notices: ReadonlyArray<Notice>
}

/** Whether every response's fragments are neighbours already, as they nearly always are. */
const areGrouped = (messages: ReadonlyArray<Message>): boolean => {
  const ended = new Set<string>()
  let open: string | null = null
  for (const message of messages) {
    const id = message.type === "assistant" ? message.message.id : null
    if (id === open) continue
    if (open !== null) ended.add(open)
    if (id !== null && ended.has(id)) return false
    open = id
  }
  return true
}

/** Fragments of one response stand together; what was written between them (early results) follows. */
export const groupFragments = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  if (areGrouped(messages)) return messages
  const fragments = new Map<string, Array<AssistantMessage>>()
  for (const message of messages) {
    if (message.type !== "assistant") continue
    const known = fragments.get(message.message.id)
    if (known === undefined) fragments.set(message.message.id, [message])
    else known.push(message)
  }
  return messages.flatMap((message): ReadonlyArray<Message> => {
    if (message.type !== "assistant") return [message]
    const all = fragments.get(message.message.id) ?? []
    return all[0] === message ? all : []
  })
}

/** Messages of lines in order; lines that hold nothing readable are counted. */
export const messagesOf = (
  lines: ReadonlyArray<Entry>
): { readonly messages: ReadonlyArray<Message>; readonly unreadable: number } => {
  const decoded = lines.map(readMessage)
  const messages = decoded.filter((message) => message !== null)
  return { messages: groupFragments(messages), unreadable: decoded.length - messages.length }
}

const lastOf = (lines: ReadonlyArray<Entry>, field: keyof Where): string | null =>
  lines.findLast(({ where }) => where[field] !== null)?.where[field] ?? null

const lastModel = (messages: ReadonlyArray<Message>): string | null => {
  const answer = messages.findLast((message) => message.type === "assistant" && message.message.model !== SYNTHETIC_MODEL)
  return answer?.type === "assistant" ? answer.message.model : null
}

const lastMode = (records: ReadonlyArray<MetaRecord>, messages: ReadonlyArray<Message>): string | null => {
  const record = records.findLast((item) => item.type === "permission-mode")
  if (record?.type === "permission-mode") return record.permissionMode
  const prompt = messages.findLast((message) => message.type === "user" && message.permissionMode !== undefined)
  return prompt?.type === "user" ? (prompt.permissionMode ?? null) : null
}

const titleOf = (ledger: TranscriptIndex, view: View): string | null => {
  const isOnChain = (uuid: Uuid): boolean =>
    [view.lines, view.earlier].some((lines) => lines.some((entry) => entry.links.uuid === uuid))
  const titles = titlesOf(ledger.records, isOnChain)
  return displayTitle(titles, openingTitle(ledger.opening))
}

const lastPromptOf = (records: ReadonlyArray<MetaRecord>): string | null => {
  const record = records.findLast((item) => item.type === "last-prompt")
  return record?.type === "last-prompt" ? (record.lastPrompt ?? null) : null
}

export const replacementsOf = (records: ReadonlyArray<MetaRecord>): ReadonlyArray<Replacement> =>
  records.flatMap((record) =>
    record.type === "content-replacement" && record.agentId === undefined ? record.replacements : []
  )

/** What is pinned in the end. Another tool may note a pin without its text; then there is nothing to keep. */
const pinsOf = (records: ReadonlyArray<MetaRecord>): ReadonlyArray<{ readonly uuid: Uuid; readonly text: string }> => {
  const pins = new Map<Uuid, string>()
  for (const record of records) {
    if (record.type !== "nacre-pin") continue
    if (record.pinned && record.text !== undefined) pins.set(record.target, record.text)
    else pins.delete(record.target)
  }
  return [...pins].map(([uuid, text]) => ({ uuid, text }))
}

export const restore = (ledger: TranscriptIndex, view: View, scan: ScanReport): Restored => {
  const { messages: loaded, unreadable } = messagesOf(view.lines)
  const { messages, interruption, endedInError } = clean(loaded)
  // Names from the messages where there are some: then nothing of the ledger stays in memory.
  const order = ledger.order.map((entry) => entry.message?.uuid ?? entry.links.uuid)
  return {
    messages,
    interruption,
    endedInError,
    chain: continuedChain(order, view.tip),
    standing: withRecords(new Map(), ledger.records),
    title: titleOf(ledger, view),
    lastPrompt: lastPromptOf(ledger.records),
    model: lastModel(messages),
    recordedPermissionMode: lastMode(ledger.records, loaded),
    costState: ledger.costState,
    spending: [...ledger.spending.values()],
    contentReplacements: replacementsOf(ledger.records),
    pins: pinsOf(ledger.records),
    queue: queueOf(ledger.records),
    records: ledger.records,
    cwd: lastOf(view.lines, "cwd"),
    gitBranch: lastOf(view.lines, "gitBranch"),
    notices: noticesOf({ scan, view, unreadable })
  }
}
