import { isUtf8 } from "node:buffer"
import { appendFileSync, chmodSync, closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs"
import { dirname } from "node:path"
import { codeOf } from "../../adapters/system/error-code.ts"
import { linkTarget, OWNER_ONLY, replaceFile } from "../../adapters/system/replace-file.ts"

/** Small files of the user's own: private, and never half written. */

const ABSENT = new Set(["ENOENT", "ENOTDIR"])

const isAbsent = (error: unknown): boolean => ABSENT.has(codeOf(error))

/** Undefined when there is none. What cannot be read fails, so that nobody writes over it. */
export const readIfThere = (path: string): string | undefined => {
  try {
    const bytes = readFileSync(path)
    if (!isUtf8(bytes)) throw new Error(`${path} is not UTF-8 text`)
    return bytes.toString("utf8")
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

const makePrivateDirectory = (directory: string): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
}

/** Replaces a file as a whole; of a link the file that it names. A new one is the owner's alone unless it is shared. */
export const writeWhole = (path: string, content: string | Uint8Array, newMode = OWNER_ONLY): void => {
  const target = linkTarget(path)
  makePrivateDirectory(dirname(target))
  replaceFile({ path: target, content, newMode })
}

const LINE_FEED = 0x0a

/** A crash of another writer may have left half a line; the next one must not grow out of it. */
const endsInsideLine = (fd: number): boolean => {
  const { size } = fstatSync(fd)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== LINE_FEED
}

export const appendLine = (path: string, line: string): void => {
  makePrivateDirectory(dirname(path))
  const fd = openSync(path, "a+", OWNER_ONLY)
  try {
    if ((fstatSync(fd).mode & 0o077) !== 0) chmodSync(path, OWNER_ONLY)
    appendFileSync(fd, endsInsideLine(fd) ? `\n${line}\n` : `${line}\n`)
  } finally {
    closeSync(fd)
  }
}

/** The last bytes of a file as whole lines; `isWhole` when that is all of it. */
export const readTail = (path: string, maxBytes: number): { readonly text: string; readonly isWhole: boolean } => {
  const fd = openSync(path, "r")
  try {
    const { size } = fstatSync(fd)
    const start = Math.max(0, size - maxBytes)
    const bytes = Buffer.alloc(size - start)
    const length = readSync(fd, bytes, 0, bytes.length, start)
    const text = bytes.toString("utf8", start === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1, length)
    return { text, isWhole: start === 0 }
  } finally {
    closeSync(fd)
  }
}
