/** What fills the context window, by category, with the items of each. Figures are estimates until the API counts. */
import { estimateBlock, estimateBlocks, estimateMessage, estimateTools } from "../../../core/model/tokens/estimate.ts"
import type { WindowStatus } from "../../../core/model/tokens/window.ts"
import { isText, isThinking, isToolUse } from "../../../core/domain/block.ts"
import { findLastIndex, toArray } from "../../../core/domain/append-list.ts"
import { blocksOf, type AssistantMessage, type Message } from "../../../core/domain/message.ts"
import { statusOf } from "../../../core/loop/turn/send-request.ts"
import type { AgentState } from "../../../core/loop/machine/state.ts"
import { speakerOf } from "../../../core/session/speaker.ts"

export const CATEGORIES = [
  "system prompt",
  "tools",
  "instructions",
  "summary",
  "prompts",
  "answers",
  "thinking",
  "tool calls",
  "tool results",
  "attachments"
] as const

export type Category = (typeof CATEGORIES)[number]

export interface ContextItem {
  /** Record of the session, where it is one. */
  readonly uuid?: string
  readonly label: string
  readonly tokens: number
}

export interface ContextShare {
  readonly category: Category
  readonly tokens: number
  readonly items: ReadonlyArray<ContextItem>
}

export interface ContextUse {
  readonly status: WindowStatus
  /** Only those that take something, in a fixed order. */
  readonly shares: ReadonlyArray<ContextShare>
}

type Placed = readonly [Category, ContextItem]

const answerItems = (message: AssistantMessage): ReadonlyArray<Placed> =>
  message.message.content.map((block): Placed => {
    const item = { uuid: message.uuid, tokens: estimateBlock(block) }
    if (isToolUse(block)) return ["tool calls", { ...item, label: block.name }]
    return isThinking(block) ? ["thinking", { ...item, label: "thinking" }] : ["answers", { ...item, label: "answer" }]
  })

const LABEL_CHARS = 60

const firstWords = (message: Extract<Message, { type: "user" }>): string => {
  const [first] = blocksOf(message.message.content)
  const text = first !== undefined && isText(first) ? first.text : (first?.type ?? "")
  return text.trim().split("\n", 1)[0]?.slice(0, LABEL_CHARS) ?? ""
}

const itemsOf = (message: Message): ReadonlyArray<Placed> => {
  if (message.type === "assistant") return answerItems(message)
  const base = { uuid: message.uuid, tokens: estimateMessage(message) }
  if (message.type === "attachment") return [["attachments", { ...base, label: message.attachment.type }]]
  if (message.type !== "user") return []
  const item = { ...base, label: firstWords(message) }
  if (message.isCompactSummary === true) return [["summary", item]]
  const speech = speakerOf(message)
  if (speech === "result") return [["tool results", item]]
  return [[speech === "program" ? "instructions" : "prompts", item]]
}

const fixedItems = ({ config, toolbox }: AgentState): ReadonlyArray<Placed> => [
  ["system prompt", { label: "system prompt", tokens: estimateBlocks(config.prompt.system) }],
  ...toolbox.definitions.map((tool): Placed => ["tools", { label: tool.name, tokens: estimateTools([tool]) }])
]

const isBoundary = (message: Message): boolean => message.type === "system" && message.subtype === "compact_boundary"

export const contextUse = (state: AgentState): ContextUse => {
  const since = Math.max(0, findLastIndex(state.conversation.messages, isBoundary))
  const placed = [...fixedItems(state), ...toArray(state.conversation.messages, since).flatMap(itemsOf)]
  const shares = CATEGORIES.map((category): ContextShare => {
    const items = placed.flatMap(([name, item]) => (name === category && item.tokens > 0 ? [item] : []))
    return { category, items, tokens: items.reduce((sum, item) => sum + item.tokens, 0) }
  })
  return { status: statusOf(state), shares: shares.filter((share) => share.tokens > 0) }
}
