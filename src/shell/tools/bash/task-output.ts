/** Status and end of the output of a background task. */
import { Effect } from "effect"
import { withoutFinalNewlines } from "../../../core/tools/bash/clip.ts"
import { outputWindowChars } from "../../../core/tools/bash/timeout.ts"
import { type TaskOutputInput, waitMs } from "../../../core/tools/bash/task-output.ts"
import { BackgroundTasks, type TaskTail, type UnknownTask } from "../services/background-tasks.ts"
import { type ToolContext, type ToolExecutor, type ToolOutput, ToolRefusal } from "../contract/executor.ts"

/** Names what could have been meant. */
export const unknownTask =
  (tool: string) =>
  (failure: UnknownTask): ToolRefusal => {
    const list = failure.running.map((task) => `- ${task.taskId}: ${task.command}`)
    const known = list.length === 0 ? "No task is running." : `Running tasks:\n${list.join("\n")}`
    return new ToolRefusal({ message: `${tool}: there is no task ${failure.taskId}. ${known}` })
  }

const describe = ({ task, tail }: TaskTail): ToolOutput => {
  const state = task.exitCode === null ? task.status : `${task.status}, exit code ${task.exitCode}`
  const shown = withoutFinalNewlines(tail)
  const body = shown === "" ? "It has printed nothing." : `End of its output (all of it: ${task.outputPath}):\n${shown}`
  return {
    content: `Task ${task.taskId}: ${state}\n${body}`,
    data: {
      retrieval_status: task.status === "running" ? "not_ready" : "success",
      task: {
        task_id: task.taskId,
        task_type: "local_bash",
        status: task.status,
        description: task.command,
        output: shown,
        exitCode: task.exitCode
      }
    }
  }
}

const run = Effect.fnUntraced(
  function* (input: TaskOutputInput, context: ToolContext) {
    const tasks = yield* BackgroundTasks
    const wait = waitMs(input)
    if (wait > 0) yield* Effect.timeoutOption(tasks.awaitEnd(input.task_id), wait)
    return describe(yield* tasks.output(input.task_id, outputWindowChars(context.env)))
  },
  Effect.mapError(unknownTask("TaskOutput"))
)

export const taskOutputExecutor: ToolExecutor<TaskOutputInput, BackgroundTasks> = { run }
