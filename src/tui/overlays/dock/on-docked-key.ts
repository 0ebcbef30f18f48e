import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { type AppModel } from "../../model/app-model.ts"
import type { Asked } from "../../model/asks.ts"
import { isConfined } from "../../model/dialogs/confinement.ts"
import { type HostOutcome, updateHost } from "../../model/dialogs/host-state.ts"
import { type PermissionOutcome, updatePermission } from "../../model/dialogs/permission-state.ts"
import { pasteWords, type QuestionOutcome, updateQuestion } from "../../model/dialogs/question-state.ts"
import { layoutDock } from "../../model/dock/dock-layout.ts"
import { type Docked, dockPanelOf } from "../../model/dock/docked.ts"
import type { DockedDialog } from "../../model/overlay.ts"
import { withAsk, withoutAsk } from "../../model/questions/pending-questions.ts"
import { doing, only, type Update } from "../../model/update-result.ts"
import { showDecision } from "../../model/windows/window-actions.ts"
import { pasteInto } from "../../editor/field.ts"
import { dockSize } from "../panel/overlay-area.ts"

/** Keys and pastes for the question above the prompt. */

const withDialog = (model: AppModel, id: string, dialog: DockedDialog): AppModel => ({
  ...model,
  overlays: { ...model.overlays, dialogs: new Map(model.overlays.dialogs).set(id, dialog) }
})

/** The model is asked once; after a failure, again. */
const explain = (model: AppModel, { session, ask: { question, risk } }: Asked): Update => {
  if (risk !== undefined && risk._tag !== "Failed") return only(model)
  const { callId, tool, input, decision } = question
  return doing(withAsk(model, session.id, callId, { risk: { _tag: "Asking" } }), {
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
  return doing(withoutAsk(model, session.id, callId), { _tag: "Answer", session: session.id, callId, answer })
}

const outcomeOf = (model: AppModel, docked: Docked, stroke: Stroke): PermissionOutcome | HostOutcome | QuestionOutcome => {
  const { question } = docked.ask
  const { dialog } = docked
  if (dialog._tag === "Question") return updateQuestion(dialog, question, stroke)
  const press = { stroke, isCut: cutsIn(model, docked) }
  if (dialog._tag === "Permission") return updatePermission(dialog, question, press)
  return question.host === undefined ? { _tag: "Open", dialog } : updateHost(dialog, question.host, press)
}

/** The risk is asked about when it is first to be shown. */
const opened = (model: AppModel, docked: Docked, next: DockedDialog): Update => {
  const { dialog, id } = docked
  const asks = next._tag === "Permission" && dialog._tag === "Permission" && next.explains && !dialog.explains
  const changed = withDialog(model, id, next)
  return asks ? explain(changed, docked) : only(changed)
}

export const onDockedKey = (model: AppModel, docked: Docked, stroke: Stroke): Update => {
  const outcome = outcomeOf(model, docked, stroke)
  if (outcome._tag === "Open") return opened(model, docked, outcome.dialog)
  if (outcome._tag === "Whole") return only(showDecision(withDialog(model, docked.id, outcome.dialog)))
  const [next, cmds] = answered(model, docked, outcome.answer)
  const aside = "aside" in outcome ? outcome.aside : ""
  const { id } = docked.session
  return aside === "" ? [next, cmds] : [next, [...cmds, { _tag: "Submit", session: id, text: aside, priority: "next" }]]
}

/** Pasted text goes into the field that is open and never answers. */
export const onDockedPaste = (model: AppModel, { id, ask, dialog }: Docked, text: string): AppModel => {
  switch (dialog._tag) {
    case "Permission":
      if (dialog.typing === "comment") return withDialog(model, id, { ...dialog, comment: pasteInto(dialog.comment, text) })
      return dialog.typing === "rule" && dialog.rule !== undefined
        ? withDialog(model, id, { ...dialog, rule: pasteInto(dialog.rule, text) })
        : model
    case "Question":
      return withDialog(model, id, pasteWords(dialog, ask.question, text))
    case "Host":
      return model
  }
}

/** The choice that a click points at. */
export const select = (model: AppModel, { id, dialog }: Docked, index: number): AppModel => {
  if (dialog._tag !== "Question") return withDialog(model, id, { ...dialog, selected: index })
  const selected = dialog.selected.map((each, tab) => (tab === dialog.tab ? index : each))
  return withDialog(model, id, { ...dialog, selected })
}
