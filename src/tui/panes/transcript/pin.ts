import { notify, only, type Update } from "../../model/update-result.ts"
import { pin } from "../../model/undoable-actions.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** Pins a message for every summary to come, or takes the pin away. */
export const togglePin = (model: AppModel, session: SessionModel, uuid: string | undefined): Update => {
  if (uuid === undefined) return only(notify(model, "no message is under the cursor that could be pinned"))
  const pinned = session.state.conversation.pins.every((each) => each.uuid !== uuid)
  return pin(model, session, { deed: { _tag: "Pinned", uuid, pinned }, by: "do" })
}
