import { randomBytes } from "node:crypto"
import fs from "node:fs"
import type { HeldDirectory } from "./held-directory.ts"
import { requireSamePlace } from "./link-change.ts"
import type { FileOps } from "./ops.ts"

/**
 * A finished file beside its destination. The name is new every time, so that what a killed process left behind never
 * stands in the way, and short, so that it fits wherever the destination's name does.
 */
export interface TempFile {
  /** What to call it for the system. */
  readonly path: string
  readonly stat: fs.BigIntStats
}

export interface Attributes {
  /** Exact bits for a replaced file; for a new one the process mask applies. */
  readonly mode: number
  /** Owner to keep, absent for a new file. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

const NEW_FILE = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | (fs.constants.O_NOFOLLOW ?? 0)

const takeAttributes = async (handle: fs.promises.FileHandle, attributes: Attributes): Promise<void> => {
  if (attributes.owner === undefined) return
  const { uid, gid } = attributes.owner
  const own = await handle.stat()
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid)
  await handle.chmod(attributes.mode)
}

export const writeAll = async (handle: fs.promises.FileHandle, bytes: Uint8Array): Promise<void> => {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, written)
    written += bytesWritten
  }
}

export const removeQuietly = (ops: FileOps, target: string): Promise<void> => ops.unlink(target).catch(() => undefined)

/** Writes `bytes` to a new file in the directory and makes them durable. */
export const writeTemp = async (
  ops: FileOps,
  held: HeldDirectory,
  content: Attributes & { readonly bytes: Uint8Array }
): Promise<TempFile> => {
  const temp = held.at(`.nacre-${randomBytes(9).toString("base64url")}.tmp`)
  const handle = await ops.open(temp, NEW_FILE, content.owner === undefined ? content.mode : 0o600)
  try {
    requireSamePlace(ops, { path: held.path, realPath: held.path, exists: true })
    await writeAll(handle, content.bytes)
    await takeAttributes(handle, content)
    await handle.sync()
    return { path: temp, stat: await handle.stat({ bigint: true }) }
  } catch (error) {
    await removeQuietly(ops, temp)
    throw error
  } finally {
    await handle.close()
  }
}

/** Makes a changed name durable where the system can. */
export const syncDirectory = async (ops: FileOps, held: HeldDirectory): Promise<void> => {
  try {
    const handle = await ops.open(held.at(""), fs.constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // Some file systems cannot sync a directory; the data itself is already safe.
  }
}
