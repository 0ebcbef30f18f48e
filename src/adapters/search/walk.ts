import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { VCS_DIRECTORIES } from "../../core/domain/path/glob-pattern.ts"
import { globVerdict, lastMatch, type Place } from "./glob-match.ts"
import { enterDirectory, type IgnoreRules, rulesAbove, verdictFor } from "./ignore-rules.ts"

/** A walk over the regular files below a directory in the order of their paths, with ripgrep's idea of what to skip. */
export interface WalkRequest {
  readonly root: string
  readonly hidden: boolean
  readonly ignoreFiles: boolean
  /** A file or directory that these name is taken whatever hides it. */
  readonly globs: ReadonlyArray<string>
  /** The globs ignore case. */
  readonly foldsGlobs?: boolean
  /** Globs of file names, any of which must match. */
  readonly types?: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  readonly shows?: (path: string) => boolean
}

export interface Walk {
  readonly signal: AbortSignal
  /** Directories that could not be read. */
  readonly warn: (message: string) => void
}

type Wanted = (place: Place, rules: IgnoreRules) => boolean

const wantedBy = (request: WalkRequest): Wanted => {
  const denied = lastMatch(request.exclude, "/", { nocase: true })
  const byGlob = globVerdict(request.globs, request.root, { nocase: request.foldsGlobs === true })
  const byType = globVerdict(request.types ?? [], request.root)
  return (place, rules) => {
    const name = place.path.slice(place.path.lastIndexOf("/") + 1)
    if (denied(place) !== undefined || (place.directory && VCS_DIRECTORIES.includes(name))) return false
    const said = byGlob(place)
    if (said !== "undecided") return said === "include"
    const ruled = request.ignoreFiles ? verdictFor(rules, place) : "undecided"
    if (ruled === "exclude" || byType(place) === "exclude") return false
    return request.hidden || ruled === "include" || !name.startsWith(".")
  }
}

const byName = (left: Dirent, right: Dirent): number => {
  if (left.name === right.name) return 0
  return left.name < right.name ? -1 : 1
}

const entriesOf = async (directory: string, walk: Walk): Promise<ReadonlyArray<Dirent>> => {
  try {
    return (await readdir(directory, { withFileTypes: true })).sort(byName)
  } catch (error) {
    walk.warn(`${directory}: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

async function* below(directory: string, outer: IgnoreRules, wanted: Wanted, walk: Walk): AsyncGenerator<string> {
  const rules = await enterDirectory(outer, directory)
  for (const entry of await entriesOf(directory, walk)) {
    if (walk.signal.aborted) return
    const place = { path: `${directory === "/" ? "" : directory}/${entry.name}`, directory: entry.isDirectory() }
    if (!wanted(place, rules)) continue
    if (place.directory) yield* below(place.path, rules, wanted, walk)
    else if (entry.isFile()) yield place.path
  }
}

export async function* walkFiles(request: WalkRequest, walk: Walk): AsyncGenerator<string> {
  const found = below(request.root, await rulesAbove(request.root), wantedBy(request), walk)
  for await (const path of found) if (request.shows?.(path) !== false) yield path
}
