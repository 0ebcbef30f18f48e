import { findLastIndex, type Log, toArray } from "../../domain/append-list.ts"
import { isText, isToolUse } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import { blocksOf, type Message, type UserMessage } from "../../domain/message.ts"
import { speakerOf, spokenText } from "../../session/speaker.ts"

/** What was said behind a message; all of it where that message is no longer there. */
export const saidSince = (messages: Log<Message>, uuid: Uuid | null): ReadonlyArray<Message> =>
  toArray(messages, uuid === null ? 0 : findLastIndex(messages, (message) => message.uuid === uuid) + 1)

export const isPrompt = (message: Message): message is UserMessage =>
  message.type === "user" && speakerOf(message) === "prompt"

const PATHS = ["file_path", "notebook_path", "path", "command", "pattern", "url"]

const aboutOf = (input: unknown): string => {
  const fields: Readonly<Record<string, unknown>> = typeof input === "object" && input !== null ? { ...input } : {}
  const about = PATHS.map((name) => fields[name]).find((value) => typeof value === "string")
  return typeof about === "string" ? ` ${about.replaceAll(/\s+/g, " ").slice(0, 120)}` : ""
}

/** Nobody can end an element and go on in another voice. */
const plain = (text: string): string => text.replaceAll(/<(?=\/?(?:user|assistant)\b)/gi, "< ")

const linesOf = (message: Message): ReadonlyArray<string> => {
  if (isPrompt(message)) return [`<user>${plain(spokenText(message))}</user>`]
  if (message.type !== "assistant" || message.isApiErrorMessage === true) return []
  return blocksOf(message.message.content).flatMap((block) => {
    if (isText(block)) return block.text.trim() === "" ? [] : [`<assistant>${plain(block.text)}</assistant>`]
    return isToolUse(block) ? [`[${block.name}${plain(aboutOf(block.input))}]`] : []
  })
}

/**
 * The newest words of user and agent, and what the agent called. Results are left out: what files, commands, tools and
 * the web say is not the user's word.
 */
export const excerptOf = (messages: ReadonlyArray<Message>, chars: number): string => {
  const lines: Array<string> = []
  let room = chars
  for (let at = messages.length - 1; at >= 0 && room > 0; at--) {
    const message = messages[at]
    const words = message === undefined ? "" : linesOf(message).join("\n")
    if (words === "") continue
    lines.push(words.length <= room ? words : `… ${words.slice(-room)}`)
    room -= words.length
  }
  return lines.toReversed().join("\n")
}
