import { isContentBlock, isText, isToolResult } from "../../domain/block.ts"
import { blocksOf, type Message, type UserContent } from "../../domain/message.ts"
import { isProgramText } from "../../domain/program-texts.ts"

/** Whether a user typed the message as a prompt: no result, no note or summary of ours, no constant text. */
export const isPrompt = (message: Message): boolean => {
  if (message.type !== "user" || message.isMeta === true || message.isVirtual === true) return false
  if (message.isCompactSummary === true || message.toolUseResult !== undefined) return false
  const words = blocksOf(message.message.content).filter((block) => !isToolResult(block))
  return words.length > 0 && !words.some((block) => isText(block) && isProgramText(block.text))
}

const words = (content: UserContent): string =>
  blocksOf(content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n")

/** What a user said, on its own or while an earlier prompt was answered. */
export const promptText = (message: Message): string => {
  if (message.type === "user") return isPrompt(message) ? words(message.message.content) : ""
  if (message.type !== "attachment" || message.attachment.type !== "queued_command") return ""
  const { prompt, commandMode } = message.attachment
  if (commandMode !== "prompt") return ""
  if (typeof prompt === "string") return prompt
  return Array.isArray(prompt) && prompt.every(isContentBlock) ? words(prompt) : ""
}
