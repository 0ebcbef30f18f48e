import { Effect } from "effect"
import type { BelowFact } from "../../core/permission/facts.ts"
import { isSecretName, protectedClass } from "../../core/permission/sensitive-paths.ts"
import { Files } from "../../core/ports/Files.ts"

const MOST_ENTRIES = 4_000
const MOST_FOUND = 20

/** Installed packages and the objects of a repository hold neither the user's secrets nor what tools obey. */
const PASSED_OVER = new Set(["node_modules", ".git"])

interface Walk {
  readonly pending: Array<string>
  readonly protectedPaths: Array<string>
  readonly secrets: Array<string>
  entries: number
}

const note = (walk: Walk, path: string, name: string): void => {
  if (walk.protectedPaths.length < MOST_FOUND && protectedClass(`/${name}`, undefined) !== undefined) {
    walk.protectedPaths.push(path)
  }
  if (walk.secrets.length < MOST_FOUND && isSecretName(name)) walk.secrets.push(path)
}

/** Looks for protected and secret names below a directory, without following links and not for ever. */
export const lookBelow = Effect.fnUntraced(function* (path: string): Effect.fn.Return<BelowFact, never, Files> {
  const files = yield* Files
  const walk: Walk = { pending: [path], protectedPaths: [], secrets: [], entries: 0 }
  for (let directory = walk.pending.pop(); directory !== undefined; directory = walk.pending.pop()) {
    if (walk.entries > MOST_ENTRIES) break
    const entries = yield* files.list(directory).pipe(Effect.orElseSucceed(() => []))
    walk.entries += entries.length
    for (const { name, kind } of entries) {
      const inner = `${directory === "/" ? "" : directory}/${name}`
      note(walk, inner, name)
      if (kind === "directory" && !PASSED_OVER.has(name)) walk.pending.push(inner)
    }
  }
  const { protectedPaths, secrets, entries } = walk
  return { path, protectedPaths, secrets, complete: entries <= MOST_ENTRIES }
})
