import { Result } from "effect"
import type { ToolUseBlock } from "../../domain/block.ts"
import type { AssistantMessage, UserMessage } from "../../domain/message.ts"
import { NO_FACTS } from "../../permission/facts.ts"
import { factsWanted } from "../../permission/decide/facts-wanted.ts"
import type { AnyTool, DecodedCall } from "../../tools/contract/any-tool.ts"
import { nearestTools, toolFor } from "../../tools/toolbox.ts"
import type { Command } from "../machine/command.ts"
import { endCheck } from "./classifier-check.ts"
import { allCompleted, errorResult, isSafe, occupies, startable, resultsDue } from "./call-scheduler.ts"
import { enter, findCall, setCall } from "./call-stage.ts"
import { setTurn } from "../machine/patch-state.ts"
import { dropHooks } from "../machine/pending.ts"
import type {
  AgentState,
  Call,
  CallAt,
  CallResult,
  CallStage,
  PreparedCall,
  ReadCall,
  Running,
  RunningState
} from "../machine/state.ts"
import { andThen, emit, freshUuid, isIn, type Step, stay, timestamp } from "../machine/transition.ts"

export interface AdmittedBlock {
  readonly block: ToolUseBlock
  readonly message: AssistantMessage
  readonly malformed: string | undefined
}

const unknownTool = (state: AgentState, name: string): string => {
  const near = nearestTools(state.toolbox, name)
  const hint = near.length === 0 ? "" : ` Closest names: ${near.join(", ")}.`
  return `Error: No such tool available: ${name}.${hint}`
}

/** A new call as its block stands: decoded, or already settled with an error. */
const track = (state: AgentState, { block, message, malformed }: AdmittedBlock): Call => {
  const { id, name } = block
  const made = { id, name, assistantUuid: message.uuid }
  const refused = (text: string, tool?: AnyTool): Call => ({
    ...made,
    stage: "completed",
    tool: tool?.name,
    reading: undefined,
    isMalformed: malformed !== undefined,
    result: errorResult(text),
    isYielded: false
  })
  const tool = toolFor(state.toolbox, name)
  if (tool === undefined) return refused(unknownTool(state, name))
  if (malformed !== undefined) {
    const problem = `the input of ${name} is not valid JSON (${malformed}). Send the call again.`
    return refused(`InputValidationError: ${problem}`, tool)
  }
  const reading = tool.read(block.input)
  return Result.isFailure(reading)
    ? refused(reading.failure, tool)
    : { ...made, stage: "queued", tool: tool.name, reading: reading.success }
}

/** Takes a call in when its block is complete; it may begin at once, while the rest of the response still arrives. */
export const admitCall = (state: RunningState, admitted: AdmittedBlock): Step<Running> =>
  scheduleCalls(setTurn(state, { calls: [...state.run.turn.calls, track(state, admitted)] }))

/** What is to be decided about a call, without the facts about its paths. */
export const permissionRequest = (state: AgentState, tool: AnyTool, { input, traits }: DecodedCall) => ({
  context: state.permission,
  tool: { name: tool.name, aliases: tool.aliases, readOnly: traits.readOnly },
  needs: tool.needs(input, state.cwd),
  input: input.value,
  cwd: state.cwd
})

/** A call that begins: nothing is known about it but its input. */
const untouched = ({ id, name, assistantUuid, tool, reading }: ReadCall): PreparedCall => ({
  id,
  name,
  assistantUuid,
  tool,
  reading,
  facts: NO_FACTS,
  hook: undefined,
  hookContext: undefined,
  isRewritten: false,
  grant: undefined,
  redecided: 0,
  check: undefined,
  onlyReads: false
})

/** Lets a call read the world before its permission is decided. */
export const prepare = (state: RunningState, prepared: PreparedCall): Step<Running> => {
  const call = enter(prepared, "preparing")
  const tool = toolFor(state.toolbox, call.tool)
  if (tool === undefined) return completeCall(state, call, errorResult(unknownTool(state, call.name)))
  return [
    setCall(state, call),
    [
      {
        _tag: "PrepareCall",
        callId: call.id,
        tool: tool.name,
        input: call.reading.input,
        wanted: factsWanted(permissionRequest(state, tool, call.reading)),
        cwd: state.cwd
      }
    ]
  ]
}

