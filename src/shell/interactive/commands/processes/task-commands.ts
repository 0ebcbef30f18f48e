import { Effect } from "effect"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import type { PerformContext } from "../context/command-context.ts"
import { withSession } from "../sessions/session-commands.ts"

/** Background commands of a session: listed, shown, stopped, and sent there. */
export const listTasks = (context: PerformContext, { session }: CmdOf<"ListTasks">): void =>
  withSession(context, session, ({ tasks }) =>
    context.attempt("the tasks could not be listed", async () => {
      const known = await Effect.runPromise(tasks.list)
      context.tell({ _tag: "TasksListed", session, tasks: known })
    })
  )

export const moveToBackground = (context: PerformContext, { session, callId }: CmdOf<"MoveToBackground">): void =>
  withSession(context, session, ({ tasks }) =>
    context.attempt("nothing was sent to the background", async () => {
      if (await Effect.runPromise(tasks.moveToBackground(callId))) return
      context.notice("that call runs no command that could go on in the background", "warning")
    })
  )

export const stopTask = (context: PerformContext, { session, taskId }: CmdOf<"StopTask">): void =>
  withSession(context, session, ({ tasks }) =>
    context.attempt(`task ${taskId} was not stopped`, async () => {
      const stopped = await Effect.runPromise(tasks.stop(taskId))
      context.notice(stopped ? `task ${taskId} is being stopped` : `task ${taskId} is not running`)
      listTasks(context, { _tag: "ListTasks", session })
    })
  )

export const showTask = (context: PerformContext, { session, taskId }: CmdOf<"ShowTask">): void =>
  withSession(context, session, ({ tasks }) =>
    context.attempt(`the output of task ${taskId} cannot be shown`, async () => {
      const output = await Effect.runPromise(tasks.output(taskId))
      if (output === undefined) context.notice(`task ${taskId} is not known any more`, "warning")
      else context.tell({ _tag: "OutputLoaded", session, title: `task ${taskId}`, text: output.text })
    })
  )
