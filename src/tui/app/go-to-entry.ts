import { NEW_LIST } from "../panes/list-state.ts"
import { entryOf } from "../panes/output.ts"
import { listOpenedAt } from "../transcript/list/update.ts"
import { notify } from "./change.ts"
import { type AppModel, currentSession, withCurrent } from "./model.ts"
import { transcriptContextOf } from "./transcript-context.ts"
import { showTranscript } from "./window-keys.ts"

/** Shows the place in the conversation that something in another pane came from: a message, a block or a call. */
export const goToEntry = (model: AppModel, id: string): AppModel => {
  const session = currentSession(model)
  const entry = session === undefined ? undefined : entryOf(session, id)
  if (entry === undefined) return notify(model, "it is not in the transcript any more")
  const shown = showTranscript(model)
  return withCurrent(shown, (each) => ({
    ...each,
    list: listOpenedAt(each.list, { entry: entry.id }, transcriptContextOf(shown, each))
  }))
}

/** Fills the output pane with a message or a call. */
export const withOutput = (model: AppModel, id: string): AppModel =>
  withCurrent(model, (session) => ({
    ...session,
    outputOf: { _tag: "Entry", id },
    lists: { ...session.lists, output: NEW_LIST }
  }))
