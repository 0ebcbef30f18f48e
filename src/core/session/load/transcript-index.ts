import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import { observeUsage, zeroUsage, type Usage } from "../../domain/usage.ts"
import type { Preserved } from "../transcript/boundary.ts"
import { type LineSize, lineSize } from "../transcript/line-size.ts"
import { messageOf } from "../transcript/message-line.ts"
import type { CostState, MetaRecord } from "../transcript/meta-record.ts"
import { rawOf, type JsonObject } from "../../domain/json/json-object.ts"
import { readLine, type Links } from "../transcript/record.ts"
import { responseFor, type Responses } from "./responses.ts"
import { noOpening, openingWith, type Opening } from "../title.ts"

/**
 * Everything a transcript says, gathered line by line. The ledger is filled in place by the one reader that owns it
 * and is not changed afterwards, except that released lines may be read again (`refill`).
 */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** A line, where it stands and how large it is. There may be very many, so these are not objects of their own. */
export interface Entry extends Span, LineSize {
  readonly links: Links
  /** Order among the lines of the file. */
  readonly position: number
  /** The line above, when it stands earlier in the file. */
  readonly parent: Entry | null
  /** Name of the response that the line belongs to: its fragments, their results and the notes below those. */
  readonly response: string | null
  readonly where: Where
  /** Some line continues or summarises this one. */
  isContinued: boolean
  /** The line itself; null once a later boundary made it unlikely to be needed. */
  raw: JsonObject | null
  /** What a released line said when it was read again. The line itself is not kept a second time. */
  message: Message | null
}

/** Directory and branch that a line was written in. */
export interface Where {
  readonly cwd: string | null
  readonly gitBranch: string | null
}

/** What a response cost, after all that its lines reported so far. */
export interface Spending {
  readonly model: string
  readonly usage: Usage
}

export interface TranscriptIndex {
  /** An agent's own file consists of sidechain lines; in a main file they are somebody else's. */
  readonly sidechain: boolean
  readonly entries: Map<Uuid, Entry>
  readonly order: Array<Entry>
  /** Lines outside the chain that messages were linked through. */
  readonly bridges: Map<Uuid, { readonly parentUuid: Uuid | null; readonly type: string }>
  readonly responses: Responses
  /** Responses after which the conversation went on, by name. */
  readonly settled: Set<string>
  readonly records: Array<MetaRecord>
  leaf: { readonly uuid: Uuid; readonly position: number } | null
  lastChainPosition: number
  lines: number
  unknown: number
  opening: Opening
  costState: CostState | null
  /** Responses that the last cost record cannot have counted, by name. */
  readonly spending: Map<string, Spending>
  readonly counted: Set<string>
  /** Entries since the last boundary whose line is in memory, and how long all lines since then are. */
  held: Array<Entry>
  heldBytes: number
}

export const emptyLedger = (sidechain = false): TranscriptIndex => ({
  sidechain,
  entries: new Map(),
  order: [],
  bridges: new Map(),
  responses: new Map(),
  settled: new Set(),
  records: [],
  leaf: null,
  lastChainPosition: -1,
  lines: 0,
  unknown: 0,
  opening: noOpening,
  costState: null,
  spending: new Map(),
  counted: new Set(),
  held: [],
  heldBytes: 0
})

/** Uuids that must stay in memory behind a boundary: the listed ones, or those between tail and head. */
const keptBehind = (ledger: TranscriptIndex, { segment, uuids }: Preserved): ReadonlySet<Uuid> => {
  const kept = new Set<Uuid>(uuids ?? [])
  let next: Uuid | null = segment?.tailUuid ?? null
  while (next !== null && !kept.has(next)) {
    kept.add(next)
    next = next === segment?.headUuid ? null : (ledger.entries.get(next)?.links.parentUuid ?? null)
  }
  return kept
}

