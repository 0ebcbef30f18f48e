import { realpathSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { Effect } from "effect"
import { isInside } from "../../core/domain/path/path-components.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { type PlacesRequest, Settings, type SettingsPlace } from "../../core/ports/Settings.ts"
import { isRaw, type JsonObject } from "../../core/domain/json/json-object.ts"
import { plainOf, readJson } from "../../core/domain/json/positioned-json.ts"
import type { Gate } from "../../core/settings/trust/gate.ts"
import { type TrustPlace, trustPlace } from "../../core/settings/trust/trusted-folder.ts"
import type { Identity } from "../../core/settings/trust/record.ts"
import { type FolderFile, wantsOf } from "../../core/settings/trust/requested-capabilities.ts"
import type { SettingSource } from "../cli/options.ts"

/** Where to look. Every path is a real one. */
export interface FolderAt extends PlacesRequest {
  /** Which sources are read at all; absent: all. */
  readonly sources?: ReadonlyArray<SettingSource> | undefined
}

export interface FolderReading extends Pick<Gate, "nameOf" | "isOwn"> {
  readonly place: TrustPlace
  readonly identity: Identity
  readonly files: ReadonlyArray<FolderFile>
  /** Where such files are or may come to be. */
  readonly paths: ReadonlyArray<string>
}

const MCP_BYTES = 2 * 1024 * 1024

/** Who loads settings tells what is wrong with a file; nothing of a broken one takes effect. */
const objectIn = (text: string): JsonObject => {
  const reading = readJson(text)
  const value = reading._tag === "Read" ? plainOf(reading.node) : undefined
  return isRaw(value) ? value : {}
}

/** A path after following every link; one that does not exist stays as it is. */
export const realOr = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const identityOf = (path: string): Identity => {
  const { dev, ino } = statSync(path, { bigint: true })
  return { dev: String(dev), ino: String(ino) }
}

const reads = (sources: FolderAt["sources"], source: SettingSource): boolean =>
  sources === undefined || sources.includes(source)

const isWanted = ({ kind, source }: SettingsPlace, sources: FolderAt["sources"]): boolean =>
  kind === "workspace" && reads(sources, source === "localSettings" ? "local" : "project")

/** The servers of a project, at its root and where the program was started. */
const readServers = Effect.fnUntraced(function* (path: string) {
  const files = yield* Files
  const { bytes } = yield* files.read(path, { maxBytes: MCP_BYTES })
  return objectIn(new TextDecoder().decode(bytes))
})

/** Reads, as data, what a folder would like to set. Nothing is started and nothing takes effect. */
export const readFolder = Effect.fnUntraced(function* (at: FolderAt) {
  const { startDir: start, home, configHome, sources } = at
  const git = yield* Git
  const settings = yield* Settings
  const repository = git.checkout(start)
  const place = trustPlace({ start, home, ...(repository === undefined ? {} : { repository }) })
  // Names are seen from the checkout, so that the worktrees of a repository share them.
  const root = place.kind === "folder" || place.kind === "home" ? start : (repository?.root ?? start)
  const nameOf = (file: string): string => relative(root, file).split(sep).join("/")
  const places = (yield* settings.places(at)).filter((each) => isWanted(each, sources))
  const locals = new Set(places.filter(({ source }) => source === "localSettings").map(({ path }) => path))
  const isOwn = (file: string): boolean => locals.has(file) && realOr(file) === file && !git.isTracked(file)
  const files: Array<FolderFile> = []
  for (const each of places) {
    const found = yield* settings.read(each)
    // In the home directory the project's file is the user's own.
    if (found._tag !== "Found" || isInside(configHome, found.realPath)) continue
    const file: FolderFile = { path: nameOf(each.path), kind: "settings", value: objectIn(found.text), isOwn: false }
    files.push(wantsOf([file]).length === 0 ? file : { ...file, isOwn: isOwn(each.path) })
  }
  const serverDirectories = reads(sources, "project") ? [...new Set([start, root])] : []
  const servers = serverDirectories.map((directory) => join(directory, ".mcp.json"))
  for (const path of servers) {
    const value = yield* readServers(path).pipe(Effect.orElseSucceed((): JsonObject => ({})))
    if (Object.keys(value).length > 0) files.push({ path: nameOf(path), kind: "mcp", value, isOwn: false })
  }
  const paths = [...places.map(({ path }) => path), ...servers]
  const reading: FolderReading = { place, identity: identityOf(place.key), files, paths, nameOf, isOwn }
  return reading
})
