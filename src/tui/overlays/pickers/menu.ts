import { Record } from "effect"
import { ACTIONS, type ActionId, type OverlayActionId } from "../../keymap/actions/action-tables.ts"
import type { ContextName } from "../../keymap/actions/context.ts"
import { keyName } from "../../keymap/hint.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import type { AppModel } from "../../model/app-model.ts"
import { closeOverlay } from "../../model/open-overlay.ts"
import { withoutCommands, type Update } from "../../model/update-result.ts"
import { type AtPicker, closing, item, type PickerSpec } from "./picker-spec.ts"

/** A picker that lists actions with their keys, each of which chooses at once. */

type Act = (model: AppModel, subject: string) => Update

interface Menu<Id extends OverlayActionId> {
  readonly title: string
  readonly width: number
  readonly acts: Readonly<Record<Id, Act>>
}

const pressed =
  (act: Act): Handler<AtPicker> =>
  ({ model, overlay }) =>
    act(closeOverlay(model), overlay.subject)

export const menuOf = <Id extends OverlayActionId>(context: ContextName, { title, width, acts }: Menu<Id>): PickerSpec => {
  const isOwn = (id: string): id is Id => Object.hasOwn(acts, id)
  const ids: ReadonlyArray<ActionId> = Object.keys(acts).filter(isOwn)
  const on: Partial<Handlers<OverlayActionId, AtPicker>> = Record.map(acts, pressed)
  return {
    title,
    width,
    context,
    hint: () => [
      ["select:accept", "choose"],
      ["select:cancel", "close"]
    ],
    items: ({ keys: { keymap } }) =>
      ids.map((id) =>
        item(id, ACTIONS.get(id)?.description ?? id, { right: keyName(keymap, id, [context, "Select"]) ?? "" })
      ),
    accept: closing((model, { subject }, { id }) => (isOwn(id) ? acts[id](model, subject) : withoutCommands(model))),
    on
  }
}
