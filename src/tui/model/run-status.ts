import { spentTokens, targetText } from "../../core/loop/continue/token-target.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { isOfflineModel } from "../../core/model/catalog/model.ts"
import { currentModel, statusOf } from "../../core/loop/turn/send-request.ts"
import { workText } from "../transcript/entries/work-text.ts"
import { isRunning, type RunModel, type SessionModel } from "./session-model.ts"
import { turnOf } from "../../core/loop/machine/transition.ts"

/** What the row above the prompt shows of a running turn. */
export interface RunStatus {
  readonly words: string
  readonly elapsedMs: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Only when little is left. */
  readonly contextLeftPercent: number | undefined
  readonly offline: boolean
  readonly isWaiting: boolean
  /** How much of what the user wants spent is, and how often the model was sent on. */
  readonly target: string | undefined
}

const LITTLE_CONTEXT_PERCENT = 30

/** Active time only: waiting for the user does not count. */
const elapsedOf = (run: RunModel, now: number): number => {
  if (run.startedAt === undefined) return 0
  const waiting = run.waitingSince === undefined ? 0 : now - run.waitingSince
  return Math.max(0, now - run.startedAt - run.waitedMs - waiting)
}

const targetProgress = (state: AgentState): string | undefined => {
  const turn = turnOf(state)
  if (turn?.target === undefined) return undefined
  const { continuations } = turn.target
  return `target ${targetText(turn.target, spentTokens(turn))}${continuations === 0 ? "" : `, continued ${continuations}×`}`
}

export const runStatusOf = (session: SessionModel, now: number): RunStatus | undefined => {
  if (!isRunning(session)) return undefined
  const { state, run } = session
  const { percentLeft } = statusOf(state)
  const usage = turnOf(state)?.usage
  const words = run.interrupting ? "stopping" : (workText(state, session.transcript, { now, heardAt: run.heardAt }) ?? "")
  return {
    words,
    elapsedMs: elapsedOf(run, now),
    inputTokens:
      (usage?.input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0),
    outputTokens: usage?.output_tokens ?? 0,
    contextLeftPercent: percentLeft < LITTLE_CONTEXT_PERCENT ? percentLeft : undefined,
    offline: isOfflineModel(currentModel(state)),
    isWaiting: session.asks.length > 0,
    target: targetProgress(state)
  }
}
