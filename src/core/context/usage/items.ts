import type { TextBlock } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import type { Part } from "../../model/request/api-turn.ts"
import type { ToolDefinition } from "../../model/request/model-request.ts"
import { estimateText, estimateTool } from "../../model/tokens/estimate.ts"
import type { UsageItem } from "./item.ts"
import { factsOf, firstLine, itemsOfPart } from "./message-items.ts"

/** What the next request is made of. */
export interface RequestParts {
  readonly system: ReadonlyArray<TextBlock>
  readonly tools: ReadonlyArray<ToolDefinition>
  /** What it shows of the conversation, block by block. */
  readonly parts: ReadonlyArray<Part>
  /** The messages that the parts come from; what stands before the window counts for the numbers of turns alone. */
  readonly messages: ReadonlyArray<Message>
  /** Prompts that were said before these messages. */
  readonly turnsBefore: number
  readonly pins: ReadonlySet<Uuid>
}

const HEADING = /^# +(.+)$/gm

/** A system prompt names its sections by headings; what comes before the first one says who speaks. */
const sectionsOf = (value: string): ReadonlyArray<{ readonly label: string; readonly text: string }> => {
  const heads = [...value.matchAll(HEADING)]
  const opening = value.slice(0, heads[0]?.index ?? value.length)
  const sections = heads.map(({ 1: label = "", index }, place) => ({
    label: label.trim(),
    text: value.slice(index, heads[place + 1]?.index ?? value.length)
  }))
  return opening.trim() === "" ? sections : [{ label: firstLine(opening), text: opening }, ...sections]
}

type Fixed = Omit<UsageItem, "cached" | "pinned">

const systemItems = (system: ReadonlyArray<TextBlock>): ReadonlyArray<Fixed> =>
  system
    .flatMap((block) => sectionsOf(block.text))
    .map(({ label, text }) => ({
      category: "system_prompt",
      label,
      tokens: estimateText(text),
      source: { kind: "builtin" }
    }))

const REMOTE = /^mcp__(.+?)__/

/** The server that a tool belongs to, by its name. */
export const serverOf = (tool: string): string | undefined => REMOTE.exec(tool)?.[1]

const toolItem = (tool: ToolDefinition): Fixed => {
  const server = serverOf(tool.name)
  return {
    category: server === undefined ? "tools" : "mcp_tools",
    label: tool.name,
    tokens: estimateTool(tool),
    source: server === undefined ? { kind: "tool", name: tool.name } : { kind: "server", name: server }
  }
}

/** Pieces of one message that say the same are one item: an attachment is several blocks. */
const isOneWith = (before: UsageItem | undefined, item: UsageItem): before is UsageItem =>
  before !== undefined &&
  before.category === item.category &&
  item.category !== "images" &&
  item.call === undefined &&
  item.file === undefined &&
  before.source.kind === "message" &&
  item.source.kind === "message" &&
  before.source.uuid === item.source.uuid

const joined = (items: ReadonlyArray<UsageItem>): ReadonlyArray<UsageItem> => {
  const all: Array<UsageItem> = []
  for (const item of items) {
    const before = all.at(-1)
    if (isOneWith(before, item)) all[all.length - 1] = { ...before, tokens: before.tokens + item.tokens }
    else all.push(item)
  }
  return all
}

/** Everything that the next request holds, each with an estimate of what it takes. */
export const itemsOf = (request: RequestParts): ReadonlyArray<UsageItem> => {
  const facts = factsOf(request)
  const fixed = [...systemItems(request.system), ...request.tools.map(toolItem)].map((item) => ({
    ...item,
    cached: facts.isCached,
    pinned: false
  }))
  return [...fixed, ...joined(request.parts.flatMap((part) => itemsOfPart(part, facts)))].filter(({ tokens }) => tokens > 0)
}
