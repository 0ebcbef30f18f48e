import {
  isDocument,
  isImage,
  isText,
  isToolResult,
  isToolUse,
  text,
  type ContentBlock,
  type ToolResultBlock
} from "../../domain/block.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { escapeReminders, oneLine } from "./fence.ts"

/** One stored block made fit for a request. A block that needs no change comes back as the same object. */
export const isBlankText = (block: ContentBlock): boolean => isText(block) && block.text.trim() === ""

export const isMedia = (block: ContentBlock): boolean => isImage(block) || isDocument(block)

/** Cache marks are placed per request; one that came in with a message would count against the limit. */
const withoutMark = <Block extends ContentBlock>(block: Block): Block => {
  if (!("cache_control" in block)) return block
  const { cache_control: _mark, ...rest } = block
  return rest as Block
}

/** The endpoint takes only an object as a call's input. */
const withObjectInput = (block: ContentBlock): ContentBlock =>
  isToolUse(block) && (typeof block.input !== "object" || block.input === null || Array.isArray(block.input))
    ? { ...block, input: {} }
    : block

const cleanResultContent = (content: ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> => {
  const kept = content
    .filter((block) => !isBlankText(block))
    .map((block) => {
      const bare = withoutMark(block)
      if (!isText(bare)) return bare
      const escaped = escapeReminders(bare.text)
      return escaped === bare.text ? bare : { ...bare, text: escaped }
    })
  return kept.length === 0 ? [text(TEXTS.noContent)] : kept
}

/** Everything in a result is foreign text, so no reminder tag in it survives. */
const cleanResult = (block: ToolResultBlock): ToolResultBlock => {
  if (block.content === undefined) return block
  if (typeof block.content === "string") {
    const escaped = escapeReminders(block.content)
    return escaped === block.content ? block : { ...block, content: escaped }
  }
  return { ...block, content: cleanResultContent(block.content) }
}

export const cleanBlock = (block: ContentBlock): ContentBlock => {
  const bare = withoutMark(block)
  return isToolResult(bare) ? cleanResult(bare) : withObjectInput(bare)
}

/** Stands where an image or document stood that the endpoint would not take. */
const mediaPlaceholder = (block: ContentBlock): ContentBlock => {
  const title = isDocument(block) && typeof block.title === "string" ? ` "${oneLine(block.title)}"` : ""
  return text(`[${block.type}${title} left out: the model could not take it]`)
}

export const replaceMedia = (block: ContentBlock, types: ReadonlyArray<string>): ContentBlock => {
  if (isMedia(block)) return types.includes(block.type) ? mediaPlaceholder(block) : block
  if (!isToolResult(block) || typeof block.content === "string" || block.content === undefined) return block
  return { ...block, content: block.content.map((inner) => replaceMedia(inner, types)) }
}

/** Name of the tool that a search result points to; absent for other blocks. */
export const referencedTool = (block: ContentBlock): string | undefined => {
  if (block.type !== "tool_reference" || !("tool_name" in block)) return undefined
  return typeof block.tool_name === "string" ? block.tool_name : ""
}

export const dropReferences = (block: ContentBlock, toolNames: ReadonlyArray<string>): ContentBlock => {
  if (!isToolResult(block) || typeof block.content === "string" || block.content === undefined) return block
  const kept = block.content.filter((inner) => {
    const name = referencedTool(inner)
    return name === undefined || toolNames.includes(name)
  })
  return { ...block, content: kept.length === 0 ? [text(TEXTS.noContent)] : kept }
}
