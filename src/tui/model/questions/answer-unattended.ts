import { withAnswers } from "../../../core/tools/conversation/ask-user-question.ts"
import { answersSoFar } from "../dialogs/question-state.ts"
import { andThen, withCommands, withoutCommands, type Update } from "../update-result.ts"
import type { AppModel } from "../app-model.ts"
import { withoutAsk } from "./pending-questions.ts"
import { type UnansweredQuestion, unansweredOf } from "../question-timeout.ts"

const sent = (model: AppModel, { session, callId, input, dialog }: UnansweredQuestion): Update =>
  withCommands(withoutAsk(model, session, callId), {
    _tag: "Answer",
    session,
    callId,
    answer: {
      behavior: "allow",
      updatedInput: withAnswers(input, {
        answers: answersSoFar(input, dialog),
        afkTimeoutMs: model.options.questionTimeoutMs
      })
    }
  })

/** Answers what has waited long enough. */
export const answerForAbsent = (model: AppModel): Update =>
  unansweredOf(model)
    .filter(({ due }) => due <= model.now)
    .reduce<Update>((update, question) => andThen(update, (next) => sent(next, question)), withoutCommands(model))
