import type { JsonSchema } from "../context/model-request.ts"
import { type AnyTool, anyTool } from "./any-tool.ts"
import { askUserQuestionTool } from "./ask-user-question.ts"
import { bashTool } from "./bash.ts"
import { editTool } from "./edit.ts"
import { globTool } from "./glob.ts"
import { grepTool } from "./grep.ts"
import { notebookEditTool } from "./notebook-edit.ts"
import { readTool } from "./read.ts"
import { structuredOutputTool } from "./structured-output.ts"
import { taskOutputTool } from "./task-output.ts"
import { taskStopTool } from "./task-stop.ts"
import { todoWriteTool } from "./todo-write.ts"
import { webFetchTool } from "./web-fetch.ts"
import { writeTool } from "./write.ts"

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
