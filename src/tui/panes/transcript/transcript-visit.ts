import { NO_JUMPS } from "../../transcript/list/state/jumps.ts"
import { focusedPane, focusOn } from "../../model/windows/layout-and-focus.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { showTranscript } from "../../model/windows/window-actions.ts"

/**
 * `Ctrl+O`: from the prompt into the transcript with everything open. The visit has jumps of its own, so that
 * going back beyond the first of them leads to where it began.
 */
export const beginVisit = (model: AppModel): AppModel => {
  const session = currentSession(model)
  if (session === undefined || focusedPane(model) === "transcript") return focusOn(model, "prompt")
  const visit = { view: model.options.view, session: session.id, older: session.list.jumps }
  const shown = withCurrent(showTranscript(model), (each) => ({ ...each, list: { ...each.list, jumps: NO_JUMPS } }))
  return { ...shown, visit, options: { ...model.options, view: "verbose" } }
}
