import { Effect } from "effect"
import type { JsonSchema } from "../../core/model/request/model-request.ts"
import type { Files } from "../../core/ports/Files.ts"
import type { Model } from "../../core/ports/Model.ts"
import type { Process } from "../../core/ports/Process.ts"
import type { Search } from "../../core/ports/Search.ts"
import type { Web } from "../../core/ports/Web.ts"
import { askUserQuestionTool } from "../../core/tools/conversation/ask-user-question.ts"
import { bashTool } from "../../core/tools/bash/bash.ts"
import { editTool } from "../../core/tools/files/edit.ts"
import { globTool } from "../../core/tools/search/glob.ts"
import { grepTool } from "../../core/tools/search/grep.ts"
import { notebookEditTool } from "../../core/tools/files/notebook-edit.ts"
import { readTool } from "../../core/tools/files/read.ts"
import { structuredOutputTool } from "../../core/tools/conversation/structured-output.ts"
import { taskOutputTool } from "../../core/tools/bash/task-output.ts"
import { taskStopTool } from "../../core/tools/bash/task-stop.ts"
import { todoWriteTool } from "../../core/tools/conversation/todo-write.ts"
import { webFetchTool } from "../../core/tools/web/web-fetch.ts"
import { writeTool } from "../../core/tools/files/write.ts"
import type { CommandPolicy } from "../sandbox/command-policy.ts"
import type { BackgroundTasks } from "./services/background-tasks.ts"
import type { FileState } from "./services/file-state.ts"
import { compileJsonSchema, type InvalidSchema } from "./contract/json-schema.ts"
import type { Pages } from "./services/web-page-cache.ts"
import type { Todos } from "./services/todos.ts"
import { askUserQuestionExecutor } from "./ask-user-question.ts"
import { bashExecutor } from "./bash/bash.ts"
import { bind, type BoundExecutor } from "./contract/bound-executor.ts"
import { editExecutor } from "./files/edit.ts"
import { ToolRefusal } from "./contract/executor.ts"
import { globExecutor } from "./files/glob.ts"
import { grepExecutor } from "./files/grep.ts"
import { notebookEditExecutor } from "./files/notebook-edit.ts"
import type { Reach } from "./services/search-visibility.ts"
import { readExecutor } from "./files/read.ts"
import { structuredOutputExecutor } from "./structured-output.ts"
import { taskOutputExecutor } from "./bash/task-output.ts"
import { taskStopExecutor } from "./bash/task-stop.ts"
import { todoWriteExecutor } from "./todo-write.ts"
import { webFetchExecutor } from "./web-fetch.ts"
import { writeExecutor } from "./files/write.ts"

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
