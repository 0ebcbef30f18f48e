import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs"
import { codeOf } from "../system/error-code.ts"
import { isAlive } from "../system/process-alive.ts"

/** One writer of a settings file at a time, over all processes that honour the lock. */

const STALE_MS = 60_000
const WAIT_MS = 10_000
const POLL_MS = 20

/** Left behind by a process that is gone, or held longer than any change takes. */
const isStale = (path: string, now: number): boolean => {
  try {
    const pid = Number(readFileSync(path, "utf8"))
    const isOld = now - statSync(path).mtimeMs > STALE_MS
    return isOld || (Number.isInteger(pid) && pid > 0 && !isAlive(pid))
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false
    throw error
  }
}

const take = (path: string): boolean => {
  try {
    const fd = openSync(path, "wx", 0o600)
    try {
      writeSync(fd, String(process.pid))
    } finally {
      closeSync(fd)
    }
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

/** Only one process at a time removes a stale lock, so that nobody removes the lock of whoever came next. */
const breakStale = (path: string): void => {
  const breaking = `${path}.break`
  if (!take(breaking)) {
    if (isStale(breaking, Date.now())) rmSync(breaking, { force: true })
    return
  }
  try {
    if (isStale(path, Date.now())) rmSync(path, { force: true })
  } finally {
    rmSync(breaking, { force: true })
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs `work` while nobody else holds the lock of this file. */
export const withLock = async <A>(file: string, work: () => A | Promise<A>): Promise<A> => {
  const path = `${file}.lock`
  const giveUpAt = Date.now() + WAIT_MS
  while (!take(path)) {
    if (isStale(path, Date.now())) breakStale(path)
    else if (Date.now() > giveUpAt) throw new Error(`another program holds ${path}`)
    else await pause(POLL_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}
