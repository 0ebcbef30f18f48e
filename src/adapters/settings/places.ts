import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { PlacesRequest, SettingsPlace } from "../../core/ports/Settings.ts"
import { repositoryRoot } from "./repository-root.ts"

/** Where settings may be. */

const MANAGED_DIRECTORIES: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode"
}

export const managedDirectory = (platform: NodeJS.Platform): string => MANAGED_DIRECTORIES[platform] ?? "/etc/claude-code"

const isOurs = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined || stat.uid === process.getuid?.()
}

/** The directory whose `.claude` holds the local file: the repository's root where it is safely ours. */
export const localRoot = ({ home, startDir }: PlacesRequest, platform: NodeJS.Platform = process.platform): string => {
  const root = platform === "win32" ? undefined : repositoryRoot(startDir)
  if (root === undefined || root === startDir || root === home) return startDir
  return [root, join(root, ".git"), join(root, ".claude")].every(isOurs) ? root : startDir
}

const dropIns = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
      .map((name) => join(directory, name))
  } catch {
    return []
  }
}

const LOCAL_FILE = join(".claude", "settings.local.json")

/** The local file of the start directory is read as well when the other one is at the repository's root. */
const localPlaces = (request: PlacesRequest): ReadonlyArray<SettingsPlace> => {
  const directories = [...new Set([request.startDir, localRoot(request)])]
  return directories.map((directory) => ({
    source: "localSettings",
    path: join(directory, LOCAL_FILE),
    kind: "workspace"
  }))
}

export const settingsPlaces = (request: PlacesRequest, managed: string): ReadonlyArray<SettingsPlace> => [
  { source: "userSettings", path: join(request.configHome, "settings.json"), kind: "own" },
  { source: "projectSettings", path: join(request.startDir, ".claude", "settings.json"), kind: "workspace" },
  ...localPlaces(request),
  ...[join(managed, "managed-settings.json"), ...dropIns(join(managed, "managed-settings.d"))].map(
    (path): SettingsPlace => ({ source: "policySettings", path, kind: "managed" })
  )
]
