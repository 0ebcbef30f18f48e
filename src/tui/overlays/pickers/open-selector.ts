import { pickerItems } from "./picker-catalog.ts"
import { NEW_BROWSER } from "../../model/overlay.ts"
import { type PickerOverlay, pickerWith } from "../../model/overlay.ts"
import { notify } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"

/** The newest prompt stands last and is marked. */
const SELECTOR: PickerOverlay = {
  _tag: "Picker",
  purpose: "selector",
  picker: { ...pickerWith(false), selected: Number.MAX_SAFE_INTEGER },
  subject: "",
  browser: NEW_BROWSER
}

/** The list of earlier prompts; where nothing was said yet, a word instead of an empty list. */
export const openSelector = (model: AppModel): AppModel =>
  pickerItems(model, SELECTOR).length === 0
    ? notify(model, "nothing was sent here yet that you could go back to", { key: "selector" })
    : openOverlay(model, SELECTOR)
