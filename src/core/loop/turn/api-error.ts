import type { AssistantMessage, ErrorClass } from "../../domain/message.ts"
import { finish } from "./finish.ts"
import type { TerminalReason } from "../machine/reasons.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { RunningState } from "../machine/state.ts"
import { syntheticAnswer } from "./synthetic-answer.ts"
import { andThen, commitAndPublish, type Step } from "../machine/transition.ts"

export interface ApiErrorReport {
  readonly text: string
  readonly status: number | null
  readonly errorClass: ErrorClass
  /** Cause for the reader; joined to the text. */
  readonly detail?: string
}

const syntheticError = (
  state: RunningState,
  report: ApiErrorReport,
  text: string
): readonly [AssistantMessage, RunningState] => {
  const [answer, drawn] = syntheticAnswer(state, text)
  return [
    {
      ...answer,
      isApiErrorMessage: true,
      error: report.errorClass,
      ...(report.status === null ? {} : { apiErrorStatus: report.status })
    },
    drawn
  ]
}

/** Every repair failed: the error is shown once, as the assistant's last message, and the turn ends with it. */
export const endWithApiError = (state: RunningState, reason: TerminalReason, report: ApiErrorReport): Step => {
  const text = report.detail === undefined ? report.text : `${report.text} · ${report.detail}`
  const [message, drawn] = syntheticError(state, report, text)
  const noted = setTurn(drawn, {
    apiError: { text, status: report.status, errorClass: report.errorClass },
    lastStopReason: "stop_sequence"
  })
  return andThen(commitAndPublish(noted, message), (next) => finish(next, reason))
}
