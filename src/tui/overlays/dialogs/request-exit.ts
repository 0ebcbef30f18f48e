import { doing, only, type Update } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import { isRunning } from "../../model/session-model.ts"

/** Ends the program; asks first while something still runs. */
export const leave = (model: AppModel): Update =>
  [...model.sessions.values()].some(isRunning)
    ? only(openOverlay(model, { _tag: "Exit", selected: 0, isWaiting: false }))
    : doing(model, { _tag: "Quit", code: 0 })
