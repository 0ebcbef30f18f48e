import type { HookOutcome } from "../../hooks/outcome.ts"
import { LIMITS } from "../../domain/limits.ts"
import { PROGRAM_OPENINGS } from "../../domain/program-texts.ts"
import { finish } from "../turn/finish.ts"
import { completeOrGoOn } from "./token-target.ts"
import { iterate, turnsUsedUp } from "./iterate.ts"
import { setPhase, setTurn } from "../machine/patch-state.ts"
import { askHooks } from "../machine/pending.ts"
import type { RunningState } from "../machine/state.ts"
import { andThen, commitAndPublish, freshName, informational, metaUser, type Step } from "../machine/transition.ts"

/** The model has nothing left to do. Before the turn ends, hooks and the promised output get their say. */
export const askStopHooks = (state: RunningState): Step => {
  if (!state.config.hookEvents.includes("Stop")) return endOrNudge(state)
  const [hookId, named] = freshName(state, "stop")
  return askHooks(setPhase(named, { _tag: "Hooks", hookId }), {
    hookId,
    event: "Stop",
    input: {
      stop_hook_active: state.run.turn.recovery.stopHookRounds > 0,
      last_assistant_message: state.run.turn.lastText,
      background_tasks: [],
      session_crons: []
    },
    then: { _tag: "EndTurn" }
  })
}

const STRUCTURED_NUDGE = `${PROGRAM_OPENINGS.structuredNudge} Call it now, once, with your final answer in the form its schema asks for.`

/** A run that was promised structured output asks for it once; then the turn is complete. */
const endOrNudge = (state: RunningState): Step => {
  const { turn } = state.run
  if (state.config.jsonSchema === undefined || turn.recovery.structuredNudged || turnsUsedUp(state)) {
    return completeOrGoOn(state)
  }
  const [message, drawn] = metaUser(state, STRUCTURED_NUDGE)
  const nudged = setTurn(drawn, { recovery: { ...turn.recovery, structuredNudged: true } })
  return andThen(commitAndPublish(nudged, message), (next) => iterate(next, "structured_output_retry"))
}

/** A blocking Stop hook sends the model back to work, a bounded number of times. */
export const onStopHooks = (state: RunningState, outcome: HookOutcome): Step => {
  const { turn } = state.run
  if (outcome.stop !== undefined) return finish(setTurn(state, { stopText: outcome.stop }), "stop_hook_prevented")
  const feedback = [outcome.block, outcome.context].filter((text) => text !== undefined).join("\n")
  if (feedback === "") return endOrNudge(state)
  const rounds = turn.recovery.stopHookRounds + 1
  const most = state.config.limits.stopHookRounds ?? LIMITS.stopHookRounds
  if (rounds > most) {
    const text = `Stop hooks kept the turn going ${most} times in a row; it ends here, although one says: ${feedback}`
    const [message, drawn] = informational(state, text, "warning")
    return andThen(commitAndPublish(drawn, message), (next) => finish(setTurn(next, { stopText: "" }), "completed"))
  }
  const [message, drawn] = metaUser(state, `${PROGRAM_OPENINGS.stopHook}\n${feedback}`)
  const continued = setTurn(drawn, { recovery: { ...turn.recovery, stopHookRounds: rounds } })
  return andThen(commitAndPublish(continued, message), (next) => iterate(next, "stop_hook_blocking"))
}
