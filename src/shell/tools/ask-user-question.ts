import { Effect } from "effect"
import { answeredData, answersText, type AskUserQuestionInput } from "../../core/tools/conversation/ask-user-question.ts"
import { type ToolExecutor, ToolRefusal } from "./contract/executor.ts"

/** Runs after somebody answered: the answers came with the decision to allow the call and are part of its input. */
export const askUserQuestionExecutor: ToolExecutor<AskUserQuestionInput, never> = {
  run: (input) => {
    const data = answeredData(input)
    return data === undefined
      ? new ToolRefusal({
          message: "NotAnswered: the questions were shown to nobody. Decide yourself or ask in your reply."
        })
      : Effect.succeed({ data, content: answersText(data) })
  }
}
