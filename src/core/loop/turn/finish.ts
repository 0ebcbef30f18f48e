import { syntheticAnswer } from "./synthetic-answer.ts"
import { isApiFailure, subtypeOf, type TerminalReason } from "../machine/reasons.ts"
import type { Bookkeeping } from "../machine/command.ts"
import type { TurnResult } from "../machine/emission.ts"
import { patchState, setRun, setTurn } from "../machine/patch-state.ts"
import { afterTurn } from "../machine/pending.ts"
import type { AgentState, QueuedPrompt, RunningState, Turn } from "../machine/state.ts"
import { andThen, emit, freshUuid, type Step, stay } from "../machine/transition.ts"
import { queueNote } from "./queue.ts"
import { openTurn, takePrompt } from "./start-turn.ts"

const ERROR_TEXT: Partial<Record<TerminalReason, string>> = {
  aborted_streaming: "Request was interrupted by the user.",
  aborted_tools: "Request was interrupted by the user while tools were running.",
  rapid_refill_breaker: "The context filled up again right after each of several compactions.",
  malformed_tool_use_exhausted: "The model sent tool calls with invalid JSON several times in a row.",
  budget_exhausted: "Reached maximum budget",
  structured_output_retry_exhausted: "Failed to provide valid structured output after the maximum number of attempts."
}

/** What is possible here, and why nothing made room by itself. */
const limitReached = ({ config: { compaction } }: AgentState): string => {
  const ways = compaction.isDisabled ? "/clear" : "/compact or /clear"
  const isOff = !compaction.isAutomatic && !compaction.isDisabled
  return `Context limit reached · ${ways} to continue${isOff ? " · auto-compact is off (autoCompactEnabled turns it on)" : ""}`
}

const errorsOf = (state: AgentState, turn: Turn, reason: TerminalReason): ReadonlyArray<string> => {
  if (subtypeOf(reason) === "success") return []
  if (reason === "max_turns") return [`Reached maximum number of turns (${state.config.limits.maxTurns ?? turn.responses})`]
  if (reason === "budget_exhausted") return [`Reached maximum budget ($${state.config.limits.maxBudgetUsd ?? 0})`]
  const text = reason === "blocking_limit" ? limitReached(state) : ERROR_TEXT[reason]
  return text === undefined ? turn.notes : [text, ...turn.notes]
}

const resultText = (turn: Turn, reason: TerminalReason): string => {
  if (turn.structuredOutput !== undefined) return JSON.stringify(turn.structuredOutput.value)
  if (turn.apiError !== undefined && isApiFailure(reason)) return turn.apiError.text
  return turn.stopText ?? turn.lastText
}

const turnsOf = (turn: Turn, reason: TerminalReason): number => {
  if (turn.isCommand) return 0
  return reason === "max_turns" ? turn.responses + 1 : Math.max(1, turn.responses)
}

const buildResult = (state: RunningState, reason: TerminalReason): TurnResult => {
  const { turn } = state.run
  const [uuid] = freshUuid(state)
  const subtype = subtypeOf(reason)
  return {
    uuid,
    subtype,
    terminalReason: reason,
    isError: subtype !== "success" || turn.apiError !== undefined,
    durationMs: Math.max(0, state.now - turn.startedAt),
    durationApiMs: turn.apiMs,
    numTurns: turnsOf(turn, reason),
    text: resultText(turn, reason),
    errors: errorsOf(state, turn, reason),
    stopReason: turn.lastStopReason,
    totalCostUsd: state.totals.costUsd,
    usage: turn.usage,
    models: state.totals.models,
    denials: turn.denials,
    promptUuid: turn.promptUuid,
    ...(turn.structuredOutput === undefined ? {} : { structuredOutput: turn.structuredOutput }),
    ...(turn.apiError?.status === undefined || turn.apiError.status === null
      ? {}
      : { apiErrorStatus: turn.apiError.status }),
    ...(turn.firstTokenMs === undefined ? {} : { ttftMs: turn.firstTokenMs })
  }
}

/** No turn runs any more, and nothing is waited for that was the turn's. */
export const endRun = (state: AgentState, reason: TerminalReason): AgentState =>
  patchState(setRun(state, { _tag: "Done", reason }), { pending: afterTurn(state.pending) })

/** What was spent until now. Readers count what stands behind it. */
export const costState = ({ totals }: AgentState): Bookkeeping => ({
  type: "cost-state",
  totalCostUSD: totals.costUsd,
  totalAPIDuration: totals.apiMs,
  modelUsage: totals.models
})

/** Ends the turn: exactly one result, then the next queued prompt if there is one. */
export const finish = (state: RunningState, reason: TerminalReason): Step => {
  const result = buildResult(state, reason)
  const [, drawn] = freshUuid(state)
  return andThen(
    [endRun(drawn, reason), [{ _tag: "Note", record: costState(state) }, emit({ _tag: "TurnFinished", result })]],
    takeNextQueued
  )
}

/**
 * A prompt that the program answers itself: a turn in which nobody asks the model, and of which nothing is kept in the
 * conversation.
 */
const answerPrompt = (state: AgentState, { uuid }: QueuedPrompt, answer: string): Step => {
  const [message, drawn] = syntheticAnswer(state, answer)
  const opened = setTurn(openTurn(drawn, uuid), { isCommand: true, stopText: answer })
  const said = [emit({ _tag: "TurnStarted", promptUuid: uuid }), emit({ _tag: "MessageAdded", message })]
  return andThen([opened, said], (next) => finish(next, "completed"))
}

/** A prompt on its own: the program answers it, or it is taken into the conversation. */
export const takeUp = (state: AgentState, prompt: QueuedPrompt): Step =>
  prompt.answer === undefined ? takePrompt(state, prompt) : answerPrompt(state, prompt, prompt.answer)

/** After a turn: the next waiting prompt starts its own. */
const takeNextQueued = (state: AgentState): Step => {
  const [next, ...rest] = state.queue
  if (next === undefined) return stay(state)
  const taken = andThen([patchState(state, { queue: rest }), [queueNote("dequeue", next)]], (ready) => takeUp(ready, next))
  return next.appendOnly === true ? andThen(taken, takeNextQueued) : taken
}
