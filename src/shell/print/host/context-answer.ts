import { toArray } from "../../../core/domain/append-list.ts"
import type { CategoryId, SpaceId } from "../../../core/context/usage/category.ts"
import type { ContextUsage } from "../../../core/context/usage/context-usage.ts"
import { type GridCell, gridOf } from "../../../core/context/usage/grid.ts"
import type { UsageItem } from "../../../core/context/usage/item.ts"
import { serverOf } from "../../../core/context/usage/items.ts"
import { isZeroUsage } from "../../../core/domain/usage.ts"
import { usageOf } from "../../../core/loop/reduction/context-usage.ts"
import type { AgentState } from "../../../core/loop/machine/state.ts"

/** What fills the window, in the shape that the public SDK declares for `getContextUsage`. */

interface Row {
  readonly id: string
  readonly name: string
  readonly kind: "used" | "free" | "buffer"
  readonly color: string
  readonly of: ReadonlyArray<CategoryId | SpaceId>
}

const MESSAGES: ReadonlyArray<CategoryId> = [
  "summaries",
  "prompts",
  "answers",
  "thinking",
  "tool_calls",
  "tool_results",
  "attachments",
  "images",
  "deferred_tools"
]

/** The room that an answer and a compaction need is one row there. */
const rowsOf = (isAutomatic: boolean): ReadonlyArray<Row> => [
  { id: "system_prompt", name: "System prompt", kind: "used", color: "promptBorder", of: ["system_prompt"] },
  { id: "system_tools", name: "System tools", kind: "used", color: "inactive", of: ["tools"] },
  { id: "mcp_tools", name: "MCP tools", kind: "used", color: "cyan", of: ["mcp_tools"] },
  { id: "custom_agents", name: "Custom agents", kind: "used", color: "permission", of: ["agents"] },
  { id: "memory_files", name: "Memory files", kind: "used", color: "claude", of: ["instructions", "memory"] },
  { id: "skills", name: "Skills", kind: "used", color: "warning", of: ["skills"] },
  { id: "messages", name: "Messages", kind: "used", color: "purple", of: MESSAGES },
  {
    id: isAutomatic ? "autocompact_buffer" : "compact_buffer",
    name: isAutomatic ? "Autocompact buffer" : "Compact buffer",
    kind: "buffer",
    color: "inactive",
    of: ["compaction_buffer", "output_reserve"]
  },
  { id: "free_space", name: "Free space", kind: "free", color: "promptBorder", of: ["free"] }
]

type Tokens = (id: CategoryId | SpaceId) => number

const tokensBy = ({ categories, spaces }: ContextUsage): Tokens => {
  const known = new Map<CategoryId | SpaceId, number>([...categories, ...spaces].map(({ id, tokens }) => [id, tokens]))
  return (id) => known.get(id) ?? 0
}

const itemsBy = ({ categories }: ContextUsage, ...ids: ReadonlyArray<CategoryId>): ReadonlyArray<UsageItem> =>
  categories.filter(({ id }) => ids.includes(id)).flatMap(({ items }) => items)

const named = ({ label, tokens }: UsageItem) => ({ name: label, tokens })

const squareOf =
  (rows: ReadonlyArray<Row>, tokens: Tokens, windowTokens: number) =>
  ({ id, fullness }: GridCell) => {
    const row = rows.find(({ of }) => of.includes(id))
    const sum = row?.of.reduce((total, each) => total + tokens(each), 0) ?? 0
    return {
      color: row?.color ?? "inactive",
      isFilled: row?.kind === "used",
      categoryName: row?.name ?? id,
      tokens: sum,
      percentage: Math.round((100 * sum) / windowTokens),
      squareFullness: row?.kind === "used" ? fullness : 1
    }
  }

interface ByName {
  readonly name: string
  readonly callTokens: number
  readonly resultTokens: number
}

const toolOf = ({ label }: UsageItem): string => label.split(" ", 1)[0] ?? label

const callsByName = (usage: ContextUsage): ReadonlyArray<ByName> => {
  const sums = new Map<string, ByName>()
  const add = (item: UsageItem, key: "callTokens" | "resultTokens"): void => {
    const name = toolOf(item)
    const known = sums.get(name) ?? { name, callTokens: 0, resultTokens: 0 }
    sums.set(name, { ...known, [key]: known[key] + item.tokens })
  }
  for (const item of itemsBy(usage, "tool_calls")) add(item, "callTokens")
  for (const item of itemsBy(usage, "tool_results")) add(item, "resultTokens")
  return [...sums.values()]
}

const breakdown = (usage: ContextUsage, tokens: Tokens) => ({
  toolCallTokens: tokens("tool_calls"),
  toolResultTokens: tokens("tool_results") + tokens("images"),
  attachmentTokens: tokens("attachments") + tokens("deferred_tools"),
  assistantMessageTokens: tokens("answers") + tokens("thinking"),
  userMessageTokens: tokens("prompts") + tokens("summaries"),
  redirectedContextTokens: 0,
  unattributedTokens: 0,
  toolCallsByType: callsByName(usage),
  attachmentsByType: itemsBy(usage, "attachments").map(named)
})

const lastUsage = ({ conversation: { messages } }: AgentState) => {
  const newest = toArray(messages).findLast((message) => message.type === "assistant" && !isZeroUsage(message.message.usage))
  if (newest?.type !== "assistant") return null
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = newest.message.usage
  return { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens }
}

export const contextAnswer = (state: AgentState): Readonly<Record<string, unknown>> => {
  const usage = usageOf(state)
  const { usedTokens, windowTokens, autoCompact, autoTokens } = usage.status
  const rows = rowsOf(autoCompact)
  const tokens = tokensBy(usage)
  const categories = rows
    .map(({ id, name, kind, color, of }) => ({
      id,
      name,
      tokens: of.reduce((sum, each) => sum + tokens(each), 0),
      color,
      kind
    }))
    .filter((category) => category.kind !== "used" || category.tokens > 0)
  const square = squareOf(rows, tokens, windowTokens)
  return {
    categories,
    totalTokens: usedTokens,
    maxTokens: windowTokens,
    rawMaxTokens: windowTokens,
    percentage: Math.round((100 * usedTokens) / windowTokens),
    gridRows: gridOf(usage).map((row) => row.map(square)),
    model: usage.model,
    memoryFiles: itemsBy(usage, "instructions", "memory").flatMap(({ file, tokens: count }) =>
      file === undefined ? [] : [{ path: file.path, type: file.kind, tokens: count }]
    ),
    mcpTools: itemsBy(usage, "mcp_tools").map((item) => ({
      ...named(item),
      serverName: serverOf(item.label) ?? "",
      isLoaded: true
    })),
    systemTools: itemsBy(usage, "tools").map(named),
    systemPromptSections: itemsBy(usage, "system_prompt").map(named),
    agents: [],
    ...(autoCompact ? { autoCompactThreshold: autoTokens } : {}),
    isAutoCompactEnabled: autoCompact,
    messageBreakdown: breakdown(usage, tokens),
    apiUsage: lastUsage(state)
  }
}
