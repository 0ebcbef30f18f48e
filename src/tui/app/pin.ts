import { doing, notify, only, type Update } from "./change.ts"
import type { AppModel } from "./model.ts"
import type { SessionModel } from "./session-model.ts"

/** Pins a message for every summary to come, or takes the pin away. */
export const togglePin = (model: AppModel, session: SessionModel, uuid: string | undefined): Update => {
  if (uuid === undefined) return only(notify(model, "no message is under the cursor that could be pinned"))
  const pinned = session.state.pins.every((pin) => pin.uuid !== uuid)
  return doing(model, { _tag: "Pin", session: session.id, uuid, pinned })
}
