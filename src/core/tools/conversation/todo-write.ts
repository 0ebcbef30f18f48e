import { Schema } from "effect"
import description from "./todo-write.md"
import { makeTool } from "../contract/tool.ts"

export const Todo = Schema.Struct({
  content: Schema.NonEmptyString.annotate({ description: "What is to be done, as an order: `Run the tests`" }),
  status: Schema.Literals(["pending", "in_progress", "completed"]),
  activeForm: Schema.NonEmptyString.annotate({ description: "The same while it is being done: `Running the tests`" })
})
export type Todo = typeof Todo.Type

export const TodoWriteInput = Schema.Struct({
  todos: Schema.Array(Todo).annotate({ description: "The whole list; it replaces the old one" })
})
export type TodoWriteInput = typeof TodoWriteInput.Type

/** The structured output, with the field names hosts know. */
export interface TodoWriteData {
  readonly oldTodos: ReadonlyArray<Todo>
  readonly newTodos: ReadonlyArray<Todo>
}

/** The list to keep: one that is done throughout is closed. */
export const openTodos = (todos: ReadonlyArray<Todo>): ReadonlyArray<Todo> =>
  todos.every((todo) => todo.status === "completed") ? [] : todos

const blankProblem = ({ todos }: TodoWriteInput): string | undefined => {
  const index = todos.findIndex((todo) => todo.content.trim() === "")
  return index === -1
    ? undefined
    : `InvalidTodo: todos[${index}].content is blank. The list is unchanged; say what is to be done.`
}

const countOf = (todos: ReadonlyArray<Todo>, status: Todo["status"]): number =>
  todos.filter((todo) => todo.status === status).length

export const todoWriteText = ({ newTodos }: TodoWriteData): string => {
  if (newTodos.length === 0) return "The todo list is now empty."
  if (openTodos(newTodos).length === 0) return `All ${newTodos.length} todos are completed; the list is closed.`
  const [pending, active, done] = (["pending", "in_progress", "completed"] as const).map((status) =>
    countOf(newTodos, status)
  )
  return `The todo list is saved: ${done} completed, ${active} in progress, ${pending} pending. Keep it current.`
}

export const todoWriteTool = makeTool<TodoWriteInput>({
  name: "TodoWrite",
  description,
  input: TodoWriteInput,
  maxResultChars: 100_000,
  traits: () => ({ readOnly: false, concurrencySafe: true, destructive: false, openWorld: false }),
  needs: () => [{ kind: "nothing" }],
  summary: ({ todos }) => (todos.length === 1 ? "1 todo" : `${todos.length} todos`),
  validate: blankProblem
})
