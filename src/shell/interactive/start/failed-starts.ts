import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isAlive } from "../../../adapters/system/process-alive.ts"

/**
 * Full-screen starts that died at once. A start leaves a mark with its process id and takes it away when it has
 * lived for a while or ends in good order. A mark of a process that is gone is a start that failed; after two of them in
 * a row the next one is inline.
 */

const LIVED_MS = 10_000
const TOO_MANY = 2
const COUNT = "failed"

const directoryOf = (configHome: string): string => join(configHome, "nacre", "starts")

const namesIn = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

const countIn = (directory: string): number => {
  try {
    return Number(readFileSync(join(directory, COUNT), "utf8")) || 0
  } catch {
    return 0
  }
}

/** A home that cannot be written is no reason not to start. */
const quietly = (work: () => void): void => {
  try {
    work()
  } catch {
    // The mark is a convenience.
  }
}

/** Counts the marks of processes that are gone; true when too many starts in a row have failed. */
export const hasFailedStarts = (configHome: string): boolean => {
  const directory = directoryOf(configHome)
  const gone = namesIn(directory).filter((name) => /^\d+$/.test(name) && !isAlive(Number(name)))
  if (gone.length === 0) return countIn(directory) >= TOO_MANY
  const count = countIn(directory) + gone.length
  quietly(() => {
    for (const name of gone) rmSync(join(directory, name), { force: true })
    writeFileSync(join(directory, COUNT), String(count), { mode: 0o600 })
  })
  return count >= TOO_MANY
}

export interface StartMark {
  /** The start did not fail: it lived, or ended because somebody wanted it to. */
  readonly isFine: () => void
}

/** Marks a full-screen start. */
export const markStart = (configHome: string): StartMark => {
  const directory = directoryOf(configHome)
  const mark = join(directory, String(process.pid))
  quietly(() => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(mark, "", { mode: 0o600 })
  })
  const isFine = (): void => {
    clearTimeout(timer)
    quietly(() => {
      rmSync(mark, { force: true })
      rmSync(join(directory, COUNT), { force: true })
    })
  }
  const timer = setTimeout(isFine, LIVED_MS).unref()
  return { isFine }
}
