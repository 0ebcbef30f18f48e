import { toEnd } from "../transcript/list/scroll.ts"
import { type AppModel, currentSession, withCurrent } from "./model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/** Shows the end of the conversation and stays with it. */
export const followEnd = (model: AppModel): AppModel => {
  const session = currentSession(model)
  if (session === undefined) return model
  return withCurrent(model, (each) => ({ ...each, list: toEnd(each.list, transcriptContextOf(model, each)) }))
}
