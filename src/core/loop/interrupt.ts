import { TEXTS } from "../domain/texts.ts"
import type { AssistantMessage, UserMessage } from "../domain/message.ts"
import { recordApiTime } from "./accounting.ts"
import { completeCall, settleAndSchedule } from "./calls.ts"
import type { Command } from "./command.ts"
import { errorResult } from "./executor.ts"
import { finish } from "./finish.ts"
import { releaseHeld } from "./on-model.ts"
import { commitResponse, commitResults } from "./response.ts"
import type { AgentState, Phase } from "./state.ts"
import {
  andThen,
  commitAndPublish,
  freshName,
  freshUuid,
  publish,
  setPhase,
  setTurn,
  type Step,
  stay,
  timestamp
} from "./transition.ts"

/** How long cancelled calls get to report back before they are settled without their own words. */
const SETTLE_MS = 2_000

/** What has to stop outside when a turn ends early, by phase. */
const stopWork = (phase: Phase): ReadonlyArray<Command> => {
  switch (phase._tag) {
    case "Requesting":
    case "Streaming":
      return [{ _tag: "AbortRequest", requestId: phase.requestId }]
    case "Compacting":
      return [{ _tag: "AbortCompaction", compactionId: phase.compactionId }]
    case "Waiting":
      return [{ _tag: "CancelTimer", timerId: phase.timerId }]
    default:
      return []
  }
}

/** Text that was on screen when the stream was cut stays in the conversation; half a call or thought does not. */
const keepPartialText = (state: AgentState): Step => {
  const phase = state.phase
  const turn = state.turn
  if (phase._tag !== "Streaming" || turn === undefined) return stay(state)
  const open = phase.assembly.open
  if (open?.kind !== "text" || open.text.trim() === "") return stay(state)
  const [uuid, drawn] = freshUuid(state)
  const message: AssistantMessage = {
    type: "assistant",
    uuid,
    timestamp: timestamp(state),
    message: {
      id: phase.assembly.messageId,
      type: "message",
      role: "assistant",
      model: phase.assembly.model,
      content: [{ type: "text", text: open.text }],
      stop_reason: null,
      stop_sequence: null,
      usage: phase.assembly.usage
    },
    isAbortedMidStream: true
  }
  return publish(setTurn(drawn, { assistant: [...turn.assistant, message], lastText: open.text }), message)
}

const NOT_RUN = errorResult("Cancelled: the user interrupted before this call ran.")

/** Calls that have not begun get their result at once; running ones are told to stop. */
const cancelCalls = (state: AgentState): Step => {
  const calls = state.turn?.calls ?? []
  const waiting = calls.filter((call) => call.stage !== "completed" && call.stage !== "executing")
  const running = calls.filter((call) => call.stage === "executing")
  const asked = waiting.filter((call) => call.stage === "asking")
  const withdrawn: Step = [
    state,
    [
      ...asked.map((call) => ({ _tag: "WithdrawQuestion" as const, callId: call.id })),
      ...running.map((call) => ({ _tag: "CancelCall" as const, callId: call.id }))
    ]
  ]
  return waiting.reduce<Step>(
    (step, call) => andThen(step, (next) => completeCall(next, call, call.result ?? NOT_RUN)),
    withdrawn
  )
}

const interruptionMessage = (state: AgentState, inTool: boolean): readonly [UserMessage, AgentState] => {
  const [uuid, drawn] = freshUuid(state)
  const text = inTool ? TEXTS.interruptedInTool : TEXTS.interrupted
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
const conclude = (state: AgentState): Step => {
  const phase = state.phase
  if (phase._tag !== "Settling" || state.turn === undefined) return stay(state)
  const committed = andThen(stay(commitResponse(state)), commitResults)
  return andThen(committed, (next) => {
    const [message, drawn] = interruptionMessage(next, phase.inTool)
    const published = commitAndPublish(drawn, message)
    const stopTimer: Step = andThen(published, (s) => [s, [{ _tag: "CancelTimer", timerId: phase.timerId }]])
    return andThen(stopTimer, (s) => finish(s, phase.reason))
  })
}

export const concludeWhenSettled = (state: AgentState): Step =>
  state.phase._tag === "Settling" && (state.turn?.calls ?? []).every((call) => call.stage === "completed")
    ? conclude(state)
    : stay(state)

/** Cancelled calls did not report in time: they are settled for them. */
export const onSettleTimeout = (state: AgentState): Step => {
  const calls = state.turn?.calls ?? []
  const silent = calls.filter((call) => call.stage !== "completed")
  const settled = silent.reduce<Step>(
    (step, call) => andThen(step, (next) => completeCall(next, call, errorResult("Cancelled: the call was interrupted."))),
    stay(state)
  )
  return andThen(andThen(settled, settleAndSchedule), conclude)
}

/** The user (or host) wants the turn to end now. Acts in every phase; a second interrupt changes nothing. */
export const interruptTurn = (state: AgentState): Step => {
  const phase = state.phase
  if (state.turn === undefined || phase._tag === "Idle" || phase._tag === "Done" || phase._tag === "Settling") {
    return stay(state)
  }
  const inTool = state.turn.calls.some((call) => call.stage !== "completed") || phase._tag === "Tools"
  const reason = inTool ? "aborted_tools" : "aborted_streaming"
  const released = andThen(releaseHeld(state), keepPartialText)
  return andThen(released, (kept) => {
    const timed = phase._tag === "Requesting" || phase._tag === "Streaming" ? recordApiTime(kept) : kept
    const [timerId, named] = freshName(timed, "settle")
    const settling: Step = [
      setPhase(named, { _tag: "Settling", reason, timerId, inTool }),
      [...stopWork(phase), { _tag: "StartTimer", timerId, ms: SETTLE_MS }]
    ]
    return andThen(andThen(settling, cancelCalls), concludeWhenSettled)
  })
}
