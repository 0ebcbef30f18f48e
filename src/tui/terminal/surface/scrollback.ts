/**
 * What the terminal's own scrollback holds already. Every finished entry is handed out once, in order; nothing that was
 * handed out is ever handed out again, whatever happens to the conversation afterwards.
 */
import type { Entry } from "../../transcript/block.ts"
import * as Vector from "../../transcript/vector.ts"

/** One session as far as it is written. */
interface Written {
  /** The place after the last written entry. */
  readonly end: number
  /** Ids of the entries written last, by which the place is found again when entries went away. */
  readonly ids: ReadonlyArray<string>
}

export interface Scrollback {
  readonly sessions: ReadonlyMap<string, Written>
  /** The session that wrote last. */
  readonly latest: string | undefined
}

export const EMPTY_SCROLLBACK: Scrollback = { sessions: new Map(), latest: undefined }

/** A conversation and how much of it is finished. */
export interface Finished {
  readonly session: string
  readonly entries: Vector.Vector<Entry>
  readonly end: number
}

export interface Unwritten {
  readonly entries: ReadonlyArray<Entry>
  /** Earlier entries that are left out: a long session that was opened again. */
  readonly skipped: number
  /** Entries that were written and are gone from the conversation. */
  readonly withdrawn: number
  /** The session begins to write, or another one wrote before it. */
  readonly begins: "first" | "again" | undefined
  readonly scrollback: Scrollback
}

/** What is written of a session that is opened again. */
const REOPENED_ENTRIES = 200
const IDS_KEPT = 64

interface Resynced {
  readonly end: number
  readonly withdrawn: number
}

/** Finds the place again after entries went away; a conversation that is quite another now counts as written. */
const resynced = ({ end, ids }: Written, entries: Finished["entries"]): Resynced => {
  if (end === 0 || Vector.get(entries, end - 1)?.id === ids.at(-1)) return { end, withdrawn: 0 }
  // An earlier part of the session that was read meanwhile moves everything down.
  const moved = Vector.findLastIndex(entries, ({ id }) => id === ids.at(-1))
  if (moved >= 0) return { end: moved + 1, withdrawn: 0 }
  const known = new Map(ids.map((id, index) => [id, index]))
  const top = Math.min(end, entries.length)
  for (let place = top - 1; place >= Math.max(0, top - IDS_KEPT); place--) {
    const at = known.get(Vector.get(entries, place)?.id ?? "")
    if (at !== undefined) return { end: place + 1, withdrawn: ids.length - 1 - at }
  }
  return { end: top, withdrawn: end - top }
}

const slice = ({ entries, end }: Finished, from: number): ReadonlyArray<Entry> => {
  const items: Array<Entry> = []
  for (let place = from; place < end; place++) {
    const entry = Vector.get(entries, place)
    if (entry !== undefined) items.push(entry)
  }
  return items
}

/** Takes what is finished and not written yet. */
export const takeUnwritten = (scrollback: Scrollback, finished: Finished): Unwritten => {
  const known = scrollback.sessions.get(finished.session)
  const { end: written, withdrawn } = resynced(known ?? { end: 0, ids: [] }, finished.entries)
  const from = known === undefined ? Math.max(0, finished.end - REOPENED_ENTRIES) : written
  const entries = slice(finished, from)
  const goesOn = scrollback.latest === finished.session || entries.length === 0
  const begins = known === undefined ? "first" : goesOn ? undefined : "again"
  const isSame = known !== undefined && entries.length === 0 && withdrawn === 0
  if (isSame) return { entries, skipped: 0, withdrawn, begins: undefined, scrollback }
  const kept = (known?.ids ?? []).slice(0, Math.max(0, (known?.ids.length ?? 0) - withdrawn))
  const ids = [...kept, ...entries.map(({ id }) => id)].slice(-IDS_KEPT)
  const now: Written = { end: Math.max(written, finished.end), ids }
  return {
    entries,
    skipped: known === undefined ? from : 0,
    withdrawn,
    begins,
    scrollback: { sessions: new Map(scrollback.sessions).set(finished.session, now), latest: finished.session }
  }
}
