import { toEnd } from "../../transcript/list/commands/scroll.ts"
import { type AppModel, withSession } from "../app-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/** Shows the end of a conversation and stays with it. */
export const followEnd = (model: AppModel, session = model.current): AppModel =>
  withSession(model, session, (each) => ({ ...each, list: toEnd(each.list, transcriptContextOf(model, each)) }))
