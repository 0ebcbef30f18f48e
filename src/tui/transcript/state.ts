/** A session as the screen holds it: its entries, and what is still open about them. Every change makes a new value. */
import type { PartialJson } from "../../core/model/stream/partial-json.ts"
import type { Block, BlockKind, CallState, Entry, ToolBlock } from "./block.ts"
import type { FileChange } from "./changes.ts"
import * as Vector from "./vector.ts"

/** Blocks of one response share its id; an entry is named after it and its place in it. */
export interface ResponseCount {
  readonly messageId: string
  readonly blocks: number
}

/** The entry of the block that is arriving, as long as its record has not come. */
export interface ArrivingEntry {
  readonly messageId: string
  /** Of the block in its response. */
  readonly index: number
  readonly kind: "text" | "thinking" | "tool"
  readonly entryId: string
  /** Characters of the block that are on screen. */
  readonly shown: number
  /** What was read of a call's input. */
  readonly reader: PartialJson | undefined
}

export interface Retrying {
  /** Of the notice about it. */
  readonly place: number
  readonly until: number
  readonly attempt: number
  readonly maxRetries: number
}

/** What panes show of a part that was released. */
export interface Gathered {
  readonly changes: ReadonlyArray<MadeChange>
  /** The last call that changed the list of things to do. */
  readonly list: ToolBlock | undefined
}

/** A change of a file, and the entry of the call that made it. */
export interface MadeChange {
  readonly entryId: string
  readonly change: FileChange
}

export interface Transcript {
  readonly entries: Vector.Vector<Entry>
  /** Places of calls without a result. */
  readonly openCalls: ReadonlyMap<string, number>
  readonly arriving: ArrivingEntry | undefined
  /** Latest responses: blocks of parallel calls arrive with results in between. */
  readonly counts: ReadonlyArray<ResponseCount>
  readonly author: { readonly model: string | undefined; readonly minute: number | undefined }
  /** Kind of the last block that is shown. */
  readonly lastKind: BlockKind | undefined
  /** The series of retries that goes on. */
  readonly retry: Retrying | undefined
  /** Where the current turn began. */
  readonly turnStart: number
  /** The prompt of the current turn went back to where it was typed: its end says nothing. */
  readonly isTakenBack: boolean
  readonly costUsd: number
  readonly gathered: Gathered
  /** Names notices, which no record names. */
  readonly serial: number
}

export const emptyTranscript: Transcript = {
  entries: Vector.empty(),
  openCalls: new Map(),
  arriving: undefined,
  counts: [],
  author: { model: undefined, minute: undefined },
  lastKind: undefined,
  retry: undefined,
  turnStart: 0,
  isTakenBack: false,
  costUsd: 0,
  gathered: { changes: [], list: undefined },
  serial: 0
}

/** Rows of the same sort of thing stand together; everything else is set off by a blank row. */
const hasGap = (previous: BlockKind | undefined, kind: BlockKind): boolean => {
  if (previous === undefined) return false
  if (kind === "tool" || kind === "notice" || kind === "attachment") return previous !== kind
  return kind !== "turn" || previous !== "turn"
}

const isShown = (block: Block): boolean => block.meta !== true

const withGaps = (previous: BlockKind | undefined, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  let kind = previous
  return blocks.map((block, index) => {
    if (!isShown(block)) return block
    const gap = index === 0 ? hasGap(kind, block.kind) : block.kind !== "attachment"
    kind = block.kind
    return gap ? { ...block, gap: true as const } : block
  })
}

const openCallOf = (entry: Entry): ToolBlock | undefined => {
  const block = entry.blocks[0]
  return block?.kind === "tool" && !isSettled(block.state) ? block : undefined
}

export const isSettled = (state: CallState): boolean =>
  state === "ok" || state === "failed" || state === "cancelled" || state === "denied"

export const append = (transcript: Transcript, entry: Entry): Transcript => {
  const blocks = withGaps(transcript.lastKind, entry.blocks)
  const call = openCallOf(entry)
  const place = transcript.entries.length
  return {
    ...transcript,
    entries: Vector.push(transcript.entries, { ...entry, blocks }),
    openCalls: call === undefined ? transcript.openCalls : new Map(transcript.openCalls).set(call.callId, place),
    lastKind: blocks.findLast(isShown)?.kind ?? transcript.lastKind
  }
}

