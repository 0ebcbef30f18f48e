import { basename } from "node:path"
import { Effect, Layer } from "effect"
import { Settings, type SettingsPlace, SettingsWriteError, type SettingsWritten } from "../../core/ports/Settings.ts"
import { changeSettingsFile, type EditText } from "./change-file.ts"
import { type ExcludeFacts, excludeLocalSettings } from "./git-excludes.ts"
import { managedDirectory, settingsPlaces } from "./places.ts"
import { readSettingsFile } from "./read-file.ts"
import { SettingsWatcher } from "./watch.ts"

export interface SettingsOptions extends ExcludeFacts {
  /** Only tests have managed settings anywhere else. */
  readonly managedDirectory?: string
}

const isFirstLocalWrite = (place: SettingsPlace, { before, after }: SettingsWritten): boolean =>
  place.source === "localSettings" && before === "" && after !== "" && basename(place.path) === "settings.local.json"

const withExclude = (place: SettingsPlace, written: SettingsWritten, options: SettingsOptions): SettingsWritten => {
  if (!isFirstLocalWrite(place, written)) return written
  try {
    const notice = excludeLocalSettings(place.path, options)
    return notice === undefined ? written : { ...written, notices: [...written.notices, notice] }
  } catch (error) {
    return { ...written, notices: [...written.notices, `git does not ignore ${place.path} yet (${String(error)})`] }
  }
}

const asWriteError = (path: string, error: unknown): SettingsWriteError =>
  error instanceof SettingsWriteError ? error : new SettingsWriteError({ path, message: String(error) })

export const layer = (options: SettingsOptions): Layer.Layer<Settings> => {
  const managed = options.managedDirectory ?? managedDirectory(process.platform)
  const watchers = new Set<SettingsWatcher>()
  const change = (place: SettingsPlace, edit: EditText) =>
    Effect.tryPromise({
      try: () =>
        changeSettingsFile(place, edit, ({ path, before, after }) => {
          if (before !== after) for (const watcher of watchers) watcher.written(path, before, after)
        }),
      catch: (error) => asWriteError(place.path, error)
    }).pipe(Effect.map((written) => withExclude(place, written, options)))
  const watch = (paths: ReadonlyArray<string>, onChange: (paths: ReadonlyArray<string>) => void) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const watcher = new SettingsWatcher(paths, onChange)
        watchers.add(watcher)
        return watcher
      }),
      (watcher) =>
        Effect.sync(() => {
          watchers.delete(watcher)
          watcher.close()
        })
    ).pipe(Effect.asVoid)
  return Layer.succeed(Settings, {
    places: (request) => Effect.sync(() => settingsPlaces(request, managed)),
    read: (place) => Effect.sync(() => readSettingsFile(place)),
    change,
    watch
  })
}
