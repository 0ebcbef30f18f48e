import { focusedPane, focusOn } from "./arrange.ts"
import { type AppModel, currentSession } from "./model.ts"
import { showTranscript } from "./window-keys.ts"

/** `Ctrl+O` (UI-128): from the prompt into the transcript with everything open, and back to where it began. */

const jumpsOf = (model: AppModel): { readonly length: number; readonly at: number } => {
  const jumps = currentSession(model)?.list.jumps
  return { length: jumps?.places.length ?? 0, at: jumps?.at ?? 0 }
}

export const beginVisit = (model: AppModel): AppModel => {
  if (focusedPane(model) === "transcript") return focusOn(model, "prompt")
  const visit = { view: model.options.view, depth: jumpsOf(model).length }
  return { ...showTranscript(model), visit, options: { ...model.options, view: "verbose" } }
}

/** Whether going back so many jumps leaves the visit. */
export const leavesVisit = (model: AppModel, count: number): boolean =>
  model.visit !== undefined && Math.min(jumpsOf(model).at, jumpsOf(model).length) - count < model.visit.depth
