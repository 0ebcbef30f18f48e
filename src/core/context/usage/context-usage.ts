import type { CallId, Uuid } from "../../domain/id.ts"
import type { WindowStatus } from "../../model/tokens/window.ts"
import { CATEGORIES, CATEGORY_ORDER, SPACES, type CategoryId, type SpaceId } from "./category.ts"
import { type UsageItem, uuidOf } from "./item.ts"

/** What fills a window: every piece of the next request by category, and the room that is left. */
export interface ContextUsage {
  readonly model: string
  readonly status: WindowStatus
  /** What the estimates of the items were multiplied by so that their sum is what was counted. */
  readonly scale: number
  /** Those that take something, in the order of the request. */
  readonly categories: ReadonlyArray<UsageCategory>
  readonly spaces: ReadonlyArray<UsageSpace>
  readonly next: NextReduction | undefined
}

export interface UsageCategory {
  readonly id: CategoryId
  readonly label: string
  readonly tokens: number
  readonly items: ReadonlyArray<UsageItem>
}

export interface UsageSpace {
  readonly id: SpaceId
  readonly label: string
  readonly tokens: number
}

/** What will be taken out of the window when it fills. */
export interface NextReduction {
  readonly kind: "clear" | "summarise"
  /** Where it happens by itself; undefined when only a user asks for it. */
  readonly atTokens: number | undefined
  readonly calls: ReadonlySet<CallId>
  readonly messages: ReadonlySet<Uuid>
  readonly freesTokens: number
}

/** Whether an item goes with the next reduction. */
export const goesNext = (item: UsageItem, next: NextReduction | undefined): boolean => {
  if (next === undefined) return false
  if (next.kind === "clear") return item.category === "tool_results" && item.call !== undefined && next.calls.has(item.call)
  const uuid = uuidOf(item)
  return uuid !== undefined && next.messages.has(uuid)
}

const sumOf = (items: ReadonlyArray<{ readonly tokens: number }>): number =>
  items.reduce((sum, { tokens }) => sum + tokens, 0)

/** Figures of whole tokens in the same proportions, with exactly this sum: what one loses by rounding the next one gets. */
export const scaleTo = (items: ReadonlyArray<UsageItem>, total: number): ReadonlyArray<UsageItem> => {
  const estimated = sumOf(items)
  if (estimated === total || estimated === 0) return items
  let before = 0
  return items.map((item) => {
    const from = Math.round((before * total) / estimated)
    before += item.tokens
    return { ...item, tokens: Math.round((before * total) / estimated) - from }
  })
}

/**
 * The room that is left, from the end of the window on: what an answer may take, what a compaction needs, the rest. What
 * is used beyond its bounds takes of them in the other order.
 */
const spacesOf = (
  used: number,
  { windowTokens, effectiveTokens, autoCompact, autoTokens, blockingTokens }: WindowStatus
) => {
  const bound = Math.min(effectiveTokens, autoCompact ? autoTokens : blockingTokens)
  const free = Math.max(0, bound - used)
  const buffer = Math.max(0, effectiveTokens - Math.max(used, bound))
  const reserve = Math.max(0, windowTokens - Math.max(used, effectiveTokens))
  const tokens: ReadonlyArray<readonly [SpaceId, number]> = [
    ["free", free],
    ["compaction_buffer", buffer],
    ["output_reserve", reserve]
  ]
  return tokens.map(([id, count]): UsageSpace => ({ id, label: SPACES[id].label, tokens: count }))
}

const categoriesOf = (items: ReadonlyArray<UsageItem>): ReadonlyArray<UsageCategory> =>
  CATEGORY_ORDER.map((id) => {
    const own = items.filter(({ category }) => category === id)
    return { id, label: CATEGORIES[id].label, tokens: sumOf(own), items: own }
  }).filter((category) => category.items.length > 0)

export interface UsageInput {
  readonly model: string
  readonly status: WindowStatus
  /** With an estimate each. */
  readonly items: ReadonlyArray<UsageItem>
  /** What it frees is an estimate too. */
  readonly next: NextReduction | undefined
}

/** The sum of all categories and spaces is the window, or what is used where that is more. */
export const contextUsage = ({ model, status, items, next }: UsageInput): ContextUsage => {
  const estimated = sumOf(items)
  const scaled = scaleTo(items, status.usedTokens)
  const scale = estimated === 0 ? 1 : status.usedTokens / estimated
  return {
    model,
    status,
    scale,
    categories: categoriesOf(scaled),
    spaces: spacesOf(sumOf(scaled), status),
    next: next === undefined ? undefined : { ...next, freesTokens: Math.round(next.freesTokens * scale) }
  }
}
