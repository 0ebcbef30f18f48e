import fs from "node:fs"
import path from "node:path"
import type { PathFact } from "../../core/permission/need.ts"
import type { WriteRequest } from "../../core/ports/Files.ts"
import { asFileError, codeOf, fileError } from "./failure.ts"
import { isUntouched, openResolved, type OpenFile, withOpen } from "./guarded-open.ts"
import type { FileOps } from "./ops.ts"
import { readFile, scanFile } from "./read-bytes.ts"
import { removeQuietly, syncDirectory, type TempFile, writeAll, writeTemp } from "./temp-file.ts"

/** Changing a file that exists, in one of two ways. Both compare its bytes with the expected hash at the end. */
const stale = (fact: PathFact): Error =>
  fileError("stale", fact.path, `${fact.path} has changed since its content was seen`)

const isUntouchedNow = (file: OpenFile): boolean => {
  const now = fs.lstatSync(file.fact.realPath, { bigint: true, throwIfNoEntry: false })
  return now !== undefined && isUntouched(file.stat, now)
}

const commit = (ops: FileOps, temp: TempFile, fact: PathFact, expectedHash: string): Promise<void> =>
  withOpen(openResolved(ops, fact, fs.constants.O_RDONLY), async (file) => {
    const { hash } = await scanFile(file, () => true)
    if (hash !== expectedHash) throw stale(fact)
    if (!ops.replace(temp.path, fact.realPath, () => isUntouchedNow(file))) throw stale(fact)
  })

/** The directory takes no new file, the owner cannot be given away, or the name is a mount point. */
const CANNOT_REPLACE = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV"])

/** A new file takes the name of the old one. */
export const replaceFile = async (
  ops: FileOps,
  fact: PathFact,
  request: WriteRequest & { readonly expectedHash: string }
): Promise<fs.BigIntStats> => {
  await ops.access(fact.realPath, fs.constants.W_OK)
  const old = await ops.lstat(fact.realPath)
  const attributes = { mode: Number(old.mode & 0o7777n), owner: { uid: Number(old.uid), gid: Number(old.gid) } }
  let temp: TempFile | undefined
  try {
    temp = await writeTemp(ops, path.dirname(fact.realPath), { bytes: request.bytes, ...attributes })
    await commit(ops, temp, fact, request.expectedHash)
  } catch (error) {
    if (temp !== undefined) await removeQuietly(ops, temp.path)
    if (CANNOT_REPLACE.has(codeOf(error) ?? "")) return writeInPlace(ops, fact, request)
    throw error
  }
  await syncDirectory(ops, path.dirname(fact.realPath))
  return temp.stat
}

/** Truncates last: until then the old blocks are there and the old bytes can be put back on a full disk. */
const overwrite = async (handle: fs.promises.FileHandle, bytes: Uint8Array): Promise<void> => {
  await writeAll(handle, bytes)
  await handle.truncate(bytes.length)
  await handle.sync()
}

const putBack = async (file: OpenFile, bytes: Uint8Array, cause: unknown): Promise<never> => {
  await overwrite(file.handle, bytes).catch(() => {
    const { message } = asFileError(file.fact.path, cause)
    throw fileError("other", file.fact.path, `${message}; its former content could not be put back, look at the file`)
  })
  throw cause
}

/** The same file gets new bytes, so that its links and other names stay what they are. */
export const writeInPlace = (
  ops: FileOps,
  fact: PathFact,
  request: WriteRequest & { readonly expectedHash: string }
): Promise<fs.BigIntStats> =>
  withOpen(openResolved(ops, fact, fs.constants.O_RDWR), async (file) => {
    const before = await readFile(file, Number.POSITIVE_INFINITY)
    if (before.hash !== request.expectedHash || !isUntouchedNow(file)) throw stale(fact)
    await overwrite(file.handle, request.bytes).catch((cause: unknown) => putBack(file, before.bytes, cause))
    return file.handle.stat({ bigint: true })
  })
