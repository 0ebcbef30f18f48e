import type { ContextName } from "../../keymap/actions/context.ts"
import { dockContexts } from "../../model/dock/docked.ts"
import type { Overlay, PickerPurpose } from "../../model/overlay.ts"

/** Which keys of keybindings.json mean something in an overlay, the nearest context first (UI-222). */

const OF_PICKERS: Partial<Readonly<Record<PickerPurpose, ContextName>>> = {
  help: "Help",
  palette: "Palette",
  model: "ModelPicker",
  theme: "ThemePicker",
  sessions: "Sessions",
  selector: "MessageSelector"
}

const QUESTION: ReadonlyArray<ContextName> = ["Confirmation", "Select"]
const SEARCH: ReadonlyArray<ContextName> = ["HistorySearch"]
const LIST: ReadonlyArray<ContextName> = ["Select"]

export const overlayContexts = (overlay: Overlay): ReadonlyArray<ContextName> => {
  switch (overlay._tag) {
    case "Permission":
    case "Host":
    case "Question":
      return dockContexts(overlay)
    case "History":
      return SEARCH
    case "Listing":
      return LIST
    case "Picker": {
      const own = OF_PICKERS[overlay.purpose]
      return own === undefined ? LIST : [own, ...LIST]
    }
    default:
      return QUESTION
  }
}

/** Letters go into a field of the overlay. */
export const isTypedInto = (overlay: Overlay): boolean => {
  switch (overlay._tag) {
    case "Permission":
      return overlay.typing !== "nothing"
    case "Question":
      return overlay.isTyping
    case "Picker":
      return overlay.picker.isFiltering || overlay.browser.typing !== undefined
    default:
      return overlay._tag === "History"
  }
}
