import type { FocusedList, ListHandlers } from "../list/focused-list.ts"
import type { Handler } from "../../model/action.ts"
import { selectedActivity } from "./activity.ts"
import type { Activity } from "../../transcript/entries/select.ts"
import { isOpenCall } from "../../transcript/block.ts"
import { fieldsOf, textField } from "../../transcript/fields.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { confirmOverlay, stopCallOverlay } from "../../model/confirm.ts"
import { goToEntry, withOutput } from "../../model/conversation/go-to-entry.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { showPane } from "../../model/windows/window-actions.ts"

/** The letters of the activity pane (UI-5). */

const isOpen = ({ state }: Activity): boolean => isOpenCall(state)

const stop = (model: AppModel, session: SessionModel, call: Activity): Update => {
  if (!isOpen(call)) return withoutCommands(notify(model, "this call is over"))
  return withoutCommands(openOverlay(model, stopCallOverlay(session.id, call)))
}

const background = (model: AppModel, session: SessionModel, call: Activity): Update =>
  call.state === "running"
    ? withCommands(model, { _tag: "MoveToBackground", session: session.id, callId: call.callId })
    : withoutCommands(notify(model, "only a running command can be moved to the background"))

/** What the record holds is shown at once; what was too long for it comes from its file. */
const openFull = (model: AppModel, session: SessionModel, call: Activity): Update => {
  const shown = showPane(withOutput(model, call.callId), "output")
  const path = textField(fieldsOf(call.block.outcome?.data), "persistedOutputPath")
  const title = call.text.split("\n", 1)[0] ?? call.tool
  return path === "" ? withoutCommands(shown) : withCommands(shown, { _tag: "ShowOutput", session: session.id, title, path })
}

/** Only a command of a shell can be run again by hand; it runs as if it had been typed after `!`. */
const rerun = (model: AppModel, session: SessionModel, call: Activity): Update => {
  const command = textField(fieldsOf(call.block.input), "command")
  if (call.tool !== "Bash" || command === "") return withoutCommands(notify(model, "only shell commands can be run again"))
  const question = `Run this again?\n\n${command}`
  return withoutCommands(
    openOverlay(
      model,
      confirmOverlay({ _tag: "RunAgain", session: session.id, command }, { question, yes: "Run it", no: "Never mind" })
    )
  )
}

const onCall =
  (act: (model: AppModel, session: SessionModel, call: Activity) => Update): Handler<FocusedList> =>
  ({ model, session }) => {
    const call = selectedActivity(session)
    return call === undefined ? undefined : act(model, session, call)
  }

const goToCall = onCall((model, _session, { entryId }) => withoutCommands(goToEntry(model, entryId)))

export const ACTIVITY_HANDLERS: ListHandlers = {
  "pane:open": goToCall,
  "pane:goToCall": goToCall,
  "list:openFull": onCall(openFull),
  "list:stop": onCall(stop),
  "list:background": onCall(background),
  "list:rerun": onCall(rerun)
}
