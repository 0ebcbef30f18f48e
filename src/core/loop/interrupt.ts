import { LIMITS } from "../domain/limits.ts"
import { TEXTS } from "../domain/program-texts.ts"
import type { AssistantMessage, UserMessage } from "../domain/message.ts"
import { recordApiTime } from "./turn/accounting.ts"
import { callsSettled, completeCall } from "./calls/call-lifecycle.ts"
import { tellRemarks } from "./calls/hook-remark.ts"
import { errorResult } from "./calls/call-scheduler.ts"
import { finish } from "./turn/finish.ts"
import { blockMessage, releaseHeld } from "./on-model.ts"
import { commitResponse, commitResults, recordStreamed } from "./turn/commit-response.ts"
import { setPhase, setTurn } from "./machine/patch-state.ts"
import { cancelTimer, dropHooks, startTimer, timerFor } from "./machine/pending.ts"
import type { AbortReason, CompactionAim, Phase, Running, RunningState } from "./machine/state.ts"
import {
  andThen,
  commitAndPublish,
  emit,
  freshName,
  freshUuid,
  isIn,
  publish,
  type Step,
  stay,
  timestamp
} from "./machine/transition.ts"

/** How long cancelled calls get to report back: until a process that ignores every signal but the last is gone. */
const SETTLE_MS = LIMITS.cancelTermMs + LIMITS.cancelKillMs + 500

/** What the phase waits for has to stop when its turn ends early. */
export const stopWork = (state: RunningState, phase: Phase): Step<Running> => {
  switch (phase._tag) {
    case "Requesting":
    case "Streaming":
      return [state, [{ _tag: "AbortRequest", requestId: phase.requestId }]]
    case "Compacting":
      return [state, [{ _tag: "AbortCompaction", compactionId: phase.compactionId }]]
    case "Collecting":
      return cancelTimer(state, phase.collectId)
    case "Waiting":
      return cancelTimer(state, timerFor(state, "RetryRequest"))
    case "Hooks":
      return stay(dropHooks(state, phase.hookId))
    default:
      return stay(state)
  }
}

/** Text that was on screen when the stream was cut stays in the conversation; half a call or thought does not. */
const keepPartialText = (state: RunningState): Step<Running> => {
  if (!isIn(state, "Streaming")) return stay(state)
  const { turn, phase } = state.run
  const { open } = phase.assembly
  if (open?.kind !== "text" || open.text.trim() === "") return stay<Running>(state)
  const [uuid, drawn] = freshUuid(state)
  const shown = blockMessage(state, { uuid, block: { type: "text", text: open.text } })
  const message: AssistantMessage = { ...shown, isAbortedMidStream: true }
  return publish(setTurn(drawn, { assistant: [...turn.assistant, message], lastText: open.text }), message)
}

const NOT_RUN = errorResult("Cancelled: the user interrupted before this call ran.")

/** Calls that have not begun get their result at once; running ones are told to stop. */
const cancelCalls = (state: RunningState): Step<Running> => {
  const { calls } = state.run.turn
  const waiting = calls.filter((call) => call.stage !== "completed" && call.stage !== "executing")
  const running = calls.filter((call) => call.stage === "executing")
  const asked = waiting.filter((call) => call.stage === "asking")
  const withdrawn: Step<Running> = [
    state,
    [
      ...asked.map((call) => ({ _tag: "WithdrawQuestion" as const, callId: call.id })),
      ...running.map((call) => ({ _tag: "CancelCall" as const, callId: call.id }))
    ]
  ]
  return waiting.reduce<Step<Running>>(
    (step, call) => andThen(step, (next) => completeCall(next, call, call.stage === "reviewing" ? call.result : NOT_RUN)),
    withdrawn
  )
}

const interruptionMessage = (state: RunningState, reason: AbortReason): readonly [UserMessage, RunningState] => {
  const [uuid, drawn] = freshUuid(state)
  const text = reason === "aborted_tools" ? TEXTS.interruptedInTool : TEXTS.interrupted
  return [
    {
      type: "user",
      uuid,
      timestamp: timestamp(state),
      message: { role: "user", content: [{ type: "text", text }] }
    },
    drawn
  ]
}

/** Everything has settled: the response and its results join the conversation and the turn ends. */
const conclude = (state: RunningState): Step => {
  if (!isIn(state, "Settling")) return stay(state)
  const { phase } = state.run
  const results = andThen(stay(commitResponse(state)), commitResults)
  const committed = andThen(results, (next) => tellRemarks(next, state.run.turn.calls))
  return andThen(committed, (next) => {
    const [message, drawn] = interruptionMessage(next, phase.reason)
    const published = commitAndPublish(drawn, message)
    const stopped = andThen(published, (s) => cancelTimer(s, timerFor(s, "EndSettling")))
    return andThen(stopped, (s) => finish(s, phase.reason))
  })
}

export const concludeWhenSettled = (state: RunningState): Step => (callsSettled(state) ? conclude(state) : stay(state))

const SILENT = errorResult("Cancelled: the call was interrupted.")

/** Cancelled calls did not report in time: they are settled for them. */
export const onSettleTimeout = (state: RunningState): Step => {
  const silent = state.run.turn.calls.filter((call) => call.stage !== "completed")
  const settled = silent.reduce<Step<Running>>(
    (step, call) => andThen(step, (next) => completeCall(next, call, SILENT)),
    stay(state)
  )
  return andThen(settled, conclude)
}

/** The compaction under way: its summary is awaited, or what hooks say to it. */
const compactionUnderWay = ({ run: { phase }, pending }: RunningState): CompactionAim | undefined => {
  if (phase._tag === "Compacting") return phase
  const then = phase._tag === "Hooks" ? pending.hooks.find(({ id }) => id === phase.hookId)?.then : undefined
  return then?._tag === "Compact" ? then.aim : undefined
}

/** A summary that is no longer awaited: whoever was told of the compaction is told that it is over. */
const endStatus = (state: RunningState): Step<Running> => {
  if (compactionUnderWay(state) === undefined) return stay(state)
  const [uuid, drawn] = freshUuid(state)
  return [drawn, [emit({ _tag: "StatusChanged", uuid, status: null, compacted: "failed" })]]
}

const isInTool = (state: RunningState): boolean => isIn(state, "Tools") || !callsSettled(state)

/** The user (or host) wants the turn to end now. Acts in every phase; a second interrupt changes nothing. */
export const interruptTurn = (state: RunningState, where?: "inTool"): Step => {
  const { phase } = state.run
  if (phase._tag === "Settling") return stay(state)
  if (isIn(state, "Rereading")) return finish(state, "aborted_streaming")
  // A summary that somebody asked for leaves no trace when they change their mind.
  if (compactionUnderWay(state)?.asked !== undefined) {
    return andThen(
      andThen(endStatus(state), (next) => stopWork(next, phase)),
      (next) => finish(next, "aborted_streaming")
    )
  }
  const reason = where === "inTool" || isInTool(state) ? "aborted_tools" : "aborted_streaming"
  const released = andThen(andThen(endStatus(state), releaseHeld), keepPartialText)
  return andThen(released, (kept) => {
    const asked = phase._tag === "Requesting" || phase._tag === "Streaming"
    const [timerId, named] = freshName(asked ? recordStreamed(recordApiTime(kept)) : kept, "settle")
    const settling = andThen(stopWork(named, phase), (next) =>
      startTimer(setPhase(next, { _tag: "Settling", reason }), { timerId, ms: SETTLE_MS, then: { _tag: "EndSettling" } })
    )
    return andThen(andThen(settling, cancelCalls), concludeWhenSettled)
  })
}
