import type { HookOutcome } from "../hooks/outcome.ts"
import { recordUsage } from "./turn/accounting.ts"
import { onCompactHooks, onCompactionFailed, onCompactionSettled, onWindowHooks } from "./reduction/compact.ts"
import { onClearRequested, onReductionRequested, whatWasWanted } from "./reduction/asked.ts"
import { patchState } from "./machine/patch-state.ts"
import { dropHooks, dropTimer } from "./machine/pending.ts"
import type { LoopEvent, TurnOccurrence } from "./machine/event.ts"
import { onSettleTimeout } from "./interrupt.ts"
import {
  onCallOutdated,
  onCallPrepared,
  onCallProgressed,
  onCallRefused,
  onCallSettled,
  onCallStopped,
  onPermissionAnswered,
  onPostToolHooks,
  onPreToolHooks
} from "./on-call.ts"
import { giveUpOnCheck, onCallChecked, reconsider } from "./on-classified.ts"
import {
  onConfigEvent,
  onModeChanged,
  onPermissionsUpdated,
  onSettingsApplied,
  onShutDown,
  onToolsChanged
} from "./on-control.ts"
import { goOnWithoutContext, onContextOutdated, onContextRead } from "./on-context.ts"
import { onHostRequested, onHostRequestEnded } from "./on-host.ts"
import { onRetryHastened } from "./continue/retry-request.ts"
import { onRequestFailed, onStreamEnded } from "./on-failure.ts"
import { growOpenBlock, onModelSaid, onStreamOpened, releaseHeld } from "./on-model.ts"
import { onWindowRead } from "./reduction/undo.ts"
import { onPinChanged } from "./reduction/pins.ts"
import { onPersisted, onPersistFailed, onPromptHooks, onPromptSubmitted, onSessionHooks } from "./on-prompt.ts"
import { onQueueCancelled } from "./turn/queue.ts"
import type { AgentState, RunningState } from "./machine/state.ts"
import { onBatchHooks } from "./continue/batch-hooks.ts"
import { onStopHooks } from "./continue/stop-hooks.ts"
import { andThen, inTurn, type Step, stay } from "./machine/transition.ts"
import { onSideAsked, onSideDropped, onSideEnd, whatIsDue } from "./side/on-side.ts"
import { onInterrupted } from "./take-back.ts"
import { sendRequest } from "./turn/send-request.ts"

const onTimerFired = (state: AgentState, timerId: string): Step => {
  const timer = state.pending.timers.find(({ id }) => id === timerId)
  if (timer === undefined) return stay(state)
  const { then } = timer
  // Conclusions cancel the timer of settling, whatever brought them about.
  if (then._tag === "EndSettling") return inTurn(state, onSettleTimeout)
  const heard = dropTimer(state, timerId)
  switch (then._tag) {
    case "ReleaseHeldBlock":
      return inTurn(heard, releaseHeld)
    case "RetryRequest":
      return inTurn(heard, sendRequest)
    case "GoOnWithoutContext":
      return inTurn(heard, (running) => goOnWithoutContext(running, then.collectId))
    case "GiveUpOnCheck":
      return giveUpOnCheck(heard, then.checkId)
  }
}

const onHooksSettled = (state: RunningState, hookId: string, outcome: HookOutcome): Step => {
  const hook = state.pending.hooks.find(({ id }) => id === hookId)
  if (hook === undefined) return stay(state)
  const heard = dropHooks(state, hookId)
  const { then } = hook
  switch (then._tag) {
    case "BeginWindow":
      return onWindowHooks(heard, outcome)
    case "BeginSession":
      return onSessionHooks(heard, outcome)
    case "BeginTurn":
      return onPromptHooks(heard, outcome)
    case "JudgeCall":
      return onPreToolHooks(heard, then.callId, outcome)
    case "SettleCall":
      return onPostToolHooks(heard, then.callId, outcome)
    case "NextRequest":
      return onBatchHooks(heard, then.reason, outcome)
    case "EndTurn":
      return onStopHooks(heard, outcome)
    case "Compact":
      return onCompactHooks(heard, then.aim, outcome)
  }
}

