import type { AttachmentMessage } from "../../domain/message.ts"
import { escapeReminders, reminder } from "../../model/request/fence.ts"
import type { Call, Running, RunningState } from "../machine/state.ts"
import { commitAndPublish, freshUuid, type Step, stay, timestamp } from "../machine/transition.ts"

/** What hooks want the model to know beside the conversation: an attachment with the very words. */

/** Several remarks as one; undefined where nothing was said. */
export const joinRemarks = (...remarks: ReadonlyArray<string | undefined>): string | undefined => {
  const said = remarks.filter((one) => one !== undefined && one !== "")
  return said.length === 0 ? undefined : said.join("\n")
}

export const tellFromHooks = (state: RunningState, words: string | undefined): Step<Running> => {
  if (words === undefined) return stay(state)
  const [uuid, drawn] = freshUuid(state)
  const message: AttachmentMessage = {
    type: "attachment",
    uuid,
    timestamp: timestamp(state),
    attachment: { type: "hook_additional_context", content: [words] },
    rendered: [{ content: reminder(escapeReminders(words)).text }]
  }
  return commitAndPublish(drawn, message)
}

/** What was said about the calls of a response, behind their results. */
export const tellRemarks = (state: RunningState, calls: ReadonlyArray<Call>): Step<Running> =>
  tellFromHooks(state, joinRemarks(...calls.map((call) => (call.stage === "completed" ? call.remark : undefined))))
