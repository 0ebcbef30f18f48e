import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import { openQuestions } from "../../core/loop/machine/open-questions.ts"
import type { Witness } from "./driver.ts"
import type { SessionItem } from "./publications.ts"

export interface QuestionWatch {
  readonly publish: (item: SessionItem) => void
  /** Whoever else was asked need not answer any more. */
  readonly answered: (callId: string) => void
}

/** Tells every audience which questions open and close, whoever answers them. */
export const watchQuestions = ({ publish, answered }: QuestionWatch): Witness => {
  let open: ReadonlyArray<PermissionQuestion> = []
  return (event, state, commands) => {
    if (open.length === 0 && !commands.some(({ _tag }) => _tag === "AskPermission")) return
    const before = open
    open = openQuestions(state)
    for (const question of before) {
      const { callId } = question
      if (open.includes(question)) continue
      const isAnswered = event._tag === "PermissionAnswered" && event.callId === callId
      if (isAnswered) answered(callId)
      publish({ _tag: "QuestionClosed", callId, ...(isAnswered ? { answer: event.answer } : {}) })
    }
    for (const question of open) if (!before.includes(question)) publish({ _tag: "QuestionOpened", question })
  }
}
