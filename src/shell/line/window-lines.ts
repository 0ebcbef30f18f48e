import { usageLines } from "../../core/context/usage/usage-lines.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { usageOf } from "../../core/loop/reduction/context-usage.ts"
import { visible } from "../../tui/line/visible.ts"

/** What `/context` says in the line mode. */
export const windowLines = (state: AgentState, all: boolean): ReadonlyArray<string> =>
  usageLines(usageOf(state), { all }).map((line) => visible(line))
