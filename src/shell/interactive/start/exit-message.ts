import { Effect } from "effect"
import { settingOf } from "../../../core/settings/snapshot.ts"
import type { AppModel } from "../../../tui/model/app-model.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"
import { HANG_UP } from "../../process/signals.ts"

export interface ExitMessage {
  readonly code: number
  /** The interface itself gave up. */
  readonly hasFailed?: true
  /** Said on the main screen after the terminal was given back. */
  readonly words: ReadonlyArray<string>
}

/** What stays on the main screen. A terminal that is gone hears nothing. */
export const printExitMessage = Effect.fnUntraced(function* (leaving: {
  readonly plan: SessionPlan
  readonly farewell: ExitMessage
  readonly isFullScreen: boolean
  /** The interface as it was left. */
  readonly last: AppModel
}) {
  const { plan, farewell, isFullScreen, last } = leaving
  if (farewell.code === HANG_UP) return
  const open = last.sessions.get(last.current)
  const wanted = settingOf(plan.settings.current().snapshot, "nacre.tui.exitSummary") ?? "last"
  const summary = isFullScreen ? (yield* Effect.promise(() => import("./exit-summary.ts"))).exitSummary(open, wanted) : []
  const words = [...summary, ...farewell.words]
  if ((open?.state.conversation.messages.length ?? 0) > 0)
    words.push(`Resume this session with: nacre --resume ${last.current}`)
  for (const line of words) process.stdout.write(`${line}\n`)
})
