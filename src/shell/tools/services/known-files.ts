import { Effect } from "effect"
import { entriesOf, type FileEntry } from "../../../core/tools/files/file-cache.ts"
import { Files } from "../../../core/ports/Files.ts"
import { FileState } from "./file-state.ts"

/** Which files that the agent knows were changed meanwhile. Another time alone does not count. */
interface Seen {
  readonly entry: FileEntry
  /** What the file system said about it. */
  readonly stamp: string | undefined
}

const look = Effect.fnUntraced(function* (entries: ReadonlyArray<FileEntry>) {
  const files = yield* Files
  const found = yield* files.present(entries.map(({ path }) => path))
  return entries.map((entry, index): Seen => {
    const here = found[index]
    return { entry, stamp: here && `${here.identity} ${here.size} ${here.mtimeMs}` }
  })
})

const holdsTheSame = Effect.fnUntraced(function* ({ path, hash }: FileEntry) {
  const files = yield* Files
  const scan = yield* Effect.orElseSucceed(
    files.scan(path, () => true),
    () => undefined
  )
  return hash !== "" && scan?.hash === hash
})

/** Remembers how the known files look now; later it says which of them were changed or removed since then. */
export const watchKnownFiles = Effect.gen(function* () {
  const state = yield* FileState
  const before = yield* look(entriesOf(yield* state.snapshot))
  return Effect.gen(function* () {
    if (before.length === 0) return []
    const after = yield* look(before.map(({ entry }) => entry))
    const touched = after.filter(({ stamp }, index) => stamp !== before[index]?.stamp)
    const changed = yield* Effect.filter(touched, ({ entry }) => Effect.map(holdsTheSame(entry), (same) => !same))
    return changed.map(({ entry }) => entry.path)
  })
})
