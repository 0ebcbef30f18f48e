import { transcriptContext } from "../../panes/transcript/transcript.ts"
import type { ListContext } from "../../transcript/list/view/list-context.ts"
import { isOnScreen, planOf } from "../windows/layout-and-focus.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"

/** What the transcript of a session is laid out with on this screen. */
export const transcriptContextOf = (model: AppModel, session: SessionModel): ListContext => {
  const transcripts = planOf(model).panes.filter(({ leaf }) => leaf.pane === "transcript")
  const pane = transcripts.find(({ leaf }) => leaf.session === session.id) ?? transcripts[0]
  const { width, height } = pane?.content ?? { width: model.size.columns, height: model.size.rows }
  const context = transcriptContext({
    model,
    session,
    options: model.options,
    now: model.now,
    spinner: model.spinner,
    width,
    height
  })
  return { ...context, isWatched: isOnScreen(model, session.id) }
}
