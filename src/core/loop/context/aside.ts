import type { AttachmentMessage } from "../../domain/message.ts"
import { reminder } from "../../model/request/fence.ts"
import type { Running, RunningState } from "../machine/state.ts"
import { commitAndPublish, freshUuid, type Step, timestamp } from "../machine/transition.ts"

/** Tells the model something in the program's own voice, here in the conversation. `type` is what transcripts call it. */
export const tellAside = (state: RunningState, type: string, words: string): Step<Running> => {
  const [uuid, drawn] = freshUuid(state)
  const message: AttachmentMessage = {
    type: "attachment",
    uuid,
    timestamp: timestamp(state),
    attachment: { type },
    rendered: [{ content: reminder(words).text }]
  }
  return commitAndPublish(drawn, message)
}
