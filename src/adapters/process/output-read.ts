/** Reading a command's output back, and giving it a lasting place. */
import { constants } from "node:fs"
import { appendFile, copyFile, type FileHandle, link, mkdir, open, stat, truncate, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { decodeWindow } from "../../core/tools/bash/decode.ts"
import { ProcessFailure } from "../../core/ports/Process.ts"

const outputFailure =
  (doing: string) =>
  (cause: unknown): ProcessFailure =>
    new ProcessFailure({
      reason: "output",
      message: `Could not ${doing}: ${cause instanceof Error ? cause.message : String(cause)}`
    })

const readAt = async (file: FileHandle, position: number, length: number): Promise<Uint8Array> => {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

export type End = "head" | "tail"

const readWindow = async (path: string, end: End, maxBytes: number): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, maxBytes)
    const bytes = await readAt(file, end === "head" ? 0 : size - length, length)
    const cut = length < size
    return decodeWindow(bytes, { cutBefore: cut && end === "tail", cutAfter: cut && end === "head" })
  } finally {
    await file.close()
  }
}

export const readOutput = (path: string, end: End, maxBytes: number): Effect.Effect<string, ProcessFailure> =>
  Effect.tryPromise({
    try: () => readWindow(path, end, maxBytes),
    catch: outputFailure(`read the command's output from ${path}`)
  })

export interface Keeping {
  readonly from: string
  readonly to: string
  readonly maxBytes: number
  readonly totalBytes: number
}

const hasCode = (cause: unknown, code: string): boolean => cause instanceof Error && "code" in cause && cause.code === code

/** A link never replaces a file; where the file system has no links, a copy that refuses to do so must serve. */
const linkOrCopy = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (cause) {
    if (!hasCode(cause, "EEXIST")) await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

const moveExclusively = async ({ from, to, maxBytes, totalBytes }: Keeping): Promise<void> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const { size } = await stat(from)
  if (size > maxBytes) {
    await truncate(from, maxBytes)
    await appendFile(from, `\n[... cut after ${maxBytes} of ${totalBytes} bytes]\n`)
  }
  await linkOrCopy(from, to)
  await unlink(from)
}

/** A file that is already there is taken for this one: the name holds the call's id. */
export const moveOutput = (keeping: Keeping): Effect.Effect<void, ProcessFailure> =>
  Effect.tryPromise({
    try: () => moveExclusively(keeping),
    catch: outputFailure(`keep the command's output in ${keeping.to}`)
  })

/** Nobody waits for the end of a file that nobody will read again: what comes next goes first. */
export const removeLater = (path: string): void => {
  setImmediate(() => {
    unlink(path).catch(() => undefined)
  })
}
