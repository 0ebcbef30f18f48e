import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { layer } from "../../../src/adapters/settings/node.ts"
import { Settings, type SettingsPlace } from "../../../src/core/ports/Settings.ts"
import { freshDirectory } from "../../support/temp-world.ts"

/** Settings files in directories of their own. */
export interface SettingsDisk {
  readonly root: string
  readonly home: string
  readonly configHome: string
  readonly startDir: string
  readonly managed: string
  readonly settings: Settings["Service"]
  readonly user: SettingsPlace
  readonly local: SettingsPlace
}

export const settingsDisk = (): SettingsDisk => {
  const root = freshDirectory()
  const [home, configHome, startDir, managed] = ["home", "home/.claude", "work", "managed"].map((name) => {
    const path = join(root, name)
    mkdirSync(path, { recursive: true })
    return path
  }) as [string, string, string, string]
  const live = layer({ home, xdgConfigHome: undefined, managedDirectory: managed })
  return {
    root,
    home,
    configHome,
    startDir,
    managed,
    settings: Effect.runSync(Settings.pipe(Effect.provide(live))),
    user: { source: "userSettings", path: join(configHome, "settings.json"), kind: "own" },
    local: { source: "localSettings", path: join(startDir, ".claude", "settings.local.json"), kind: "workspace" }
  }
}
