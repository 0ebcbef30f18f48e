import type { Field } from "../../editor/field.ts"
import type { OpenField, AnyOverlay } from "../panel/overlay-spec.ts"
import { type OverlayActionId, actionOfNumber } from "../../keymap/actions/action-tables.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { type AppModel } from "../../model/app-model.ts"
import type { Asked } from "../../model/asks.ts"
import { isConfined } from "../../model/dialogs/confinement.ts"
import { type HostOutcome, updateHost } from "../../model/dialogs/host-state.ts"
import { type PermissionOutcome, updatePermission, fieldIn, withField } from "../../model/dialogs/permission-state.ts"
import { type QuestionOutcome, updateQuestion, wordsIn, withWords } from "../../model/dialogs/question-state.ts"
import { layoutDock } from "../../model/dock/dock-layout.ts"
import { type Docked, dockPanelOf, answeringOf, dockContexts } from "../../model/dock/docked.ts"
import type { DockedDialog, Overlay } from "../../model/overlay.ts"
import { withAsk, withoutAsk } from "../../model/questions/pending-questions.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { showDecision } from "../../model/windows/window-actions.ts"
import { dockSize } from "../panel/overlay-area.ts"

/** Keys and pastes for the question above the prompt. */

const withDialog = (model: AppModel, id: string, dialog: DockedDialog): AppModel => ({
  ...model,
  overlays: { ...model.overlays, dialogs: new Map(model.overlays.dialogs).set(id, dialog) }
})

/** The model is asked once; after a failure, again. */
const explain = (model: AppModel, { session, ask: { question, risk } }: Asked): Update => {
  if (risk !== undefined && risk._tag !== "Failed") return withoutCommands(model)
  const { callId, tool, input, decision } = question
  return withCommands(withAsk(model, session.id, callId, { risk: { _tag: "Asking" } }), {
    _tag: "ExplainCall",
    session: session.id,
    callId,
    tool,
    input,
    whyAsked: decision.reason.sentence,
    sandbox: isConfined(question, session)
  })
}

/** Whether the panel has no room for all that a choice says. */
const cutsIn = (model: AppModel, docked: Docked): ((choice: number) => boolean) => {
  const panel = dockPanelOf(model, docked)
  const size = panel === undefined ? undefined : dockSize(model, panel)
  return panel === undefined || size === undefined ? () => true : layoutDock(panel, size.columns, size.rows).choices.isCut
}

const answered = (model: AppModel, { session, ask }: Docked, answer: PermissionAnswer): Update => {
  const { callId } = ask.question
  return withCommands(withoutAsk(model, session.id, callId), { _tag: "Answer", session: session.id, callId, answer })
}

const outcomeOf = (
  model: AppModel,
  docked: Docked,
  id: OverlayActionId
): PermissionOutcome | HostOutcome | QuestionOutcome | undefined => {
  const { question } = docked.ask
  const { dialog } = docked
  if (dialog._tag === "Question") return updateQuestion(dialog, question, id)
  const act = { id, isCut: cutsIn(model, docked) }
  if (dialog._tag === "Permission") return updatePermission(dialog, question, act)
  return question.host === undefined ? undefined : updateHost(dialog, question.host, act)
}

/** The risk is asked about when it is first to be shown. */
const opened = (model: AppModel, docked: Docked, next: DockedDialog): Update => {
  const { dialog, id } = docked
  const asks = next._tag === "Permission" && dialog._tag === "Permission" && next.explains && !dialog.explains
  const changed = withDialog(model, id, next)
  return asks ? explain(changed, docked) : withoutCommands(changed)
}

const actIn = (model: AppModel, docked: Docked, id: OverlayActionId): Update | undefined => {
  const outcome = outcomeOf(model, docked, id)
  if (outcome === undefined) return undefined
  if (outcome._tag === "Open") return opened(model, docked, outcome.dialog)
  if (outcome._tag === "Whole") return withoutCommands(showDecision(withDialog(model, docked.id, outcome.dialog)))
  const [next, cmds] = answered(model, docked, outcome.answer)
  const aside = "aside" in outcome ? outcome.aside : ""
  const { id: session } = docked.session
  return aside === "" ? [next, cmds] : [next, [...cmds, { _tag: "Submit", session, text: aside, priority: "next" }]]
}

/** Letters and pastes go into the field that is open, and never answer. */
const fieldOf = (model: AppModel, { id, ask, dialog }: Docked): OpenField | undefined => {
  if (dialog._tag === "Host") return undefined
  const value = dialog._tag === "Permission" ? fieldIn(dialog) : wordsIn(dialog)
  if (value === undefined) return undefined
  const put = (next: Field): AppModel =>
    withDialog(model, id, dialog._tag === "Permission" ? withField(dialog, next) : withWords(dialog, ask.question, next))
  return { value, put }
}

const act = (model: AppModel, id: OverlayActionId): Update | undefined => {
  const docked = answeringOf(model)
  return docked === undefined ? undefined : actIn(model, docked, id)
}

const isDocked = (overlay: Overlay): overlay is DockedDialog =>
  overlay._tag === "Host" || overlay._tag === "Permission" || overlay._tag === "Question"

/** A question of the agent, whichever it is: drawn above the prompt, and so without a panel over everything. */
export const DOCKED_OVERLAY: AnyOverlay = {
  contexts: (overlay) => (isDocked(overlay) ? dockContexts(overlay) : []),
  leave: "confirm:leave",
  panel: () => undefined,
  field: (model) => {
    const docked = answeringOf(model)
    return docked === undefined ? undefined : fieldOf(model, docked)
  },
  act: ({ model }, id) => act(model, id),
  // The review of the answers has one choice, which Enter takes.
  choose: ({ model }, key) => act(model, actionOfNumber(key) ?? "confirm:choose")
}

/** The choice that a click points at. */
export const select = (model: AppModel, { id, dialog }: Docked, index: number): AppModel => {
  if (dialog._tag !== "Question") return withDialog(model, id, { ...dialog, selected: index })
  const selected = dialog.selected.map((each, tab) => (tab === dialog.tab ? index : each))
  return withDialog(model, id, { ...dialog, selected })
}
