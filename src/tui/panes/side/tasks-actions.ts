import { taskOfItem } from "./tasks.ts"
import type { Item } from "../../model/list-state.ts"
import { doing, notify, only, type Update } from "../../model/update-result.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The keys of the tasks pane (UI-8). Todos are the agent's own list: there is nothing to stop about them. */

const stopAll = (model: AppModel, session: SessionModel): Update => {
  const running = session.tasks.filter(({ status }) => status === "running")
  if (running.length === 0) return only(notify(model, "nothing runs in the background"))
  const which = running.length === 1 ? "it" : `all ${running.length}`
  const question = `Stop ${which}?\n\n${running.map(({ command }) => command).join("\n")}`
  const action = { _tag: "StopTasks", session: session.id, tasks: running.map(({ taskId }) => taskId) } as const
  return only(openOverlay(model, confirmOverlay(action, { question, yes: "Stop all", no: "Let them run" })))
}

const stopOne = (model: AppModel, session: SessionModel, taskId: string): Update => {
  const task = session.tasks.find((each) => each.taskId === taskId)
  if (task?.status !== "running") return only(notify(model, "this command is over"))
  const action = { _tag: "StopTasks", session: session.id, tasks: [taskId] } as const
  return only(
    openOverlay(
      model,
      confirmOverlay(action, { question: `Stop this?\n\n${task.command}`, yes: "Stop it", no: "Let it run" })
    )
  )
}

export const onTasksKey = (
  model: AppModel,
  session: SessionModel,
  at: { readonly action: string; readonly item: Item | undefined }
): Update | undefined => {
  if (at.action === "list:stopAll") return stopAll(model, session)
  if (at.action === "list:message") return only(notify(model, "there are no agents to write to in this version"))
  const taskId = at.item === undefined ? undefined : taskOfItem(at.item)
  if (taskId === undefined) return undefined
  switch (at.action) {
    case "pane:open":
    case "list:openFull":
      return doing(model, { _tag: "ShowTask", session: session.id, taskId })
    case "list:stop":
      return stopOne(model, session, taskId)
    case "pane:goToCall": {
      const callId = session.tasks.find((each) => each.taskId === taskId)?.callId ?? ""
      return only(goToEntry(model, callId))
    }
    default:
      return undefined
  }
}
