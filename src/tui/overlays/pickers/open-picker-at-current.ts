import { NEW_BROWSER, pickerWith } from "../../model/overlay.ts"
import type { PickerOverlay } from "../../model/overlay.ts"
import { pickerItems } from "./picker-catalog.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"

/** A list that opens at what is in force, so that Enter changes nothing. */
export const openMarked = (model: AppModel, purpose: "theme" | "model", subject = ""): AppModel => {
  const overlay: PickerOverlay = { _tag: "Picker", purpose, picker: pickerWith(false), subject, browser: NEW_BROWSER }
  const selected = pickerItems(model, overlay).findIndex(({ marked }) => marked === true)
  return openOverlay(model, { ...overlay, picker: { ...overlay.picker, selected: Math.max(0, selected) } })
}
