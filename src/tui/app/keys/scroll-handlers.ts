import { followEnd } from "../../model/conversation/scroll-to-end.ts"
import type { IdsOf } from "../../keymap/actions/action-tables.ts"
import { onPromptAct } from "../../panes/prompt/on-prompt-key.ts"
import { SELECTING } from "../../prompt/prompt-actions.ts"
import { focusedPane } from "../../model/windows/layout-and-focus.ts"
import { selectedText, withoutSelection } from "../../transcript/list/commands/selection.ts"
import { copyFromPrompt } from "../../panes/prompt/copy-prompt.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { withoutCommands, type Update, notify, withCommands } from "../../model/update-result.ts"
import { type AppModel, withCurrent, currentSession } from "../../model/app-model.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import { type ListActionName, updateList, listExtended } from "../../transcript/list/update.ts"

/** The transcript is scrolled, and text is selected in it, from wherever the keyboard is. */

const byList =
  (name: ListActionName): Handler<AppModel> =>
  (model) =>
    withoutCommands(
      withCurrent(model, (session) => ({
        ...session,
        list: updateList(session.list, { name }, transcriptContextOf(model, session))
      }))
    )

const copySelection = (model: AppModel): Update => {
  const session = currentSession(model)
  const selection = session?.list.selection
  if (session === undefined || selection === undefined) {
    return copyFromPrompt(model) ?? withoutCommands(notify(model, "nothing is selected"))
  }
  return withCommands(model, {
    _tag: "Copy",
    text: selectedText(session.list, selection, transcriptContextOf(model, session)),
    what: "the selection"
  })
}

const isInTranscript = (model: AppModel): boolean =>
  focusedPane(model) === "transcript" || currentSession(model)?.list.selection?.by === "mouse"

/** Shift with a key that moves: the selection of the transcript grows where there is one, else that of the prompt. */
const extend =
  (id: keyof typeof SELECTING, name: ListActionName): Handler<AppModel> =>
  (model) =>
    isInTranscript(model)
      ? withoutCommands(
          withCurrent(model, (session) => ({
            ...session,
            list: listExtended(session.list, { name }, transcriptContextOf(model, session))
          }))
        )
      : onPromptAct(model, SELECTING[id])

export const SCROLL_HANDLERS: Handlers<IdsOf<"Scroll">, AppModel> = {
  "scroll:pageUp": byList("pane:halfPageUp"),
  "scroll:pageDown": byList("pane:halfPageDown"),
  "scroll:halfPageUp": byList("pane:halfPageUp"),
  "scroll:halfPageDown": byList("pane:halfPageDown"),
  "scroll:fullPageUp": byList("pane:pageUp"),
  "scroll:fullPageDown": byList("pane:pageDown"),
  "scroll:lineUp": byList("pane:scrollUp"),
  "scroll:lineDown": byList("pane:scrollDown"),
  "scroll:top": byList("pane:top"),
  "scroll:bottom": (model) => withoutCommands(followEnd(model)),
  "selection:copy": copySelection,
  "selection:clear": (model) =>
    withoutCommands(withCurrent(model, (session) => ({ ...session, list: withoutSelection(session.list) }))),
  "selection:extendLeft": extend("selection:extendLeft", "pane:left"),
  "selection:extendRight": extend("selection:extendRight", "pane:right"),
  "selection:extendUp": extend("selection:extendUp", "pane:up"),
  "selection:extendDown": extend("selection:extendDown", "pane:down"),
  "selection:extendLineStart": extend("selection:extendLineStart", "transcript:lineStart"),
  "selection:extendLineEnd": extend("selection:extendLineEnd", "transcript:lineEnd")
}
