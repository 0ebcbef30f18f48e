import { type AnyTool, anyTool } from "./contract/any-tool.ts"
import type { Tool } from "./contract/tool.ts"
import { askUserQuestionTool } from "./conversation/ask-user-question.ts"
import { bashTool } from "./bash/bash.ts"
import { editTool } from "./files/edit.ts"
import { globTool } from "./search/glob.ts"
import { grepTool } from "./search/grep.ts"
import { notebookEditTool } from "./files/notebook-edit.ts"
import { readTool } from "./files/read.ts"
import { taskOutputTool } from "./bash/task-output.ts"
import { taskStopTool } from "./bash/task-stop.ts"
import { testingPermissionTool } from "./conversation/testing-permission.ts"
import { todoWriteTool } from "./conversation/todo-write.ts"
import { webFetchTool } from "./web/web-fetch.ts"
import { webSearchTool } from "./web/web-search.ts"
import { writeTool } from "./files/write.ts"

/** The pure half of every tool of the program, by the name the model uses. What is offered is decided in toolbox.ts. */
const BUILT_IN = {
  AskUserQuestion: askUserQuestionTool,
  Bash: bashTool({ backgroundTasks: true }),
  Edit: editTool,
  Glob: globTool,
  Grep: grepTool,
  NotebookEdit: notebookEditTool,
  Read: readTool,
  TaskOutput: taskOutputTool,
  TaskStop: taskStopTool,
  TestingPermission: testingPermissionTool,
  TodoWrite: todoWriteTool,
  WebFetch: webFetchTool,
  WebSearch: webSearchTool,
  Write: writeTool
} as const

export type BuiltInName = keyof typeof BUILT_IN

export type InputOf<Name extends BuiltInName> = (typeof BUILT_IN)[Name] extends Tool<infer Input> ? Input : never

const TYPED: { readonly [Name in BuiltInName]: Tool<InputOf<Name>> } = BUILT_IN

export const BUILT_IN_NAMES = Object.keys(BUILT_IN) as ReadonlyArray<BuiltInName>

export const builtIn = <Name extends BuiltInName>(name: Name): Tool<InputOf<Name>> => TYPED[name]

/** The same without the type of its input. */
export const anyBuiltIn = (name: BuiltInName): AnyTool => anyTool(builtIn(name))

export const BUILT_IN_TOOLS: ReadonlyArray<AnyTool> = BUILT_IN_NAMES.map(anyBuiltIn)
