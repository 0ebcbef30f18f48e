import type { JsonSchema } from "../model/request/model-request.ts"
import { type AnyTool, anyTool } from "./contract/any-tool.ts"
import { askUserQuestionTool } from "./conversation/ask-user-question.ts"
import { bashTool } from "./bash/bash.ts"
import { editTool } from "./files/edit.ts"
import { globTool } from "./search/glob.ts"
import { grepTool } from "./search/grep.ts"
import { notebookEditTool } from "./files/notebook-edit.ts"
import { readTool } from "./files/read.ts"
import { structuredOutputTool } from "./conversation/structured-output.ts"
import { taskOutputTool } from "./bash/task-output.ts"
import { taskStopTool } from "./bash/task-stop.ts"
import { todoWriteTool } from "./conversation/todo-write.ts"
import { webFetchTool } from "./web/web-fetch.ts"
import { writeTool } from "./files/write.ts"

/** Every tool of the program; which of them a conversation offers is decided in pool.ts. */
export const BUILT_IN_TOOLS: ReadonlyArray<AnyTool> = [
  anyTool(askUserQuestionTool),
  anyTool(bashTool({ backgroundTasks: true })),
  anyTool(editTool),
  anyTool(globTool),
  anyTool(grepTool),
  anyTool(notebookEditTool),
  anyTool(readTool),
  anyTool(taskOutputTool),
  anyTool(taskStopTool),
  anyTool(todoWriteTool),
  anyTool(webFetchTool),
  anyTool(writeTool)
]

export const structuredOutput = (schema: JsonSchema): AnyTool => anyTool(structuredOutputTool(schema))
