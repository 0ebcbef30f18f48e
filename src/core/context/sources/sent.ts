import { rawOf } from "../../domain/json/json-object.ts"
import type { Message } from "../../domain/message.ts"

/** Which value of which item the model was told, by `kind:id`. */
export type Sent = ReadonlyMap<string, string>

export const NOTHING_SENT: Sent = new Map()

/** What was sent, with one more message in the window. */
export const withMessage = (sent: Sent, message: Message): Sent => {
  const marks = message.type === "attachment" ? rawOf(message.attachment["marks"]) : null
  if (marks === null) return sent
  const next = new Map(sent)
  for (const [key, mark] of Object.entries(marks)) {
    if (typeof mark === "string") next.set(key, mark)
    else next.delete(key)
  }
  return next
}

export const sentIn = (messages: ReadonlyArray<Message>): Sent => messages.reduce(withMessage, NOTHING_SENT)
