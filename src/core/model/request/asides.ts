import { isText, isToolResult, text, type ContentBlock, type ToolResultBlock } from "../../domain/block.ts"
import type { Part } from "./api-turn.ts"

/**
 * What the program says beside the user's words. It stands before them, so that the prompt is the last thing the model
 * reads; after the results of calls it stands inside the last one, because words of the user's side behind results look
 * like a turn of the user.
 */

/** Each aside before the words that it follows; a later part never moves what was sent before it. */
export const asidesFirst = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  if (!parts.some(({ isAside }) => isAside === true)) return parts
  const ordered: Array<Part> = []
  let before = 0
  let said: string | undefined
  for (const part of parts) {
    if (part.isAside === true) {
      ordered.splice(before, 0, part)
      before += 1
    } else {
      if (part.source !== said) before = ordered.length
      said = part.source
      ordered.push(part)
    }
  }
  return ordered
}

const joined = (content: ToolResultBlock["content"], words: string): ToolResultBlock["content"] => {
  if (content === undefined) return words
  if (typeof content === "string") return `${content}\n\n${words}`
  const last = content.at(-1)
  return last !== undefined && isText(last)
    ? content.with(content.length - 1, { ...last, text: `${last.text}\n\n${words}` })
    : [...content, text(words)]
}

const wordsOf = (block: ContentBlock): string => (isText(block) ? block.text : "")

/** The blocks of a message of the user's side: asides right behind results are inside the last of them. */
export const blocksWithAsides = (parts: ReadonlyArray<Part>): ReadonlyArray<ContentBlock> => {
  const blocks = parts.map(({ block }) => block)
  const at = blocks.findLastIndex(isToolResult)
  const result = blocks[at]
  if (result === undefined || !isToolResult(result)) return blocks
  let end = at + 1
  while (parts[end]?.isAside === true && isText(blocks[end] ?? result)) end += 1
  if (end === at + 1) return blocks
  const words = blocks
    .slice(at + 1, end)
    .map(wordsOf)
    .join("\n\n")
  return [...blocks.slice(0, at), { ...result, content: joined(result.content, words) }, ...blocks.slice(end)]
}
