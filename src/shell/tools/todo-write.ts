import { Effect } from "effect"
import { type TodoWriteData, type TodoWriteInput, todoWriteText } from "../../core/tools/conversation/todo-write.ts"
import { Todos } from "./services/todos.ts"
import type { ToolContext, ToolExecutor } from "./contract/executor.ts"

const run = Effect.fnUntraced(function* (input: TodoWriteInput, context: ToolContext) {
  const todos = yield* Todos
  const oldTodos = yield* todos.replace(context.sessionId, input.todos)
  const data: TodoWriteData = { oldTodos, newTodos: input.todos }
  return { data, content: todoWriteText(data) }
})

export const todoWriteExecutor: ToolExecutor<TodoWriteInput, Todos> = { run }
