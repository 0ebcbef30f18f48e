import type { PlacedPane } from "../../screen/layout/plan.ts"
import type { PaneScene } from "./pane-context.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"

/** What a pane of a session may look at to draw itself. */
export const makePaneContext = (model: AppModel, session: SessionModel, { content }: PlacedPane): PaneScene => ({
  model,
  session,
  options: model.options,
  now: model.now,
  spinner: model.spinner,
  width: Math.max(1, content.width - 2),
  height: content.height
})
