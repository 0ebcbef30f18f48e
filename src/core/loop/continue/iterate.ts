import type { AttachmentMessage } from "../../domain/message.ts"
import { lookAround } from "../context/look-around.ts"
import { makeRoom } from "../reduction/make-room.ts"
import { finish } from "../turn/finish.ts"
import type { ContinueReason } from "../machine/reasons.ts"
import { overBudget } from "../turn/send-request.ts"
import { patchConversation, setTurn } from "../machine/patch-state.ts"
import type { RunningState } from "../machine/state.ts"
import { andThen, commitAndPublish, freshUuid, type Step, timestamp } from "../machine/transition.ts"

/** The turn has had all the responses it may have; tries of the same response do not count. */
export const turnsUsedUp = ({ config, run }: RunningState): boolean =>
  config.limits.maxTurns !== undefined && run.turn.responses >= config.limits.maxTurns

export const endAtMaxTurns = (state: RunningState): Step => {
  const [uuid, drawn] = freshUuid(state)
  const message: AttachmentMessage = {
    type: "attachment",
    uuid,
    timestamp: timestamp(state),
    attachment: {
      type: "max_turns_reached",
      maxTurns: state.config.limits.maxTurns,
      turnCount: state.run.turn.responses + 1
    }
  }
  return andThen(commitAndPublish(drawn, message), (next) => finish(next, "max_turns"))
}

const countIteration = (state: RunningState): RunningState => {
  const { compaction } = state.conversation
  const { iterationsSince } = compaction
  return iterationsSince === undefined
    ? state
    : patchConversation(state, { compaction: { ...compaction, iterationsSince: iterationsSince + 1 } })
}

/**
 * Begins an iteration: gates first, then what the model should know, room in the window, and the request. The transition says why another
 * request follows; the first one of a turn has none.
 */
export const iterate = (state: RunningState, transition: ContinueReason | undefined): Step => {
  const ready = setTurn(countIteration(state), { transition, attempt: { failures: 0, overloads: 0 } })
  if (turnsUsedUp(ready)) return endAtMaxTurns(ready)
  if (overBudget(ready)) return finish(ready, "budget_exhausted")
  return lookAround(ready, "makeRoom", makeRoom)
}
