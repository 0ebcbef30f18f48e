import { switchModel } from "../../model/switch-model.ts"
import { openOverlay, closeOverlay } from "../../model/open-overlay.ts"
import { type AtPicker, type PickerSpec, closing } from "./picker-spec.ts"
import type { Handler } from "../../model/action.ts"
import type { Cmd } from "../../model/cmd.ts"
import { type Update, withoutCommands } from "../../model/update-result.ts"
import { priceOf } from "../../../core/model/catalog/cost.ts"
import { type EffortLevel, profileOf } from "../../../core/model/catalog/model.ts"
import { contextWindow } from "../../../core/model/tokens/window-table.ts"
import { currentModel } from "../../../core/loop/turn/send-request.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import type { ModelChoice } from "../../model/ui-options.ts"
import type { Row } from "../../screen/style/row.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { PickerOverlay } from "../../model/overlay.ts"
import { type PickerItem, selectedItem } from "./picker.ts"

/** The models to choose from, with their window, price and effort. */

const choicesOf = (model: AppModel): ReadonlyArray<ModelChoice> => {
  const session = currentSession(model)
  const current = session === undefined ? "" : currentModel(session.state)
  const { models } = model.options
  const isKnown = current === "" || models.some(({ id, name }) => id === current || name === current)
  return isKnown ? models : [{ name: current, id: current }, ...models]
}

const moneyOf = (id: string): string => {
  const price = priceOf(id)
  return price === undefined ? "" : `$${price.input}/$${price.output} per M`
}

const modelItems = (model: AppModel): ReadonlyArray<PickerItem> => {
  const session = currentSession(model)
  const current = session === undefined ? "" : currentModel(session.state)
  return choicesOf(model).map(({ name, id, unavailable }) => {
    const { offline, name: fullName } = profileOf(id)
    return {
      id: name,
      label: name,
      detail: offline ? "scripted, not an LLM" : fullName === name ? "" : fullName,
      right: [`${countText(contextWindow(id))} window`, moneyOf(id)].filter((part) => part !== "").join(" · "),
      marked: id === current || name === current,
      ...(unavailable === undefined ? {} : { disabled: unavailable })
    }
  })
}

/** The efforts of the model under the cursor. */
const effortsFor = (
  model: AppModel,
  overlay: PickerOverlay
): { readonly all: ReadonlyArray<EffortLevel>; readonly now: string } => {
  const chosen = selectedItem(modelItems(model), overlay.picker)?.id
  const id = choicesOf(model).find(({ name }) => name === chosen)?.id ?? ""
  const { efforts, defaultEffort } = profileOf(id)
  const running = currentSession(model)?.state.config.choice.effort
  const now = [overlay.subject, running, defaultEffort].find((effort) => efforts.some((each) => each === effort))
  return { all: efforts, now: now ?? "" }
}

/** The effort that the chosen model would get; undefined where it has none, or where nobody changed it. */
const chosenEffort = (model: AppModel, overlay: PickerOverlay): string | undefined => {
  const { now } = effortsFor(model, overlay)
  return overlay.subject === "" || now === "" ? undefined : now
}

/** One effort more or less. */
const steppedEffort = (model: AppModel, overlay: PickerOverlay, by: 1 | -1): string => {
  const { all, now } = effortsFor(model, overlay)
  const at = all.findIndex((each) => each === now) + by
  return all[Math.max(0, Math.min(at, all.length - 1))] ?? overlay.subject
}

const effortRows = (model: AppModel, overlay: PickerOverlay, width: number): ReadonlyArray<Row> => {
  const { all, now } = effortsFor(model, overlay)
  if (all.length === 0) {
    return [lineRow([{ text: "this model has no effort to choose", look: { role: "subtle" } }], width)]
  }
  const spans = all.flatMap((effort) => [
    { text: effort === now ? `[${effort}]` : ` ${effort} `, look: effort === now ? CHOSEN : QUIET },
    { text: " ", look: QUIET }
  ])
  return [lineRow([{ text: "effort  ", look: QUIET }, ...spans], width)]
}

const CHOSEN = { role: "permission", bold: true } as const
const QUIET = { role: "subtle" } as const

const setModel = (
  model: AppModel,
  overlay: PickerOverlay,
  at: { readonly name: string; readonly isDefault: boolean }
): Update => {
  const effort = chosenEffort(model, overlay)
  const cmds: ReadonlyArray<Cmd> = [
    { _tag: "SetModel", session: model.current, model: at.name, ...(effort === undefined ? {} : { effort }) },
    ...(at.isDefault ? [{ _tag: "SaveOption" as const, name: "model", value: at.name }] : []),
    ...(at.isDefault && effort !== undefined ? [{ _tag: "SaveOption" as const, name: "effort", value: effort }] : [])
  ]
  const words = at.isDefault ? `${at.name} is the model now, and the default` : `${at.name} is the model of this session`
  return switchModel(model, { name: at.name, effort, words, cmds })
}

const stepEffort =
  (by: 1 | -1): Handler<AtPicker> =>
  ({ model, overlay }) =>
    withoutCommands(openOverlay(model, { ...overlay, subject: steppedEffort(model, overlay, by) }))

const forThisSession: Handler<AtPicker> = ({ model, overlay, item }) =>
  item === undefined || item.disabled !== undefined
    ? undefined
    : setModel(closeOverlay(model), overlay, { name: item.id, isDefault: false })

export const MODEL_PICKER: PickerSpec = {
  title: "Model",
  width: 100,
  context: "ModelPicker",
  hint: () => [
    ["select:accept", "make it the default"],
    ["modelPicker:thisSessionOnly", "this session only"],
    [["modelPicker:decreaseEffort", "modelPicker:increaseEffort"], "effort"],
    ["select:cancel", "keep"]
  ],
  items: modelItems,
  accept: closing((model, overlay, { id }) => setModel(model, overlay, { name: id, isDefault: true })),
  on: {
    "modelPicker:decreaseEffort": stepEffort(-1),
    "modelPicker:increaseEffort": stepEffort(1),
    "modelPicker:thisSessionOnly": forThisSession
  },
  opensAt: "marked",
  below: effortRows
}
