import { estimateMessage } from "../../model/tokens/estimate.ts"
import { isToolResult } from "../../domain/block.ts"
import { LIMITS } from "../../domain/limits.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { finish } from "../turn/finish.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { AgentState, RunningState } from "../machine/state.ts"
import type { Step } from "../machine/transition.ts"

/** Compaction that does not help: the window is full again at once, several times in a row. */

/** How many compactions in a row were followed by a full window within a few iterations, if it is full now. */
export const countRapidRefills = ({ conversation: { compaction } }: AgentState): number =>
  compaction.iterationsSince !== undefined && compaction.iterationsSince <= LIMITS.rapidRefillIterations
    ? compaction.rapidRefills + 1
    : 0

const nameOf = (message: Message): string => {
  if (message.type === "assistant") return "an answer"
  if (message.type !== "user") return "an attachment"
  if (message.isCompactSummary === true) return "the summary"
  return blocksOf(message.message.content).some(isToolResult) ? "a tool result" : "a prompt"
}

const LARGEST_SHOWN = 3

const largestItems = (visible: ReadonlyArray<Message>): string =>
  visible
    .map((message) => ({ name: nameOf(message), tokens: estimateMessage(message) }))
    .sort((left, right) => right.tokens - left.tokens)
    .slice(0, LARGEST_SHOWN)
    .map(({ name, tokens }) => `${name} (about ${tokens} tokens)`)
    .join(", ")

export const endAtRapidRefill = (state: RunningState, visible: ReadonlyArray<Message>): Step => {
  const note = `Largest in the window: ${largestItems(visible)} · read smaller parts, or /clear to start over`
  return finish(setTurn(state, { notes: [note] }), "rapid_refill_breaker")
}
