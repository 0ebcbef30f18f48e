import { decideMessageBudget } from "../budget/clip.ts"
import { outputCap } from "../domain/model.ts"
import { LIMITS } from "../domain/limits.ts"
import type { AttachmentMessage, UserMessage } from "../domain/message.ts"
import { PROGRAM_OPENINGS } from "../domain/texts.ts"
import { contextTokens, isZeroUsage } from "../domain/usage.ts"
import { recordApiTime, recordUsage } from "./accounting.ts"
import { endWithApiError } from "./api-error.ts"
import { promptText, withReplacements } from "./begin.ts"
import { callsSettled } from "./calls.ts"
import type { Command } from "./command.ts"
import { STRUCTURED_OUTPUT_TOOL } from "../tools/pool.ts"
import { finish } from "./finish.ts"
import { endAtMaxTurns, iterate, turnsUsedUp } from "./iterate.ts"
import { currentModel, sendRequest } from "./sending.ts"
import { askStopHooks } from "./stop.ts"
import type { AgentState, QueuedPrompt, Turn } from "./state.ts"
import {
  andThen,
  commit,
  commitAndPublish,
  emit,
  informational,
  metaUser,
  setPhase,
  setTurn,
  type Step,
  stay,
  timestamp
} from "./transition.ts"

/** Usage of the response in progress joins the totals; an aborted response was paid for too. */
export const recordStreamed = (state: AgentState): AgentState => {
  if (state.phase._tag !== "Streaming") return state
  const { messageId, model, usage } = state.phase.assembly
  return messageId === "" || isZeroUsage(usage) ? state : recordUsage(state, { messageId, model, usage })
}

/** The finished blocks of this response become part of the conversation. */
export const commitResponse = (state: AgentState): AgentState => {
  const turn = state.turn
  if (turn === undefined || turn.assistant.length === 0) return state
  const committed = turn.assistant.reduce((next, message) => commit(next, message), state)
  const usage = state.phase._tag === "Streaming" ? state.phase.assembly.usage : undefined
  const count =
    usage === undefined || isZeroUsage(usage)
      ? committed.count
      : { counted: contextTokens(usage), estimatedSince: 0 }
  return setTurn({ ...committed, count }, { assistant: [] })
}

const replacedResults = (state: AgentState, results: ReadonlyArray<UserMessage>) =>
  decideMessageBudget({
    results: results.flatMap((message) =>
      typeof message.message.content === "string" ? [] : message.message.content
    ),
    calls: state.turn?.calls.map((call) => ({ id: call.id, tool: call.tool })) ?? [],
    sessionDir: state.config.sessionDir
  })

/** The results of this response become part of the conversation; too large a batch is shortened for the model only. */
export const commitResults = (state: AgentState): Step => {
  const turn = state.turn
  if (turn === undefined || turn.results.length === 0) return stay(state)
  const spilled = replacedResults(state, turn.results)
  const replacements = new Map(spilled.map((entry) => [entry.callId, entry.replacement]))
  const committed = turn.results.reduce(
    (next, message) => commit(next, message, withReplacements(message, replacements)),
    state
  )
  const tip = turn.results.at(-1)?.uuid ?? state.tip
  const commands: ReadonlyArray<Command> =
    spilled.length === 0
      ? []
      : [
          ...spilled.map((entry): Command => ({
            _tag: "SpillResult",
            callId: entry.callId,
            text: entry.text,
            path: entry.path
          })),
          {
            _tag: "Note",
            record: {
              type: "content-replacement",
              replacements: spilled.map((entry) => ({
                kind: "tool-result" as const,
                toolUseId: entry.callId,
                replacement: entry.replacement
              }))
            }
          }
        ]
  return [setTurn({ ...committed, tip }, { results: [] }), commands]
}

