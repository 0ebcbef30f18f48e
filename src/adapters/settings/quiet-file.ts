/**
 * Files that other programs write too, without a lock: an editor that empties a file before it fills it, a tool that
 * replaces it between our look and our change. Both are waited for and then taken along.
 */
import { statSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { FileChanged } from "../system/replace-file.ts"

/** How long a file that is being rewritten is waited for, and how often it is looked at. */
const YOUNG_MS = 1_000
const LOOK_AGAIN_MS = 25
const GIVE_UP_MS = 5_000

/** What changes with every write, by whomever. */
const stampOf = (path: string): string | undefined => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}

/** Whether a file without content, or with half of one, may still be in the hands of whoever writes it. */
export const isBeingWritten = (path: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < YOUNG_MS
}

export const READ_AGAIN = Symbol("again")

/** Repeats until an attempt counts. `isUnchanged` compares the file with what it was when the attempt began. */
export const whenQuiet = async <A>(
  path: string,
  attempt: (isUnchanged: () => boolean) => A | typeof READ_AGAIN
): Promise<A> => {
  const giveUpAt = Date.now() + GIVE_UP_MS
  for (;;) {
    const stamp = stampOf(path)
    try {
      const outcome = attempt(() => stampOf(path) === stamp)
      if (outcome !== READ_AGAIN) return outcome
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error
    }
    if (Date.now() > giveUpAt) throw new Error("another program keeps writing it")
    await setTimeout(LOOK_AGAIN_MS)
  }
}
