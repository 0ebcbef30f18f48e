import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import description from "./task-stop.md"
import { makeTool } from "../contract/tool.ts"

export const TaskStopInput = Schema.Struct({
  task_id: Schema.optionalKey(Schema.String.annotate({ description: "Id of the background task to stop" })),
  shell_id: Schema.optionalKey(Schema.String.annotate({ description: "Older name of task_id" }))
})
export type TaskStopInput = typeof TaskStopInput.Type

export const stoppedTaskId = (input: TaskStopInput): string => input.task_id ?? input.shell_id ?? ""

export const taskStopTool = makeTool<TaskStopInput>({
  name: "TaskStop",
  aliases: ["KillShell"],
  description,
  input: TaskStopInput,
  maxResultChars: 100_000,
  needs: () => [{ kind: "nothing" }],
  summary: (input) => stoppedTaskId(input).slice(0, LIMITS.toolSummaryChars),
  validate: (input) =>
    stoppedTaskId(input) === "" ? "TaskStop: nothing was stopped. Give task_id, the id of the task to stop." : undefined
})
