import { clearThese } from "../../context/reduction/clear-results.ts"
import { snip } from "../../context/reduction/snip.ts"
import { finish } from "../turn/finish.ts"
import { overBudget } from "../turn/send-request.ts"
import { openTurn } from "../turn/start-turn.ts"
import { patchConversation, setTurn } from "../machine/patch-state.ts"
import type { AgentState, AskedReduction, CompactionWish, RunningState } from "../machine/state.ts"
import { andThen, emit, freshUuid, isRunning, notice, type Step, stay } from "../machine/transition.ts"
import type { CallId } from "../../domain/id.ts"
import { clearResults } from "./clear.ts"
import { announceCompaction, reduceTo } from "./compact.ts"
import { changeWindow } from "./undo.ts"
import { rungInput, viewOf } from "./view.ts"

/** Somebody wants the conversation made smaller now. */

type Wanted = AskedReduction | CompactionWish

const withWanted = (state: AgentState, wanted: ReadonlyArray<Wanted>): AgentState =>
  patchConversation(state, { compaction: { ...state.conversation.compaction, wanted } })

const whyNot = (state: AgentState, asked: AskedReduction): string | undefined => {
  if (state.config.compaction.isDisabled) return "Compaction is switched off here. Fix: start without DISABLE_COMPACT"
  if (asked._tag === "Manual" && overBudget(state)) return "There is no budget left to have a summary written."
  return undefined
}

const refuse = (state: RunningState, words: string): Step =>
  andThen([setTurn(state, { stopText: words }), [notice("warning", words)]], (next) => finish(next, "completed"))

const begin = (state: RunningState, asked: Wanted): Step => {
  if (asked._tag === "Undo" || asked._tag === "Redo" || asked._tag === "Reword") return changeWindow(state, asked)
  const refusal = whyNot(state, asked)
  if (refusal !== undefined) return refuse(state, refusal)
  const aim = { rescue: undefined, leaveOut: 0, tooLong: 0, asked }
  if (asked._tag === "Manual") return announceCompaction(state, aim)
  const plan = snip(rungInput(state, asked))
  return plan === undefined
    ? refuse(state, "There is no earlier round that could be taken out.")
    : reduceTo(state, plan, { aim, words: "" })
}

/**
 * It is a turn of its own, so that it can be paid for, interrupted and waited for; it waits for the end of one that
 * runs.
 */
export const onReductionRequested = (state: AgentState, asked: Wanted): Step => {
  if (isRunning(state)) return stay(withWanted(state, [...state.conversation.compaction.wanted, asked]))
  const [promptUuid, drawn] = freshUuid(state)
  const begun = setTurn(openTurn(drawn, promptUuid), { isCommand: true })
  return andThen([begun, [emit({ _tag: "TurnStarted", promptUuid })]], (next) => begin(next, asked))
}

/** What was asked for while a turn ran happens when none does. */
export const whatWasWanted = (state: AgentState): Step => {
  const [next, ...rest] = state.conversation.compaction.wanted
  if (next === undefined || isRunning(state)) return stay(state)
  return andThen(onReductionRequested(withWanted(state, rest), next), whatWasWanted)
}

/** A user clears results by hand. Under way nothing may change below a request. */
export const onClearRequested = (state: AgentState, calls: ReadonlyArray<CallId>): Step => {
  const tell = (words: string): Step => [state, [notice("warning", words)]]
  if (isRunning(state)) return tell("Results can be cleared when the turn is over.")
  const plan = clearThese(viewOf(state), calls)
  return plan === undefined ? tell("There is no result here that could be cleared.") : clearResults(state, plan)
}
