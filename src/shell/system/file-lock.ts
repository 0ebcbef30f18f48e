import { closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** One writer of a small file at a time, among processes of the same person. */

/** A write takes a few milliseconds; a lock that is older was left behind. */
const STALE_MS = 2_000
const TRIES = 50
const PAUSE_MS = 5

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST"

const take = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", 0o600))
    return true
  } catch (error) {
    if (!isTaken(error)) throw error
    return false
  }
}

const isStale = (path: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS
}

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)

/** Waits for its turn, though not for long: whoever holds the lock for longer than a write takes has died. */
export const withFileLock = (file: string, work: () => void): void => {
  const path = `${file}.lock`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (let left = TRIES; !take(path); left--) {
    if (left === 0 || isStale(path)) rmSync(path, { force: true })
    else pause()
  }
  try {
    work()
  } finally {
    rmSync(path, { force: true })
  }
}
