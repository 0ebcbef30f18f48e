import { LIMITS } from "../../domain/limits.ts"
import { STRUCTURED_OUTPUT } from "../../tools/conversation/structured-output.ts"
import { recordApiTime } from "../turn/accounting.ts"
import { callsSettled } from "../calls/call-lifecycle.ts"
import { tellRemarks } from "../calls/hook-remark.ts"
import { commitResponse, commitResults, recordStreamed, watchResponse } from "../turn/commit-response.ts"
import { finish } from "../turn/finish.ts"
import { askBatchHooks } from "./batch-hooks.ts"
import { endAtMaxTurns, turnsUsedUp } from "./iterate.ts"
import { recoverRefusal, recoverSilence, saysNothing } from "./nudge.ts"
import { countRepeats, judgeRepeats, repeatAdvice, repeatEnd } from "./repeated-calls.ts"
import { tellAside } from "../context/aside.ts"
import { hitOutputLimit, recoverOutputLimit } from "./output-limit.ts"
import { noteTouched } from "../context/touched-files.ts"
import { overBudget } from "../turn/send-request.ts"
import { setPhase, setTurn } from "../machine/patch-state.ts"
import type { Running, RunningState, Turn } from "../machine/state.ts"
import { askStopHooks } from "./stop-hooks.ts"
import { andThen, commitAndPublish, informational, isIn, notice, type Step, stay } from "../machine/transition.ts"

/** What follows a response: its calls, a repair, or the end of the turn. */

/** The response is complete. Whether the loop goes on rests on the calls it holds, never on its stop reason. */
export const finishResponse = (state: RunningState): Step => {
  if (!isIn(state, "Streaming")) return stay(state)
  const { stopReason } = state.run.phase.assembly
  const counted = recordStreamed(recordApiTime(watchResponse(state)))
  const noted = setTurn(counted, {
    responses: state.run.turn.responses + 1,
    lastStopReason: stopReason,
    before: undefined
  })
  const { turn } = noted.run
  if (turn.calls.length > 0) return beginTools(noted)
  if (stopReason === "refusal") return recoverRefusal(noted)
  if (overBudget(noted)) return finish(commitResponse(noted), "budget_exhausted")
  if (hitOutputLimit(stopReason)) return recoverOutputLimit(noted)
  if (saysNothing(turn)) return recoverSilence(noted)
  return askStopHooks(commitResponse(noted))
}

/** Calls were made: the response joins the conversation and the loop waits for every one of them to settle. */
const beginTools = (state: RunningState): Step => finishToolsWhenSettled(setPhase(commitResponse(state), { _tag: "Tools" }))

export const finishToolsWhenSettled = (state: RunningState): Step =>
  state.run.phase._tag === "Tools" && callsSettled(state) ? finishTools(state) : stay(state)

const refusedOutputs = (turn: Turn): number =>
  turn.calls.filter((call) => call.stage === "completed" && call.tool === STRUCTURED_OUTPUT && call.result.isError).length

const hadMalformed = (turn: Turn): boolean =>
  turn.calls.length > 0 && turn.calls.every((call) => call.stage === "completed" && call.isMalformed)

/** A call that came back the same too often is spoken of, or ends the turn. */
const mindRepeats = (before: RunningState, state: RunningState, goOn: (next: RunningState) => Step): Step => {
  const { repeated, calls } = before.run.turn
  const completed = calls.filter((call) => call.stage === "completed")
  const now = countRepeats(repeated, completed)
  const counted = setTurn(state, { repeated: now })
  if (now === undefined) return goOn(counted)
  switch (judgeRepeats(repeated, now, state.config.limits.repeatedCalls ?? 0)) {
    case "goOn":
      return goOn(counted)
    case "tell":
      return andThen(tellAside(counted, "repeated_calls", repeatAdvice(now)), goOn)
    case "stop": {
      const text = repeatEnd(now)
      const stopped = setTurn(counted, { stopText: text })
      return andThen([stopped, [notice("warning", text)]], (next) => finish(next, "hook_stopped"))
    }
  }
}

const resultsWithRemarks = (state: RunningState): Step<Running> =>
  andThen(commitResults(state), (next) => tellRemarks(next, state.run.turn.calls))

/** Every call has its result: decide whether and why another request follows. */
const finishTools = (state: RunningState): Step =>
  andThen(resultsWithRemarks(state), (committed) => {
    const { turn } = committed.run
    const malformed = hadMalformed(turn) ? turn.recovery.malformed + 1 : 0
    const structuredRetries = turn.recovery.structuredRetries + refusedOutputs(turn)
    const cleared = setTurn(noteTouched(committed), {
      calls: [],
      failedCall: undefined,
      recovery: { ...turn.recovery, malformed, structuredRetries, continuations: 0 }
    })
    if (turn.structuredOutput !== undefined) return finish(cleared, "completed")
    if (turn.stopAfterTools !== undefined) return finish(cleared, turn.stopAfterTools)
    if (malformed >= LIMITS.malformedResponses) return finish(cleared, "malformed_tool_use_exhausted")
    if (structuredRetries >= committed.config.limits.structuredRetries) {
      return finish(cleared, "structured_output_retry_exhausted")
    }
    if (turnsUsedUp(cleared)) return endAtMaxTurns(cleared)
    if (overBudget(cleared)) return finish(cleared, "budget_exhausted")
    return mindRepeats(committed, cleared, (next) =>
      askBatchHooks(next, turn.calls, malformed > 0 ? "malformed_tool_retry" : "next_turn")
    )
  })

/** The stream broke after something worth keeping had arrived: keep it, say so, and go on from the calls in it. */
export const keepIncomplete = (state: RunningState, cause: string): Step => {
  const { turn } = state.run
  const [message, drawn] = informational(state, `The response may be incomplete: ${cause}`, "warning")
  const counted = recordStreamed(recordApiTime(drawn))
  const noted = setTurn(counted, { responses: turn.responses + 1, lastStopReason: null, before: undefined })
  const hasCalls = turn.calls.length > 0
  const committed = commitResponse(noted)
  const announced = commitAndPublish(hasCalls ? setPhase(committed, { _tag: "Tools" }) : committed, message)
  return andThen(announced, (next) => {
    if (hasCalls) return finishToolsWhenSettled(next)
    return overBudget(next) ? finish(next, "budget_exhausted") : askStopHooks(next)
  })
}
