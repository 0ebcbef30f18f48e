/** Ends a background task with everything it started. */
import { Effect } from "effect"
import { stoppedTaskId, type TaskStopInput } from "../../../core/tools/bash/task-stop.ts"
import { BackgroundTasks } from "../services/background-tasks.ts"
import { type ToolExecutor, type ToolOutput, ToolRefusal } from "../contract/executor.ts"
import { unknownTask } from "./task-output.ts"

const run = Effect.fnUntraced(function* (input: TaskStopInput) {
  const tasks = yield* BackgroundTasks
  const taskId = stoppedTaskId(input)
  const before = yield* Effect.mapError(tasks.find(taskId), unknownTask("TaskStop"))
  if (before.status !== "running") {
    const state = `${before.status}, exit code ${before.exitCode}`
    return yield* new ToolRefusal({
      message: `TaskStop: nothing was stopped, task ${taskId} has already ended (${state}).`
    })
  }
  yield* Effect.mapError(tasks.stop(taskId), unknownTask("TaskStop"))
  const message = `Stopped task ${taskId}: ${before.command}`
  return {
    content: message,
    data: { message, task_id: taskId, task_type: "local_bash", command: before.command }
  } satisfies ToolOutput
})

export const taskStopExecutor: ToolExecutor<TaskStopInput, BackgroundTasks> = {
  run: (input) => run(input)
}
