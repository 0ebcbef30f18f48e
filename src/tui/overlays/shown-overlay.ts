import { hostPanel, openHost } from "./dialogs/host.ts"
import { permissionPanel } from "./dialogs/permission.ts"
import { openPermission, type PermissionDialog } from "../model/dialogs/permission-state.ts"
import { questionPanel } from "./dialogs/question.ts"
import { openQuestion, questionsOf } from "../model/dialogs/question-state.ts"
import type { Overlay } from "../model/overlay.ts"
import { measurePanel, type Panel } from "./panel/panel.ts"
import { historyPanel } from "./history.ts"
import { listingPanel } from "./listing.ts"
import { confirmPanel } from "./dialogs/confirm.ts"
import { onboardingPanel } from "./dialogs/onboarding.ts"
import { exitPanel } from "./dialogs/exit.ts"
import { settingsPanel } from "./dialogs/settings-error.ts"
import { trustPanel } from "./dialogs/trust.ts"
import { pickerPanelFor } from "./pickers/picker-catalog.ts"
import { boundHint } from "../keymap/rebound.ts"
import { askOf } from "../model/questions/attention.ts"
import { type AppModel, sizeClass } from "../model/app-model.ts"
import { overlayContexts } from "./panel/overlay-contexts.ts"
import { secondsLeft } from "../model/questions/question-timeout.ts"
import type { Ask, SessionModel } from "../model/session-model.ts"

/** The overlay that is on screen, as a value and as a panel. */

/** The dialog of an ask: as it was left, or new. */
const dialogOf = (model: AppModel, id: string, ask: Ask): Overlay => {
  const known = model.overlays.dialogs.get(id)
  if (known !== undefined) return known
  if (ask.question.host !== undefined) return openHost()
  const questions = questionsOf(ask.question)
  return questions === undefined ? openPermission(ask.question) : openQuestion(questions)
}

export const shownOverlay = (model: AppModel): Overlay | undefined => {
  const { shown, opened } = model.overlays
  if (shown === undefined) return undefined
  const asked = askOf(model, shown)
  return asked === undefined ? opened : dialogOf(model, shown, asked.ask)
}

/** What would save more than the dialog can show is not offered (P-110): the call alone can still be answered. */
export const displayedAsk = (
  model: AppModel,
  { session, ask }: { readonly session: SessionModel; readonly ask: Ask },
  dialog: PermissionDialog
): Ask => {
  const panel = permissionPanel(ask, dialog, { session, isOneOfMany: model.sessions.size > 1 })
  return measurePanel(panel, model.size, sizeClass(model)).isUsable
    ? ask
    : { ...ask, question: { ...ask.question, suggestions: [] } }
}

/** The panel of an overlay; its hints name the keys as this person bound them. */
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
  const asked = model.overlays.shown === undefined ? undefined : askOf(model, model.overlays.shown)
  switch (overlay._tag) {
    case "Permission": {
      if (asked === undefined) return undefined
      const scene = { session: asked.session, isOneOfMany: model.sessions.size > 1 }
      return permissionPanel(displayedAsk(model, asked, overlay), overlay, scene)
    }
    case "Host":
      return asked?.ask.question.host === undefined
        ? undefined
        : hostPanel(asked.ask.question.host, overlay, {
            session: asked.session,
            isOneOfMany: model.sessions.size > 1
          })
    case "Question": {
      const questions = asked === undefined ? undefined : questionsOf(asked.ask.question)
      const seconds = model.overlays.shown === undefined ? undefined : secondsLeft(model, model.overlays.shown)
      return questions === undefined ? undefined : questionPanel(questions, overlay, seconds)
    }
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
