import { Effect } from "effect"
import { Settings } from "../../core/ports/Settings.ts"
import { CLOSED_GATE, type Gate } from "../../core/settings/trust/gate.ts"
import { settingsLayer } from "../layers/ports.ts"
import { SettingsHub } from "./settings-hub.ts"
import type { SettingsRequest } from "./load-settings.ts"

/** The settings of this process on the real disk. */
export const openSettings = (request: SettingsRequest, gate: () => Gate = () => CLOSED_GATE): SettingsHub => {
  const layer = settingsLayer({ home: request.home, xdgConfigHome: request.env["XDG_CONFIG_HOME"] })
  return new SettingsHub(Effect.runSync(Settings.pipe(Effect.provide(layer))), request, gate)
}
