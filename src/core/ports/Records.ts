import { Context, Data, type Effect } from "effect"
import type { SessionId } from "../domain/id.ts"
import type { Span } from "../session/load/transcript-index.ts"
import type { ScanReport } from "../session/load/notice.ts"
import type { SessionFile, SessionRow } from "../session/row.ts"

/** Sessions on disk: append, read, list, find, copy, and who has one open. */
export class RecordsFailure extends Data.TaggedError("RecordsFailure")<{
  readonly path: string
  /** Code of the operating system, or our own: LINK, OUTSIDE, CHANGED, EXISTS. */
  readonly code: string
  readonly message: string
}> {}

/** Whether what was handed over is with the operating system. */
export type WriteStatus =
  | { readonly _tag: "Ok" }
  | {
      readonly _tag: "Failing"
      readonly code: string
      readonly message: string
      readonly sinceMs: number
      /** Bytes waiting in memory. */
      readonly waitingBytes: number
      /** Lines that no longer fitted into memory and are lost. */
      readonly lostLines: number
    }

/** Causes that do not pass by themselves. */
const LASTING: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "ENAMETOOLONG",
  "EACCES",
  "EPERM",
  "LINK",
  "OUTSIDE"
])
const PATIENCE_MS = 60_000

/** The warning to show for a status: at once for causes that do not pass by themselves, else after a minute. */
export const writeWarning = (status: WriteStatus, nowMs: number): string | null => {
  if (status._tag === "Ok" || (!LASTING.has(status.code) && nowMs - status.sinceMs < PATIENCE_MS)) return null
  const lost = status.lostLines === 0 ? "" : ` ${status.lostLines} lines no longer fit into memory and are lost.`
  return `The conversation is not being saved (${status.code}): ${status.message}. It waits in memory.${lost}`
}

/** One session opened for appending. There is one writer per session and process; it keeps the order of its calls. */
export interface RecordsWriter {
  readonly path: string
  /**
   * Hands whole lines (without line ends) to the operating system in one write. Synchronous: when it returns, a crash
   * of this process cannot lose them, unless the status says that writing fails. Never throws.
   */
  readonly append: (lines: ReadonlyArray<string>) => void
  /** Forces everything appended so far to the disk; fails while writing fails. */
  readonly sync: Effect.Effect<void, RecordsFailure>
  readonly status: () => WriteStatus
  /** Calls back on each change of the status; the result ends it. */
  readonly watch: (listener: (status: WriteStatus) => void) => () => void
  /** Last attempt for what is still in memory, then closes. Nothing can be appended afterwards. */
  readonly close: Effect.Effect<void>
}

export type LineVisitor = (value: unknown, span: Span, text: string) => void

export interface ScanOptions {
  /** Called with the text of lines that are not a JSON object. */
  readonly onInvalid?: (text: string) => void
}

export type Lookup =
  | { readonly _tag: "Found"; readonly file: SessionFile }
  | { readonly _tag: "Missing" }
  /** More than one file has this id. */
  | { readonly _tag: "Ambiguous"; readonly paths: ReadonlyArray<string> }

export const lookupMessage = (sessionId: string, lookup: Exclude<Lookup, { readonly _tag: "Found" }>): string => {
  const missing = `No conversation found with session ID: ${sessionId}`
  return lookup._tag === "Missing" ? missing : [`${missing}\nSeveral files have this id:`, ...lookup.paths].join("\n  ")
}

export interface ForkRequest {
  readonly source: SessionFile
  readonly sessionId: SessionId
  /** Directory that the fork belongs to. */
  readonly cwd: string
  /** A line of the fork from a line of the source; null leaves it out. */
  readonly rewrite: (text: string, value: unknown) => string | null
  /** Lines after the copied ones; asked for when all are copied. */
  readonly tail: () => ReadonlyArray<string>
}

/** A running process and the session it has open. */
export interface LiveSession {
  readonly pid: number
  readonly sessionId: SessionId
  readonly cwd: string
  readonly startedAt: number
  readonly version: string
  readonly kind: "interactive" | "headless" | "bg"
  readonly name?: string
  readonly status: string
}

export interface LiveHandle {
  readonly update: (patch: Partial<Omit<LiveSession, "pid" | "startedAt">>) => Effect.Effect<void>
  /** Synchronous so that an exit handler can call it. */
  readonly removeNow: () => void
}

export class Records extends Context.Service<
  Records,
  {
    /** Where the transcript of a new session of a directory goes. Touches nothing. */
    readonly pathFor: (cwd: string, sessionId: SessionId) => string
    /** Opens for appending. A file that does not exist is created by the first append, private to the user. */
    readonly open: (path: string) => Effect.Effect<RecordsWriter, RecordsFailure>
    /** Reads every line once, in order, in bounded memory. */
    readonly scan: (path: string, visit: LineVisitor, options?: ScanOptions) => Effect.Effect<ScanReport, RecordsFailure>
    /** Reads single lines again; null where the bytes are not JSON (any more). */
    readonly readSpans: (path: string, spans: ReadonlyArray<Span>) => Effect.Effect<ReadonlyArray<unknown>, RecordsFailure>
    /** Sessions of directories, newest first, without opening them. */
    readonly files: (directories: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SessionFile>>
    readonly row: (file: SessionFile) => Effect.Effect<SessionRow, RecordsFailure>
    /** Rows of directories, newest first; unreadable files are left out. */
    readonly list: (directories: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SessionRow>>
    /** The newest session of a directory that satisfies a condition; reads no more files than needed. */
    readonly newest: (directory: string, accepts: (row: SessionRow) => boolean) => Effect.Effect<SessionRow | null>
    /** A session by id: in the given directories first, then everywhere. */
    readonly findById: (sessionId: string, near: ReadonlyArray<string>) => Effect.Effect<Lookup>
    /** Sessions of directories with exactly this display title. */
    readonly findByTitle: (title: string, directories: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SessionRow>>
    /** A transcript anywhere, named by its path. */
    readonly fileAt: (path: string) => Effect.Effect<SessionFile, RecordsFailure>
    readonly fork: (request: ForkRequest) => Effect.Effect<SessionFile, RecordsFailure>
    /** Enters this process in the list of live sessions and clears entries of processes that are gone. */
    readonly announce: (session: LiveSession) => Effect.Effect<LiveHandle, RecordsFailure>
    readonly live: Effect.Effect<ReadonlyArray<LiveSession>>
    /** Another live process that has the session open. */
    readonly holder: (sessionId: SessionId) => Effect.Effect<LiveSession | null>
  }
>()("nacre/ports/Records") {}
