import type { HookEvent } from "../../hooks/hook-event.ts"
import { patchState } from "./patch-state.ts"
import type { AgentState, HookContinuation, Pending, Phase, Run, Running, RunningState } from "./state.ts"
import type { TimerContinuation } from "./state.ts"
import type { Step } from "./transition.ts"

/**
 * What was asked of somebody outside, with what follows their word. Nothing waits that was not entered here, and what
 * is not found here any more is late. Ids may say what they are for, but nobody reads them.
 */
export const patchPending = <R extends Run>(state: AgentState<R>, patch: Partial<Pending>): AgentState<R> =>
  patchState(state, { pending: { ...state.pending, ...patch } })

interface HookRun {
  readonly hookId: string
  readonly event: HookEvent
  readonly input: Readonly<Record<string, unknown>>
  readonly then: HookContinuation
}

export const askHooks = <P extends Phase>(
  state: RunningState<P>,
  { hookId, event, input, then }: HookRun
): Step<Running<P>> => [
  patchPending(state, { hooks: [...state.pending.hooks, { id: hookId, event, then }] }),
  [{ _tag: "RunHooks", hookId, event, input }]
]

/** Whatever these hooks say, nobody waits for it any more. */
export const dropHooks = <R extends Run>(state: AgentState<R>, hookId: string): AgentState<R> =>
  patchPending(state, { hooks: state.pending.hooks.filter(({ id }) => id !== hookId) })

interface Timer {
  readonly timerId: string
  readonly ms: number
  readonly then: TimerContinuation
}

export const startTimer = <R extends Run>(state: AgentState<R>, { timerId, ms, then }: Timer): Step<R> => [
  patchPending(state, { timers: [...state.pending.timers, { id: timerId, then }] }),
  [{ _tag: "StartTimer", timerId, ms }]
]

export const dropTimer = <R extends Run>(state: AgentState<R>, timerId: string): AgentState<R> =>
  patchPending(state, { timers: state.pending.timers.filter(({ id }) => id !== timerId) })

export const cancelTimer = <R extends Run>(state: AgentState<R>, timerId: string): Step<R> => [
  dropTimer(state, timerId),
  [{ _tag: "CancelTimer", timerId }]
]

/** The timer that goes on in this way, for phases that have one. */
export const timerFor = ({ pending }: AgentState, then: TimerContinuation["_tag"]): string =>
  pending.timers.find((timer) => timer.then._tag === then)?.id ?? ""

/** With the turn ends what it waited for; hosts are asked about beside it. */
export const afterTurn = ({ hosts, timers }: Pending): Pending => ({
  hosts,
  hooks: [],
  timers: timers.filter(({ id }) => hosts.open.some(({ check }) => check === id))
})
