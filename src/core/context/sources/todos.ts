import { oneLine } from "../../model/request/fence.ts"
import type { ContextSource } from "./source.ts"

/** A list that nobody touched for so many responses is recalled, and again after as many. */
const RESPONSES = 10

export const todos: ContextSource<"todos"> = {
  derive: ({ pace, toolNames }) => {
    const isDue = pace.todos.length > 0 && pace.responsesSinceTodos >= RESPONSES && toolNames.includes("TodoWrite")
    return isDue ? [{ id: "todos", value: { todos: pace.todos, reminder: pace.todoReminders } }] : []
  },
  isStanding: false,
  say: ([item]) => {
    if (item === undefined) return undefined
    const list = item.value.todos
    const lines = list.map(({ content, status }) => `- [${status}] ${oneLine(content)}`)
    const words =
      "The todo list was not touched for a while. Bring it up to date with TodoWrite if it no longer fits what you do; " +
      `otherwise go on, and do not mention this reminder. The list:\n${lines.join("\n")}`
    return { type: "todo_reminder", fields: { content: list, itemCount: list.length }, words }
  }
}
