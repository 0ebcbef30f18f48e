import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import { isRunning } from "../../model/session-model.ts"

/** Ends the program; asks first while something still runs. */
export const requestExit = (model: AppModel): Update =>
  [...model.sessions.values()].some(isRunning)
    ? withoutCommands(openOverlay(model, { _tag: "Exit", selected: 0, isWaiting: false }))
    : withCommands(model, { _tag: "Quit", code: 0 })
