import type {
  AgentState,
  Call,
  HookContinuation,
  PendingHook,
  TimerContinuation
} from "../../../src/core/loop/machine/state.ts"
import { isRunning } from "../../../src/core/loop/machine/transition.ts"
import { check } from "./law.ts"

/** What is waited for and where calls and turn stand, each read from the other: the two never disagree. */
type Wait = readonly [id: string, then: HookContinuation | TimerContinuation]

const hookOfCall = (call: Call): ReadonlyArray<Wait> => {
  if (call.stage === "hooks") return [[call.hookId, { _tag: "JudgeCall", callId: call.id }]]
  return call.stage === "reviewing" ? [[call.hookId, { _tag: "SettleCall", callId: call.id }]] : []
}

const OF_THE_TURN: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop", "PreCompact"])

const followsHooks = (asked: PendingHook | undefined): HookContinuation => {
  if (asked?.event === "PreCompact" && asked.then._tag === "Compact") return asked.then
  if (asked?.event === "PostToolBatch" && asked.then._tag === "NextRequest") return asked.then
  if (asked?.then._tag === "BeginSession" || asked?.then._tag === "BeginWindow") return asked.then
  return { _tag: asked?.event === "Stop" ? "EndTurn" : "BeginTurn" }
}

/** Hooks of the turn are told apart by their event alone: the phase is the same. */
const hooksWanted = (state: AgentState): ReadonlyArray<Wait> => {
  if (!isRunning(state)) return []
  const { phase, turn } = state.run
  const asked = state.pending.hooks.find(({ event }) => OF_THE_TURN.has(event))
  const own: ReadonlyArray<Wait> = phase._tag === "Hooks" ? [[phase.hookId, followsHooks(asked)]] : []
  return [...own, ...turn.calls.flatMap(hookOfCall)]
}

const checkTimer = (checkId: string): Wait => [checkId, { _tag: "GiveUpOnCheck", checkId }]

const checkOfCall = (call: Call): ReadonlyArray<Wait> =>
  "check" in call && call.check !== undefined && call.check.outcome === undefined ? [checkTimer(call.check.id)] : []

/** A timer of the turn, by what its phase says. */
const phaseTimer = (state: AgentState): ReadonlyArray<TimerContinuation> => {
  if (!isRunning(state)) return []
  const { phase } = state.run
  if (phase._tag === "Waiting") return [{ _tag: "RetryRequest" }]
  if (phase._tag === "Collecting") return [{ _tag: "GoOnWithoutContext", collectId: phase.collectId }]
  if (phase._tag === "Settling") return [{ _tag: "EndSettling" }]
  return phase._tag === "Streaming" && phase.held !== undefined
    ? [{ _tag: "ReleaseHeldBlock", requestId: phase.requestId }]
    : []
}

const texts = (values: ReadonlyArray<unknown>): string =>
  values
    .map((value) => JSON.stringify(value))
    .toSorted()
    .join(" ")

export const checkPending = (state: AgentState): void => {
  const { hooks, timers, hosts } = state.pending
  const hooksHeld = hooks.map(({ id, then }) => [id, then])
  check(texts(hooksHeld) === texts(hooksWanted(state)), "pending hooks and stages agree", texts(hooksHeld))
  const checks = timers.flatMap(({ id, then }): ReadonlyArray<Wait> => (then._tag === "GiveUpOnCheck" ? [[id, then]] : []))
  const looks = [
    ...(isRunning(state) ? state.run.turn.calls.flatMap(checkOfCall) : []),
    ...hosts.open.flatMap(({ check: id }) => (id === undefined ? [] : [checkTimer(id)]))
  ]
  check(texts(checks) === texts(looks), "every look has its time, and nothing else has", texts(checks))
  const others = timers.filter(({ then }) => then._tag !== "GiveUpOnCheck").map(({ then }) => then)
  check(texts(others) === texts(phaseTimer(state)), "pending timers and phase agree", texts(others))
}
