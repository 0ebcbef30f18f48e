import type { Uuid } from "../../domain/id.ts"
import type { Preserved } from "../transcript/boundary.ts"
import type { Entry, TranscriptIndex } from "./transcript-index.ts"
import type { Links } from "../transcript/record.ts"
import { recoverSiblings } from "./parallel-calls.ts"
import { splitAtReach } from "./loadable-range.ts"

/**
 * Which lines of a transcript are the conversation: the tip, the walk to its root or last boundary, what the boundary
 * keeps, and the parallel calls that a walk along parents cannot see.
 */
export interface View {
  /** The conversation as the model knows it, oldest first; begins at the last boundary if there is one. */
  readonly lines: ReadonlyArray<Entry>
  /** What was said before that boundary, oldest first. */
  readonly earlier: ReadonlyArray<Entry>
  readonly tip: Uuid | null
  /** Lines whose parent is missing and that were linked to their neighbour. */
  readonly repaired: number
  /** Lines of a kind we do not know that the chain leads through. */
  readonly bridged: number
  /** Lines that lie further back than any request can hold. */
  readonly beyond: number
}

interface Walker {
  readonly ledger: TranscriptIndex
  readonly repaired: Set<Uuid>
  readonly bridged: Set<Uuid>
}

/** The nearest earlier line of the same session, for a line whose parent is nowhere in the file. */
const neighbour = ({ ledger }: Walker, entry: Entry): Entry | null => {
  const { order } = ledger
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((order[middle]?.position ?? Infinity) < entry.position) low = middle + 1
    else high = middle
  }
  for (let index = low - 1; index >= 0; index--) {
    const earlier = order[index]
    if (earlier?.links.sessionId === entry.links.sessionId) return earlier
  }
  return null
}

const resolve = (walker: Walker, entry: Entry, uuid: Uuid): Entry | null => {
  const seen = new Set<Uuid>()
  let next: Uuid | null = uuid
  while (next !== null && !seen.has(next)) {
    const found = walker.ledger.entries.get(next)
    if (found !== undefined) return found
    const bridge = walker.ledger.bridges.get(next)
    if (bridge === undefined) {
      const linked = neighbour(walker, entry)
      if (linked !== null) walker.repaired.add(entry.links.uuid)
      return linked
    }
    if (bridge.type !== "progress") walker.bridged.add(next)
    seen.add(next)
    next = bridge.parentUuid
  }
  return null
}

const parentOf = (walker: Walker, entry: Entry): Entry | null => {
  if (entry.parent !== null) return entry.parent
  const { boundary, parentUuid } = entry.links
  return parentUuid === null || boundary !== null ? null : resolve(walker, entry, parentUuid)
}

/** From a line to its root or boundary, oldest first. A repeated line ends the walk. */
const walk = (walker: Walker, from: Entry): Array<Entry> => {
  const path: Array<Entry> = []
  // By position: a set of entries would cost more than the walk.
  const seen = new Uint8Array(walker.ledger.lines)
  let next: Entry | null = from
  while (next !== null && seen[next.position] === 0) {
    seen[next.position] = 1
    if (next.links.isSidechain === walker.ledger.sidechain) path.push(next)
    next = parentOf(walker, next)
  }
  return path.toReversed()
}

const saysSomething = (entry: Entry): boolean => entry.links.type === "user" || entry.links.type === "assistant"

/** Lines that stand above an earlier one, which only damaged files have. */
const continuedEarlier = (ledger: TranscriptIndex): ReadonlySet<Entry> =>
  new Set(
    ledger.order.flatMap((entry) => {
      const { parentUuid } = entry.links
      return entry.parent === null && parentUuid !== null ? (ledger.entries.get(parentUuid) ?? []) : []
    })
  )

/**
 * Lines nobody continues or summarises, most likely tip first. A copy of an earlier line that nobody continues was never
 * finished: the conversation it was copied from still stands. A line beside a continued one of the same response is no
 * tip even if its clock was ahead: the parallel calls it belongs to went on.
 */
const leaves = (ledger: TranscriptIndex): ReadonlyArray<Entry> => {
  const earlier = continuedEarlier(ledger)
  const ends = ledger.order.filter((entry) => !entry.isContinued && !entry.links.isCopy && !earlier.has(entry))
  const isOvertaken = (entry: Entry): boolean => entry.response !== null && ledger.settled.has(entry.response)
  const newestFirst = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
    entries.toSorted((left, right) => {
      if (left.links.timestamp !== right.links.timestamp) return left.links.timestamp < right.links.timestamp ? 1 : -1
      return right.position - left.position
    })
  const overtaken = ends.filter(isOvertaken)
  return [...newestFirst(ends.filter((entry) => !isOvertaken(entry))), ...newestFirst(overtaken)]
}

/**
 * The leaf, if anything was said on the way to it. A boundary without its summary is a compaction that was cut off: the
 * conversation it was about to replace is still the conversation.
 */
