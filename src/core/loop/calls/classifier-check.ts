import type { CallId } from "../../domain/id.ts"
import type { CheckInquiry } from "../../permission/classifier/request.ts"
import type { Decision } from "../../permission/verdict.ts"
import { checkRecord } from "./classifier-excerpt.ts"
import { currentModel } from "../turn/send-request.ts"
import { cancelTimer, startTimer } from "../machine/pending.ts"
import type { AgentState, Call, Check, PreparedCall, Run, Running, RunningState } from "../machine/state.ts"
import { andThen, freshName, type Step, stay } from "../machine/transition.ts"

/** The classifier's look at a call: begun, and ended early. */
export interface Checked {
  readonly decision: Decision
  /** What the tool tells the classifier about the call. */
  readonly input: string
}

/** What is to be judged, in the words of the tool. */
export interface JudgedAction {
  readonly tool: string
  readonly input: string
  readonly why: string
}

/** What the user and the project have written down about the work here. */
const instructionsIn = ({ conversation }: AgentState): string | undefined => {
  const files = conversation.context.readings.instructions ?? []
  return files.length === 0 ? undefined : files.map(({ value }) => `${value.path}:\n${value.text}`).join("\n\n")
}

const inquiryOf = (state: AgentState, { tool, input, why }: JudgedAction, before: CallId | undefined): CheckInquiry => {
  const { permission, config, cwd } = state
  const { environment, allow, softDeny, hardDeny } = permission.auto
  return {
    lists: { environment, allow, softDeny, hardDeny },
    notes: instructionsIn(state),
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
export const beginLook = <R extends Run>(state: AgentState<R>, look: Look): Step<R> => {
  const { checkId, callId, action, before, wantsWorkingTree = false } = look
  const inquiry = inquiryOf(state, action, before)
  const ms = state.config.limits.checkTimeoutMs
  return andThen([state, [{ _tag: "CheckCall", checkId, callId, inquiry, wantsWorkingTree }]], (next) =>
    startTimer(next, { timerId: checkId, ms, then: { _tag: "GiveUpOnCheck", checkId } })
  )
}

/** The classifier is asked: the call with its look under way, and what has to be done. */
export const openCheck = <C extends PreparedCall>(
  state: RunningState,
  call: C,
  { decision, input }: Checked
): readonly [C & { readonly check: Check }, Step<Running>] => {
  const [checkId, named] = freshName(state, "check")
  const action = { tool: call.tool, input, why: decision.reason.sentence }
  const wantsWorkingTree = decision.loss !== undefined
  return [
    { ...call, check: { id: checkId } },
    beginLook(named, { checkId, callId: call.id, action, before: call.id, wantsWorkingTree })
  ]
}

/** Nobody waits for the look any more. */
export const endLook = <R extends Run>(state: AgentState<R>, checkId: string): Step<R> =>
  andThen([state, [{ _tag: "AbortCheck", checkId }]], (next) => cancelTimer(next, checkId))

/** Nobody waits for the look at a call any more, if it is under way. */
export const endCheck = (state: RunningState, call: Call): Step<Running> =>
  "check" in call && call.check !== undefined && call.check.outcome === undefined
    ? endLook(state, call.check.id)
    : stay(state)
