import { ACTIONS, type ActionId } from "../../keymap/actions/action-tables.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import type { AppModel } from "../../model/app-model.ts"
import { withoutCommands, type Update } from "../../model/update-result.ts"
import { runAction } from "./on-action.ts"

/** What was begun and waits for more: a chord, a count, an action that takes a character. */

export const calm = (model: AppModel): AppModel => ({
  ...model,
  keys: { ...model.keys, pending: [], count: "", waiting: undefined }
})

export const hasBegun = ({ keys }: AppModel): boolean => keys.pending.length > 0 || keys.count !== ""

export const countOf = ({ keys }: AppModel): number | undefined => (keys.count === "" ? undefined : Number(keys.count))

export const isDigit = (model: AppModel, stroke: Stroke): boolean =>
  /^[1-9]$/.test(stroke) || (stroke === "0" && model.keys.count !== "")

export const withCount = (model: AppModel, digit: Stroke): AppModel => ({
  ...model,
  keys: { ...model.keys, count: model.keys.count + digit }
})

export const withPending = (model: AppModel, stroke: Stroke): AppModel => ({
  ...model,
  keys: { ...model.keys, pending: [...model.keys.pending, stroke], pendingSince: model.now }
})

export const isText = (stroke: Stroke): boolean => !(stroke.length > 1 && stroke.startsWith("<"))

/** What an action does where the keyboard is; undefined where it means nothing there. */
export const runHere = (model: AppModel, action: ActionId, count?: number): Update | undefined => {
  const next = calm(model)
  return ACTIONS.get(action)?.takes === "character"
    ? withoutCommands({ ...next, keys: { ...next.keys, waiting: { action, count } } })
    : runAction(next, action, { count, argument: "" })
}
