import { Effect } from "effect"
import { Settings } from "../../core/ports/Settings.ts"
import { settingsLayer } from "../layers.ts"
import { SettingsHub } from "./hub.ts"
import type { SettingsRequest } from "./load.ts"

/** The settings of this process on the real disk. */
export const openSettings = (request: SettingsRequest, isTrusted = false): SettingsHub => {
  const layer = settingsLayer({ home: request.home, xdgConfigHome: request.env["XDG_CONFIG_HOME"] })
  return new SettingsHub(Effect.runSync(Settings.pipe(Effect.provide(layer))), request, isTrusted)
}
