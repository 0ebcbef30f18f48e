import type { CallId } from "../../domain/id.ts"
import type { CheckInquiry } from "../../permission/classifier/request.ts"
import type { Decision } from "../../permission/verdict.ts"
import { checkRecord } from "./classifier-excerpt.ts"
import type { Command } from "../machine/command.ts"
import { updateCall } from "./call-scheduler.ts"
import { currentModel } from "../turn/send-request.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { AgentState, Running, RunningState, TrackedCall } from "../machine/state.ts"
import { freshName, type Step, stay } from "../machine/transition.ts"

/** The classifier's look at a call: begun, and ended early. */
export interface Checked {
  readonly decision: Decision
  /** What the tool tells the classifier about the call. */
  readonly input: string
}

const setCheck = (state: RunningState, callId: string, check: TrackedCall["check"]): RunningState =>
  setTurn(state, { calls: updateCall(state.run.turn.calls, callId, { check }) })

/** What is to be judged, in the words of the tool. */
export interface JudgedAction {
  readonly tool: string
  readonly input: string
  readonly why: string
}

const inquiryOf = (state: AgentState, { tool, input, why }: JudgedAction, before: CallId | undefined): CheckInquiry => {
  const { permission, config, cwd } = state
  const { environment, allow, softDeny, hardDeny } = permission.auto
  return {
    lists: { environment, allow, softDeny, hardDeny },
    notes: config.prompt.userContext,
    ...checkRecord(state, before),
    action: {
      tool,
      input,
      cwd,
      working_directories: permission.workingDirs.map(({ path }) => path),
      why_asked: why
    },
    model: currentModel(state),
    caching: config.choice.caching
  }
}

export interface Look {
  readonly checkId: string
  readonly callId: CallId
  readonly action: JudgedAction
  /** The record ends before this call; without it nothing is left out. */
  readonly before?: CallId
  readonly wantsWorkingTree?: boolean
}

/** The core keeps the time itself, so that a classifier that died delays nothing any longer. */
export const beginLook = (state: AgentState, look: Look): ReadonlyArray<Command> => {
  const { checkId, callId, action, before, wantsWorkingTree = false } = look
  return [
    { _tag: "CheckCall", checkId, callId, inquiry: inquiryOf(state, action, before), wantsWorkingTree },
    { _tag: "StartTimer", timerId: checkId, ms: state.config.limits.checkTimeoutMs }
  ]
}

export const openCheck = (state: RunningState, call: TrackedCall, { decision, input }: Checked): Step<Running> => {
  const [checkId, named] = freshName(state, "check")
  const action = { tool: call.tool ?? call.name, input, why: decision.reason.sentence }
  const wantsWorkingTree = decision.loss !== undefined
  return [
    setCheck(named, call.id, { id: checkId }),
    beginLook(state, { checkId, callId: call.id, action, before: call.id, wantsWorkingTree })
  ]
}

/** What stops a look. */
export const endLook = (checkId: string): ReadonlyArray<Command> => [
  { _tag: "AbortCheck", checkId },
  { _tag: "CancelTimer", timerId: checkId }
]

/** What stops the look at a call, if it is under way. */
export const endCheck = ({ check }: Pick<TrackedCall, "check">): ReadonlyArray<Command> =>
  check === undefined || check.outcome !== undefined ? [] : endLook(check.id)

/** Nobody waits for the look any more, and what came of it counts no longer. */
export const dropCheck = (state: RunningState, call: TrackedCall): Step<Running> =>
  call.check === undefined ? stay(state) : [setCheck(state, call.id, undefined), endCheck(call)]
