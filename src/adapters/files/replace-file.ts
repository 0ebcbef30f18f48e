import fs from "node:fs"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import type { WriteRequest } from "../../core/ports/Files.ts"
import { asFileError, codeOf, fileError } from "./failure.ts"
import { type HeldFile, isUntouched, nameIn, openHeld, type OpenFile, withOpen } from "./guarded-open.ts"
import type { FileOps } from "./ops.ts"
import { readFile, scanFile } from "./read-bytes.ts"
import { removeQuietly, syncDirectory, type TempFile, writeAll, writeTemp } from "./temp-file.ts"

/** Changing a file that exists, in one of two ways. Both compare its bytes with the expected hash at the end. */
const stale = (fact: PathFact): Error => fileError("stale", fact.path, `${fact.path} has changed since its content was seen`)

const isUntouchedNow = (target: HeldFile, { stat }: OpenFile): boolean => {
  const now = fs.lstatSync(nameIn(target), { bigint: true, throwIfNoEntry: false })
  return now !== undefined && isUntouched(stat, now)
}

const commit = (ops: FileOps, temp: TempFile, target: HeldFile, expectedHash: string): Promise<void> =>
  withOpen(openHeld(ops, target, fs.constants.O_RDONLY), async (file) => {
    const { hash } = await scanFile(file, () => true)
    if (hash !== expectedHash) throw stale(target.fact)
    if (!ops.replace(temp.path, nameIn(target), () => isUntouchedNow(target, file))) throw stale(target.fact)
  })

/** The directory takes no new file, the owner cannot be given away, or the name is a mount point. */
const CANNOT_REPLACE = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV"])

/** A new file takes the name of the old one. */
export const replaceFile = async (
  ops: FileOps,
  target: HeldFile,
  request: WriteRequest & { readonly expectedHash: string }
): Promise<fs.BigIntStats> => {
  await ops.access(nameIn(target), fs.constants.W_OK)
  const old = await ops.lstat(nameIn(target))
  const attributes = { mode: Number(old.mode & 0o7777n), owner: { uid: Number(old.uid), gid: Number(old.gid) } }
  let temp: TempFile | undefined
  try {
    temp = await writeTemp(ops, target.held, { bytes: request.bytes, ...attributes })
    await commit(ops, temp, target, request.expectedHash)
  } catch (error) {
    if (temp !== undefined) await removeQuietly(ops, temp.path)
    if (CANNOT_REPLACE.has(codeOf(error) ?? "")) return writeInPlace(ops, target, request)
    throw error
  }
  await syncDirectory(ops, target.held)
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
  target: HeldFile,
  request: WriteRequest & { readonly expectedHash: string }
): Promise<fs.BigIntStats> =>
  withOpen(openHeld(ops, target, fs.constants.O_RDWR), async (file) => {
    const before = await readFile(file, Number.POSITIVE_INFINITY)
    if (before.hash !== request.expectedHash || !isUntouchedNow(target, file)) throw stale(target.fact)
    await overwrite(file.handle, request.bytes).catch((cause: unknown) => putBack(file, before.bytes, cause))
    return file.handle.stat({ bigint: true })
  })
