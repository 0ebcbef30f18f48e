import { hintTexts, keyName } from "../../keymap/hint.ts"
import type { HintedPanel, BoundPanel } from "./dock-panel.ts"
import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import type { ContextName } from "../../keymap/actions/context.ts"
import type { AppModel } from "../app-model.ts"
import { type Asked, askOf, coveredAsk } from "../asks.ts"
import { openHost } from "../dialogs/host-state.ts"
import { openPermission } from "../dialogs/permission-state.ts"
import { openQuestion, questionsOf } from "../dialogs/question-state.ts"
import type { DockedDialog } from "../overlay.ts"
import { secondsLeft } from "../question-timeout.ts"
import { nameOf } from "../session-model.ts"
import { hostPanel } from "./host-panel.ts"
import { permissionPanel } from "./permission-panel.ts"
import { questionPanel } from "./question-panel.ts"

/** The question that stands above the prompt, and whether the keyboard is in it. */

export interface Docked extends Asked {
  readonly dialog: DockedDialog
}

const opened = (question: PermissionQuestion): DockedDialog => {
  if (question.host !== undefined) return openHost()
  const questions = questionsOf(question)
  return questions === undefined ? openPermission(question) : openQuestion(questions)
}

/** The one that is asked now; it stays where it is while something is opened over it. */
export const dockedOf = (model: AppModel): Docked | undefined => {
  const asked = askOf(model, model.overlays.shown) ?? coveredAsk(model)
  return asked === undefined
    ? undefined
    : { ...asked, dialog: model.overlays.dialogs.get(asked.id) ?? opened(asked.ask.question) }
}

/** The question that keys go to: not the one whose user went to a pane to look something up. */
export const answeringOf = (model: AppModel): Docked | undefined => {
  const { shown, keyboard } = model.overlays
  if (keyboard === "left" && model.focus !== "prompt") return undefined
  const docked = dockedOf(model)
  return docked?.id === shown ? docked : undefined
}

const CONTEXTS: ReadonlyArray<ContextName> = ["Confirmation"]
const TABBED: ReadonlyArray<ContextName> = ["Confirmation", "Tabs"]

/** Which keys of keybindings.json mean something in a question, the nearest context first. */
export const dockContexts = ({ _tag }: DockedDialog): ReadonlyArray<ContextName> => (_tag === "Question" ? TABBED : CONTEXTS)

/** How many questions there are, as soon as it is more than one, and whose this is. */
const asideOf = (model: AppModel, { session }: Docked, said: string): string => {
  const count = [...model.sessions.values()].reduce((sum, { asks }) => sum + asks.length, 0)
  const parts = [said, model.sessions.size > 1 ? nameOf(session) : "", count > 1 ? `1 of ${count}` : ""]
  return parts.filter((part) => part !== "").join(" · ")
}

const panelFor = (model: AppModel, { session, ask, dialog, id }: Docked): HintedPanel | undefined => {
  switch (dialog._tag) {
    case "Permission":
      return permissionPanel(ask, dialog, { session, options: model.options })
    case "Host":
      return ask.question.host === undefined ? undefined : hostPanel(ask.question.host, dialog)
    case "Question": {
      const questions = questionsOf(ask.question)
      return questions === undefined ? undefined : questionPanel(questions, dialog, secondsLeft(model, id))
    }
  }
}

/** The panel of a question; its hints name the keys as this user bound them. */
export const dockPanelOf = (model: AppModel, docked: Docked): BoundPanel | undefined => {
  const panel = panelFor(model, docked)
  if (panel === undefined) return undefined
  const { keymap } = model.keys
  const contexts = dockContexts(docked.dialog)
  return {
    ...panel,
    aside: asideOf(model, docked, panel.aside),
    hints: () => hintTexts(keymap, contexts, panel.hints),
    moreKey: () => keyName(keymap, "confirm:zoomDiff", contexts) ?? ""
  }
}
