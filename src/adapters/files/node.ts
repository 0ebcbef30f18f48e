import type { Dirent } from "node:fs"
import { Effect, Layer } from "effect"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import type { Presence } from "../../core/domain/path/presence.ts"
import { Files, type FileError } from "../../core/ports/Files.ts"
import { asFileError } from "./failure.ts"
import { kindOf, openForReading, portStat, withOpen } from "./guarded-open.ts"
import { holdDirectory } from "./held-directory.ts"
import { resolveApproved } from "./link-change.ts"
import { type FileOps, nodeOps } from "./ops.ts"
import { readFile, scanFile } from "./read-bytes.ts"
import { rememberingOps } from "./remembering-ops.ts"
import { resolvePath } from "./resolve-path.ts"
import { writeFile } from "./write-file.ts"

/** The port over Node's file system. */
const attempt = <A>(path: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, FileError> =>
  Effect.tryPromise({ try: run, catch: (error) => asFileError(path, error) })

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1

const entriesOf = async (ops: FileOps, path: string, approved: string | undefined): Promise<ReadonlyArray<Dirent>> => {
  if (approved === undefined) return ops.readdir(path)
  const { realPath } = resolveApproved(ops, path, approved)
  const held = await holdDirectory(ops, realPath)
  try {
    return await ops.readdir(held.at(""))
  } finally {
    held.release()
  }
}

const resolvedOrNothing = (ops: FileOps, path: string): PathFact | undefined => {
  try {
    return resolvePath(ops, path)
  } catch {
    return undefined
  }
}

/** Names that cannot be looked at, because of a loop of links or of rights, count as absent. */
const presenceOf = (ops: FileOps, path: string): Presence | undefined => {
  try {
    const stat = ops.statIfAny(path)
    if (stat === undefined) return undefined
    const kind = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other"
    const { realPath } = resolvePath(ops, path)
    const identity = stat.ino === 0n ? realPath : `${stat.dev}:${stat.ino}`
    const mtimeMs = Number(stat.mtimeNs) / 1e6
    return { path, realPath, kind, size: Number(stat.size), mtimeMs, identity, owner: Number(stat.uid) }
  } catch {
    return undefined
  }
}

export const makeFiles = (ops: FileOps): Files["Service"] => ({
  resolve: (path) => Effect.try({ try: () => resolvePath(ops, path), catch: (error) => asFileError(path, error) }),
  resolveAll: (paths) => Effect.sync(() => paths.map((path) => resolvedOrNothing(ops, path))),
  present: (paths) => Effect.sync(() => paths.map((path) => presenceOf(ops, path))),
  stat: (path) =>
    attempt(path, async () => {
      const { realPath } = resolvePath(ops, path)
      return portStat(await ops.lstat(realPath))
    }),
  list: (path, options) =>
    attempt(path, async () => {
      const entries = await entriesOf(ops, path, options?.approvedRealPath)
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort(byName)
    }),
  read: (path, options) =>
    attempt(path, () =>
      withOpen(openForReading(ops, path, options?.approvedRealPath), (file) =>
        readFile(file, options?.maxBytes ?? Number.POSITIVE_INFINITY)
      )
    ),
  scan: (path, consume, options) =>
    attempt(path, (signal) =>
      withOpen(openForReading(ops, path, options?.approvedRealPath), (file) => scanFile(file, consume, signal))
    ),
  write: (request) => Effect.uninterruptible(attempt(request.path, () => writeFile(ops, request)))
})

export const layer: Layer.Layer<Files> = Layer.succeed(Files, makeFiles(nodeOps))

/** Looks at each place once; only for runs that change nothing. */
export const rememberingLayer: Layer.Layer<Files> = Layer.sync(Files, () => makeFiles(rememberingOps(nodeOps)))