/** Takes back what an abandoned try had shown: consumers remove it, the chain goes on from before it. */
export const abandonResponse = (state: AgentState): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  return [
    { ...setTurn(state, { assistant: [], calls: [], results: [], failedCall: undefined }), tip: turn.tipBefore },
    [
      ...turn.assistant.map((message) => emit({ _tag: "Tombstone", uuid: message.uuid })),
      emit({ _tag: "PartialDiscarded" })
    ]
  ]
}

const CONTINUE_AFTER_CUT =
  `${PROGRAM_OPENINGS.outputCut} Go on exactly where it stopped: no apology, no recap. Split what remains into smaller pieces.`

const canEscalate = (state: AgentState, turn: Turn): boolean =>
  !turn.recovery.escalated &&
  state.config.explicitOutputTokens === undefined &&
  turn.outputTokens < Math.min(LIMITS.escalatedOutputTokens, outputCap(currentModel(state)))

const escalate = (state: AgentState, turn: Turn): Step => {
  const limit = Math.min(LIMITS.escalatedOutputTokens, outputCap(currentModel(state)))
  return andThen(abandonResponse(state), (next) =>
    sendRequest(
      setTurn(next, {
        outputTokens: limit,
        transition: "max_output_tokens_escalate",
        responses: turn.responses - 1,
        recovery: { ...turn.recovery, escalated: true }
      })
    )
  )
}

/** The answer hit the output limit without a call to run: larger limit once, then continue, then tell. */
const recoverOutputLimit = (state: AgentState, turn: Turn): Step => {
  if (canEscalate(state, turn)) return escalate(state, turn)
  if (turn.recovery.continuations < LIMITS.outputContinuations && !turnsUsedUp(state)) {
    const [message, drawn] = metaUser(state, CONTINUE_AFTER_CUT)
    const counted = setTurn(commitResponse(drawn), {
      recovery: { ...turn.recovery, continuations: turn.recovery.continuations + 1 }
    })
    return andThen(commitAndPublish(counted, message), (next) => iterate(next, "max_output_tokens_recovery"))
  }
  return endWithApiError(commitResponse(state), turn.lastText === "" ? "model_error" : "completed", {
    text: `The answer exceeded the output limit of ${turn.outputTokens} tokens`,
    status: null,
    errorClass: "max_output_tokens",
    detail: "set CLAUDE_CODE_MAX_OUTPUT_TOKENS higher or ask for a shorter answer"
  })
}

const EMPTY_RETRIES = 1

const recoverEmpty = (state: AgentState, turn: Turn): Step => {
  if (turn.recovery.emptyRetries >= EMPTY_RETRIES) return finish(state, "completed")
  const counted = setTurn(state, {
    responses: turn.responses - 1,
    recovery: { ...turn.recovery, emptyRetries: turn.recovery.emptyRetries + 1 }
  })
  return iterate(counted, "empty_response_retry")
}

const refused = (state: AgentState): Step =>
  endWithApiError(commitResponse(state), "model_error", {
    text: "The model declined to answer this request (stop reason refusal)",
    status: null,
    errorClass: "invalid_request",
    detail: "rephrase the prompt or choose another model with --model"
  })

const isCut = (reason: string | null): boolean => reason === "max_tokens" || reason === "model_context_window_exceeded"

/** The response is complete. Whether the loop goes on rests on the calls it holds, never on its stop reason. */
export const finishResponse = (state: AgentState): Step => {
  const phase = state.phase
  if (phase._tag !== "Streaming" || state.turn === undefined) return stay(state)
  const counted = recordStreamed(recordApiTime(state))
  const stopReason = phase.assembly.stopReason
  const noted = setTurn(counted, { responses: state.turn.responses + 1, lastStopReason: stopReason })
  const turn = noted.turn
  if (turn === undefined) return stay(noted)
  if (turn.calls.length > 0) return beginTools(noted)
  if (isCut(stopReason)) return recoverOutputLimit(noted, turn)
  if (stopReason === "refusal") return refused(noted)
  if (turn.assistant.length === 0) return recoverEmpty(noted, turn)
  return askStopHooks(commitResponse(noted))
}

