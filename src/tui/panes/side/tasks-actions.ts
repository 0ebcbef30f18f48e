import type { FocusedList, ListHandlers } from "../list/focused-list.ts"
import type { Handler } from "../../model/action.ts"
import { taskOfItem } from "./tasks.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The keys of the tasks pane (UI-8). Todos are the agent's own list: there is nothing to stop about them. */

const stopAll = (model: AppModel, session: SessionModel): Update => {
  const running = session.tasks.filter(({ status }) => status === "running")
  if (running.length === 0) return withoutCommands(notify(model, "nothing runs in the background"))
  const which = running.length === 1 ? "it" : `all ${running.length}`
  const question = `Stop ${which}?\n\n${running.map(({ command }) => command).join("\n")}`
  const action = { _tag: "StopTasks", session: session.id, tasks: running.map(({ taskId }) => taskId) } as const
  return withoutCommands(openOverlay(model, confirmOverlay(action, { question, yes: "Stop all", no: "Let them run" })))
}

const stopOne = (model: AppModel, session: SessionModel, taskId: string): Update => {
  const task = session.tasks.find((each) => each.taskId === taskId)
  if (task?.status !== "running") return withoutCommands(notify(model, "this command is over"))
  const action = { _tag: "StopTasks", session: session.id, tasks: [taskId] } as const
  return withoutCommands(
    openOverlay(
      model,
      confirmOverlay(action, { question: `Stop this?\n\n${task.command}`, yes: "Stop it", no: "Let it run" })
    )
  )
}

const onTask =
  (act: (model: AppModel, session: SessionModel, taskId: string) => Update): Handler<FocusedList> =>
  ({ model, session, item }) => {
    const taskId = item === undefined ? undefined : taskOfItem(item)
    return taskId === undefined ? undefined : act(model, session, taskId)
  }

const show = onTask((model, { id }, taskId) => withCommands(model, { _tag: "ShowTask", session: id, taskId }))

export const TASK_HANDLERS: ListHandlers = {
  "pane:open": show,
  "list:openFull": show,
  "list:stop": onTask(stopOne),
  "list:stopAll": ({ model, session }) => stopAll(model, session),
  "pane:goToCall": onTask((model, { tasks }, id) =>
    withoutCommands(goToEntry(model, tasks.find(({ taskId }) => taskId === id)?.callId ?? ""))
  )
}