const siblingError = (failed: string): CallResult =>
  errorResult(`Cancelled: this call was not run because ${failed} failed in the same response.`)

const NOT_BEGUN: ReadonlySet<CallStage> = new Set(["queued", "preparing", "held", "hooks", "checking", "asking"])

/** Nothing of the call has happened yet. */
export const isWaiting = ({ stage }: Call): boolean => NOT_BEGUN.has(stage)

const completed = (call: Call, result: CallResult, remark?: string): CallAt<"completed"> => ({
  stage: "completed",
  id: call.id,
  name: call.name,
  assistantUuid: call.assistantUuid,
  tool: call.tool,
  reading: call.reading,
  isMalformed: false,
  result,
  isYielded: false,
  ...(remark === undefined ? {} : { remark })
})

/** A failed shell call takes its siblings with it: those that have not begun get their result at once. */
export const cancelWaitingSiblings = (state: RunningState): Step<Running> => {
  const { calls, failedCall } = state.run.turn
  if (failedCall === undefined) return stay(state)
  const waiting = calls.filter(isWaiting)
  const asked = waiting.filter(({ stage }) => stage === "asking")
  const result = siblingError(failedCall)
  const withdrawn: Step<Running> = [state, asked.map(({ id }): Command => ({ _tag: "WithdrawQuestion", callId: id }))]
  return waiting.reduce<Step<Running>>(
    (step, call) => andThen(step, (next) => abandon(setCall(next, completed(call, result)), call)),
    withdrawn
  )
}

/** Nobody waits any more for what others have to say about the call. */
const abandon = (state: RunningState, call: Call): Step<Running> =>
  endCheck("hookId" in call ? dropHooks(state, call.hookId) : state, call)

const resultMessage = (
  state: RunningState,
  { id, assistantUuid, result }: CallAt<"completed">
): readonly [UserMessage, RunningState] => {
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
            tool_use_id: id,
            content: result.content,
            ...(result.isError ? { is_error: true } : {})
          }
        ]
      },
      toolUseResult: result.data,
      sourceToolAssistantUUID: assistantUuid,
      ...(result.denial === undefined ? {} : { toolDenialKind: result.denial })
    },
    drawn
  ]
}

/** Publishes one result behind its call. The tip stays: results are leaves until the response ends. */
const yieldResult = (state: RunningState, call: CallAt<"completed">): Step<Running> => {
  const [message, drawn] = resultMessage(state, call)
  const yielded = setCall(drawn, { ...call, isYielded: true })
  return [
    setTurn(yielded, { results: [...state.run.turn.results, message] }),
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
  if (call === undefined) return stay(state)
  return andThen(prepare(state, call.stage === "queued" ? untouched(call) : call), startAll)
}

/** What a call is not known to be safe for: others run beside it. */
export const isCrowded = (state: RunningState, call: Call): boolean =>
  !isSafe(call) && state.run.turn.calls.some((other) => other.id !== call.id && occupies(other))

/** Waits until nothing else runs. */
export const holdCall = (state: RunningState, call: PreparedCall): Step<Running> =>
  scheduleCalls(setCall(state, enter(call, "held")))

/** After any change to the calls: results that are due go out, calls that may begin begin. */
export const scheduleCalls = (state: RunningState): Step<Running> =>
  andThen(andThen(cancelWaitingSiblings(state), yieldAll), (next) =>
    isIn(next, "Settling") ? stay<Running>(next) : startAll(next)
  )

/** The call gets its result, once. */
export const completeCall = (state: RunningState, call: Call, result: CallResult): Step<Running> => {
  if (findCall(state, call.id)?.stage === "completed") return scheduleCalls(state)
  const remark = "hookContext" in call ? call.hookContext : undefined
  const settled = setCall(state, completed(call, result, remark))
  return andThen(abandon(settled, call), scheduleCalls)
}

export const callsSettled = (state: RunningState): boolean => allCompleted(state.run.turn.calls)
