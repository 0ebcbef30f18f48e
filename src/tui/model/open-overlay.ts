import { type Overlay, type PickerOverlay, type PickerPurpose, NEW_BROWSER, type PickerState } from "./overlay.ts"
import type { AppModel } from "./app-model.ts"
import { isAsk } from "./asks.ts"

/** Overlays that the person opens and closes. */
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

export const openPicker = (model: AppModel, purpose: PickerPurpose, picker: PickerState, subject = ""): AppModel => {
  const overlay: PickerOverlay = { _tag: "Picker", purpose, picker, subject, browser: NEW_BROWSER }
  return openOverlay(model, overlay)
}
