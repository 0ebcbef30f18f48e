import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import type { AgentState } from "../../../src/core/loop/machine/state.ts"
import { turnOf, phaseOf } from "../../../src/core/loop/machine/transition.ts"
import { timerFor } from "../../../src/core/loop/machine/pending.ts"

/**
 * Stands for an id that fits what the state waits for at that moment. It takes sequences deeper than chance would; a
 * number behind it names a call by its place.
 */
export const AIMED = "@"

const aimAtCall = (state: AgentState, id: string): string => {
  const calls = turnOf(state)?.calls ?? []
  return calls[Number(id.slice(AIMED.length)) % Math.max(1, calls.length)]?.id ?? "c1"
}

const callRef = (state: AgentState, id: string): string => (id.startsWith(AIMED) ? aimAtCall(state, id) : id)

/** The look at a call that is awaited. */
const awaitedCheck = (state: AgentState): string | undefined =>
  turnOf(state)
    ?.calls.flatMap((call) => ("check" in call ? (call.check ?? []) : []))
    .find(({ outcome }) => outcome === undefined)?.id ??
  state.pending.hosts.open.find(({ check }) => check !== undefined)?.check

/** The event with aimed ids replaced by those the state waits for. */
export const aim = (state: AgentState, occurrence: Occurrence): Occurrence => {
  const phase = phaseOf(state)
  const waited: Readonly<Record<string, string>> = {
    ...("requestId" in phase ? { requestId: phase.requestId } : {}),
    ...("ack" in phase ? { ack: phase.ack } : {}),
    ...(phase._tag === "Waiting" ? { timerId: timerFor(state, "RetryRequest") } : {}),
    ...(phase._tag === "Settling" ? { timerId: timerFor(state, "EndSettling") } : {}),
    ...("collectId" in phase ? { collectId: phase.collectId, timerId: phase.collectId } : {}),
    ...("readId" in phase ? { readId: phase.readId } : {}),
    ...("hookId" in phase ? { hookId: phase.hookId } : {}),
    sideId: state.side.runs.at(-1)?.id ?? "nothing",
    ...("compactionId" in phase ? { compactionId: phase.compactionId } : {})
  }
  const fields = Object.entries(occurrence).map(([key, value]: [string, unknown]) => {
    if (typeof value !== "string" || !value.includes(AIMED)) return [key, value]
    if (key === "checkId" || value === `check${AIMED}`) return [key, awaitedCheck(state) ?? "check-0"]
    if (key === "callId") return [key, callRef(state, value)]
    if (/^(pre|post):/.test(value)) return [key, value.replace(/@\d/, (id) => callRef(state, id))]
    return [key, waited[key] ?? "nothing"]
  })
  return Object.fromEntries(fields) as Occurrence
}
