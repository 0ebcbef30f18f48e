import type { Message } from "../../domain/message.ts"
import { isPrompt, promptText } from "../../model/request/prompt-message.ts"

/** A prompt since which nobody looked at the sources. */
export interface NewPrompt {
  readonly uuid: string
  /** What the user typed; a notice that came as a prompt names no files. */
  readonly text: string
}

const isNotice = (message: Message): boolean => message.type === "user" && message.origin !== undefined

/** The prompts with one more message in the conversation. */
export const withPrompt = (prompts: ReadonlyArray<NewPrompt>, message: Message): ReadonlyArray<NewPrompt> => {
  const text = isNotice(message) ? "" : promptText(message)
  return text !== "" || (message.type === "user" && isPrompt(message)) ? [...prompts, { uuid: message.uuid, text }] : prompts
}

/** Several of them as one. */
export const joined = (prompts: ReadonlyArray<NewPrompt>): NewPrompt | undefined => {
  const last = prompts.at(-1)
  return last && { uuid: last.uuid, text: prompts.map(({ text }) => text).join("\n") }
}
