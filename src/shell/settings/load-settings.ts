import { statSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { Effect } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { Settings, SettingsFound, SettingsPlace } from "../../core/ports/Settings.ts"
import { environmentWith, type SettingsEnv } from "../../core/settings/environment.ts"
import { type LimitedLayer, limitLayer } from "../../core/settings/limit-layer.ts"
import { problemText, type SettingsProblem } from "../../core/settings/origin.ts"
import type { SettingsSource } from "../../core/domain/settings-source.ts"
import { permissionsOf, type SettingsPermissions } from "../../core/permission/configuration/from-settings.ts"
import { type Layer, readLayer } from "../../core/settings/read-layer.ts"
import { makeSnapshot, type Snapshot } from "../../core/settings/snapshot.ts"
import type { Gate } from "../../core/settings/trust/gate.ts"
import type { SettingSource } from "../cli/options.ts"

/** Reads every settings file and makes one snapshot of them. */
export interface SettingsRequest {
  readonly env: Env
  readonly home: string
  readonly configHome: string
  readonly startDir: string
  /** Which of the three files of a user and a project are read; absent: all. */
  readonly sources?: ReadonlyArray<SettingSource> | undefined
  /** `--settings`: a file or the JSON itself. */
  readonly flag?: string | undefined
  /** `--managed-settings`: the host's policy, a file or the JSON itself. */
  readonly managed?: string | undefined
}

export interface LoadedSettings {
  readonly snapshot: Snapshot
  readonly permissions: SettingsPermissions
  readonly env: SettingsEnv
  /** Everything that is wrong; problems of rules included. */
  readonly problems: ReadonlyArray<SettingsProblem>
  /** One line for each problem that a user should hear of. */
  readonly complaints: ReadonlyArray<string>
  /** Where each source is written, and what is watched. */
  readonly places: ReadonlyArray<SettingsPlace>
}

/** What no file holds is named after the flag that brought it. */
const INLINE: Readonly<Partial<Record<SettingsSource, string>>> = {
  flagSettings: "--settings",
  policySettings: "--managed-settings"
}

const SOURCE_OF: Record<SettingSource, SettingsSource> = {
  user: "userSettings",
  project: "projectSettings",
  local: "localSettings"
}

export const isInline = (value: string): boolean => value.trimStart().startsWith("{")

interface FoundLayer {
  readonly layer: Layer
  readonly secure: boolean
  /** The file itself, after links; undefined for what stands on the command line. */
  readonly realPath: string | undefined
}

type Unreadable = Omit<Extract<SettingsFound, { readonly _tag: "Unreadable" }>, "_tag">

const unreadable = ({ source, path: file }: SettingsPlace, { reason, fix, at }: Unreadable): SettingsProblem => ({
  level: "error",
  source,
  file,
  ...at,
  path: "",
  message: `the file cannot be used: ${reason}`,
  suggestion: fix,
  leavesOpen: true
})

const leadsNowhere = ({ source, path: file }: SettingsPlace, target: string): SettingsProblem => ({
  level: "warning",
  source,
  file,
  path: "",
  message: `the file is a link to ${target}, which does not exist`,
  suggestion: "make that file, or remove the link",
  leavesOpen: true
})

const INSECURE =
  "the managed file is not owned by the administrator or can be written by others; " +
  "only rules that tighten are taken from it"

const isPolicy = ({ source }: { readonly source: SettingsSource }): boolean => source === "policySettings"

/**
 * Reads places in order; a file that two of them lead to is read once. It counts as what the first of them says, but a
 * managed file stays managed, whoever else names it.
 */
class Reader {
  layers: ReadonlyArray<FoundLayer> = []
  readonly problems: Array<SettingsProblem> = []

  constructor(private readonly settings: Settings["Service"]) {}

  /** Whether there is such a file. */
  place(place: SettingsPlace): boolean {
    const found = Effect.runSync(this.settings.read(place))
    if (found._tag === "Absent") {
      if (found.leadsTo !== undefined) this.problems.push(leadsNowhere(place, found.leadsTo))
      return false
    }
    if (found._tag === "Unreadable") {
      this.problems.push(unreadable(place, found))
      return true
    }
    const known = this.layers.find(({ realPath }) => realPath === found.realPath)
    if (known !== undefined && (isPolicy(known.layer) || !isPolicy(place))) return true
    const { source, path: file } = place
    if (!found.secure) this.problems.push({ level: "warning", source, file, path: "", message: INSECURE })
    const layer = readLayer({ source, file, text: found.text })
    this.layers = [
      ...this.layers.filter((each) => each !== known),
      { layer, secure: found.secure, realPath: found.realPath }
    ]
    return true
  }

  /** A value of the command line: the JSON itself, or a file that must be there. */
  given(source: SettingsSource, value: string, startDir: string, secure: boolean): void {
    if (isInline(value)) {
      const layer = readLayer({ source, file: INLINE[source] ?? source, text: value })
      this.layers = [...this.layers, { layer, secure, realPath: undefined }]
      return
    }
    const place: SettingsPlace = { source, path: isAbsolute(value) ? value : resolve(startDir, value), kind: "named" }
    if (this.place(place)) return
    this.problems.push(unreadable(place, { reason: "it does not exist", fix: "name an existing file" }))
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A directory that is not there is left out and reported. */
const withRealDirectories = (permissions: SettingsPermissions): SettingsPermissions => {
  const missing = permissions.directories.filter(({ path }) => !isDirectory(path))
  if (missing.length === 0) return permissions
  const problems = missing.map(({ path, origin }): SettingsProblem => ({
    level: "warning",
    ...origin,
    path: "permissions.additionalDirectories",
    message: `${path} is not a directory and is left out`,
    suggestion: "name an existing directory"
  }))
  return {
    ...permissions,
    directories: permissions.directories.filter((each) => !missing.includes(each)),
    problems: [...permissions.problems, ...problems]
  }
}

const isWanted = (request: SettingsRequest, source: SettingsSource): boolean =>
  request.sources === undefined || request.sources.some((name) => SOURCE_OF[name] === source)

export const loadSettings = (settings: Settings["Service"], request: SettingsRequest, gate: Gate): LoadedSettings => {
  const places = Effect.runSync(settings.places(request))
  const reader = new Reader(settings)
  for (const place of places) if (!isPolicy(place) && isWanted(request, place.source)) reader.place(place)
  if (request.flag !== undefined) reader.given("flagSettings", request.flag, request.startDir, true)
  for (const place of places) if (isPolicy(place)) reader.place(place)
  // A host may tighten what the administrator set, but not loosen it.
  const isAdministered = reader.layers.some(({ layer }) => isPolicy(layer))
  if (request.managed !== undefined) reader.given("policySettings", request.managed, request.startDir, !isAdministered)
  const layers = reader.layers.map(({ layer, secure }): LimitedLayer => limitLayer(layer, { gate, secure }))
  const snapshot = makeSnapshot(layers, reader.problems)
  const permissions = withRealDirectories(permissionsOf(snapshot, request))
  const problems = [...snapshot.problems, ...permissions.problems]
  return {
    snapshot,
    permissions,
    env: environmentWith(snapshot, request.env),
    problems,
    complaints: problems.filter(({ level }) => level !== "remark").map(problemText),
    places
  }
}
