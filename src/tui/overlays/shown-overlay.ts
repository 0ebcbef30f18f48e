import type { Overlay } from "../model/overlay.ts"
import type { Panel } from "./panel/panel.ts"
import { historyPanel } from "./history.ts"
import { listingPanel } from "./listing.ts"
import { confirmPanel } from "./dialogs/confirm.ts"
import { onboardingPanel } from "./dialogs/onboarding.ts"
import { exitPanel } from "./dialogs/exit.ts"
import { settingsPanel } from "./dialogs/settings-error.ts"
import { trustPanel } from "./dialogs/trust.ts"
import { pickerPanelFor } from "./pickers/picker-catalog.ts"
import { boundHint } from "../keymap/rebound.ts"
import { isAsk } from "../model/asks.ts"
import { answeringOf } from "../model/dock/docked.ts"
import type { AppModel } from "../model/app-model.ts"
import { overlayContexts } from "./panel/overlay-contexts.ts"

/** The overlay that is on screen, as a value and as a panel. */

/** What has the keyboard: a question above the prompt, or what lies over everything. */
export const shownOverlay = (model: AppModel): Overlay | undefined => {
  const { shown, opened } = model.overlays
  if (isAsk(shown)) return answeringOf(model)?.dialog
  return shown === undefined ? undefined : opened
}

/** The panel of what lies over everything; its hints name the keys as this person bound them. */
export const panelOf = (model: AppModel, overlay: Overlay): Panel | undefined => {
  const panel = usualPanel(model, overlay)
  const { keymap } = model.keys
  if (panel === undefined || overlay._tag === "Picker") return panel
  const bound = (hint: string): string => boundHint(keymap, overlayContexts(overlay), hint)
  const { scrollKey, ...rest } = panel
  const scrolls = scrollKey === undefined ? "" : bound(scrollKey)
  return { ...rest, hint: bound(panel.hint), ...(scrolls === "" ? {} : { scrollKey: scrolls }) }
}

const usualPanel = (model: AppModel, overlay: Overlay): Panel | undefined => {
  switch (overlay._tag) {
    case "Permission":
    case "Host":
    case "Question":
      return undefined
    case "Onboarding":
      return onboardingPanel(model, overlay)
    case "Picker":
      return pickerPanelFor(model, overlay)
    case "History":
      return historyPanel(overlay)
    case "Listing":
      return listingPanel(overlay)
    case "Exit":
      return exitPanel(model, overlay)
    case "Confirm":
      return confirmPanel(overlay)
    case "Trust":
      return trustPanel(overlay)
    case "Settings":
      return settingsPanel(overlay)
  }
}
