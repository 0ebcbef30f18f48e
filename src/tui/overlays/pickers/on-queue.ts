import type { Stroke } from "../../keymap/stroke.ts"
import { pickerWith } from "../../model/overlay.ts"
import { type PickerItem } from "./picker.ts"
import type { QueuedMessage } from "../../prompt/model.ts"
import { isBlank } from "../../prompt/model.ts"
import { takeBack } from "../../prompt/recall.ts"
import { expandChips, chipTable } from "../../prompt/chip.ts"
import { doing, notify, only, type Update } from "../../model/update-result.ts"
import { type AppModel, withSession } from "../../model/app-model.ts"
import { closeOverlay, openPicker } from "../../model/open-overlay.ts"
import { draftBehind, queuedTexts, withoutQueued } from "../../model/queued-prompts.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The list of what waits: each can be taken out, edited, or sent at once. */

/** Prompts in the order of the loop, then the lines that wait for the end of the turn. */
export const queueOf = (session: SessionModel): ReadonlyArray<QueuedMessage> => [
  ...queuedTexts(session).map(({ uuid, text }) => ({ id: uuid, draft: draftBehind(session, text), isCommand: false })),
  ...session.waiting.map(({ id, draft }) => ({ id, draft, isCommand: true }))
]

export const openQueue = (model: AppModel, session: SessionModel): Update =>
  queueOf(session).length === 0
    ? only(notify(model, "nothing is queued"))
    : only(openPicker(model, "queue", pickerWith(false)))

/** Out of the list, and of the loop's queue where it is in that. */
const remove = (model: AppModel, { id }: SessionModel, message: QueuedMessage): Update =>
  doing(
    withSession(model, id, (session) => withoutQueued(session, [message.id])),
    {
      _tag: "TakeBackQueue",
      session: id,
      uuids: [message.id]
    }
  )

/** Back into the prompt, before what is typed there. A command comes back only into an empty one. */
const edit = (model: AppModel, session: SessionModel, message: QueuedMessage): Update => {
  if (message.isCommand && !isBlank(session.prompt)) {
    return only(notify(model, "a command comes back only into an empty prompt", { style: "warning" }))
  }
  const { prompt } = takeBack(session.prompt, [message], model.now)
  const [next, cmds] = remove(closeOverlay(model), session, message)
  return [withSession(next, session.id, (each) => ({ ...each, prompt })), cmds]
}

/** What runs ends, and this comes next. */
const sendNow = (model: AppModel, session: SessionModel, message: QueuedMessage): Update => {
  if (message.isCommand) return only(notify(model, "a command runs when the turn is over", { style: "warning" }))
  const { text, chips } = message.draft
  const images = chips.flatMap((chip) => (chip._tag === "Image" ? [chip.reference] : []))
  const [next, cmds] = remove(closeOverlay(model), session, message)
  const sent = expandChips(text, chipTable(chips))
  return [next, [...cmds, { _tag: "Submit", session: session.id, text: sent, priority: "now", images }]]
}

export const onQueueKey = (
  model: AppModel,
  session: SessionModel,
  at: { readonly stroke: Stroke; readonly item: PickerItem | undefined }
): Update => {
  const message = queueOf(session).find(({ id }) => id === at.item?.id)
  if (message === undefined) return only(model)
  switch (at.stroke) {
    case "<CR>":
      return edit(model, session, message)
    case "S":
      return sendNow(model, session, message)
    case "D":
    case "<Del>": {
      const [next, cmds] = remove(model, session, message)
      return [queueOf(session).length === 1 ? closeOverlay(next) : next, cmds]
    }
    default:
      return only(model)
  }
}
