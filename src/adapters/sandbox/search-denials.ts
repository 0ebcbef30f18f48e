/**
 * What denials with wildcards name at this moment. A mount closes one path, so every match has to be found; a denial
 * that cannot be looked for everywhere is reported, because a part of it would be none.
 */
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { baseOf, beginGlob, descend, type GlobProgress, isMatched } from "../../core/sandbox/absolute-glob.ts"
import { componentsOf, isInsideAny } from "../../core/domain/path/path-components.ts"
import { entriesOf, onDisk, realOrSelf } from "./file-facts.ts"

const MOST_DIRECTORIES = 30_000
/** After so many the rest of the program gets its turn. */
const SLICE = 200
/** No files of the machine's own, and endless. */
const UNSEARCHED = ["/proc", "/sys", "/dev"]

export interface FoundDenials {
  readonly paths: ReadonlyArray<string>
  readonly unsearched: ReadonlyArray<string>
}

interface Visit {
  readonly path: string
  readonly globs: ReadonlyArray<GlobProgress>
}

const descendAll = (globs: ReadonlyArray<GlobProgress>, component: string): ReadonlyArray<GlobProgress> =>
  globs.map((glob) => descend(glob, component)).filter((glob) => glob !== undefined)

const startAt = (base: string, globs: ReadonlyArray<string>): Visit => ({
  path: realOrSelf(onDisk(base)),
  globs: componentsOf(base).reduce<ReadonlyArray<GlobProgress>>(descendAll, globs.map(beginGlob))
})

const byBase = (globs: ReadonlyArray<string>): ReadonlyArray<Visit> => {
  const groups = new Map<string, Array<string>>()
  for (const glob of globs) groups.set(baseOf(glob), [...(groups.get(baseOf(glob)) ?? []), glob])
  return [...groups].map(([base, group]) => startAt(base, group))
}

/** Matches below one directory; everything in a match is closed with it. */
const visitDirectory = ({ path, globs }: Visit, found: Set<string>): ReadonlyArray<Visit> =>
  entriesOf(path).flatMap((entry) => {
    const inner = join(path, entry.name)
    const further = descendAll(globs, entry.name)
    if (further.some(isMatched)) found.add(inner)
    else if (entry.isDirectory() && further.length > 0 && !isInsideAny(UNSEARCHED, inner)) {
      return [{ path: inner, globs: further }]
    }
    return []
  })

export const searchDenials = async (globs: ReadonlyArray<string>): Promise<FoundDenials> => {
  const found = new Set<string>()
  const queue = [...byBase(globs)]
  let visited = 0
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (++visited > MOST_DIRECTORIES) return { paths: [...found], unsearched: globs }
    queue.push(...visitDirectory(next, found))
    if (visited % SLICE === 0) await setImmediate()
  }
  return { paths: [...found], unsearched: [] }
}
