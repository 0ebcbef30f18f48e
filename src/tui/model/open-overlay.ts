import { type Overlay, type PickerOverlay, type PickerPurpose, NEW_BROWSER, pickerWith } from "./overlay.ts"
import type { AppModel } from "./app-model.ts"
import { isAsk } from "./asks.ts"

/** Overlays that the user opens and closes. */
export const openOverlay = (model: AppModel, overlay: Overlay): AppModel => ({
  ...model,
  overlays: {
    ...model.overlays,
    opened: overlay,
    over: isAsk(model.overlays.shown) ? model.overlays.shown : model.overlays.over
  }
})

export const closeOverlay = (model: AppModel): AppModel => ({
  ...model,
  overlays: { ...model.overlays, opened: undefined }
})

/** Lists that have no keys but their filter, which letters go to. */
const ONLY_FILTER: ReadonlySet<PickerPurpose> = new Set<PickerPurpose>(["help", "palette"])

export const newPicker = (purpose: PickerPurpose, subject = ""): PickerOverlay => ({
  _tag: "Picker",
  purpose,
  picker: pickerWith(ONLY_FILTER.has(purpose)),
  subject,
  browser: NEW_BROWSER
})

export const openPicker = (model: AppModel, purpose: PickerPurpose, subject = ""): AppModel =>
  openOverlay(model, newPicker(purpose, subject))
