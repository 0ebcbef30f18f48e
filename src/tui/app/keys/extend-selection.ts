import { listExtended } from "../../transcript/list/update.ts"
import { focusedPane } from "../../model/windows/layout-and-focus.ts"
import { only, type Update } from "../../model/update-result.ts"
import { canonicalStrokes } from "../../model/windows/key-contexts.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { onPromptInput } from "../../panes/prompt/on-prompt-key.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"

/** Shift with an arrow (UI-88): the selection of the transcript grows where there is one, else that of the prompt. */

const MOTIONS: Readonly<Record<string, string>> = {
  "selection:extendLeft": "h",
  "selection:extendRight": "l",
  "selection:extendUp": "k",
  "selection:extendDown": "j",
  "selection:extendLineStart": "0",
  "selection:extendLineEnd": "$"
}

export const extendSelection = (model: AppModel, action: string): Update | undefined => {
  const name = MOTIONS[action]
  if (name === undefined) return undefined
  const isTranscript = focusedPane(model) === "transcript" || currentSession(model)?.list.selection?.by === "mouse"
  if (!isTranscript) {
    return canonicalStrokes(action).reduce<Update>(([next], stroke) => onPromptInput(next, stroke), only(model))
  }
  return only(
    withCurrent(model, (session) => ({
      ...session,
      list: listExtended(session.list, { name }, transcriptContextOf(model, session))
    }))
  )
}