/** The first entry is no longer the first: it is set off from what stands before it now. */
const setOff = (entries: Vector.Vector<Entry>, previous: BlockKind | undefined): Vector.Vector<Entry> => {
  const first = Vector.get(entries, 0)
  return first === undefined ? entries : Vector.set(entries, 0, { ...first, blocks: withGaps(previous, first.blocks) })
}

/** Everything that names a place, with the places so many further down. */
const moved = ({ openCalls, retry, turnStart }: Transcript, by: number) => ({
  openCalls: new Map([...openCalls].map(([id, place]) => [id, place + by])),
  retry: retry === undefined ? undefined : { ...retry, place: retry.place + by },
  turnStart: turnStart + by
})

/** What was gathered of a part that is here again need not be kept. */
const gatheredWithout = ({ gathered }: Transcript, entries: Vector.Vector<Entry>): Gathered => {
  if (gathered.changes.length === 0) return gathered
  const ids = new Set(Vector.toArray(entries).map(({ id }) => id))
  return { ...gathered, changes: gathered.changes.filter(({ entryId }) => !ids.has(entryId)) }
}

/** The session with a part of it that was read later and comes before. */
export const withEarlier = (transcript: Transcript, earlier: Transcript): Transcript => {
  const by = earlier.entries.length
  if (by === 0) return transcript
  return {
    ...transcript,
    ...moved(transcript, by),
    gathered: gatheredWithout(transcript, earlier.entries),
    entries: Vector.concat(earlier.entries, setOff(transcript.entries, earlier.lastKind)),
    lastKind: transcript.lastKind ?? earlier.lastKind
  }
}

/** The session without its first entries, which nothing that is still open may be among. */
export const withoutEarlier = (transcript: Transcript, count: number, gathered: Gathered): Transcript => ({
  ...transcript,
  ...moved(transcript, -count),
  gathered,
  entries: Vector.drop(transcript.entries, count)
})

export const replace = (transcript: Transcript, place: number, entry: Entry): Transcript => ({
  ...transcript,
  entries: Vector.set(transcript.entries, place, entry)
})

/** Without these entries. They are always among the last ones: an attempt that was given up, a partial answer. */
export const remove = (transcript: Transcript, places: ReadonlySet<number>): Transcript => {
  if (places.size === 0) return transcript
  const first = Math.min(...places)
  const entries = Vector.without(transcript.entries, places)
  const openCalls = new Map([...transcript.openCalls].filter(([, place]) => place < first))
  for (let place = first; place < entries.length; place++) {
    const entry = Vector.get(entries, place)
    const call = entry === undefined ? undefined : openCallOf(entry)
    if (call !== undefined) openCalls.set(call.callId, place)
  }
  const shown = Vector.findLastIndex(entries, (entry) => entry.blocks.some(isShown))
  const lastKind = Vector.get(entries, shown)?.blocks.findLast(isShown)?.kind
  const retry = transcript.retry !== undefined && transcript.retry.place >= first ? undefined : transcript.retry
  return { ...transcript, entries, openCalls, lastKind, retry }
}

const REMEMBERED_RESPONSES = 16

/** A name for the next block of a response. */
export const nextBlockId = (transcript: Transcript, messageId: string): readonly [string, Transcript] => {
  const { counts } = transcript
  const place = counts.findIndex((count) => count.messageId === messageId)
  const blocks = counts[place]?.blocks ?? 0
  const count: ResponseCount = { messageId, blocks: blocks + 1 }
  const next = place < 0 ? [count, ...counts.slice(0, REMEMBERED_RESPONSES - 1)] : counts.with(place, count)
  return [`${messageId}:${blocks}`, { ...transcript, counts: next }]
}

/** How far back a late change may reach; a file full of stray results must not cost a walk through all of it each. */
const REACH = 1_000

/** The last place where this holds: changes are about the recent end. */
export const placeOf = (transcript: Transcript, holds: (entry: Entry) => boolean): number => {
  const { entries } = transcript
  for (let place = entries.length - 1; place >= Math.max(0, entries.length - REACH); place--) {
    const entry = Vector.get(entries, place)
    if (entry !== undefined && holds(entry)) return place
  }
  return -1
}

export const placeOfCall = (transcript: Transcript, callId: string): number =>
  transcript.openCalls.get(callId) ?? placeOf(transcript, (entry) => entry.id === callId)
