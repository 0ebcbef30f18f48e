import { realpathSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { Effect } from "effect"
import { isInside } from "../../core/permission/path-scope.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { isRaw, type Raw } from "../../core/session/raw.ts"
import { type TrustPlace, trustPlace } from "../../core/trust/place.ts"
import type { Identity } from "../../core/trust/record.ts"
import type { FolderFile } from "../../core/trust/wants.ts"

/** Where to look. Every path is a real one. */
export interface FolderAt {
  readonly start: string
  readonly home: string
  readonly configHome: string
}

export interface FolderReading {
  readonly place: TrustPlace
  readonly identity: Identity
  readonly files: ReadonlyArray<FolderFile>
}

const MOST_BYTES = 2 * 1024 * 1024

interface Candidate {
  readonly path: string
  readonly kind: FolderFile["kind"]
  readonly isLocal: boolean
}

const settings = (directory: string): Candidate => ({ path: join(directory, ".claude", "settings.json"), kind: "settings", isLocal: false })

const local = (directory: string): Candidate => ({ path: join(directory, ".claude", "settings.local.json"), kind: "settings", isLocal: true })

const mcp = (directory: string): Candidate => ({ path: join(directory, ".mcp.json"), kind: "mcp", isLocal: false })

/** All that may be opened before the decision. */
const candidatesIn = (start: string, root: string | undefined): ReadonlyArray<Candidate> => [
  settings(start),
  local(start),
  mcp(start),
  ...(root === undefined || root === start ? [] : [local(root), mcp(root)])
]

const objectIn = (bytes: Uint8Array): Raw => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    return isRaw(value) ? value : {}
  } catch {
    // Who loads settings tells what is wrong with the file; nothing of it takes effect.
    return {}
  }
}

/** Seen from the trusted folder, so that a folder that moved keeps its names; a worktree is seen from itself. */
const nameFrom = (root: string, path: string): string => relative(root, path).split(sep).join("/")

const readCandidate = Effect.fnUntraced(function* (
  { path, kind, isLocal }: Candidate,
  { root, configHome }: { readonly root: string; readonly configHome: string }
) {
  const files = yield* Files
  const { realPath } = yield* files.resolve(path)
  // In the home directory the project's file is the person's own.
  if (isInside(configHome, realPath)) return []
  const { bytes } = yield* files.read(path, { approvedRealPath: realPath, maxBytes: MOST_BYTES })
  const isOwn = isLocal && realPath === path && !(yield* Git).isTracked(path)
  const file: FolderFile = { path: nameFrom(root, path), kind, value: objectIn(bytes), isOwn }
  return [file]
})

const identityOf = (path: string): Identity => {
  const { dev, ino } = statSync(path, { bigint: true })
  return { dev: String(dev), ino: String(ino) }
}

/** Reads, as data, what a folder would like to set. Nothing is started and nothing takes effect. */
export const readFolder = Effect.fnUntraced(function* ({ start, home, configHome }: FolderAt) {
  const repository = (yield* Git).checkout(start)
  const place = trustPlace({ start, home, ...(repository === undefined ? {} : { repository }) })
  const root = place.kind === "folder" || place.kind === "home" ? start : (repository?.root ?? start)
  const files = yield* Effect.forEach(candidatesIn(start, root), (candidate) =>
    // A file that is missing or no file at all sets nothing.
    readCandidate(candidate, { root, configHome }).pipe(Effect.orElseSucceed((): ReadonlyArray<FolderFile> => []))
  )
  const reading: FolderReading = { place, identity: identityOf(place.key), files: files.flat() }
  return reading
})

/** A path after following every link; one that does not exist stays as it is. */
export const realOr = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