/** Older lines are rarely needed once they are summarised; their spans remain, so nothing is out of reach. */
const release = (ledger: TranscriptIndex, boundary: Preserved): void => {
  const kept = keptBehind(ledger, boundary)
  ledger.held = ledger.held.filter((entry) => {
    const { uuid, source } = entry.links
    if (kept.has(uuid) || (source !== null && kept.has(source))) return true
    entry.raw = null
    return false
  })
  ledger.heldBytes = ledger.held.reduce((sum, entry) => sum + entry.length, 0)
}

/**
 * Nearly all sessions are shorter than this and need no second look. Of a longer one no line is kept on the way, up to
 * the next boundary: reading the conversation again costs less than carrying lines along, which grow old among what
 * stays and leave holes in memory when they go.
 */
const HELD_BYTES = 4 * 1024 * 1024

const hold = (ledger: TranscriptIndex, entry: Entry): void => {
  ledger.heldBytes += entry.length
  if (ledger.heldBytes <= HELD_BYTES) {
    ledger.held.push(entry)
    return
  }
  entry.raw = null
  for (const earlier of ledger.held) earlier.raw = null
  ledger.held = []
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const noteSpending = (ledger: TranscriptIndex, raw: JsonObject, { links, response }: Entry): void => {
  if (links.messageId === null || response === null || ledger.counted.has(response)) return
  const message = rawOf(raw["message"])
  const known = ledger.spending.get(response)
  const model = known?.model ?? textOrNull(message?.["model"]) ?? "unknown"
  ledger.spending.set(response, { model, usage: observeUsage(known?.usage ?? zeroUsage, message?.["usage"]) })
}

const outputOf = (raw: JsonObject | null): number =>
  observeUsage(zeroUsage, rawOf(raw?.["message"])?.["usage"]).output_tokens

/** A line written twice is one line; a later copy may know the final usage. */
const mergeUsage = (first: Entry, later: JsonObject): void => {
  if (first.links.type !== "assistant" || first.raw === null || outputOf(later) <= outputOf(first.raw)) return
  const { usage, stop_reason, stop_sequence } = rawOf(later["message"]) ?? {}
  first.raw = { ...first.raw, message: { ...rawOf(first.raw["message"]), usage, stop_reason, stop_sequence } }
}

/** Prompts belong to no response; results to that of their call; notes to that of the line they hang below. */
const responseOf = (
  ledger: TranscriptIndex,
  line: { links: Links; raw: JsonObject },
  parent: Entry | null
): string | null => {
  const { links } = line
  if (links.messageId !== null) {
    // Copies have lost nothing: the first of them begins anew, whatever was written before it.
    const before = links.isCopy ? null : (ledger.order.at(-1) ?? null)
    return responseFor(ledger.responses, line, { parent, before })
  }
  if (links.source !== null) return ledger.entries.get(links.source)?.response ?? null
  return links.type === "user" ? null : (parent?.response ?? null)
}

/** Lines stand where the line before them does, nearly always; then they share it. */
const whereOf = (ledger: TranscriptIndex, raw: JsonObject): Where => {
  const known = ledger.order.at(-1)?.where
  const cwd = textOrNull(raw["cwd"])
  const gitBranch = textOrNull(raw["gitBranch"])
  return known?.cwd === cwd && known.gitBranch === gitBranch ? known : { cwd, gitBranch }
}

interface Bare {
  readonly position: number
  readonly span: Span
  readonly raw: JsonObject
}

/** A line in its place below an earlier one; a boundary stands below what it summarises. */
const linked = (ledger: TranscriptIndex, links: Links, { position, span, raw }: Bare): Entry => {
  const above = links.boundary === null ? links.parentUuid : links.logicalParentUuid
  const continues = above === null ? null : (ledger.entries.get(above) ?? null)
  const parent = links.boundary === null ? continues : null
  const response = responseOf(ledger, { links, raw }, parent)
  if (continues !== null) {
    continues.isContinued = true
    if (continues.response !== null && continues.response !== response) ledger.settled.add(continues.response)
  }
  const { textChars, mediaChars } = lineSize(raw)
  return {
    links,
    position,
    offset: span.offset,
    length: span.length,
    textChars,
    mediaChars,
    where: whereOf(ledger, raw),
    raw,
    parent,
    response,
    isContinued: false,
    message: null
  }
}

/** The beginning names the session and may be summarised away later, so it is noted as it passes. */
const noteOpening = (ledger: TranscriptIndex, { links, raw }: Entry): void => {
  if (ledger.opening.prompt !== null || links.type !== "user" || raw === null) return
  const message = messageOf(raw)
  if (message?.type === "user") ledger.opening = openingWith(ledger.opening, message)
}

const enterChainLine = (ledger: TranscriptIndex, entry: Entry): void => {
  const { links } = entry
  ledger.entries.set(links.uuid, entry)
  if (links.isSidechain !== ledger.sidechain) {
    entry.raw = null
    return
  }
  ledger.order.push(entry)
  ledger.lastChainPosition = entry.position
  noteOpening(ledger, entry)
  if (links.boundary !== null) release(ledger, links.boundary)
  hold(ledger, entry)
}

const enterRecord = (ledger: TranscriptIndex, record: MetaRecord, position: number): void => {
  ledger.records.push(record)
  if (record.type === "last-prompt" && typeof record.leafUuid === "string") {
    ledger.leaf = { uuid: record.leafUuid, position }
  }
  if (record.type === "cost-state") {
    ledger.costState = record
    for (const id of ledger.spending.keys()) ledger.counted.add(id)
    ledger.spending.clear()
  }
}

/** Lines name each other and their session over and over; one copy of each name is enough. */
const sharedText = (ledger: TranscriptIndex, text: string): string => {
  const { sessionId, messageId } = ledger.order.at(-1)?.links ?? {}
  if (text === sessionId) return sessionId
  if (text === messageId) return messageId
  return ledger.entries.get(text)?.links.uuid ?? text
}

/** The message of a line, under the name of its response: an id that came twice must not join two of them. */
const messageAt = ({ response }: Entry, raw: JsonObject): Message | null => {
  const message = messageOf(raw)
  if (message?.type !== "assistant" || response === null || message.message.id === response) return message
  return { ...message, message: { ...message.message, id: response } }
}

/** What the line of an entry says, if it is in memory or was read again. */
export const readMessage = (entry: Entry): Message | null => {
  if (entry.raw !== null) entry.message ??= messageAt(entry, entry.raw)
  return entry.message
}

/** Takes in one parsed line; false when the value is not a line at all. */
export const addLine = (ledger: TranscriptIndex, value: unknown, span: Span): boolean => {
  const line = readLine(value, (text) => sharedText(ledger, text))
  if (line === null) return false
  const position = ledger.lines++
  switch (line._tag) {
    case "Chain": {
      const { links, raw } = line
      const first = ledger.entries.get(links.uuid)
      const entry = first ?? linked(ledger, links, { position, span, raw })
      noteSpending(ledger, raw, entry)
      if (first === undefined) enterChainLine(ledger, entry)
      else mergeUsage(first, raw)
      break
    }
    case "Meta":
      enterRecord(ledger, line.record, position)
      break
    case "Bridge":
      ledger.bridges.set(line.uuid, line)
      break
    case "Unknown":
      ledger.unknown++
  }
  return true
}

/**
 * What a line said that had been released. A value of another line (the file changed meanwhile) is not taken. Only the
 * message stays: of a long session, all lines and all messages at once would be twice as much as it needs.
 */
export const reloadMessage = (entry: Entry, value: unknown): boolean => {
  const line = readLine(value)
  if (line?._tag !== "Chain" || line.links.uuid !== entry.links.uuid) return false
  entry.message = messageAt(entry, line.raw)
  return true
}
