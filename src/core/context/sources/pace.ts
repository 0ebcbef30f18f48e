import { isToolUse } from "../../domain/block.ts"
import { rawOf } from "../../domain/json/json-object.ts"
import type { AssistantMessage, AttachmentMessage, Message } from "../../domain/message.ts"
import { isPrompt } from "../../model/request/prompt-message.ts"
import { openTodos, type Todo } from "../../tools/conversation/todo-write.ts"

/** How long ago something was done or said that the model is reminded of after a while: a fold over the messages. */
export interface Pace {
  /** The list as the last call left it; empty when all of it is done. */
  readonly todos: ReadonlyArray<Todo>
  /** Responses since the list was changed, or recalled in a reminder. */
  readonly responsesSinceTodos: number
  readonly todoReminders: number
  /** A response arrives as several messages with one id. */
  readonly lastResponse: string | undefined
  /** Prompts since the model was told of plan mode; absent outside of it. */
  readonly promptsInPlan: number | undefined
}

export const NO_PACE: Pace = {
  todos: [],
  responsesSinceTodos: 0,
  todoReminders: 0,
  lastResponse: undefined,
  promptsInPlan: undefined
}

const STATUSES: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"])

const isTodo = (value: unknown): value is Todo => {
  const todo = rawOf(value)
  return typeof todo?.["content"] === "string" && STATUSES.has(todo["status"])
}

/** Undefined when the message does not change the list. */
const todosIn = ({ message }: AssistantMessage): ReadonlyArray<Todo> | undefined => {
  const call = message.content.findLast((block) => isToolUse(block) && block.name === "TodoWrite")
  const todos = call === undefined || !isToolUse(call) ? undefined : rawOf(call.input)?.["todos"]
  return Array.isArray(todos) ? openTodos(todos.filter(isTodo)) : undefined
}

const afterResponse = (pace: Pace, message: AssistantMessage): Pace => {
  const { id } = message.message
  const counted = pace.lastResponse === id ? pace.responsesSinceTodos : pace.responsesSinceTodos + 1
  const todos = todosIn(message)
  return todos === undefined
    ? { ...pace, lastResponse: id, responsesSinceTodos: counted }
    : { ...pace, lastResponse: id, responsesSinceTodos: 0, todos }
}

const afterAttachment = (pace: Pace, { attachment }: AttachmentMessage): Pace => {
  switch (attachment.type) {
    case "todo_reminder":
      return { ...pace, responsesSinceTodos: 0, todoReminders: pace.todoReminders + 1 }
    case "plan_mode":
      return { ...pace, promptsInPlan: pace.promptsInPlan ?? 0 }
    case "plan_mode_exit":
      return { ...pace, promptsInPlan: undefined }
    default:
      return pace
  }
}

export const paceAfter = (pace: Pace, message: Message): Pace => {
  if (message.type === "assistant") return afterResponse(pace, message)
  if (message.type === "attachment") return afterAttachment(pace, message)
  const { promptsInPlan } = pace
  return promptsInPlan !== undefined && isPrompt(message) ? { ...pace, promptsInPlan: promptsInPlan + 1 } : pace
}
