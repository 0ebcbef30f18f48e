import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import { isPrompt } from "../../model/request/prompt-message.ts"

/** Turns of a conversation by number, counted from 1. */

/** Whether somebody spoke: on their own, or while an earlier prompt was answered. */
const beginsTurn = (message: Message): boolean =>
  isPrompt(message) || (message.type === "attachment" && message.attachment["commandMode"] === "prompt")

/** Calls back for each message with its turn. A message that a compaction kept has the turn it was said in. */
export const numberTurns = (
  messages: ReadonlyArray<Message>,
  turnsBefore: number,
  tell: (message: Message, turn: number, index: number) => void
): number => {
  const known = new Map<Uuid, number>()
  let turn = turnsBefore
  for (const [index, message] of messages.entries()) {
    if (!known.has(message.uuid) && beginsTurn(message)) turn += 1
    const own = known.get(message.uuid) ?? turn
    known.set(message.uuid, own)
    tell(message, own, index)
  }
  return turn
}

/** How many prompts there are among messages. */
export const turnsIn = (messages: ReadonlyArray<Message>): number => numberTurns(messages, 0, () => {})

/** The conversation up to the end of a turn. */
export const cutAtTurn = (messages: ReadonlyArray<Message>, last: number): ReadonlyArray<Message> => {
  let end = messages.length
  numberTurns(messages, 0, (_message, turn, index) => {
    if (turn > last) end = Math.min(end, index)
  })
  return messages.slice(0, end)
}
