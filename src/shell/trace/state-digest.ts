import { createHash } from "node:crypto"
import * as Log from "../../core/domain/append-list.ts"
import type { AgentState, Call, ObservedPhase, Turn } from "../../core/loop/machine/state.ts"
import type { OpenBlock } from "../../core/model/stream/assemble.ts"
import { phaseOf, turnOf } from "../../core/loop/machine/transition.ts"

export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value) ?? "undefined")
    .digest("hex")
    .slice(0, 16)

const sizeOf = (open: OpenBlock): number => {
  switch (open.kind) {
    case "text":
      return open.text.length
    case "thinking":
      return open.thinking.length
    default:
      return open.json.length
  }
}

/** A growing answer is represented by its size: hashing all of it for every delta would be quadratic. */
const streamSummary = (phase: ObservedPhase) => {
  if (phase._tag !== "Streaming") return undefined
  const { assembly, held } = phase
  const { messageId, usage, stopReason, open } = assembly
  return { messageId, usage, stopReason, open: open?.kind, size: open && sizeOf(open), held: held?.uuid }
}

const callSummary = (call: Call) => ({
  id: call.id,
  stage: call.stage,
  isError: "result" in call ? call.result.isError : undefined,
  isYielded: call.stage === "completed" && call.isYielded
})

const turnSummary = (turn: Turn) => ({
  prompt: turn.promptUuid,
  responses: turn.responses,
  apiMs: turn.apiMs,
  usage: turn.usage,
  attempt: turn.attempt,
  recovery: turn.recovery,
  transition: turn.transition,
  model: turn.modelIndex,
  outputTokens: turn.outputTokens,
  assistant: turn.assistant.map(({ uuid }) => uuid),
  calls: turn.calls.map(callSummary),
  results: turn.results.map(({ uuid }) => uuid),
  stop: turn.stopAfterTools,
  denials: turn.denials.length,
  lastText: turn.lastText
})

/**
 * What a replay compares after each event: fields by their names, never whole parts of the state, because a recording
 * outlives their shape. Messages already announced are covered by the commands that carried them, so their number and
 * the newest one are enough here.
 */
export const stateSummary = (state: AgentState): unknown => {
  const phase = phaseOf(state)
  const turn = turnOf(state)
  return {
    phase: phase._tag,
    stream: streamSummary(phase),
    turn: turn && turnSummary(turn),
    messages: state.conversation.messages.length,
    newest: Log.last(state.conversation.messages)?.uuid,
    ids: state.ids,
    serial: state.serial,
    cwd: state.cwd,
    queue: state.queue.map(({ uuid }) => uuid),
    tip: state.conversation.tip,
    count: state.conversation.count,
    totals: state.totals,
    mode: state.permission.mode,
    compaction: state.conversation.compaction,
    objections: state.objections
  }
}