/** Calls were made: the response joins the conversation and the loop waits for every one of them to settle. */
export const beginTools = (state: AgentState): Step =>
  finishToolsWhenSettled(setPhase(commitResponse(state), { _tag: "Tools" }))

export const finishToolsWhenSettled = (state: AgentState): Step =>
  state.phase._tag === "Tools" && callsSettled(state) ? finishTools(state) : stay(state)

const refusedOutputs = (turn: Turn): number =>
  turn.calls.filter((call) => call.name === STRUCTURED_OUTPUT_TOOL && call.result?.isError === true).length

const hadMalformed = (turn: Turn): boolean =>
  turn.calls.length > 0 && turn.calls.every((call) => call.malformed)

/** Prompts typed meanwhile join the running turn here, behind the results and ahead of the next request. */
const foldQueued = (state: AgentState): Step => {
  const taken = state.queue.filter((prompt) => prompt.priority !== "later")
  if (taken.length === 0) return stay(state)
  const rest = state.queue.filter((prompt) => prompt.priority === "later")
  return taken.reduce<Step>((step, prompt) => andThen(step, (next) => foldOne(next, prompt)), stay({ ...state, queue: rest }))
}

const foldOne = (state: AgentState, prompt: QueuedPrompt): Step => {
  const message: AttachmentMessage = {
    type: "attachment",
    uuid: prompt.uuid,
    timestamp: timestamp(state),
    attachment: {
      type: "queued_command",
      prompt: prompt.content,
      commandMode: prompt.origin === "task" ? "task-notification" : "prompt"
    }
  }
  return andThen(
    [
      state,
      [{ _tag: "Note", record: { type: "queue-operation", operation: "dequeue", content: promptText(prompt.content) } }]
    ],
    (next) =>
      andThen(commitAndPublish(next, message), (s) => [s, [emit({ _tag: "PromptTaken", promptUuid: prompt.uuid })]])
  )
}

/** Every call has its result: decide whether and why another request follows. */
const finishTools = (state: AgentState): Step =>
  andThen(commitResults(state), (committed) => {
    const turn = committed.turn
    if (turn === undefined) return stay(committed)
    const malformed = hadMalformed(turn) ? turn.recovery.malformed + 1 : 0
    const structuredRetries = turn.recovery.structuredRetries + refusedOutputs(turn)
    const cleared = setTurn(committed, {
      calls: [],
      failedCall: undefined,
      recovery: { ...turn.recovery, malformed, structuredRetries, continuations: 0 }
    })
    if (turn.structuredOutput !== undefined) return finish(cleared, "completed")
    if (turn.stopAfterTools !== undefined) return finish(cleared, turn.stopAfterTools)
    if (malformed >= LIMITS.malformedResponses) return finish(cleared, "malformed_tool_use_exhausted")
    if (structuredRetries >= committed.config.structuredRetries) {
      return finish(cleared, "structured_output_retry_exhausted")
    }
    if (turnsUsedUp(cleared)) return endAtMaxTurns(cleared)
    return andThen(foldQueued(cleared), (next) => iterate(next, malformed > 0 ? "malformed_tool_retry" : "next_turn"))
  })

/** The stream broke after something worth keeping had arrived: keep it, say so, and go on from the calls in it. */
export const keepIncomplete = (state: AgentState, cause: string): Step => {
  if (state.turn === undefined) return stay(state)
  const [message, drawn] = informational(state, `The response may be incomplete: ${cause}`, "warning")
  const counted = recordStreamed(recordApiTime(drawn))
  const noted = setTurn(counted, { responses: state.turn.responses + 1, lastStopReason: null })
  const hasCalls = state.turn.calls.length > 0
  const committed = commitResponse(noted)
  const announced = hasCalls
    ? andThen(stay(setPhase(committed, { _tag: "Tools" })), (next) => commitAndPublish(next, message))
    : commitAndPublish(committed, message)
  return andThen(announced, (next) => (hasCalls ? finishToolsWhenSettled(next) : askStopHooks(next)))
}