const spokenTip = (walker: Walker, leaf: Entry): Entry | null => {
  const tried = new Set<Entry>()
  let tip: Entry | null = leaf
  while (tip !== null && !tried.has(tip)) {
    tried.add(tip)
    const path = walk(walker, tip)
    if (path.some(saysSomething)) return tip
    const root: Links | undefined = path[0]?.links
    const replaced: Uuid | null = root === undefined || root.boundary === null ? null : root.logicalParentUuid
    tip = replaced === null ? null : (walker.ledger.entries.get(replaced) ?? null)
  }
  return null
}

/** The named leaf if it is newer than every message, else the newest leaf whose conversation is not empty. */
const chooseTip = (walker: Walker): Entry | null => {
  const { ledger } = walker
  const named = ledger.leaf
  if (named !== null && named.position > ledger.lastChainPosition) {
    const entry = ledger.entries.get(named.uuid)
    if (entry !== undefined && entry.links.isSidechain === ledger.sidechain) return entry
  }
  const lastSpoken = ledger.order.findLast(saysSomething)
  if (lastSpoken === undefined) return ledger.order.at(-1) ?? null
  const probe: Walker = { ledger, repaired: new Set(), bridged: new Set() }
  for (const leaf of leaves(ledger)) {
    const tip = spokenTip(probe, leaf)
    if (tip !== null) return tip
  }
  return lastSpoken
}

/** The kept messages of a boundary in order, or null when it keeps none or they cannot be found. */
const keptBy = (walker: Walker, { segment, uuids }: Preserved): ReadonlyArray<Entry> | null => {
  if (segment !== null) {
    const tail = walker.ledger.entries.get(segment.tailUuid)
    const path = tail === undefined ? [] : walk(walker, tail)
    const from = path.findIndex((entry) => entry.links.uuid === segment.headUuid)
    if (from >= 0) return path.slice(from)
  }
  if (uuids === null) return null
  const listed = uuids.flatMap((uuid) => walker.ledger.entries.get(uuid) ?? [])
  return listed.length === 0 ? null : listed
}

/** Puts the kept messages behind the anchor; what came later follows them. */
const splice = (walker: Walker, path: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const boundary = path[0]?.links.boundary ?? null
  const kept = boundary === null ? null : keptBy(walker, boundary)
  if (boundary === null || kept === null) return path
  const moved = new Set(kept)
  const rest = path.filter((entry) => !moved.has(entry))
  const named = rest.findIndex((entry) => entry.links.uuid === boundary.anchorUuid)
  const anchor = named >= 0 ? named : rest.findIndex((entry) => entry.links.isSummary)
  const after = Math.max(anchor, 0) + 1
  return [...rest.slice(0, after), ...kept, ...rest.slice(after)]
}

/** Everything before the conversation's boundary, following each boundary to what it summarised. */
const earlierThan = (walker: Walker, lines: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  if (lines[0]?.links.boundary === null) return []
  const shown = new Set(lines)
  const parts: Array<ReadonlyArray<Entry>> = []
  let boundary = lines[0]
  while (boundary !== undefined && boundary.links.boundary !== null) {
    const summarised: Uuid | null = boundary.links.logicalParentUuid ?? boundary.links.parentUuid
    const from = summarised === null ? null : resolve(walker, boundary, summarised)
    if (from === null) break
    const part = recoverSiblings(walker.ledger, walk(walker, from)).filter((entry) => !shown.has(entry))
    for (const entry of part) shown.add(entry)
    parts.push(part)
    boundary = part[0]
  }
  return parts.toReversed().flat()
}

export interface ViewOptions {
  /** Message that the conversation ends at (a second branch starts there); the newest one when absent. */
  readonly at?: Uuid | undefined
  /** What lies further back than any model with this window takes is left out. */
  readonly windowTokens?: number
}

/** The conversation of a ledger. */
export const selectConversation = (ledger: TranscriptIndex, { at, windowTokens = Infinity }: ViewOptions = {}): View => {
  const walker: Walker = { ledger, repaired: new Set(), bridged: new Set() }
  const tip = at === undefined ? chooseTip(walker) : (ledger.entries.get(at) ?? null)
  if (tip === null) return { lines: [], earlier: [], tip: null, repaired: 0, bridged: 0, beyond: 0 }
  // First without the parallel calls, so that they are looked for only where they matter; then with them.
  const path = splitAtReach(splice(walker, walk(walker, tip)), windowTokens)
  const { lines, beyond } = splitAtReach(recoverSiblings(ledger, path.lines), windowTokens)
  const repaired = walker.repaired.size
  const bridged = walker.bridged.size
  const earlier = [...earlierThan(walker, lines), ...path.beyond, ...beyond]
  return { lines, earlier, tip: tip.links.uuid, repaired, bridged, beyond: path.beyond.length + beyond.length }
}
