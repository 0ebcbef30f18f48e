import type { SideKind, SideMoment, SideResult, SideView } from "../../context/side/side-task.ts"
import { SIDE_TASKS } from "../../context/side/side-tasks.ts"
import { recordUsage } from "../turn/accounting.ts"
import { overBudget } from "../turn/send-request.ts"
import type { Command } from "../machine/command.ts"
import type { SideEnd } from "../machine/event.ts"
import { patchState } from "../machine/patch-state.ts"
import type { AgentState, SideRun, SideState } from "../machine/state.ts"
import { andThen, emit, freshName, isRunning, type Step, stay } from "../machine/transition.ts"
import { sideRequest } from "./side-request.ts"

/** Side tasks at work: begun where their rows say so, one run of a kind at a time, their cost counted once. */

const patchSide = (state: AgentState, patch: Partial<SideState>): AgentState =>
  patchState(state, { side: { ...state.side, ...patch } })

/** Aborted runs that never report are forgotten in the end. */
const MOST_RUNS = 16

const viewOf = (state: AgentState, kind: SideKind, moment: SideMoment): SideView => ({
  moment,
  options: state.config.side,
  messages: state.conversation.messages,
  past: state.side.past[kind] ?? { begun: 0, upTo: state.side.resumedAt },
  isResumed: state.side.resumedAt !== null,
  isPlanning: state.permission.mode === "plan"
})

const start = (state: AgentState, kind: SideKind, moment: SideMoment): Step => {
  const view = viewOf(state, kind, moment)
  const order = overBudget(state) ? undefined : SIDE_TASKS[kind].order(view)
  if (order === undefined) return stay(state)
  const [id, named] = freshName(state, "side")
  const run: SideRun = { id, kind, tip: state.conversation.tip, isWanted: true }
  const { runs, past } = state.side
  const begun = patchSide(named, {
    runs: [...runs.slice(1 - MOST_RUNS), run],
    past: { ...past, [kind]: { ...view.past, begun: view.past.begun + 1 } }
  })
  const { timeoutMs } = order
  return [begun, [{ _tag: "StartSide", sideId: id, kind, timeoutMs, request: sideRequest(state, kind, order) }]]
}

/** What it cost is still counted when it reports. */
const abort = (state: AgentState, { id }: SideRun): Step => [
  patchSide(state, { runs: state.side.runs.map((run) => (run.id === id ? { ...run, isWanted: false } : run)) }),
  [{ _tag: "AbortSide", sideId: id }]
]

const begin = (state: AgentState, kind: SideKind, moment: SideMoment): Step => {
  const { overlap } = SIDE_TASKS[kind]
  const running = state.side.runs.find((run) => run.kind === kind && run.isWanted)
  if (running === undefined) return start(state, kind, moment)
  if (overlap === "replace") return andThen(abort(state, running), (next) => start(next, kind, moment))
  if (overlap === "drop" || state.side.waiting.some((one) => one.kind === kind)) return stay(state)
  return stay(patchSide(state, { waiting: [...state.side.waiting, { kind, moment }] }))
}

const momentOf = (state: AgentState, command: Command): SideMoment | undefined => {
  if (command._tag === "Emit") return command.emission._tag === "TurnFinished" ? "turn-end" : undefined
  if (command._tag !== "StartRequest" || !isRunning(state)) return undefined
  return state.run.turn.responses === 0 ? "prompt" : "batch"
}

/** Begins what is due now, behind everything that the conversation itself needs. */
export const whatIsDue = (state: AgentState, commands: ReadonlyArray<Command>): Step => {
  const { kinds } = state.config.side
  if (kinds.length === 0 || commands.length === 0) return stay(state)
  return commands.reduce<Step>((done, command) => {
    const moment = momentOf(state, command)
    if (moment === undefined) return done
    const due = kinds.filter((kind) => SIDE_TASKS[kind].moments.includes(moment))
    return due.reduce<Step>((all, kind) => andThen(all, (next) => begin(next, kind, moment)), done)
  }, stay(state))
}

const announce = (state: AgentState, result: SideResult): Step => {
  const report = emit({ _tag: "SideReported", result })
  switch (result._tag) {
    case "Titled":
      return [state, [{ _tag: "Note", record: { type: "ai-title", aiTitle: result.title } }, report]]
  }
}

const resultOf = (state: AgentState, { kind, tip }: SideRun, event: SideEnd): Step => {
  if (event._tag === "SideFailed") return stay(state)
  const view = viewOf(state, kind, "asked")
  const done = patchSide(state, { past: { ...state.side.past, [kind]: { ...view.past, upTo: tip } } })
  const result = SIDE_TASKS[kind].read(event.answer, view)
  return result === undefined ? stay(done) : announce(done, result)
}

const runWaiting = (state: AgentState, kind: SideKind): Step => {
  const waiting = state.side.waiting.find((one) => one.kind === kind)
  if (waiting === undefined) return stay(state)
  const next = patchSide(state, { waiting: state.side.waiting.filter((one) => one !== waiting) })
  return next.config.side.kinds.includes(kind) ? begin(next, kind, waiting.moment) : stay(next)
}

/** A run came to its end, or to none that anybody could use. What it cost counts either way. */
export const onSideEnd = (state: AgentState, event: SideEnd): Step => {
  const run = state.side.runs.find(({ id }) => id === event.sideId)
  if (run === undefined) return stay(state)
  const left = patchSide(state, { runs: state.side.runs.filter((one) => one !== run) })
  const paid = event.spent.reduce(recordUsage, left)
  if (!run.isWanted) return stay(paid)
  return andThen(resultOf(paid, run, event), (next) => runWaiting(next, run.kind))
}
