import { caretIn, bufferIn } from "../../prompt/editor.ts"
import { layoutPrompt, type PromptLayout } from "../../prompt/wrap.ts"
import { type AppModel, sizeClass } from "../app-model.ts"
import { dockedOf } from "../dock/docked.ts"
import { queuedTexts } from "../queued-prompts.ts"
import { type RunStatus, runStatusOf } from "../run-status.ts"
import type { SessionModel } from "../session-model.ts"

/** How many rows the prompt asks for. The plan of the screen needs the number, and the pane draws that many. */

export const MARK_COLUMNS = 2
export const MOST_QUEUED = 3

/** Columns for the text itself. */
export const promptTextWidth = (width: number): number => Math.max(1, width - MARK_COLUMNS - 2)

export const promptLayout = ({ prompt }: SessionModel, width: number): PromptLayout =>
  layoutPrompt(bufferIn(prompt.editor), caretIn(prompt.editor), { width: promptTextWidth(width), chips: prompt.chips })

/** The row is a part of the prompt: there is none in a tiny window, nor while another pane has the whole screen. */
export const hasHintRow = (model: AppModel): boolean => {
  const { zoomed } = model.layout
  return sizeClass(model) !== "tiny" && (zoomed === undefined || zoomed === "prompt")
}

/** What is queued, a row each; one more says how many are not shown. */
const queueHeight = (session: SessionModel): number =>
  Math.min(queuedTexts(session).length + session.waiting.length, MOST_QUEUED + 1)

/** What a running turn does; a question above the prompt says it already. */
export const shownRun = (model: AppModel, session: SessionModel): RunStatus | undefined =>
  dockedOf(model)?.session.id === session.id ? undefined : runStatusOf(session, model.now)

/** Rows the prompt would like to have. */
export const promptRows = (model: AppModel, session: SessionModel, width: number): number => {
  const text = promptLayout(session, width).rows.length
  const run = shownRun(model, session) === undefined ? 0 : 1
  return queueHeight(session) + run + text + (hasHintRow(model) ? 1 : 0)
}
