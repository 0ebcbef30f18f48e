import { isText, isToolResult } from "../../domain/block.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { isProgramText } from "../../domain/program-texts.ts"

/** Whether a user typed the message as a prompt: no result, no note or summary of ours, no constant text. */
export const isPrompt = (message: Message): boolean => {
  if (message.type !== "user" || message.isMeta === true || message.isVirtual === true) return false
  if (message.isCompactSummary === true || message.toolUseResult !== undefined) return false
  const words = blocksOf(message.message.content).filter((block) => !isToolResult(block))
  return words.length > 0 && !words.some((block) => isText(block) && isProgramText(block.text))
}
