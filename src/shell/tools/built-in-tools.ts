import type { Files } from "../../core/ports/Files.ts"
import type { Memory } from "../../core/ports/Memory.ts"
import type { Model } from "../../core/ports/Model.ts"
import type { Process } from "../../core/ports/Process.ts"
import type { Search } from "../../core/ports/Search.ts"
import type { Web } from "../../core/ports/Web.ts"
import { withoutBackground } from "../../core/tools/bash/bash.ts"
import { type BuiltInName, builtIn, type InputOf } from "../../core/tools/built-in-tools.ts"
import type { CommandPolicy } from "../sandbox/command-policy.ts"
import type { BackgroundTasks } from "./services/background-tasks.ts"
import type { FileState } from "./services/file-state.ts"
import type { Pages } from "./services/web-page-cache.ts"
import type { Todos } from "./services/todos.ts"
import { askUserQuestionExecutor } from "./ask-user-question.ts"
import { bashExecutor } from "./bash/bash.ts"
import { bind, type BoundExecutor } from "./contract/bound-executor.ts"
import { editExecutor } from "./files/edit.ts"
import type { ToolExecutor } from "./contract/executor.ts"
import { builtInEntries } from "../../core/tools/tool-entry.ts"
import type { ProvidedTool, Toolbox } from "./toolbox.ts"
import { globExecutor } from "./files/glob.ts"
import { grepExecutor } from "./files/grep.ts"
import { notebookEditExecutor } from "./files/notebook-edit.ts"
import type { SearchVisibility } from "./services/search-visibility.ts"
import { keepingMemory } from "./files/memory-writes.ts"
import { readExecutor } from "./files/read.ts"
import { taskOutputExecutor } from "./bash/task-output.ts"
import { taskStopExecutor } from "./bash/task-stop.ts"
import { testingPermissionExecutor } from "./testing-permission.ts"
import { todoWriteExecutor } from "./todo-write.ts"
import { webFetchExecutor } from "./web-fetch.ts"
import type { WebSearches } from "./services/web-searches.ts"
import { webSearchExecutor } from "./web-search.ts"
import { writeExecutor } from "./files/write.ts"

/** Services that the acting halves of the tools use. */
export type ToolServices =
  | BackgroundTasks
  | CommandPolicy
  | Files
  | FileState
  | Memory
  | Model
  | Pages
  | Process
  | SearchVisibility
  | Search
  | Todos
  | Toolbox
  | Web
  | WebSearches

/** The acting half of every tool of the program. A missing one, or one for another input, does not compile. */
const EXECUTORS: { readonly [Name in BuiltInName]: ToolExecutor<InputOf<Name>, ToolServices> } = {
  AskUserQuestion: askUserQuestionExecutor,
  Bash: bashExecutor(),
  Edit: keepingMemory("new_string", editExecutor),
  Glob: globExecutor,
  Grep: grepExecutor,
  NotebookEdit: notebookEditExecutor,
  Read: readExecutor,
  TaskOutput: taskOutputExecutor,
  TaskStop: taskStopExecutor,
  TestingPermission: testingPermissionExecutor,
  TodoWrite: todoWriteExecutor,
  WebFetch: webFetchExecutor,
  WebSearch: webSearchExecutor,
  Write: keepingMemory("content", writeExecutor)
}

const bound = <Name extends BuiltInName>(
  name: Name,
  executor: ToolExecutor<InputOf<Name>, ToolServices>
): BoundExecutor<ToolServices> => bind(builtIn(name), executor)

const executorOf = (name: BuiltInName, isForeground: boolean): BoundExecutor<ToolServices> =>
  name === "Bash" && isForeground ? bind(withoutBackground, EXECUTORS.Bash) : bound(name, EXECUTORS[name])

/** Every tool of the program, with or without background tasks. */
export const builtInTools = (hasBackgroundTasks: boolean): ReadonlyArray<ProvidedTool> =>
  builtInEntries(hasBackgroundTasks).map((entry) => ({
    entry,
    executor: executorOf(entry.source.name, entry.source.foregroundOnly === true)
  }))
