import { NO_PACE } from "../../../../src/core/context/sources/pace.ts"
import type { CoreFacts } from "../../../../src/core/context/sources/source.ts"

/** What the core knows at the beginning of an ordinary conversation. */
export const PLAIN_FACTS: CoreFacts = {
  model: "offline",
  system: [],
  mode: "default",
  toolNames: ["Read", "TodoWrite"],
  maxBudgetUsd: undefined,
  pace: NO_PACE
}
