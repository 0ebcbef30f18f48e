import { Effect } from "effect"
import { type BelowFact, MOST_FOUND_BELOW } from "../../core/permission/facts.ts"
import { matchesAbsolute } from "../../core/domain/path/glob.ts"
import { foldCase, isInside, isInsideAny } from "../../core/domain/path/path-components.ts"
import { isProtectedName, isSecretName } from "../../core/permission/rules/sensitive-paths.ts"
import { type DirectoryEntry, Files } from "../../core/ports/Files.ts"

const MOST_ENTRIES = 4_000
/** More patience where a rule may name something in there. */
const MOST_WATCHED_ENTRIES = 20_000

/** Installed packages and the objects of a repository hold neither the user's secrets nor what tools obey. */
const PASSED_OVER = new Set(["node_modules", ".git"])

interface Walk {
  readonly from: string
  readonly real: string
  readonly pending: Array<string>
  readonly protectedPaths: Array<string>
  readonly secrets: Array<string>
  readonly watched: Array<string>
  readonly links: Array<string>
  /** Patterns with wildcards that could name something in here. */
  readonly patterns: ReadonlyArray<string>
  /** What rules spell out, without regard to case; it is looked up by itself as well. */
  readonly spelled: ReadonlySet<string>
  entries: number
}

const keep = (list: Array<string>, path: string): void => {
  if (list.length < MOST_FOUND_BELOW) list.push(path)
}

/** The same place seen from where the directory really is. */
const formsIn = ({ from, real }: Walk, path: string): ReadonlyArray<string> =>
  from === real ? [path] : [path, `${real}${path.slice(from.length)}`]

const note = (walk: Walk, path: string, { name, kind }: DirectoryEntry): void => {
  if (isProtectedName(name)) keep(walk.protectedPaths, path)
  if (isSecretName(name)) keep(walk.secrets, path)
  if (kind === "link") keep(walk.links, path)
  if (walk.patterns.length + walk.spelled.size === 0) return
  const found = formsIn(walk, path).find(
    (form) => walk.spelled.has(foldCase(form)) || walk.patterns.some((pattern) => matchesAbsolute(pattern, form))
  )
  if (found !== undefined && !walk.watched.includes(found)) keep(walk.watched, found)
}

const WILDCARD = /[*?[\\]/
const hasWildcard = (pattern: string): boolean => WILDCARD.test(pattern)

/** Whether something below one of the directories could be what the pattern names. */
const couldNameBelow = (pattern: string, directories: ReadonlyArray<string>): boolean => {
  const literal = pattern.slice(0, pattern.lastIndexOf("/", pattern.search(WILDCARD)) + 1)
  return directories.some((directory) => isInside(directory, literal, true) || isInside(literal, directory, true))
}

/** Single files that rules name are found however many there are around them. */
const existing = Effect.fnUntraced(function* (directories: ReadonlyArray<string>, watched: ReadonlyArray<string>) {
  const files = yield* Files
  const named = watched.filter((path) => !hasWildcard(path) && isInsideAny(directories, path, true))
  const found = yield* Effect.forEach(named, (path) =>
    files.resolve(path).pipe(
      Effect.map(({ exists }) => (exists ? [path] : [])),
      Effect.orElseSucceed(() => [path])
    )
  )
  return found.flat()
})

const NOTHING_BELOW = {
  protectedPaths: [],
  secrets: [],
  watched: [],
  watchedAll: true,
  links: [],
  complete: true
} as const

export type ScanDirectory = (path: string, watched: ReadonlyArray<string>) => Effect.Effect<BelowFact, never, Files>

/** Looks for protected, secret and watched names below a directory, without following links and not for ever. */
export const scanDirectory: ScanDirectory = Effect.fnUntraced(function* (path, watched) {
  const files = yield* Files
  const { realPath: real, exists } = yield* Effect.orElseSucceed(files.resolve(path), () => ({
    realPath: path,
    exists: true
  }))
  if (!exists) return { path, ...NOTHING_BELOW }
  const walk: Walk = {
    from: path,
    real,
    pending: [path],
    protectedPaths: [],
    secrets: [],
    watched: yield* existing([path, real], watched),
    links: [],
    patterns: watched.filter((pattern) => hasWildcard(pattern) && couldNameBelow(pattern, [path, real])),
    spelled: new Set(watched.filter((pattern) => !hasWildcard(pattern)).map(foldCase)),
    entries: 0
  }
  const most = walk.patterns.length === 0 ? MOST_ENTRIES : MOST_WATCHED_ENTRIES
  // What lies near the top is seen first, however much there is below.
  for (const directory of walk.pending) {
    if (walk.entries > most) break
    const entries = yield* files.list(directory).pipe(Effect.orElseSucceed(() => []))
    walk.entries += entries.length
    for (const entry of entries) {
      const inner = `${directory === "/" ? "" : directory}/${entry.name}`
      note(walk, inner, entry)
      if (entry.kind === "directory" && !PASSED_OVER.has(entry.name)) walk.pending.push(inner)
    }
  }
  const { protectedPaths, secrets, links, patterns } = walk
  const complete = walk.entries <= most
  const watchedAll = complete || patterns.length === 0
  return { path, protectedPaths, secrets, watched: walk.watched, watchedAll, links, complete }
})
