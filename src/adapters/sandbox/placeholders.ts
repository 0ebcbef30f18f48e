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
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { PLACEHOLDER_MODE, placeholderFor } from "../../core/sandbox/placeholder.ts"

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

const remove = (path: string): void => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !isPlaceholder(path, stats)) return
  if (stats.isDirectory()) rmdirSync(path)
  else unlinkSync(path)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** A file per process with the places it needs, in a directory all processes of the user share. */
const makeLedger = (directory: string) => {
  const own = join(directory, `${process.pid}`)
  const othersNeed = (): ReadonlySet<string> => {
    const needed = new Set<string>()
    for (const name of readdirSync(directory)) {
      if (name === `${process.pid}`) continue
      const path = join(directory, name)
      if (!isAlive(Number(name))) quietly(() => unlinkSync(path))
      else quietly(() => readFileSync(path, "utf8").split("\0").forEach((place) => needed.add(place)))
    }
    return needed
  }
  return {
    write: (places: Iterable<string>): void => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeFileSync(own, [...places].join("\0"), { mode: 0o600 })
    },
    forget: (): void => quietly(() => rmSync(own, { force: true })),
    othersNeed
  }
}

export interface Held {
  /** Where something stands now. A place that we could not fill, nobody else with our rights can. */
  readonly paths: ReadonlyArray<string>
  /** Gives the places up again, once. */
  readonly release: () => void
}

export interface Placeholders {
  /** Makes what is missing. */
  readonly hold: (paths: ReadonlyArray<string>) => Held
  /** Removes everything nobody needs any more, at once. */
  readonly sweep: () => void
}

export const makePlaceholders = (ledgerDirectory: string): Placeholders => {
  const holders = new Map<string, number>()
  const ledger = makeLedger(ledgerDirectory)
  let timer: NodeJS.Timeout | undefined

  const sweep = (): void => {
    clearTimeout(timer)
    timer = undefined
    const idle = [...holders].filter(([, count]) => count === 0).map(([path]) => path)
    if (idle.length === 0) return
    for (const path of idle) holders.delete(path)
    quietly(() => (holders.size === 0 ? ledger.forget() : ledger.write(holders.keys())))
    quietly(() => {
      const needed = ledger.othersNeed()
      for (const path of idle) if (!needed.has(path)) quietly(() => remove(path))
    })
  }

  const release = (paths: ReadonlyArray<string>): void => {
    for (const path of paths) holders.set(path, Math.max(0, (holders.get(path) ?? 1) - 1))
    timer ??= setTimeout(sweep, LINGER_MS).unref()
  }

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
