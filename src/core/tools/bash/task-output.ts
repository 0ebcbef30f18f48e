import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import description from "./task-output.md"
import { makeTool, READ_ONLY } from "../contract/tool.ts"

const DEFAULT_WAIT_MS = 30_000
const MAX_WAIT_MS = 600_000

export const TaskOutputInput = Schema.Struct({
  task_id: Schema.String.annotate({ description: "Id of the background task" }),
  block: Schema.optionalKey(Schema.Boolean.annotate({ description: "Wait for the task to end; true if left out" })),
  timeout: Schema.optionalKey(
    Schema.Finite.annotate({
      description: `Milliseconds to wait, ${DEFAULT_WAIT_MS} if left out, at most ${MAX_WAIT_MS}`
    })
  )
})
export type TaskOutputInput = typeof TaskOutputInput.Type

/** How long a call waits for the end of the task. */
export const waitMs = (input: TaskOutputInput): number =>
  input.block === false ? 0 : Math.min(Math.max(0, input.timeout ?? DEFAULT_WAIT_MS), MAX_WAIT_MS)

export const taskOutputTool = makeTool<TaskOutputInput>({
  name: "TaskOutput",
  aliases: ["BashOutput", "AgentOutputTool"],
  description,
  input: TaskOutputInput,
  maxResultChars: 100_000,
  traits: () => READ_ONLY,
  interrupt: "cancel",
  needs: () => [{ kind: "nothing" }],
  summary: (input) => input.task_id.slice(0, LIMITS.toolSummaryChars)
})
