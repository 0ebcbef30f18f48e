import { permissionPanel } from "../overlays/permission.ts"
import { openPermission } from "../overlays/permission-state.ts"
import { questionPanel } from "../overlays/question.ts"
import { openQuestion, questionsOf } from "../overlays/question-state.ts"
import type { Overlay } from "../overlays/overlay.ts"
import type { Panel } from "../overlays/panel.ts"
import { historyPanel } from "../overlays/history.ts"
import { listingPanel } from "../overlays/listing.ts"
import { confirmPanel } from "../overlays/confirm.ts"
import { exitPanel } from "../overlays/exit.ts"
import { trustPanel } from "../overlays/trust.ts"
import { pickerPanelFor } from "../overlays/purposes.ts"
import { askOf } from "./attention.ts"
import type { AppModel } from "./model.ts"
import type { Ask } from "./session-model.ts"

/** The overlay that is on screen, as a value and as a panel. */

/** The dialog of an ask: as it was left, or new. */
const dialogOf = (model: AppModel, id: string, ask: Ask): Overlay => {
  const known = model.overlays.dialogs.get(id)
  if (known !== undefined) return known
  const questions = questionsOf(ask.question)
  return questions === undefined ? openPermission(ask.question) : openQuestion(questions)
}

export const shownOverlay = (model: AppModel): Overlay | undefined => {
  const { shown, opened } = model.overlays
  if (shown === undefined) return undefined
  const asked = askOf(model, shown)
  return asked === undefined ? opened : dialogOf(model, shown, asked.ask)
}

export const panelOf = (model: AppModel, overlay: Overlay): Panel | undefined => {
  const asked = model.overlays.shown === undefined ? undefined : askOf(model, model.overlays.shown)
  switch (overlay._tag) {
    case "Permission":
      return asked === undefined
        ? undefined
        : permissionPanel(asked.ask, overlay, { session: asked.session, isOneOfMany: model.sessions.size > 1 })
    case "Question": {
      const questions = asked === undefined ? undefined : questionsOf(asked.ask.question)
      return questions === undefined ? undefined : questionPanel(questions, overlay)
    }
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
  }
}
