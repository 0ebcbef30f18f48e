import { Context, Data, type Effect } from "effect"

export type MemoryErrorKind =
  /** The file is another one than the one that was read. */
  | "stale"
  /** No name of the memory, or a link. */
  | "refused"
  | "tooLarge"
  | "other"

export class MemoryError extends Data.TaggedError("MemoryError")<{
  readonly kind: MemoryErrorKind
  /** One sentence with the file and what to do. */
  readonly message: string
}> {}

export interface MemoryFile {
  readonly name: string
  readonly text: string
  /** SHA-256 of its bytes in hexadecimal. */
  readonly hash: string
  readonly mtimeMs: number
}

export interface MemoryEntry {
  readonly name: string
  readonly bytes: number
  readonly mtimeMs: number
}

/** The files of one memory. Whatever else lies in its directory is left alone; links are refused. */
export interface MemoryStore {
  /** By name; none where there is no directory yet. */
  readonly entries: Effect.Effect<ReadonlyArray<MemoryEntry>, MemoryError>
  readonly read: (name: string) => Effect.Effect<MemoryFile | undefined, MemoryError>
  /** Replaces or creates a file as a whole, if it still is what was read; null: it must not exist. */
  readonly write: (name: string, text: string, expectedHash: string | null) => Effect.Effect<void, MemoryError>
  /** Edits what is there now; when somebody writes meanwhile, what they wrote is edited. The same text writes nothing. */
  readonly change: (name: string, edit: (text: string) => string) => Effect.Effect<void, MemoryError>
  /** Takes a file away; what comes back brings it back. Undefined: there was none. */
  readonly trash: (name: string) => Effect.Effect<string | undefined, MemoryError>
  /** The name of what was brought back. */
  readonly restore: (id: string) => Effect.Effect<string, MemoryError>
}

/** What the agent knows between conversations, by the directory that it is kept in. */
export class Memory extends Context.Service<
  Memory,
  {
    readonly at: (directory: string) => MemoryStore
  }
>()("nacre/ports/Memory") {}
