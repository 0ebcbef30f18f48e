import {
  chmodSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { codeOf } from "./error-code.ts"
import { isAlive } from "./process-alive.ts"

/** Replaces a file so that at any moment it holds either the old or the new text. */

let count = 0

/** Modes of new files: the owner's alone, or what the mask of the user leaves of everybody's. */
export const OWNER_ONLY = 0o600
export const AS_MASKED = 0o666

const flush = (path: string): void => {
  const fd = openSync(path, "r")
  try {
    fsyncSync(fd)
  } catch (error) {
    // Some file systems cannot flush a directory; the rename is as durable as they make it.
    if (!["EINVAL", "EISDIR", "EPERM", "ENOTSUP"].includes(codeOf(error))) throw error
  } finally {
    closeSync(fd)
  }
}

const writeAll = (fd: number, bytes: Uint8Array): void => {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written)
}

const writeNew = (path: string, bytes: Uint8Array, mode: number): void => {
  const fd = openSync(path, "wx", mode)
  try {
    writeAll(fd, bytes)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** For a file that is a mount point and cannot be replaced. */
const writeInPlace = (path: string, bytes: Uint8Array): void => {
  const fd = openSync(path, "r+")
  try {
    writeAll(fd, bytes)
    ftruncateSync(fd, bytes.length)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Where a link leads, even when nothing is there yet. What cannot be looked at leads nowhere else. */
export const linkTarget = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    try {
      return resolve(dirname(path), readlinkSync(path))
    } catch {
      return path
    }
  }
}

const CANNOT_REPLACE = ["EBUSY", "EXDEV"]

export interface Replacement {
  readonly path: string
  readonly content: string | Uint8Array
  /** The mode of a new file; one that exists keeps its own. */
  readonly newMode: number
  /** Asked at the last moment: somebody who knows no lock may have written meanwhile. */
  readonly isUnchanged?: () => boolean
}

/** What a process left that was killed between writing and replacing. */
const removeLeftovers = (path: string): void => {
  const prefix = `${basename(path)}.tmp.`
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.\d+$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dirname(path), name), { force: true })
  }
}

/** The file is another one than the one that was read. Nothing was changed. */
export class FileChanged extends Error {}

/** A sentence when the file could not be replaced and was written in place. */
export const replaceFile = ({ path, content, newMode, isUnchanged }: Replacement): string | undefined => {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content
  const temporary = `${path}.tmp.${process.pid}.${++count}`
  const old = statSync(path, { throwIfNoEntry: false })
  try {
    writeNew(temporary, bytes, newMode)
    if (old !== undefined) chmodSync(temporary, old.mode & 0o7777)
    if (isUnchanged?.() === false) throw new FileChanged(`${path} was changed by another program`)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    if (old === undefined || !CANNOT_REPLACE.includes(codeOf(error))) throw error
    writeInPlace(path, bytes)
    return `${path} cannot be replaced and was written in place`
  }
  flush(dirname(path))
  removeLeftovers(path)
  return undefined
}