/** What means something whether a turn runs or not; the rest is for the turn that runs, if one does. */
const dispatch = (state: AgentState, event: LoopEvent): Step => {
  switch (event._tag) {
    case "PromptSubmitted":
      return onPromptSubmitted(state, event)
    case "TimerFired":
      return onTimerFired(state, event.timerId)
    case "ContextRead":
      return onContextRead(state, event)
    case "ContextOutdated":
      return onContextOutdated(state)
    case "CallChecked":
      return onCallChecked(state, event)
    case "SpentBeside":
      return stay(event.spent.reduce(recordUsage, state))
    case "SideAsked":
      return onSideAsked(state, event.kind)
    case "SideDropped":
      return onSideDropped(state, event.kind)
    case "SideSettled":
    case "SideFailed":
      return onSideEnd(state, event)
    case "PermissionAnswered":
      return onPermissionAnswered(state, event.callId, event.answer)
    case "HostRequested":
      return onHostRequested(state, event)
    case "HostRequestEnded":
      return onHostRequestEnded(state, event.requestId)
    case "PinChanged":
      return onPinChanged(state, event)
    case "CompactionRequested":
      return onReductionRequested(state, { _tag: "Manual", focus: event.focus, part: event.part ?? { _tag: "All" } })
    case "ClearRequested":
      return onClearRequested(state, event.calls)
    case "SnipRequested":
      return onReductionRequested(state, { _tag: "Snip", rounds: event.rounds })
    case "AboutCompaction":
      return onReductionRequested(state, event.wish)
    case "QueueCancelled":
      return onQueueCancelled(state, event.uuids)
    case "ModeChanged":
      return onModeChanged(state, event.mode)
    case "PermissionsUpdated":
      return onPermissionsUpdated(state, event.updates)
    case "SettingsApplied":
      return onSettingsApplied(state, event.settings)
    case "ToolsChanged":
      return onToolsChanged(state, event.tools)
    case "ModelChosen":
    case "PromptChanged":
    case "CompactionTuned":
    case "LimitsChanged":
    case "SideTasksTuned":
    case "OutputPromised":
    case "HooksRegistered":
    case "AudienceChanged":
      return onConfigEvent(state, event)
    default:
      return inTurn(state, (running) => dispatchInTurn(running, event))
  }
}

const dispatchInTurn = (state: RunningState, event: TurnOccurrence): Step => {
  switch (event._tag) {
    case "ModelSaid":
      return onModelSaid(state, event.requestId, event.event)
    case "Persisted":
      return onPersisted(state, event.ack)
    case "PersistFailed":
      return onPersistFailed(state, event.ack, event.cause)
    case "StreamOpened":
      return onStreamOpened(state, event.requestId, event.apiRequestId)
    case "StreamEnded":
      return onStreamEnded(state, event.requestId)
    case "RequestFailed":
      return onRequestFailed(state, event)
    case "CallPrepared":
      return onCallPrepared(state, event.callId, event.facts)
    case "CallOutdated":
      return onCallOutdated(state, event.callId, event.facts)
    case "CallRefused":
      return onCallRefused(state, event.callId, event.message)
    case "CallStopped":
      return onCallStopped(state, event.callId)
    case "CallProgressed":
      return onCallProgressed(state, event.callId, event.progress)
    case "CallSettled":
      return onCallSettled(state, event.callId, event.outcome)
    case "HooksSettled":
      return onHooksSettled(state, event.hookId, event.outcome)
    case "CompactionSettled":
      return onCompactionSettled(state, event)
    case "CompactionFailed":
      return onCompactionFailed(state, event)
    case "RetryHastened":
      return onRetryHastened(state, event.by)
    case "WindowRead":
      return onWindowRead(state, event)
    case "Interrupted":
      return onInterrupted(state, event.takeBack === true)
    case "ShutDown":
      return onShutDown(state)
  }
}

/** After these nothing holds any more of what the classifier was asked before. */
const CHANGES_MINDS: ReadonlySet<LoopEvent["_tag"]> = new Set([
  "PromptSubmitted",
  "PermissionAnswered",
  "ModeChanged",
  "PermissionsUpdated",
  "SettingsApplied"
])

/**
 * The whole agent: what happened goes in, the new state and what has to be done come out. Total, deterministic, without
 * effects. An event that means nothing in the current phase returns the very same state.
 */
export const step = (state: AgentState, event: LoopEvent): Step => {
  const grown = growOpenBlock(state, event)
  if (grown !== undefined) return stay(grown)
  const timed = event.at === state.now ? state : patchState(state, { now: event.at })
  const done = andThen(dispatch(timed, event), whatWasWanted)
  const decided = CHANGES_MINDS.has(event._tag) && done[0] !== timed ? andThen(done, reconsider) : done
  const next = andThen(decided, (settled) => whatIsDue(settled, decided[1]))
  return next[0] === timed && next[1].length === 0 ? stay(state) : next
}
