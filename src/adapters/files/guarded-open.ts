import fs from "node:fs"
import { isSpecialPath } from "../../core/edit/path.ts"
import type { PathFact } from "../../core/permission/need.ts"
import type { FileKind, FileStat } from "../../core/ports/Files.ts"
import { codeOf, fileError } from "./failure.ts"
import type { FileOps } from "./ops.ts"
import { resolvePath } from "./resolve-path.ts"

/** A regular file, opened at its real path and checked to be the one that was resolved. */
export interface OpenFile {
  readonly fact: PathFact
  readonly handle: fs.promises.FileHandle
  readonly stat: fs.BigIntStats
}

type Typed = Pick<
  fs.Dirent,
  "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket" | "isBlockDevice" | "isCharacterDevice"
>

export const kindOf = (entry: Typed): FileKind => {
  if (entry.isFile()) return "file"
  if (entry.isDirectory()) return "directory"
  if (entry.isSymbolicLink()) return "link"
  if (entry.isFIFO()) return "pipe"
  if (entry.isSocket()) return "socket"
  return entry.isBlockDevice() || entry.isCharacterDevice() ? "device" : "other"
}

export const portStat = (stat: fs.BigIntStats): FileStat => ({
  kind: kindOf(stat),
  size: Number(stat.size),
  mtimeMs: Number(stat.mtimeNs) / 1e6,
  mode: Number(stat.mode & 0o7777n)
})

export const isSameFile = (left: fs.BigIntStats, right: fs.BigIntStats): boolean =>
  left.dev === right.dev && left.ino === right.ino

/** Nothing was written to the file and nothing was changed about it between two looks. */
export const isUntouched = (left: fs.BigIntStats, right: fs.BigIntStats): boolean =>
  isSameFile(left, right) &&
  left.size === right.size &&
  left.mtimeNs === right.mtimeNs &&
  left.ctimeNs === right.ctimeNs

/** Where a path leads, refused when permission was decided on another place. */
export const resolveApproved = async (
  ops: FileOps,
  path: string,
  approvedRealPath: string | undefined
): Promise<PathFact> => {
  const fact = await resolvePath(ops, path)
  if (approvedRealPath !== undefined && approvedRealPath !== fact.realPath) {
    throw linkChanged(path, approvedRealPath, fact.realPath)
  }
  return fact
}

export const linkChanged = (path: string, before: string, after: string): Error =>
  fileError("linkChanged", path, `${path} led to ${before} when it was checked and leads to ${after} now`)

export const requireSamePlace = async (ops: FileOps, fact: PathFact): Promise<void> => {
  const now = await resolvePath(ops, fact.path)
  if (now.realPath !== fact.realPath) throw linkChanged(fact.path, fact.realPath, now.realPath)
}

export const refuseUnlessRegular = (fact: PathFact, stat: fs.BigIntStats): void => {
  const kind = kindOf(stat)
  if (kind === "directory") throw fileError("isDirectory", fact.path)
  if (kind !== "file") throw fileError("notRegular", fact.path)
}

/** Flags that Windows does not have are left out there. */
const SAFELY = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0)

/** The kind is looked at before opening, because opening a device may already act. */
const openChecked = async (ops: FileOps, fact: PathFact, flags: number): Promise<fs.promises.FileHandle> => {
  const before = await ops.lstat(fact.realPath)
  if (before.isSymbolicLink()) await requireSamePlace(ops, fact)
  refuseUnlessRegular(fact, before)
  try {
    return await ops.open(fact.realPath, flags | SAFELY)
  } catch (error) {
    if (codeOf(error) === "ELOOP") await requireSamePlace(ops, fact)
    throw error
  }
}

export const openResolved = async (ops: FileOps, fact: PathFact, flags: number): Promise<OpenFile> => {
  if (isSpecialPath(fact.path) || isSpecialPath(fact.realPath)) throw fileError("notRegular", fact.path)
  const handle = await openChecked(ops, fact, flags)
  try {
    const stat = await handle.stat({ bigint: true })
    await requireSamePlace(ops, fact)
    const named = await ops.lstat(fact.realPath)
    refuseUnlessRegular(fact, stat)
    if (!isSameFile(stat, named)) {
      throw fileError("stale", fact.path, `${fact.path} was replaced by another file while it was opened`)
    }
    return { fact, handle, stat }
  } catch (error) {
    await handle.close()
    throw error
  }
}

export const openForReading = async (
  ops: FileOps,
  path: string,
  approvedRealPath: string | undefined
): Promise<OpenFile> => {
  const fact = await resolveApproved(ops, path, approvedRealPath)
  return openResolved(ops, fact, fs.constants.O_RDONLY)
}

/** Runs `use` with a file and closes it whatever happens. */
export const withOpen = async <A>(opening: Promise<OpenFile>, use: (file: OpenFile) => Promise<A>): Promise<A> => {
  const file = await opening
  try {
    return await use(file)
  } finally {
    await file.handle.close()
  }
}
