import { isText, type ContentBlock } from "../../domain/block.ts"
import { type AttachmentMessage, blocksOf } from "../../domain/message.ts"
import type { Command } from "../machine/command.ts"
import { patchState } from "../machine/patch-state.ts"
import type { AgentState, QueuedPrompt, Running, RunningState } from "../machine/state.ts"
import { andThen, commitAndPublish, emit, type Step, stay, timestamp } from "../machine/transition.ts"

/** Prompts that wait while a turn runs: their order, their bookkeeping, and how they join the turn. */

/** Plain text of a prompt for bookkeeping lines. */
export const promptText = (content: string | ReadonlyArray<ContentBlock>): string =>
  blocksOf(content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n")

export const queueNote = (operation: "enqueue" | "dequeue" | "remove", prompt: QueuedPrompt): Command => ({
  _tag: "Note",
  record: { type: "queue-operation", operation, content: promptText(prompt.content) }
})

const PRIORITIES = ["now", "next", "later"] as const

/** Smaller goes first: by priority, and a user before a background task. */
const rankOf = (prompt: QueuedPrompt): number => PRIORITIES.indexOf(prompt.priority) * 2 + (prompt.origin === "task" ? 1 : 0)

/** Takes its place behind everything of the same rank, so that equals keep the order in which they came. */
export const insertPrompt = (queue: ReadonlyArray<QueuedPrompt>, prompt: QueuedPrompt): ReadonlyArray<QueuedPrompt> => {
  const at = queue.findIndex((other) => rankOf(other) > rankOf(prompt))
  return at === -1 ? [...queue, prompt] : queue.toSpliced(at, 0, prompt)
}

export const onQueueCancelled = (state: AgentState, uuids: ReadonlyArray<string>): Step => {
  const removed = state.queue.filter((prompt) => uuids.includes(prompt.uuid))
  if (removed.length === 0) return stay(state)
  return [
    patchState(state, { queue: state.queue.filter((prompt) => !uuids.includes(prompt.uuid)) }),
    removed.map((prompt) => queueNote("remove", prompt))
  ]
}

const foldOne = (state: RunningState, prompt: QueuedPrompt): Step<Running> => {
  const message: AttachmentMessage = {
    type: "attachment",
    uuid: prompt.uuid,
    timestamp: timestamp(state),
    attachment: {
      type: "queued_command",
      prompt: prompt.content,
      commandMode: prompt.origin === "task" ? "task-notification" : "prompt"
    }
  }
  const [committed, commands] = commitAndPublish(state, message)
  return [committed, [queueNote("dequeue", prompt), ...commands, emit({ _tag: "PromptTaken", promptUuid: prompt.uuid })]]
}

/** Prompts typed meanwhile join the running turn here, behind the results and ahead of the next request. */
export const foldQueued = (state: RunningState): Step<Running> => {
  const taken = state.queue.filter((prompt) => prompt.priority !== "later")
  if (taken.length === 0) return stay(state)
  const rest = state.queue.filter((prompt) => prompt.priority === "later")
  const begin = stay(patchState(state, { queue: rest }))
  return taken.reduce<Step<Running>>((step, prompt) => andThen(step, (next) => foldOne(next, prompt)), begin)
}
