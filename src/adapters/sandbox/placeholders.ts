/**
 * Places in which nothing may be created need something to mount over. It is made before a command and removed after
 * the last one that needs it, also across processes: removing it earlier would open the place inside their sandboxes.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { PLACEHOLDER_MODE, placeholderFor } from "../../core/sandbox/platform/placeholder.ts"
import { ownLedger, readLedgers } from "./ledger.ts"

/** Long enough for the kernel to have ended every process of the sandbox whose first process ended. */
const LINGER_MS = 50

const quietly = (action: () => void): void => {
  try {
    action()
  } catch {
    // Somebody else was first, or the place is in use; both are fine.
  }
}

const isEmptyDirectory = (path: string): boolean => {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

const hasText = (path: string, text: string): boolean => {
  try {
    return readFileSync(path, "utf8") === text
  } catch {
    return false
  }
}

/** Whether what is at a path only stands in for something missing, left by this or another process. */
export const isPlaceholder = (path: string, stats: Stats): boolean => {
  const wanted = placeholderFor(path)
  if ((stats.mode & 0o777) !== PLACEHOLDER_MODE) return false
  return wanted.kind === "directory"
    ? stats.isDirectory() && isEmptyDirectory(path)
    : stats.isFile() && hasText(path, wanted.text)
}

const make = (path: string): void => {
  const wanted = placeholderFor(path)
  if (wanted.kind === "directory") mkdirSync(path, { mode: PLACEHOLDER_MODE })
  else writeFileSync(path, wanted.text, { flag: "wx", mode: PLACEHOLDER_MODE })
  // Independent of the user's mask for new files.
  chmodSync(path, PLACEHOLDER_MODE)
}

const NOT_OURS = new Set(["EACCES", "EPERM", "EROFS"])

/** Whether something stands at the path now. */
const stands = (path: string): boolean => {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return true
  try {
    make(path)
    return true
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    if (code === "EEXIST") return true
    if (NOT_OURS.has(code)) return false
    throw cause
  }
}

/** Takes away what still only stands in for something. */
export const removePlaceholder = (path: string): void => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !isPlaceholder(path, stats)) return
  if (stats.isDirectory()) rmdirSync(path)
  else unlinkSync(path)
}

export interface HeldPlaceholder {
  /** Where something stands now. A place that we could not fill, nobody else with our rights can. */
  readonly paths: ReadonlyArray<string>
  /** Gives the places up again, once. */
  readonly release: () => void
}

export interface Placeholders {
  /** Makes what is missing. */
  readonly hold: (paths: ReadonlyArray<string>) => HeldPlaceholder
  /** Removes everything nobody needs any more, at once. */
  readonly sweep: () => void
}

export const makePlaceholders = (ledgerDirectory: string): Placeholders => {
  const holders = new Map<string, number>()
  const ledger = ownLedger(ledgerDirectory)
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    clearTimeout(timer)
    timer = undefined
    const idle = [...holders].filter(([, count]) => count === 0).map(([path]) => path)
    if (idle.length === 0) return
    for (const path of idle) holders.delete(path)
    quietly(() => (holders.size === 0 ? ledger.forget() : ledger.write(holders.keys())))
    quietly(() => removeUnneeded(idle))
  }

  /** Also what processes left that ended without a chance to clean up, in whatever project. */
  const removeUnneeded = (idle: ReadonlyArray<string>): void => {
    const { needed, orphans, forgetDead } = readLedgers(ledgerDirectory)
    for (const path of [...idle, ...orphans]) {
      if (!needed.has(path) && !holders.has(path)) quietly(() => removePlaceholder(path))
    }
    forgetDead()
  }

  const release = (paths: ReadonlyArray<string>): void => {
    for (const path of paths) holders.set(path, Math.max(0, (holders.get(path) ?? 1) - 1))
    timer ??= setTimeout(sweep, LINGER_MS).unref()
  }

  quietly(() => removeUnneeded([]))

  return {
    hold: (paths) => {
      for (const path of paths) holders.set(path, (holders.get(path) ?? 0) + 1)
      let held = true
      const giveUp = (): void => {
        if (held) release(paths)
        held = false
      }
      try {
        // Announced first, so that another process does not remove one between our look and our use.
        if (paths.length > 0) ledger.write(holders.keys())
        return { paths: paths.filter(stands), release: giveUp }
      } catch (cause) {
        giveUp()
        throw cause
      }
    },
    sweep
  }
}

const shared = new Map<string, Placeholders>()

/** One for all sessions of this process: what one of them gives up, another may still hold. */
export const placeholdersFor = (ledgerDirectory: string): Placeholders => {
  const known = shared.get(ledgerDirectory) ?? makePlaceholders(ledgerDirectory)
  shared.set(ledgerDirectory, known)
  return known
}
