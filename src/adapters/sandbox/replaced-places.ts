/**
 * What is closed to a running command is closed by a mount on it. When somebody outside puts another file in its place
 * (git, an editor, a log-in do so), the system takes the mount away and the new file lies open inside. That cannot be
 * prevented, so it is noticed.
 */
import { type FSWatcher, lstatSync, watch } from "node:fs"
import { basename, dirname } from "node:path"

/** Most commands have ended by then and cost nothing but one look. */
const WATCH_AFTER_MS = 250

const identityOf = (path: string): string => {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? "" : `${stats.dev}:${stats.ino}`
  } catch {
    return ""
  }
}

/** Calls back once with the first of the paths that is another one than now, until the answer is called. */
export const watchPlaces = (paths: ReadonlyArray<string>, onReplaced: (path: string) => void): (() => void) => {
  const known = new Map(paths.map((path) => [path, identityOf(path)]))
  const watchers: Array<FSWatcher> = []
  let isOver = false
  const stop = (): void => {
    isOver = true
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
  const look = (names: (path: string) => boolean): void => {
    if (isOver) return
    for (const [path, identity] of known) {
      if (!names(path) || identityOf(path) === identity) continue
      stop()
      onReplaced(path)
      return
    }
  }
  const arm = (): void => {
    for (const directory of new Set(paths.map((path) => dirname(path)))) {
      try {
        const watcher = watch(directory, { persistent: false }, (_event, name) =>
          look((path) => dirname(path) === directory && (name === null || basename(path) === name))
        )
        watcher.on("error", () => look(() => true))
        watchers.push(watcher)
      } catch {
        // What cannot be watched is looked at when something else happens.
      }
    }
    look(() => true)
  }
  const timer = setTimeout(arm, WATCH_AFTER_MS)
  timer.unref()
  return stop
}
