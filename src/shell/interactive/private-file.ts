import { isUtf8 } from "node:buffer"
import {
  appendFileSync,
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname } from "node:path"

/** Small files of the person's own: private, and never half written. */

const OWNER_ONLY = 0o600

const ABSENT = new Set(["ENOENT", "ENOTDIR"])

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && ABSENT.has(error.code)

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

/** A link stays one: the file that it names is replaced. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Replaces a file as a whole. One that exists keeps its mode; a new one is the owner's alone unless it is shared. */
export const writeWhole = (path: string, content: string | Uint8Array, newMode = OWNER_ONLY): void => {
  const target = targetOf(path)
  makePrivateDirectory(dirname(target))
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? newMode
  const temporary = `${target}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  const fd = openSync(temporary, "wx", OWNER_ONLY)
  try {
    writeFileSync(fd, content)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  chmodSync(temporary, mode & 0o777)
  renameSync(temporary, target)
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
