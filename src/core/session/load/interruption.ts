import { isToolResult, isToolUse } from "../../domain/block.ts"
import { blocksOf, type Message, type UserMessage } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { speakerOf } from "../speaker.ts"

/** Whether the session ended while the model owed an answer. */
export type Interruption = "none" | "interrupted_prompt" | "interrupted_turn"

/** Calls after which the model rightly stays silent. */
const TURN_ENDING: ReadonlySet<string> = new Set(["StructuredOutput", "SendUserMessage", "SendUserFile", "Brief"])

const callName = (messages: ReadonlyArray<Message>, callId: string): string | null => {
  const made = messages.flatMap((message) => (message.type === "assistant" ? message.message.content.filter(isToolUse) : []))
  return made.findLast((block) => block.id === callId)?.name ?? null
}

const endsTurn = (messages: ReadonlyArray<Message>, message: UserMessage): boolean => {
  const result = blocksOf(message.message.content).findLast(isToolResult)
  if (result === undefined) return false
  const name = callName(messages, result.tool_use_id)
  return name !== null && (TURN_ENDING.has(name) || (name === "ExitPlanMode" && result.is_error !== true))
}

export interface Ending {
  readonly interruption: Interruption
  /** The model has been asked to go on already. */
  readonly asked: boolean
}

const ending = (interruption: Interruption, asked = false): Ending => ({ interruption, asked })

export const isContinueRequest = (message: Message): boolean =>
  message.type === "user" && message.isMeta === true && message.message.content === TEXTS.continueTurn

const isSilent = (message: Message): boolean =>
  message.type === "system" ||
  message.type === "attachment" ||
  message.isVirtual === true ||
  (message.type === "assistant" && message.isApiErrorMessage === true)

/** Looks from the end for the last message that asks or answers. Meta text only accompanies what stands before it. */
export const endingOf = (messages: ReadonlyArray<Message>): Ending => {
  let accompanied = false
  for (const message of messages.toReversed()) {
    if (isSilent(message)) continue
    if (message.type !== "user") return ending("none")
    if (isContinueRequest(message)) return ending("interrupted_turn", true)
    switch (speakerOf(message)) {
      case "result":
        return ending(endsTurn(messages, message) ? "none" : "interrupted_turn")
      case "prompt":
        return ending("interrupted_prompt")
      case "command":
        return ending(accompanied ? "interrupted_prompt" : "none")
      case "output":
        return ending("none")
      case "program":
        if (message.isMeta !== true) return ending("none")
        accompanied = true
    }
  }
  return ending("none")
}

/** Whether the next message of a conversation must be the assistant's. */
export const awaitsAnswer = (messages: ReadonlyArray<Message>): boolean =>
  messages.findLast((message) => !isSilent(message))?.type === "user"
