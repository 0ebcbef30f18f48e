import { LIMITS } from "../domain/limits.ts"
import type { AttachmentMessage } from "../domain/message.ts"
import { startCompaction } from "./compaction.ts"
import { finish } from "./finish.ts"
import type { ContinueReason } from "./reasons.ts"
import { sendRequest, statusOf } from "./sending.ts"
import type { AgentState } from "./state.ts"
import { andThen, commitAndPublish, freshUuid, setTurn, type Step, stay, timestamp } from "./transition.ts"

/** The turn has had all the responses it may have; tries of the same response do not count. */
export const turnsUsedUp = (state: AgentState): boolean =>
  state.config.maxTurns !== undefined && state.turn !== undefined && state.turn.responses >= state.config.maxTurns

export const endAtMaxTurns = (state: AgentState): Step => {
  const [uuid, drawn] = freshUuid(state)
  const message: AttachmentMessage = {
    type: "attachment",
    uuid,
    timestamp: timestamp(state),
    attachment: {
      type: "max_turns_reached",
      maxTurns: state.config.maxTurns,
      turnCount: (state.turn?.responses ?? 0) + 1
    }
  }
  return andThen(commitAndPublish(drawn, message), (next) => finish(next, "max_turns"))
}

const overBudget = (state: AgentState): boolean =>
  state.config.maxBudgetUsd !== undefined && state.totals.costUsd >= state.config.maxBudgetUsd

/**
 * Begins an iteration: gates first (money, room in the window), then the request. The transition says why another
 * request follows; the first one of a turn has none.
 */
export const iterate = (state: AgentState, transition: ContinueReason | undefined): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const ready = setTurn(state, { transition, attempt: { failures: 0, overloads: 0 } })
  if (turnsUsedUp(ready)) return endAtMaxTurns(ready)
  if (overBudget(ready)) return finish(ready, "budget_exhausted")
  const status = statusOf(ready)
  const breakerOpen = ready.compaction.failures >= LIMITS.compactFailures
  if ((status.state === "compact" || status.state === "blocked") && ready.config.autoCompact && !breakerOpen) {
    return startCompaction(ready, "auto", `${status.usedTokens} tokens of ${status.limitTokens}`)
  }
  if (status.state === "blocked") return finish(ready, "blocking_limit")
  return sendRequest(ready)
}
