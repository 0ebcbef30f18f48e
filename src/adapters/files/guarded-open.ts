import fs from "node:fs"
import path from "node:path"
import { isSpecialPath } from "../../core/domain/path/path-text.ts"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import type { FileKind, FileStat } from "../../core/ports/Files.ts"
import { codeOf, fileError } from "./failure.ts"
import { type HeldDirectory, withDirectoryOf } from "./held-directory.ts"
import { requireSamePlace, resolveApproved } from "./link-change.ts"
import type { FileOps } from "./ops.ts"

/** A regular file, opened in its real directory and checked to be the one that was resolved. */
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
  isSameFile(left, right) && left.size === right.size && left.mtimeNs === right.mtimeNs && left.ctimeNs === right.ctimeNs

export const refuseUnlessRegular = (fact: PathFact, stat: fs.BigIntStats): void => {
  const kind = kindOf(stat)
  if (kind === "directory") throw fileError("isDirectory", fact.path)
  if (kind !== "file") throw fileError("notRegular", fact.path)
}

/** Flags that Windows does not have are left out there. */
const SAFELY = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0)

/** A file whose directory is held. */
export interface HeldFile {
  readonly fact: PathFact
  readonly held: HeldDirectory
}

/** What to call the file for the system. */
export const nameIn = ({ held, fact }: HeldFile): string => held.at(path.basename(fact.realPath))

/** The kind is looked at before opening, because opening a device may already act. */
const openChecked = async (ops: FileOps, file: HeldFile, flags: number): Promise<fs.promises.FileHandle> => {
  const { fact } = file
  const before = await ops.lstat(nameIn(file))
  if (before.isSymbolicLink()) requireSamePlace(ops, fact)
  refuseUnlessRegular(fact, before)
  try {
    return await ops.open(nameIn(file), flags | SAFELY)
  } catch (error) {
    if (codeOf(error) === "ELOOP") requireSamePlace(ops, fact)
    throw error
  }
}

export const openHeld = async (ops: FileOps, file: HeldFile, flags: number): Promise<OpenFile> => {
  const { fact } = file
  if (isSpecialPath(fact.path) || isSpecialPath(fact.realPath)) throw fileError("notRegular", fact.path)
  const handle = await openChecked(ops, file, flags)
  try {
    const stat = await handle.stat({ bigint: true })
    requireSamePlace(ops, fact)
    const named = await ops.lstat(nameIn(file))
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
  given: string,
  approvedRealPath: string | undefined
): Promise<OpenFile> => {
  const fact = resolveApproved(ops, given, approvedRealPath)
  return withDirectoryOf(ops, fact, (held) => openHeld(ops, { fact, held }, fs.constants.O_RDONLY))
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
