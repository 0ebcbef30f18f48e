import { basename, dirname, join } from "node:path"
import { Effect, Exit, Result, Scope } from "effect"
import type { PermissionUpdate } from "../../core/permission/configuration/update.ts"
import type { Settings, SettingsPlace, SettingsWritten } from "../../core/ports/Settings.ts"
import { type Edit, patchText } from "../../core/domain/json/patch.ts"
import { isFileProblem } from "../../core/settings/origin.ts"
import type { SettingsSource } from "../../core/domain/settings-source.ts"
import { saveUpdates } from "../../core/permission/configuration/save-updates.ts"
import { CLOSED_GATE, type Gate } from "../../core/settings/trust/gate.ts"
import { changedKeys } from "../../core/settings/snapshot.ts"
import { type LoadedSettings, loadSettings, type SettingsRequest } from "./load-settings.ts"

/** What changed, for whoever lives by the settings. */
export interface SettingsChange {
  readonly loaded: LoadedSettings
  /** Top-level names. */
  readonly keys: ReadonlyArray<string>
  /** Whether somebody else changed a file; otherwise the program did it itself. */
  readonly isExternal: boolean
}

const notWritten = (source: SettingsSource): string =>
  `${source} cannot be written. Fix: use user, project or local settings`

const START_WATCHING_MS = 200

export type SettingsListener = (change: SettingsChange) => void

/** A file that was in force is no longer JSON or cannot be read: somebody is in the middle of editing it. */
const isBrokenSince = (before: LoadedSettings, after: LoadedSettings): boolean => {
  const broken = new Set(after.problems.filter(isFileProblem).map(({ file }) => file))
  return before.snapshot.layers.some(({ file, problems }) => broken.has(file) && !problems.some(isFileProblem))
}

const KEPT = "a settings file broke while the session runs. Until it is fixed, the settings before that stay in force"

/** A broken file must not take its deny rules away from a session that runs. */
const keptFrom = (before: LoadedSettings, after: LoadedSettings): LoadedSettings => ({
  ...before,
  problems: after.problems,
  complaints: [...after.complaints, KEPT]
})

/** The settings of this process: read once, read again when something changed, written through one place. */
export class SettingsHub {
  private loaded: LoadedSettings | undefined
  private isLoading = false
  private followers = 0
  private starting: NodeJS.Timeout | undefined
  private stopWatching: (() => void) | undefined
  private readonly listeners = new Set<SettingsListener>()

  constructor(
    private readonly settings: Settings["Service"],
    private readonly request: SettingsRequest,
    private gate: () => Gate = () => CLOSED_GATE
  ) {}

  current(): LoadedSettings {
    if (this.loaded !== undefined) return this.loaded
    if (this.isLoading) throw new Error("settings were asked for while they were being read")
    this.isLoading = true
    try {
      return (this.loaded = loadSettings(this.settings, this.request, this.gate()))
    } finally {
      this.isLoading = false
    }
  }

  /** Reads everything again and tells the listeners, if anything differs. */
  reload(isExternal = false): LoadedSettings {
    const before = this.current()
    this.loaded = undefined
    const read = this.current()
    const loaded = isExternal && isBrokenSince(before, read) ? keptFrom(before, read) : read
    this.loaded = loaded
    const keys = changedKeys(before.snapshot, loaded.snapshot)
    const isNews = keys.length > 0 || JSON.stringify(before.problems) !== JSON.stringify(loaded.problems)
    if (isNews) for (const listener of this.listeners) listener({ loaded, keys, isExternal })
    return loaded
  }

  /** From now on this says what of the project's files counts; it is asked at every reading. */
  setGate(gate: () => Gate): LoadedSettings {
    this.gate = gate
    return this.reload()
  }

  isTrusted(): boolean {
    return this.gate().standing._tag === "Trusted"
  }

  listen(listener: SettingsListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Where a source is written; undefined for what is not ours to write. */
  placeOf(source: SettingsSource): SettingsPlace | undefined {
    const written = this.current().places.findLast((place) => place.source === source)
    return written === undefined || written.kind === "managed" ? undefined : written
  }

  /** The file of a source as it is now; empty where there is none. A text says why it cannot be read. */
  textOf(source: SettingsSource): Result.Result<{ readonly file: string; readonly text: string }, string> {
    const place = this.placeOf(source)
    if (place === undefined) return Result.fail(notWritten(source))
    const found = Effect.runSync(this.settings.read(place))
    if (found._tag === "Unreadable") return Result.fail(`${place.path}: ${found.reason}. Fix: ${found.fix}`)
    return Result.succeed({ file: place.path, text: found._tag === "Found" ? found.text : "" })
  }

  /** Sets and deletes values. */
  change(source: SettingsSource, edits: ReadonlyArray<Edit>): Promise<Result.Result<SettingsWritten, string>> {
    return this.editText(source, (text) => patchText(text, edits))
  }

  /** Writes permission updates. */
  save(source: SettingsSource, updates: ReadonlyArray<PermissionUpdate>): Promise<Result.Result<SettingsWritten, string>> {
    return this.editText(source, (text) => saveUpdates(text, updates))
  }

  /** Changes a file and everything that depends on it. A text says why nothing was written. */
  async editText(
    source: SettingsSource,
    edit: (text: string) => Result.Result<string, string>
  ): Promise<Result.Result<SettingsWritten, string>> {
    const place = this.placeOf(source)
    if (place === undefined) return Result.fail(notWritten(source))
    const written = await Effect.runPromise(Effect.result(this.settings.change(place, edit)))
    if (Result.isFailure(written)) return Result.fail(written.failure.message)
    if (written.success.before !== written.success.after) this.reload()
    return Result.succeed(written.success)
  }

  /**
   * Follows the files until the answer is called; several followers share one watcher. It starts a moment later, so
   * that a short run does not pay for it, and then catches up with what happened meanwhile.
   */
  watch(): () => void {
    this.followers += 1
    this.starting ??= setTimeout(() => this.startWatching(), START_WATCHING_MS).unref()
    return () => {
      this.followers -= 1
      if (this.followers > 0) return
      clearTimeout(this.starting)
      this.starting = undefined
      this.stopWatching?.()
      this.stopWatching = undefined
    }
  }

  /** Follows one more file of the user until the answer is called. */
  watchFile(path: string, onChange: () => void): () => void {
    const scope = Effect.runSync(Scope.make())
    Effect.runSync(Scope.provide(this.settings.watch([path], onChange), scope))
    return () => Effect.runSync(Scope.close(scope, Exit.void))
  }

  private startWatching(): void {
    const scope = Effect.runSync(Scope.make())
    const paths = this.current().places.flatMap(({ path, kind }) =>
      kind === "managed" && basename(path) === "managed-settings.json"
        ? [path, `${join(dirname(path), "managed-settings.d")}/`]
        : kind === "managed"
          ? []
          : [path]
    )
    const watching = this.settings.watch(paths, () => this.reload(true))
    Effect.runSync(Scope.provide(watching, scope))
    this.stopWatching = () => Effect.runSync(Scope.close(scope, Exit.void))
    this.reload(true)
  }
}
