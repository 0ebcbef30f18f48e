import {
  SEEN,
  type SideKind,
  type SideMoment,
  type SidePast,
  type SideResult,
  type SideView
} from "../../context/side/side-task.ts"
import { SIDE_TASKS } from "../../context/side/side-tasks.ts"
import { recordUsage } from "../turn/accounting.ts"
import { overBudget } from "../turn/send-request.ts"
import type { Command } from "../machine/command.ts"
import type { SideEnd } from "../machine/event.ts"
import { patchState } from "../machine/patch-state.ts"
import type { AgentState, SideRun, SideState } from "../machine/state.ts"
import {
  andThen,
  commitAndPublish,
  emit,
  freshName,
  freshUuid,
  isRunning,
  notice,
  type Step,
  stay,
  timestamp
} from "../machine/transition.ts"
import { sideWork } from "./side-request.ts"

/** Side tasks at work: begun where their rows say so, one run of a kind at a time, their cost counted once. */

const patchSide = (state: AgentState, patch: Partial<SideState>): AgentState =>
  patchState(state, { side: { ...state.side, ...patch } })

const withPast = (state: AgentState, kind: SideKind, past: SidePast): AgentState =>
  patchSide(state, { past: { ...state.side.past, [kind]: past } })

/** Aborted runs that never report are forgotten in the end. */
const MOST_RUNS = 16

const endedOf = ({ run }: AgentState): SideView["ended"] =>
  run._tag === "Done" ? { isAnswered: run.reason === "completed" } : undefined

const budgetLeft = ({ config, totals }: AgentState): number => {
  const { maxBudgetUsd } = config.limits
  return maxBudgetUsd === undefined ? 1 : Math.max(0, 1 - totals.costUsd / maxBudgetUsd)
}

const viewOf = (state: AgentState, kind: SideKind, moment: SideMoment): SideView => ({
  moment,
  options: state.config.side,
  messages: state.conversation.messages,
  ended: endedOf(state),
  past: state.side.past[kind] ?? { begun: 0, upTo: state.side.resumedAt },
  isResumed: state.side.resumedAt !== null,
  isPlanning: state.permission.mode === "plan",
  isCached: state.config.choice.caching.enabled,
  budgetLeft: budgetLeft(state)
})

const start = (state: AgentState, kind: SideKind, moment: SideMoment): Step => {
  const view = viewOf(state, kind, moment)
  const order = overBudget(state) ? undefined : SIDE_TASKS[kind].order(view)
  if (order === undefined) return stay(state)
  if (order === SEEN) return stay(withPast(state, kind, { ...view.past, upTo: state.conversation.tip }))
  const [id, named] = freshName(state, "side")
  const run: SideRun = { id, kind, tip: state.conversation.tip, isWanted: true }
  const begun = patchSide(withPast(named, kind, { ...view.past, begun: view.past.begun + 1 }), {
    runs: [...state.side.runs.slice(1 - MOST_RUNS), run]
  })
  const { timeoutMs } = order
  return [begun, [{ _tag: "StartSide", sideId: id, kind, timeoutMs, work: sideWork(state, kind, order) }]]
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

/** Somebody asks for it by name. */
export const onSideAsked = (state: AgentState, kind: SideKind): Step =>
  state.config.side.kinds.includes(kind) ? begin(state, kind, "asked") : stay(state)

/** Nobody wants it any more. */
export const onSideDropped = (state: AgentState, kind: SideKind): Step => {
  const running = state.side.runs.find((run) => run.kind === kind && run.isWanted)
  if (running === undefined) return stay(state)
  return abort(patchSide(state, { waiting: state.side.waiting.filter((one) => one.kind !== kind) }), running)
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
    // A prompt makes what was meant for the time before it useless.
    const stale = moment === "prompt" ? kinds.filter((kind) => SIDE_TASKS[kind].overlap === "replace") : []
    const cleared = stale.reduce<Step>((all, kind) => andThen(all, (next) => onSideDropped(next, kind)), done)
    return due.reduce<Step>((all, kind) => andThen(all, (next) => begin(next, kind, moment)), cleared)
  }, stay(state))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The line stands behind a turn; while one runs it would stand between a call and its result. */
const remembered = (state: AgentState, paths: ReadonlyArray<string>): Step => {
  const count = paths.length === 1 ? "1 memory" : `${paths.length} memories`
  const content = `Saved ${count} (${paths.map(nameOf).join(", ")}) · /memory to see`
  if (isRunning(state)) return [state, [notice("info", content)]]
  const [uuid, drawn] = freshUuid(state)
  const line = { type: "system", uuid, timestamp: timestamp(drawn), subtype: "memory_saved", level: "info" } as const
  return commitAndPublish(drawn, { ...line, content, paths })
}

const announce = (state: AgentState, result: SideResult): Step => {
  const report = emit({ _tag: "SideReported", result })
  switch (result._tag) {
    case "Suggested":
    case "Recapped":
      return [state, [report]]
    case "Remembered":
      return remembered(state, result.paths)
    case "Titled":
      return [state, [{ _tag: "Note", record: { type: "ai-title", aiTitle: result.title } }, report]]
  }
}

const resultOf = (state: AgentState, { kind, tip }: SideRun, event: SideEnd): Step => {
  if (event._tag === "SideFailed") return stay(state)
  const view = viewOf(state, kind, "asked")
  const done = withPast(state, kind, { ...view.past, upTo: tip })
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

/** How long the program waits before it ends, for what is at work now. */
export const exitWaitMs = ({ side }: AgentState): number =>
  Math.max(0, ...side.runs.map(({ kind, isWanted }) => (isWanted ? (SIDE_TASKS[kind].exitWaitMs ?? 0) : 0)))
