import { Context, Effect, Layer, Ref } from "effect"
import {
  emptyCache,
  type FileCache,
  type FileEntry,
  forgetEntry,
  mergeCaches,
  peekEntry,
  recordEntry,
  touchEntry
} from "../core/edit/file-cache.ts"
import type { StalenessPolicy } from "../core/edit/freshness.ts"

/** What one agent knows about files. A sub-agent gets its own, a fork starts from a snapshot. */
export class FileState extends Context.Service<
  FileState,
  {
    readonly policy: StalenessPolicy
    readonly get: (path: string) => Effect.Effect<FileEntry | undefined>
    readonly record: (entry: FileEntry) => Effect.Effect<void>
    /** The model no longer has what it saw of this file, or it must not be relied on. */
    readonly forget: (path: string) => Effect.Effect<void>
    readonly clear: Effect.Effect<void>
    readonly snapshot: Effect.Effect<FileCache>
    /** Takes over what another agent knows where that is newer. */
    readonly merge: (cache: FileCache) => Effect.Effect<void>
  }
>()("nacre/shell/FileState") {}

export interface FileStateOptions {
  readonly policy?: StalenessPolicy
  readonly initial?: FileCache
}

export const makeFileState = (options: FileStateOptions = {}): Effect.Effect<FileState["Service"]> =>
  Effect.map(Ref.make(options.initial ?? emptyCache), (cache) => ({
    policy: options.policy ?? "strict",
    get: (path) => Ref.modify(cache, (known) => [peekEntry(known, path), touchEntry(known, path)] as const),
    record: (entry) => Ref.update(cache, (known) => recordEntry(known, entry)),
    forget: (path) => Ref.update(cache, (known) => forgetEntry(known, path)),
    clear: Ref.set(cache, emptyCache),
    snapshot: Ref.get(cache),
    merge: (other) => Ref.update(cache, (known) => mergeCaches(known, other))
  }))

export const layer = (options?: FileStateOptions): Layer.Layer<FileState> =>
  Layer.effect(FileState, makeFileState(options))
