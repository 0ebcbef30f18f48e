import type { ContextSource } from "./source.ts"

/** The money that the session may cost. */
export const budget: ContextSource<"budget"> = {
  derive: ({ maxBudgetUsd }) => (maxBudgetUsd === undefined ? [] : [{ id: "usd", value: { usd: maxBudgetUsd } }]),
  isStanding: true,
  say: ([item]) =>
    item === undefined
      ? undefined
      : {
          type: "budget_usd",
          fields: { total: item.value.usd },
          words: `This session may cost at most $${item.value.usd}; it ends there, finished or not. Work within that.`
        }
}
