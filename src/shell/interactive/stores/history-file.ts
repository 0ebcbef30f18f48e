import { existsSync } from "node:fs"
import { join } from "node:path"
import { Schema, Result } from "effect"
import { type Env, isOn, readVariable } from "../../../core/domain/env.ts"
import type { Chip } from "../../../tui/prompt/chip.ts"
import type { HistoryEntry } from "../../../tui/prompt/model.ts"
import { storePaste } from "./paste-cache.ts"
import { appendLine, readTail } from "../../system/private-file.ts"

/** What was sent before, as one JSON line each, shared with Claude Code. */
export interface HistoryPlace {
  readonly configHome: string
  readonly env: Env
}

const pathOf = (configHome: string): string => join(configHome, "history.jsonl")

const isSilent = (env: Env): boolean => isOn(readVariable(env, "SKIP_PROMPT_HISTORY")) || isOn(env["NACRE_NO_HISTORY"])

const Paste = Schema.Struct({
  id: Schema.Number,
  type: Schema.String,
  content: Schema.optionalKey(Schema.String),
  contentHash: Schema.optionalKey(Schema.String),
  filename: Schema.optionalKey(Schema.String)
})
type Paste = typeof Paste.Type

const Line = Schema.Struct({
  display: Schema.String,
  pastedContents: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  timestamp: Schema.optionalKey(Schema.Number),
  project: Schema.optionalKey(Schema.String),
  sessionId: Schema.optionalKey(Schema.String)
})
const decodeLine = Schema.decodeUnknownResult(Line)
const decodePaste = Schema.decodeUnknownResult(Paste)

/** A prompt that was withdrawn: a later line says so, the first one stays as it is. */
const Removal = Schema.Struct({ removed: Schema.Literal(true), timestamp: Schema.Number, sessionId: Schema.String })
const decodeRemoval = Schema.decodeUnknownResult(Removal)

/** Long pastes are read when somebody wants one of them. */
const chipOf = ({ id, type, content, contentHash, filename }: Paste): Chip => {
  if (type === "image") return { _tag: "Image", number: id, reference: filename ?? contentHash ?? "" }
  const isKept = content === undefined && contentHash !== undefined
  return { _tag: "Paste", number: id, text: content, ...(isKept ? { stored: contentHash } : {}) }
}

const chipsOf = (pasted: (typeof Line.Type)["pastedContents"]): ReadonlyArray<Chip> =>
  Object.values(pasted ?? {}).flatMap((value) => {
    const paste = decodePaste(value)
    return Result.isSuccess(paste) ? [chipOf(paste.success)] : []
  })

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const entryOf = (value: unknown): HistoryEntry | undefined => {
  const line = decodeLine(value)
  if (Result.isFailure(line)) return undefined
  const { display, pastedContents, timestamp = 0, project = "", sessionId = "" } = line.success
  return { display, chips: chipsOf(pastedContents), timestamp, project, sessionId }
}

const keyOf = ({ timestamp, sessionId }: Pick<HistoryEntry, "timestamp" | "sessionId">): string =>
  `${timestamp}/${sessionId}`

/** So many are kept in memory; the file keeps all. */
export const MOST_ENTRIES = 5_000

/** Newest first. Lines that are not entries are left alone. */
const entriesIn = (text: string): ReadonlyArray<HistoryEntry> => {
  const removed = new Set<string>()
  const entries: Array<HistoryEntry> = []
  for (const line of text.split("\n").toReversed()) {
    if (entries.length >= MOST_ENTRIES) break
    const value = line === "" ? undefined : parse(line)
    const removal = decodeRemoval(value)
    if (Result.isSuccess(removal)) removed.add(keyOf(removal.success))
    const entry = Result.isSuccess(removal) ? undefined : entryOf(value)
    if (entry !== undefined && !removed.has(keyOf(entry))) entries.push(entry)
  }
  return entries
}

export interface HistoryReading {
  /** Newest first. */
  readonly entries: ReadonlyArray<HistoryEntry>
  /** There is more further back in the file. */
  readonly hasMore: boolean
}

export const SOON_BYTES = 256 * 1024
export const MOST_BYTES = 16 * 1024 * 1024

/** The end of the history. A file that cannot be read fails with the system's words; a missing one is empty. */
export const readHistory = (configHome: string, maxBytes: number): HistoryReading => {
  const path = pathOf(configHome)
  if (!existsSync(path)) return { entries: [], hasMore: false }
  const { text, isWhole } = readTail(path, maxBytes)
  return { entries: entriesIn(text), hasMore: !isWhole }
}

/** Longer pastes are kept beside the history. */
const INLINE_CHARS = 1_024

const pastedOf = (configHome: string, chip: Chip): Paste => {
  const id = chip.number
  if (chip._tag === "Image") return { id, type: "image", filename: chip.reference }
  if (chip.stored !== undefined) return { id, type: "text", contentHash: chip.stored }
  const { text = "" } = chip
  if (text.length <= INLINE_CHARS) return { id, type: "text", content: text }
  return { id, type: "text", contentHash: storePaste(configHome, text) }
}

/**
 * On disk when it returns, unless the user wants no history. Gives the entry as it would be read: without long pastes,
 * which are kept beside the file.
 */
export const appendHistory = (entry: HistoryEntry, { configHome, env }: HistoryPlace): HistoryEntry => {
  if (isSilent(env)) return entry
  const pastes = entry.chips.map((chip) => pastedOf(configHome, chip))
  const pastedContents = Object.fromEntries(pastes.map((paste) => [paste.id, paste]))
  const { display, timestamp, project, sessionId } = entry
  appendLine(pathOf(configHome), JSON.stringify({ display, pastedContents, timestamp, project, sessionId }))
  return { ...entry, chips: pastes.map(chipOf) }
}

/** A later line withdraws the entry; the entry itself stays as it is. */
export const removeFromHistory = ({ timestamp, sessionId }: HistoryEntry, { configHome, env }: HistoryPlace): void => {
  if (isSilent(env)) return
  appendLine(pathOf(configHome), JSON.stringify({ removed: true, timestamp, sessionId }))
}
