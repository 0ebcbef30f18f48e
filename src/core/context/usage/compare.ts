import type { CategoryId } from "./category.ts"
import type { ContextUsage } from "./context-usage.ts"
import { type UsageItem, uuidOf } from "./item.ts"

/** What became of a window between two turns. */
export interface UsageChange {
  readonly before: { readonly usedTokens: number }
  readonly after: { readonly usedTokens: number }
  readonly categories: ReadonlyArray<CategoryChange>
}

export interface CategoryChange {
  readonly id: CategoryId
  readonly label: string
  readonly before: number
  readonly after: number
  readonly added: ReadonlyArray<UsageItem>
  readonly removed: ReadonlyArray<UsageItem>
}

/** The same piece at two times, whatever it is estimated at. */
const nameOf = (item: UsageItem): string => [item.category, uuidOf(item) ?? "", item.call ?? "", item.label].join("\n")

/** Items that have no partner on the other side; of equal ones as many as there are more of. */
const without = (items: ReadonlyArray<UsageItem>, others: ReadonlyArray<UsageItem>): ReadonlyArray<UsageItem> => {
  const left = new Map<string, number>()
  for (const item of others) left.set(nameOf(item), (left.get(nameOf(item)) ?? 0) + 1)
  return items.filter((item) => {
    const count = left.get(nameOf(item)) ?? 0
    left.set(nameOf(item), count - 1)
    return count <= 0
  })
}

/** Categories that changed, in the order of the request. */
export const compareUsage = (before: ContextUsage, after: ContextUsage): UsageChange => {
  const ids = new Set([...before.categories, ...after.categories].map(({ id }) => id))
  const categories = [...ids].map((id): CategoryChange => {
    const earlier = before.categories.find((category) => category.id === id)
    const later = after.categories.find((category) => category.id === id)
    const [was, is] = [earlier?.items ?? [], later?.items ?? []]
    return {
      id,
      label: later?.label ?? earlier?.label ?? id,
      before: earlier?.tokens ?? 0,
      after: later?.tokens ?? 0,
      added: without(is, was),
      removed: without(was, is)
    }
  })
  return {
    before: { usedTokens: before.status.usedTokens },
    after: { usedTokens: after.status.usedTokens },
    categories: categories.filter(
      (category) => category.before !== category.after || category.added.length + category.removed.length > 0
    )
  }
}
