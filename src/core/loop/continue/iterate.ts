import { LIMITS } from "../../domain/limits.ts"
import type { AttachmentMessage } from "../../domain/message.ts"
import { startCompaction, visibleMessages } from "../compaction/run-compaction.ts"
import { finish } from "../turn/finish.ts"
import { endAtRapidRefill, countRapidRefills } from "../compaction/rapid-refill.ts"
import type { ContinueReason } from "../machine/reasons.ts"
import { overBudget, sendRequest, statusOf } from "../turn/send-request.ts"
import type { AgentState } from "../machine/state.ts"
import { andThen, commitAndPublish, freshUuid, setTurn, type Step, stay, timestamp } from "../machine/transition.ts"

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

const countIteration = (state: AgentState): AgentState => {
  const { iterationsSince } = state.compaction
  return iterationsSince === undefined
    ? state
    : { ...state, compaction: { ...state.compaction, iterationsSince: iterationsSince + 1 } }
}

/**
 * Begins an iteration: gates first (money, room in the window), then the request. The transition says why another
 * request follows; the first one of a turn has none.
 */
export const iterate = (state: AgentState, transition: ContinueReason | undefined): Step => {
  if (state.turn === undefined) return stay(state)
  const ready = setTurn(countIteration(state), { transition, attempt: { failures: 0, overloads: 0 } })
  if (turnsUsedUp(ready)) return endAtMaxTurns(ready)
  if (overBudget(ready)) return finish(ready, "budget_exhausted")
  const status = statusOf(ready)
  const isFull = status.state === "compact" || status.state === "blocked"
  if (isFull && ready.config.autoCompact && ready.compaction.failures < LIMITS.compactFailures) {
    return countRapidRefills(ready) >= LIMITS.rapidRefills
      ? endAtRapidRefill(ready, visibleMessages(ready))
      : startCompaction(ready, undefined)
  }
  if (status.state === "blocked") return finish(ready, "blocking_limit")
  return sendRequest(ready)
}
