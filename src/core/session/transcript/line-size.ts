import { isRaw, rawOf, type JsonObject } from "../../domain/json/json-object.ts"

/** How much of a line goes into a request at least, by the lengths alone; inputs and thinking are not counted. */
export interface LineSize {
  readonly textChars: number
  readonly mediaChars: number
}

const NOTHING: LineSize = { textChars: 0, mediaChars: 0 }

const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0)

const blockSize = (block: unknown): LineSize => {
  if (!isRaw(block)) return NOTHING
  switch (block["type"]) {
    case "text":
      return { textChars: lengthOf(block["text"]), mediaChars: 0 }
    case "tool_result":
      return contentSize(block["content"])
    case "image":
    case "document":
      return { textChars: 0, mediaChars: lengthOf(rawOf(block["source"])?.["data"]) }
    default:
      return NOTHING
  }
}

const contentSize = (content: unknown): LineSize => {
  if (typeof content === "string") return { textChars: content.length, mediaChars: 0 }
  if (!Array.isArray(content)) return NOTHING
  if (content.length === 1) return blockSize(content[0])
  let textChars = 0
  let mediaChars = 0
  for (const block of content) {
    const size = blockSize(block)
    textChars += size.textChars
    mediaChars += size.mediaChars
  }
  return { textChars, mediaChars }
}

export const lineSize = (raw: JsonObject): LineSize => contentSize(rawOf(raw["message"])?.["content"])
