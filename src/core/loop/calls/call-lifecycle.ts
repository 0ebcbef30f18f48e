import { Result } from "effect"
import type { ToolUseBlock } from "../../domain/block.ts"
import type { AssistantMessage, UserMessage } from "../../domain/message.ts"
import { NO_FACTS } from "../../permission/facts.ts"
import { factsWanted } from "../../permission/decide/facts-wanted.ts"
import type { AnyTool, DecodedCall } from "../../tools/contract/any-tool.ts"
import { nearestTools, toolFor } from "../../tools/pool.ts"
import { endCheck } from "./classifier-check.ts"
import { allCompleted, complete, errorResult, findCall, startable, updateCall, resultsDue } from "./call-scheduler.ts"
import { withRemark } from "./hook-remark.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { AgentState, CallResult, CallStage, Running, RunningState, TrackedCall } from "../machine/state.ts"
import { andThen, emit, freshUuid, isIn, type Step, stay, timestamp } from "../machine/transition.ts"

export interface AdmittedBlock {
  readonly block: ToolUseBlock
  readonly message: AssistantMessage
  readonly malformed: string | undefined
}

const unknownTool = (state: AgentState, name: string): string => {
  const near = nearestTools(state.config.tools, name)
  const hint = near.length === 0 ? "" : ` Closest names: ${near.join(", ")}.`
  return `Error: No such tool available: ${name}.${hint}`
}

/** A fresh call as its block stands: decoded, judged safe or not, or already settled with an error. */
const track = (state: AgentState, admitted: AdmittedBlock): TrackedCall => {
  const { block, message } = admitted
  const { id, name } = block
  const base: TrackedCall = {
    id,
    name,
    tool: undefined,
    input: block.input,
    assistantUuid: message.uuid,
    stage: "completed",
    safe: true,
    summary: name,
    result: undefined,
    yielded: false,
    granted: false,
    grantedDoubt: undefined,
    rewritten: false,
    hook: undefined,
    context: undefined,
    malformed: admitted.malformed !== undefined,
    facts: NO_FACTS,
    redecided: 0,
    check: undefined
  }
  const tool = toolFor(state.config, name)
  if (tool === undefined) return { ...base, result: errorResult(unknownTool(state, name)) }
  if (admitted.malformed !== undefined) {
    const problem = `the input of ${name} is not valid JSON (${admitted.malformed}). Send the call again.`
    return { ...base, tool: tool.name, result: errorResult(`InputValidationError: ${problem}`) }
  }
  const reading = tool.read(block.input)
  if (Result.isFailure(reading)) return { ...base, tool: tool.name, result: errorResult(reading.failure) }
  return {
    ...base,
    tool: tool.name,
    stage: "queued",
    input: reading.success.input,
    safe: reading.success.traits.concurrencySafe,
    summary: reading.success.summary
  }
}

/** Takes a call in when its block is complete; it may begin at once, while the rest of the response still arrives. */
export const admitCall = (state: RunningState, admitted: AdmittedBlock): Step<Running> =>
  settleAndSchedule(setTurn(state, { calls: [...state.run.turn.calls, track(state, admitted)] }))

/** What is to be decided about a call, without the facts about its paths. */
export const permissionRequest = (state: AgentState, tool: AnyTool, reading: DecodedCall) => ({
  context: state.permission,
  tool: { name: tool.name, aliases: tool.aliases, readOnly: reading.traits.readOnly },
  needs: reading.needs(state.cwd),
  input: reading.input,
  cwd: state.cwd
})

/** The command that lets a call read the world before its permission is decided. */
export const prepare = (state: RunningState, call: TrackedCall): Step<Running> => {
  const tool = call.tool === undefined ? undefined : toolFor(state.config, call.tool)
  if (tool === undefined) return completeCall(state, call, errorResult(unknownTool(state, call.name)))
  const reading = tool.accept(call.input)
  if (Result.isFailure(reading)) return completeCall(state, call, errorResult(reading.failure))
  const calls = updateCall(state.run.turn.calls, call.id, { stage: "preparing", input: reading.success.input })
  return [
    setTurn(state, { calls }),
    [
      {
        _tag: "PrepareCall",
        callId: call.id,
        tool: tool.name,
        input: reading.success.input,
        wanted: factsWanted(permissionRequest(state, tool, reading.success)),
        cwd: state.cwd
      }
    ]
  ]
}

