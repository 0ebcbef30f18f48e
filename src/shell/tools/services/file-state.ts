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
} from "../../../core/tools/files/file-cache.ts"
import type { StalenessPolicy } from "../../../core/tools/files/freshness.ts"

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
  /** What is known from before; asked for when it is first needed. */
  readonly initial?: () => FileCache
}

export const makeFileState = ({ policy = "strict", initial }: FileStateOptions = {}): Effect.Effect<
  FileState["Service"]
> => {
  // Asked once and then let go: it may hold a whole conversation.
  let recall = initial
  const recalled = (): FileCache => {
    const cache = recall?.() ?? emptyCache
    recall = undefined
    return cache
  }
  return Effect.map(Ref.make<FileCache | undefined>(undefined), (cache) => {
    const update = (change: (known: FileCache) => FileCache): Effect.Effect<void> =>
      Ref.update(cache, (known) => change(known ?? recalled()))
    return {
      policy,
      get: (path) =>
        Ref.modify(cache, (before) => {
          const known = before ?? recalled()
          return [peekEntry(known, path), touchEntry(known, path)] as const
        }),
      record: (entry) => update((known) => recordEntry(known, entry)),
      forget: (path) => update((known) => forgetEntry(known, path)),
      clear: Effect.suspend(() => {
        recall = undefined
        return Ref.set(cache, emptyCache)
      }),
      snapshot: Ref.modify(cache, (before) => {
        const known = before ?? recalled()
        return [known, known] as const
      }),
      merge: (other) => update((known) => mergeCaches(known, other))
    }
  })
}

export const layer = (options?: FileStateOptions): Layer.Layer<FileState> => Layer.effect(FileState, makeFileState(options))
