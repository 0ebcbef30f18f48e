import { type AtPicker, item, type PickerSpec } from "./picker-spec.ts"
import { type Handler, NO_PRESS } from "../../model/action.ts"
import { type PickerItem } from "./picker.ts"
import type { QueuedMessage } from "../../prompt/model.ts"
import { isBlank } from "../../prompt/model.ts"
import { takeBack, modeCharacter } from "../../prompt/recall.ts"
import { expandChips, chipTable, labelChips } from "../../prompt/chip.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, withSession, currentSession } from "../../model/app-model.ts"
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
    ? withoutCommands(notify(model, "nothing is queued"))
    : withoutCommands(openPicker(model, "queue"))

/** Out of the list, and of the loop's queue where it is in that. */
const remove = (model: AppModel, { id }: SessionModel, message: QueuedMessage): Update =>
  withCommands(
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
    return withoutCommands(notify(model, "a command comes back only into an empty prompt", { style: "warning" }))
  }
  const { prompt } = takeBack(session.prompt, [message], model.now)
  const [next, cmds] = remove(closeOverlay(model), session, message)
  return [withSession(next, session.id, (each) => ({ ...each, prompt })), cmds]
}

/** What runs ends, and this comes next. */
const sendNow = (model: AppModel, session: SessionModel, message: QueuedMessage): Update => {
  if (message.isCommand) return withoutCommands(notify(model, "a command runs when the turn is over", { style: "warning" }))
  const { text, chips } = message.draft
  const images = chips.flatMap((chip) => (chip._tag === "Image" ? [chip.reference] : []))
  const [next, cmds] = remove(closeOverlay(model), session, message)
  const sent = expandChips(text, chipTable(chips))
  return [next, [...cmds, { _tag: "Submit", session: session.id, text: sent, priority: "now", images }]]
}

type OnMessage = (model: AppModel, session: SessionModel, message: QueuedMessage) => Update

/** The list closes with the last one. */
const takeOut: OnMessage = (model, session, message) => {
  const [next, cmds] = remove(model, session, message)
  return [queueOf(session).length === 1 ? closeOverlay(next) : next, cmds]
}

const onMessage =
  (act: OnMessage): Handler<AtPicker> =>
  ({ model, item }) => {
    const session = currentSession(model)
    const message = session === undefined ? undefined : queueOf(session).find(({ id }) => id === item?.id)
    return session === undefined || message === undefined ? undefined : act(model, session, message)
  }

const queueItems = (model: AppModel): ReadonlyArray<PickerItem> => {
  const session = currentSession(model)
  if (session === undefined) return []
  return queueOf(session).map(({ id, draft: { text, mode, chips }, isCommand }) => {
    const label = modeCharacter(mode) + (labelChips(text, chipTable(chips)).split("\n", 1)[0] ?? "")
    return item(id, label, { right: isCommand ? "after the turn" : "" })
  })
}

export const QUEUE_PICKER: PickerSpec = {
  title: "Queued",
  width: 90,
  context: "Queue",
  hint: () => [
    ["select:accept", "edit"],
    ["queue:sendNow", "send at once"],
    ["queue:remove", "take it out"],
    ["select:cancel", "close"]
  ],
  items: queueItems,
  accept: (model, overlay, chosen) => onMessage(edit)({ model, overlay, item: chosen }, NO_PRESS) ?? withoutCommands(model),
  on: { "queue:sendNow": onMessage(sendNow), "queue:remove": onMessage(takeOut) }
}
