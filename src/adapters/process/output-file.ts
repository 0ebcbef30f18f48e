/**
 * The file that takes a command's output, with the counters the screen needs. Memory is constant: what was written is
 * not kept here. Writes are synchronous because they go to the page cache and keep the reader of the pipe in step.
 */
import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from "node:fs"
import { decodeWindow } from "../../core/tools/bash/decode.ts"
import type { OutputSnapshot } from "../../core/ports/Process.ts"
import { inPrivateDirectory } from "./private-directory.ts"

const TAIL_BYTES = 4_096
const NEWLINE = 10
const COPY_BYTES = 1024 * 1024

export interface RotationSizes {
  readonly limitBytes: number
  readonly headBytes: number
  readonly tailBytes: number
}

/** Output of a background command: the beginning stays, of the rest only the end. */
export const BACKGROUND_ROTATION: RotationSizes = {
  limitBytes: 64 * 1024 * 1024,
  headBytes: 32 * 1024 * 1024,
  tailBytes: 8 * 1024 * 1024
}

export interface OutputFile {
  readonly write: (chunk: Buffer) => void
  readonly snapshot: () => OutputSnapshot
  /** All of the output, as long as it is short enough to be in memory anyway. */
  readonly held: () => Buffer | undefined
  readonly rotateAt: (sizes: RotationSizes) => void
  /** Later output is counted but no longer stored. */
  readonly seal: () => void
}

const countLines = (chunk: Buffer): number => {
  let lines = 0
  for (let index = 0; index < chunk.length; index++) if (chunk[index] === NEWLINE) lines++
  return lines
}

/** The last bytes, moved in place: a flood of output must not become a flood of garbage. */
const makeTail = () => {
  const bytes = Buffer.alloc(TAIL_BYTES)
  let length = 0
  return {
    push: (chunk: Buffer): void => {
      const fresh = chunk.subarray(-TAIL_BYTES)
      const kept = Math.min(length, TAIL_BYTES - fresh.length)
      bytes.copyWithin(0, length - kept, length)
      fresh.copy(bytes, kept)
      length = kept + fresh.length
    },
    bytes: (): Buffer => bytes.subarray(0, length)
  }
}

const errorText = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const writeAll = (fd: number, chunk: Buffer, position: number): void => {
  let done = 0
  while (done < chunk.length) done += writeSync(fd, chunk, done, chunk.length - done, position + done)
}

/** Same length for every count, because a second rotation writes over the first marker. */
const rotationMarker = (removedBytes: number): Buffer =>
  Buffer.from(`\n[... ${String(removedBytes).padStart(16)} bytes of output removed here to bound this file ...]\n`)

/** Drops the middle of the file: head, marker, and the last bytes moved up behind it. Returns the new length. */
const dropMiddle = (fd: number, length: number, part: RotationSizes & { readonly removedBytes: number }): number => {
  const marker = rotationMarker(part.removedBytes)
  const from = length - part.tailBytes
  const to = part.headBytes + marker.length
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, part.tailBytes))
  let moved = 0
  while (moved < part.tailBytes) {
    const got = readSync(fd, buffer, 0, Math.min(buffer.length, part.tailBytes - moved), from + moved)
    if (got === 0) break
    writeAll(fd, buffer.subarray(0, got), to + moved)
    moved += got
  }
  writeAll(fd, marker, part.headBytes)
  ftruncateSync(fd, to + moved)
  return to + moved
}

/** Opens the file anew, never through a link and never over an existing one. */
const createPrivate = (path: string): number =>
  inPrivateDirectory(path, () =>
    openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  )

export interface OutputLimit {
  readonly bytes: number
  readonly onPassed: () => void
}

export const openOutputFile = (path: string, limit: OutputLimit): OutputFile => {
  const tail = makeTail()
  let fd: number | undefined = createPrivate(path)
  let storedBytes = 0
  let totalBytes = 0
  let newlines = 0
  let endsLine = true
  let lost: string | null = null
  let overflowed = false
  let rotation: RotationSizes | undefined

  const seal = (): void => {
    const open = fd
    fd = undefined
    try {
      if (open !== undefined) closeSync(open)
    } catch (cause) {
      // A delayed write can fail as late as here.
      lost ??= errorText(cause)
    }
  }

  const store = (chunk: Buffer): void => {
    if (fd === undefined) return
    try {
      writeAll(fd, chunk, storedBytes)
      storedBytes += chunk.length
      if (rotation === undefined || storedBytes <= rotation.limitBytes) return
      const kept = rotation.headBytes + rotation.tailBytes
      storedBytes = dropMiddle(fd, storedBytes, { ...rotation, removedBytes: totalBytes - kept })
    } catch (cause) {
      lost = errorText(cause)
      seal()
    }
  }

  const passedLimit = (): boolean => rotation === undefined && totalBytes > limit.bytes

  return {
    write: (chunk) => {
      totalBytes += chunk.length
      newlines += countLines(chunk)
      endsLine = chunk[chunk.length - 1] === NEWLINE
      tail.push(chunk)
      store(chunk)
      if (overflowed || !passedLimit()) return
      overflowed = true
      seal()
      limit.onPassed()
    },
    snapshot: () => ({
      totalBytes,
      totalLines: newlines + (endsLine ? 0 : 1),
      tail: decodeWindow(tail.bytes(), { cutBefore: totalBytes > TAIL_BYTES, cutAfter: true }),
      overflowed,
      lost
    }),
    held: () => (totalBytes <= TAIL_BYTES ? tail.bytes() : undefined),
    rotateAt: (sizes) => {
      rotation = sizes
    },
    seal
  }
}
