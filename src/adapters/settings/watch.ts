import { createHash } from "node:crypto"
import { existsSync, type FSWatcher, readdirSync, statSync, watch } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { SettingsPlace } from "../../core/ports/Settings.ts"
import { readSettingsFile } from "./read-file.ts"
import { linkTarget } from "../system/replace-file.ts"

/**
 * Notices changes of settings files. Directories are watched, because files come, go and are replaced. What counts is
 * the content: an event without another content is nothing, and our own writes are known beforehand.
 */
const QUIET_MS = 100
const YOUNG_MS = 1_000

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64")

const fileContent = (path: string): string => {
  const place: SettingsPlace = { source: "userSettings", path, kind: "own" }
  const found = readSettingsFile(place)
  return found._tag === "Found" ? digestOf(found.text) : found._tag
}

const isDirectoryPath = (path: string): boolean => path.endsWith("/")

/** Of a directory: the names of its files and what they hold. */
const contentOf = (path: string): string => {
  if (!isDirectoryPath(path)) return fileContent(path)
  try {
    return digestOf(
      readdirSync(path)
        .sort()
        .map((name) => `${name} ${fileContent(join(path, name))}`)
        .join("\n")
    )
  } catch {
    return "Absent"
  }
}

const ANY_ENTRY = "*"

/** The nearest directory that exists; its entry on the way to the file is what will change. */
const watchedFor = (path: string): { readonly directory: string; readonly entry: string } => {
  if (isDirectoryPath(path)) {
    const directory = path.slice(0, -1)
    return existsSync(directory) ? { directory, entry: ANY_ENTRY } : watchedFor(directory)
  }
  const directory = dirname(path)
  return existsSync(directory) || directory === dirname(directory)
    ? { directory, entry: basename(path) }
    : watchedFor(directory)
}

/** A link in the config home leads to the file that is really written; the link itself may be exchanged too. */
const placesOf = (path: string): ReadonlyArray<ReturnType<typeof watchedFor>> => {
  const target = isDirectoryPath(path) ? path : linkTarget(path)
  return target === path ? [watchedFor(path)] : [watchedFor(path), watchedFor(target)]
}

const isYoung = (path: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs < YOUNG_MS
}

export class SettingsWatcher {
  private readonly known = new Map<string, string>()
  /** Contents that were seen once and must be seen again before they count. */
  private readonly unsettled = new Map<string, string>()
  private readonly watchers = new Map<string, FSWatcher>()
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(
    private readonly paths: ReadonlyArray<string>,
    private readonly onChange: (paths: ReadonlyArray<string>) => void
  ) {
    for (const path of paths) this.known.set(path, contentOf(path))
    this.arm()
  }

  /** A write of our own: its text is not news. Whatever it was written over is, if nobody had noticed it yet. */
  written(path: string, before: string, after: string): void {
    if (!this.known.has(path)) return
    const isNews = before !== "" && this.known.get(path) !== digestOf(before)
    this.known.set(path, digestOf(after))
    this.unsettled.delete(path)
    if (isNews) queueMicrotask(() => this.tell([path]))
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    for (const watcher of this.watchers.values()) watcher.close()
    this.watchers.clear()
  }

  private tell(paths: ReadonlyArray<string>): void {
    if (!this.isClosed && paths.length > 0) this.onChange(paths)
  }

  /** Watches what exists now; a directory that appears is watched from then on. */
  private arm(): void {
    const wanted = new Map<string, Set<string>>()
    for (const path of this.paths) {
      for (const { directory, entry } of placesOf(path)) {
        wanted.set(directory, (wanted.get(directory) ?? new Set()).add(entry))
      }
    }
    for (const [directory, watcher] of this.watchers) {
      if (wanted.has(directory)) continue
      watcher.close()
      this.watchers.delete(directory)
    }
    for (const [directory, entries] of wanted) this.watchDirectory(directory, entries)
  }

  private watchDirectory(directory: string, entries: ReadonlySet<string>): void {
    this.watchers.get(directory)?.close()
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        const isOurs = name === null || entries.has(name) || entries.has(ANY_ENTRY) || name === basename(directory)
        if (isOurs) this.look()
      })
      // A directory that vanishes ends its watcher; the next look arms another one.
      watcher.on("error", () => this.look())
      this.watchers.set(directory, watcher)
    } catch {
      this.watchers.delete(directory)
    }
  }

  private look(): void {
    if (this.isClosed) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.settle(), QUIET_MS)
    this.timer.unref()
  }

  private settle(): void {
    this.arm()
    const changed: Array<string> = []
    for (const path of this.paths) {
      const content = contentOf(path)
      if (content === this.known.get(path)) {
        this.unsettled.delete(path)
      } else if (isYoung(path) && this.unsettled.get(path) !== content) {
        this.unsettled.set(path, content)
        this.look()
      } else {
        this.unsettled.delete(path)
        this.known.set(path, content)
        changed.push(path)
      }
    }
    this.tell(changed)
  }
}
