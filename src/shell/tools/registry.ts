import { Effect } from "effect"
import type { JsonSchema } from "../../core/context/model-request.ts"
import type { Files } from "../../core/ports/Files.ts"
import type { Model } from "../../core/ports/Model.ts"
import type { Process } from "../../core/ports/Process.ts"
import type { Search } from "../../core/ports/Search.ts"
import type { Web } from "../../core/ports/Web.ts"
import { askUserQuestionTool } from "../../core/tools/ask-user-question.ts"
import { bashTool } from "../../core/tools/bash.ts"
import { editTool } from "../../core/tools/edit.ts"
import { globTool } from "../../core/tools/glob.ts"
import { grepTool } from "../../core/tools/grep.ts"
import { notebookEditTool } from "../../core/tools/notebook-edit.ts"
import { readTool } from "../../core/tools/read.ts"
import { structuredOutputTool } from "../../core/tools/structured-output.ts"
import { taskOutputTool } from "../../core/tools/task-output.ts"
import { taskStopTool } from "../../core/tools/task-stop.ts"
import { todoWriteTool } from "../../core/tools/todo-write.ts"
import { webFetchTool } from "../../core/tools/web-fetch.ts"
import { writeTool } from "../../core/tools/write.ts"
import type { CommandPolicy } from "../sandbox/command-policy.ts"
import type { BackgroundTasks } from "../background-tasks.ts"
import type { FileState } from "../file-state.ts"
import { compileJsonSchema, type InvalidSchema } from "../json-schema.ts"
import type { Pages } from "../pages.ts"
import type { Todos } from "../todos.ts"
import { askUserQuestionExecutor } from "./ask-user-question.ts"
import { bashExecutor } from "./bash.ts"
import { bind, type BoundExecutor } from "./bound.ts"
import { editExecutor } from "./edit.ts"
import { ToolRefusal } from "./executor.ts"
import { globExecutor } from "./glob.ts"
import { grepExecutor } from "./grep.ts"
import { notebookEditExecutor } from "./notebook-edit.ts"
import type { Reach } from "./reach.ts"
import { readExecutor } from "./read.ts"
import { structuredOutputExecutor } from "./structured-output.ts"
import { taskOutputExecutor } from "./task-output.ts"
import { taskStopExecutor } from "./task-stop.ts"
import { todoWriteExecutor } from "./todo-write.ts"
import { webFetchExecutor } from "./web-fetch.ts"
import { writeExecutor } from "./write.ts"

/** Services that the acting halves of the tools use. */
export type ToolServices =
  | BackgroundTasks
  | CommandPolicy
  | Files
  | FileState
  | Model
  | Pages
  | Process
  | Reach
  | Search
  | Todos
  | Web

const BOUND: ReadonlyArray<BoundExecutor<ToolServices>> = [
  bind(askUserQuestionTool, askUserQuestionExecutor),
  bind(bashTool({ backgroundTasks: true }), bashExecutor()),
  bind(editTool, editExecutor),
  bind(globTool, globExecutor),
  bind(grepTool, grepExecutor),
  bind(notebookEditTool, notebookEditExecutor),
  bind(readTool, readExecutor),
  bind(taskOutputTool, taskOutputExecutor),
  bind(taskStopTool, taskStopExecutor),
  bind(todoWriteTool, todoWriteExecutor),
  bind(webFetchTool, webFetchExecutor),
  bind(writeTool, writeExecutor)
]

/** The acting half of each tool by its name. */
export const EXECUTORS: ReadonlyMap<string, BoundExecutor<ToolServices>> = new Map(
  BOUND.map((executor) => [executor.name, executor])
)

const schemaRefusal = ({ message }: InvalidSchema): ToolRefusal =>
  new ToolRefusal({ message: `InvalidSchema: the schema of this run cannot be used: ${message}` })

/** The executor of StructuredOutput is made for the schema of the run. */
export const structuredOutputFor = (schema: JsonSchema): BoundExecutor<never> => {
  const tool = structuredOutputTool(schema)
  return {
    name: tool.name,
    maxResultChars: tool.maxResultChars,
    prepare: () => Effect.void,
    run: (input, context) =>
      compileJsonSchema(schema).pipe(
        Effect.mapError(schemaRefusal),
        Effect.flatMap((validate) => bind(tool, structuredOutputExecutor(validate)).run(input, context))
      )
  }
}
