import { Context, Data, type Effect } from "effect"
import type { PathFact } from "../domain/path/path-components.ts"
import type { Presence } from "../domain/path/presence.ts"

/**
 * The guarded way to files. Every path is absolute. A path is resolved once, link by link; what is opened is the
 * resolved path, never through a link, and it is checked after opening that it is still the file that was resolved.
 * Reading and writing happen in a directory that is held open, so that a link put in its place leads nowhere.
 */
export type FileErrorKind =
  | "missing"
  | "isDirectory"
  | "notDirectory"
  /** A device, pipe or socket. */
  | "notRegular"
  | "denied"
  | "tooLarge"
  /** The bytes are not the expected ones, or the file vanished or appeared meanwhile. */
  | "stale"
  /** The path leads to another place than the one that was approved or opened. */
  | "linkChanged"
  | "noSpace"
  | "other"

export class FileError extends Data.TaggedError("FileError")<{
  readonly kind: FileErrorKind
  readonly path: string
  /** One sentence for people, with both ends when a link changed. */
  readonly message: string
  /** The system's code, for example ENOSPC. */
  readonly code?: string
}> {}

export type FileKind = "file" | "directory" | "link" | "device" | "pipe" | "socket" | "other"

export interface FileStat {
  readonly kind: FileKind
  readonly size: number
  readonly mtimeMs: number
  /** Permission bits only. */
  readonly mode: number
}

export interface DirectoryEntry {
  readonly name: string
  /** Links are not followed. */
  readonly kind: FileKind
}

export interface FileContent {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes in hexadecimal. */
  readonly hash: string
  readonly stat: FileStat
}

export interface FileScan {
  /** Absent when the consumer stopped before the end. */
  readonly hash?: string
  readonly stat: FileStat
}

export interface OpenOptions {
  /** The real path that permission was decided on; another one is refused as `linkChanged`. */
  readonly approvedRealPath?: string | undefined
}

export interface ReadOptions extends OpenOptions {
  /** Larger files are refused as `tooLarge`. */
  readonly maxBytes?: number
}

export interface WriteRequest extends OpenOptions {
  readonly path: string
  readonly bytes: Uint8Array
  /** Hash that the current bytes must have immediately before the change; null: the file must not exist. */
  readonly expectedHash: string | null
  /** New directories are made 0700 and a new file 0600. */
  readonly onlyForOwner?: boolean
}

export interface Written {
  readonly hash: string
  readonly stat: FileStat
}

export class Files extends Context.Service<
  Files,
  {
    /** Where a path leads. A path that does not exist is an answer, not a failure. */
    readonly resolve: (path: string) => Effect.Effect<PathFact, FileError>
    /** Where each of the paths leads, in their order; nothing for one that cannot be followed. */
    readonly resolveAll: (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PathFact | undefined>>
    /** What is at each of the paths, in their order; a fast way to ask for many names of which few exist. */
    readonly present: (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Presence | undefined>>
    /** Of the file at the end of all links. */
    readonly stat: (path: string) => Effect.Effect<FileStat, FileError>
    /** Entries of a directory in the order of their names. */
    readonly list: (path: string, options?: OpenOptions) => Effect.Effect<ReadonlyArray<DirectoryEntry>, FileError>
    readonly read: (path: string, options?: ReadOptions) => Effect.Effect<FileContent, FileError>
    /**
     * Hands a regular file to `consume` piece by piece until it answers false. Only the last piece is smaller than
     * 64 KiB, and a piece is valid only during the call.
     */
    readonly scan: (
      path: string,
      consume: (piece: Uint8Array) => boolean,
      options?: OpenOptions
    ) => Effect.Effect<FileScan, FileError>
    /**
     * Replaces or creates a file, all or nothing: a new file beside it takes its name. A link or a file with several
     * names is written in place and put back on failure. Mode and owner are kept, missing directories are made.
     */
    readonly write: (request: WriteRequest) => Effect.Effect<Written, FileError>
  }
>()("nacre/ports/Files") {}