const siblingError = (failed: string): CallResult =>
  errorResult(`Cancelled: this call was not run because ${failed} failed in the same response.`)

export const NOT_BEGUN: ReadonlySet<CallStage> = new Set(["queued", "preparing", "hooks", "checking", "asking"])

/** A failed shell call takes its siblings with it: those that have not begun get their result at once. */
export const cancelWaitingSiblings = (state: RunningState): Step<Running> => {
  const { turn } = state.run
  const failed = turn.failedCall
  if (failed === undefined) return stay(state)
  const calls = turn.calls.map((call) =>
    NOT_BEGUN.has(call.stage)
      ? { ...call, stage: "completed" as const, result: siblingError(failed), check: undefined }
      : call
  )
  const asked = turn.calls.filter((call) => call.stage === "asking")
  return [
    setTurn(state, { calls }),
    [
      ...asked.map((call) => ({ _tag: "WithdrawQuestion" as const, callId: call.id })),
      ...turn.calls.filter((call) => NOT_BEGUN.has(call.stage)).flatMap(endCheck)
    ]
  ]
}

const resultMessage = (state: RunningState, call: TrackedCall, result: CallResult): readonly [UserMessage, RunningState] => {
  const [uuid, drawn] = freshUuid(state)
  return [
    {
      type: "user",
      uuid,
      timestamp: timestamp(state),
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: call.id,
            content: result.content,
            ...(result.isError ? { is_error: true } : {})
          }
        ]
      },
      toolUseResult: result.data,
      sourceToolAssistantUUID: call.assistantUuid,
      ...(result.denial === undefined ? {} : { toolDenialKind: result.denial })
    },
    drawn
  ]
}

/** Publishes one result behind its call. The tip stays: results are leaves until the response ends. */
const yieldResult = (state: RunningState, call: TrackedCall): Step<Running> => {
  if (call.result === undefined) return stay(state)
  const { turn } = state.run
  const [message, drawn] = resultMessage(state, call, call.result)
  return [
    setTurn(drawn, {
      calls: updateCall(turn.calls, call.id, { yielded: true }),
      results: [...turn.results, message]
    }),
    [{ _tag: "Persist", messages: [message], parentUuid: call.assistantUuid }, emit({ _tag: "MessageAdded", message })]
  ]
}

const yieldAll = (state: RunningState): Step<Running> =>
  resultsDue(state.run.turn.calls).reduce<Step<Running>>(
    (step, call) => andThen(step, (next) => yieldResult(next, call)),
    stay(state)
  )

/** One by one: a call that cannot be prepared settles at once and may let others begin. */
const startAll = (state: RunningState): Step<Running> => {
  const call = startable(state.run.turn.calls, state.config.limits.parallelCalls)[0]
  return call === undefined ? stay(state) : andThen(prepare(state, call), startAll)
}

/** After any change to the calls: results that are due go out, calls that may begin begin. */
const settleAndSchedule = (state: RunningState): Step<Running> =>
  andThen(andThen(cancelWaitingSiblings(state), yieldAll), (next) =>
    isIn(next, "Settling") ? stay<Running>(next) : startAll(next)
  )

export const completeCall = (state: RunningState, call: TrackedCall, result: CallResult): Step<Running> => {
  const { calls } = state.run.turn
  const known = findCall(calls, call.id)
  const remarked = withRemark(result, known?.context)
  const completed = setTurn(state, { calls: complete(calls, call.id, remarked) })
  return andThen([completed, known === undefined ? [] : endCheck(known)], settleAndSchedule)
}

export const callsSettled = (state: RunningState): boolean => allCompleted(state.run.turn.calls)
