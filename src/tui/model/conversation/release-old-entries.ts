import type { Emission } from "../../../core/loop/machine/emission.ts"
import { isBoundaryLine } from "../../../core/session/transcript/boundary.ts"
import type { Entry } from "../../transcript/block.ts"
import { canRelease, listReleased } from "../../transcript/list/release.ts"
import { gatheredFrom } from "../../transcript/entries/select.ts"
import { type Transcript, withoutEarlier } from "../../transcript/state.ts"
import * as Vector from "../../transcript/vector.ts"
import type { Cmd } from "../cmd.ts"
import { type AppModel, withSession } from "../app-model.ts"
import type { Released, SessionModel } from "../session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/**
 * A session may go on forever, so after a compaction the interface releases what is older than anybody is likely to
 * look at. The model no longer knows it, the transcript on disk has it, and whoever scrolls or searches back finds it
 * there (`history-paging.ts`).
 */

/** What stays here before a boundary, whichever is less. */
const KEPT_ENTRIES = 1_000
const KEPT_CHARS = 4_000_000
/** Fewer are not worth it. */
const LEAST_RELEASED = 64

const sizeOf = ({ blocks }: Entry): number => blocks.reduce((sum, { source }) => sum + source.length, 0)

/** The first entry that is kept for its own sake. */
const keptFrom = ({ entries }: Transcript): number => {
  let chars = 0
  for (let place = entries.length - 1; place > entries.length - KEPT_ENTRIES; place--) {
    const entry = Vector.get(entries, place)
    if (entry === undefined) return 0
    chars += sizeOf(entry)
    if (chars > KEPT_CHARS) return place
  }
  return Math.max(0, entries.length - KEPT_ENTRIES)
}

/** The prompt at or before a place; what is released ends where a turn begins, so that no call loses its result. */
const promptUntil = ({ entries }: Transcript, from: number): Entry | undefined => {
  for (let place = from; place >= LEAST_RELEASED; place--) {
    const entry = Vector.get(entries, place)
    if (entry?.kind === "user" && entry.uuid !== undefined) return entry
  }
  return undefined
}

/** After a compaction the shell is asked whether the older part is on disk. */
export const releaseAfter = (session: SessionModel, emission: Emission): ReadonlyArray<Cmd> => {
  if (emission._tag !== "MessageAdded" || !isBoundaryLine(emission.message)) return []
  const { transcript } = session
  const before = promptUntil(transcript, Math.min(keptFrom(transcript), transcript.turnStart))?.uuid
  return before === undefined ? [] : [{ _tag: "AskWhetherStored", session: session.id, before }]
}

const lastRecord = (entries: Vector.Vector<Entry>, count: number): string | undefined => {
  for (let place = count - 1; place >= 0; place--) {
    const uuid = Vector.get(entries, place)?.uuid
    if (uuid !== undefined) return uuid
  }
  return undefined
}

const isShownElsewhere = ({ outputOf, transcript }: SessionModel, count: number): boolean => {
  if (outputOf?._tag !== "Entry") return false
  const { id } = outputOf
  const place = Vector.findLastIndex(
    transcript.entries,
    (entry) => entry.id === id || entry.blocks.some((block) => block.id === id)
  )
  return place < count
}

/** Nothing that is open, shown or under way is about the first entries. */
const isFree = (model: AppModel, session: SessionModel, count: number): boolean => {
  const { transcript, earlier, loading, list } = session
  const open = [transcript.turnStart, transcript.retry?.place ?? count, ...transcript.openCalls.values()]
  if (count < LEAST_RELEASED || open.some((place) => place < count)) return false
  if (model.options.interface === "inline" || loading !== undefined) return false
  if (earlier.isReading || earlier.waiting.length > 0) return false
  return canRelease(list, count) && !isShownElsewhere(session, count)
}

/** What lies before a prompt is on disk: it is released, unless somebody came to look at it meanwhile. */
export const releaseEntries = (model: AppModel, id: string, before: string): AppModel =>
  withSession(model, id, (session) => {
    const { entries } = session.transcript
    const count = Vector.findLastIndex(entries, ({ uuid }) => uuid === before)
    const first = Vector.get(entries, 0)?.id
    if (first === undefined || !isFree(model, session, count)) return session
    const transcript = withoutEarlier(session.transcript, count, gatheredFrom(session.transcript, count))
    const known = session.earlier.released
    const released: Released = { before, last: lastRecord(entries, count), first: known?.first ?? first }
    const next = { ...session, transcript, earlier: { ...session.earlier, released } }
    const at = { source: transcript.entries, count }
    return { ...next, list: listReleased(next.list, at, transcriptContextOf(model, next)) }
  })
