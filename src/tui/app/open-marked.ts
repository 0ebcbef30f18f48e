import { NEW_BROWSER } from "../overlays/browser.ts"
import type { PickerOverlay } from "../overlays/overlay.ts"
import { pickerWith } from "../overlays/picker.ts"
import { pickerItems } from "../overlays/purposes.ts"
import type { AppModel } from "./model.ts"
import { openOverlay } from "./open-overlay.ts"

/** A list that opens at what is in force, so that Enter changes nothing. */
export const openMarked = (model: AppModel, purpose: "theme" | "model", subject = ""): AppModel => {
  const overlay: PickerOverlay = { _tag: "Picker", purpose, picker: pickerWith(false), subject, browser: NEW_BROWSER }
  const selected = pickerItems(model, overlay).findIndex(({ marked }) => marked === true)
  return openOverlay(model, { ...overlay, picker: { ...overlay.picker, selected: Math.max(0, selected) } })
}
