import { priceOf } from "../../../core/model/catalog/cost.ts"
import { contextWindow, type EffortLevel, profileOf } from "../../../core/model/catalog/model.ts"
import { currentModel } from "../../../core/loop/turn/send-request.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import type { ModelChoice } from "../../model/ui-options.ts"
import type { Row } from "../../screen/style/row.ts"
import { countText } from "../../transcript/number-format.ts"
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

export const modelItems = (model: AppModel): ReadonlyArray<PickerItem> => {
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
export const chosenEffort = (model: AppModel, overlay: PickerOverlay): string | undefined => {
  const { now } = effortsFor(model, overlay)
  return overlay.subject === "" || now === "" ? undefined : now
}

/** One effort more or less. */
export const steppedEffort = (model: AppModel, overlay: PickerOverlay, by: 1 | -1): string => {
  const { all, now } = effortsFor(model, overlay)
  const at = all.findIndex((each) => each === now) + by
  return all[Math.max(0, Math.min(at, all.length - 1))] ?? overlay.subject
}

export const effortRows = (model: AppModel, overlay: PickerOverlay, width: number): ReadonlyArray<Row> => {
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
