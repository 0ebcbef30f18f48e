import { LIMITS } from "../../domain/limits.ts"
import { normalise } from "../../domain/path/path-text.ts"

/** What the model knows about files: the newest entry per path, bounded in number and size. Values never change. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

export interface FileEntry {
  /** Absolute. */
  readonly path: string
  /** The text that was shown or written, with LF line ends; empty when it is not known to the letter. */
  readonly content: string
  readonly mtimeMs: number
  readonly size: number
  /** SHA-256 of the file's bytes when it was seen. */
  readonly hash: string
  /** The range that was asked for, as the call gave it. */
  readonly offset?: number
  readonly limit?: number
  /** The model has not seen all of the file as it is. */
  readonly partial: boolean
  /** Lines that it has seen; for partial entries only. */
  readonly seen?: ReadonlyArray<LineRange>
  /** read: shown by Read; seeded: put into context; bash: shown by a command; edit: written by a tool. */
  readonly source: "read" | "seeded" | "bash" | "edit"
  /** A tool of ours wrote it at some time, whatever happened since. */
  readonly isOurs?: true
  /** From a transcript: the hash is not known, the text decides. It is all of the file, or begins at a line. */
  readonly recalled?: { readonly isWhole: boolean; readonly firstLine: number }
}

interface Slot {
  readonly entry: FileEntry
  readonly bytes: number
}

/** Least recently used first. */
export interface FileCache {
  readonly slots: ReadonlyMap<string, Slot>
  readonly bytes: number
}

export const emptyCache: FileCache = { slots: new Map(), bytes: 0 }

/** Bytes of an entry's text in UTF-8, at least one. */
export const entryBytes = (entry: FileEntry): number => {
  let bytes = 0
  for (let index = 0; index < entry.content.length; index++) {
    const unit = entry.content.charCodeAt(index)
    const isHalfOfPair = unit >= 0xd800 && unit <= 0xdfff
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalfOfPair ? 2 : 3
  }
  return Math.max(1, bytes)
}

const without = (cache: FileCache, key: string): FileCache => {
  const known = cache.slots.get(key)
  if (known === undefined) return cache
  const slots = new Map(cache.slots)
  slots.delete(key)
  return { slots, bytes: cache.bytes - known.bytes }
}

const withSlot = (cache: FileCache, key: string, slot: Slot): FileCache => {
  const rest = without(cache, key)
  return { slots: new Map(rest.slots).set(key, slot), bytes: rest.bytes + slot.bytes }
}

const withinBounds = (cache: FileCache): FileCache => {
  if (cache.slots.size <= LIMITS.fileCacheEntries && cache.bytes <= LIMITS.fileCacheBytes) return cache
  const oldest = cache.slots.keys().next()
  return oldest.done === true ? cache : withinBounds(without(cache, oldest.value))
}

const withoutText = (entry: FileEntry): FileEntry => ({
  ...entry,
  content: "",
  partial: true,
  seen: entry.partial ? (entry.seen ?? []) : [{ first: 1, last: Number.MAX_SAFE_INTEGER }]
})

/** Puts an entry at the young end. Text that could never fit is forgotten, the knowledge of the lines is kept. */
export const recordEntry = (cache: FileCache, entry: FileEntry): FileCache => {
  const key = normalise(entry.path)
  const bytes = entryBytes(entry)
  if (bytes > LIMITS.fileCacheBytes) return recordEntry(cache, withoutText(entry))
  const isOurs = entry.source === "edit" || cache.slots.get(key)?.entry.isOurs === true
  const own = isOurs ? ({ isOurs } as const) : {}
  return withinBounds(withSlot(cache, key, { entry: { ...entry, ...own, path: key }, bytes }))
}

export const forgetEntry = (cache: FileCache, path: string): FileCache => without(cache, normalise(path))

export const peekEntry = (cache: FileCache, path: string): FileEntry | undefined => cache.slots.get(normalise(path))?.entry

export const entriesOf = (cache: FileCache): ReadonlyArray<FileEntry> => [...cache.slots.values()].map((slot) => slot.entry)

/** The cache after an entry was used. */
export const touchEntry = (cache: FileCache, path: string): FileCache => {
  const key = normalise(path)
  const slot = cache.slots.get(key)
  return slot === undefined ? cache : withSlot(cache, key, slot)
}

/** Both caches in one; of two entries for a path the strictly newer one, otherwise the one of `into`. */
export const mergeCaches = (into: FileCache, from: FileCache): FileCache => {
  let merged = into
  for (const entry of entriesOf(from)) {
    const known = peekEntry(into, entry.path)
    if (known === undefined || entry.mtimeMs > known.mtimeMs) merged = recordEntry(merged, entry)
  }
  return merged
}
