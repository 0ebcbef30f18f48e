import { type MapMode, readMapped } from "../../keymap/mappings.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { isStartQuestion } from "../../model/overlay.ts"
import { focusedPane } from "../../model/windows/layout-and-focus.ts"
import { andThen, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession, sizeClass } from "../../model/app-model.ts"
import { shownOverlay } from "../../overlays/shown-overlay.ts"

/** Keys on their way to what they do, by way of the mappings of the user. */

type Press = (model: AppModel, stroke: Stroke) => Update

const promptMode = (model: AppModel): MapMode | undefined => {
  const editor = currentSession(model)?.prompt.editor
  if (editor === undefined) return undefined
  if (editor._tag === "Standard") return "i"
  const { mode, pending } = editor.vim
  if (mode.name === "commandLine") return "c"
  // The rest of a command is not a command: `r`, `f` and operators take the key as it is.
  if (pending.length > 0) return undefined
  return mode.name === "normal" ? "n" : mode.name === "visual" ? "v" : "i"
}

const transcriptMode = (model: AppModel): MapMode | undefined => {
  const list = currentSession(model)?.list
  if (list?.operator !== undefined) return undefined
  return list?.selection?.by === "keys" ? "v" : "n"
}

/** Which mappings hold where the keyboard is; none over dialogs, so that none can answer one. */
const modeOf = (model: AppModel): MapMode | undefined => {
  if (shownOverlay(model) !== undefined || sizeClass(model) === "below") return undefined
  if (model.line !== undefined) return "c"
  if (model.keys.waiting !== undefined || model.keys.pending.length > 0) return undefined
  if (model.focus === "prompt") return promptMode(model)
  return focusedPane(model) === "transcript" ? transcriptMode(model) : "n"
}

const held = (model: AppModel, typed: ReadonlyArray<Stroke>): AppModel => ({
  ...model,
  keys: { ...model.keys, typed, typedSince: model.now }
})

const isQuestion = (model: AppModel): boolean => {
  const overlay = shownOverlay(model)
  return overlay !== undefined && (model.overlays.shown?.startsWith("ask:") === true || isStartQuestion(overlay))
}

/** What a mapping types, up to a question: only the user's own keys answer that. */
const typedOut = (model: AppModel, strokes: ReadonlyArray<Stroke>, press: Press): Update =>
  strokes.reduce<Update>(
    (update, stroke) => andThen(update, (next) => (isQuestion(next) ? withoutCommands(next) : press(next, stroke))),
    withoutCommands(model)
  )

const read = (
  model: AppModel,
  at: { readonly typed: ReadonlyArray<Stroke>; readonly isLate: boolean },
  press: Press
): Update => {
  const mode = modeOf(model)
  if (at.typed.length === 0) return withoutCommands(model)
  if (mode === undefined)
    return at.typed.reduce<Update>(
      (update, stroke) => andThen(update, (next) => press(next, stroke)),
      withoutCommands(model)
    )
  const reading = readMapped(model.keys.mappings, mode, at)
  if (reading._tag === "Waits") return withoutCommands(held(model, at.typed))
  const [first] = reading.strokes
  const done = reading.mapped || first === undefined ? typedOut(model, reading.strokes, press) : press(model, first)
  return andThen(done, (next) => read(next, { ...at, typed: reading.rest }, press))
}

/** A key, and those that were held back for the sake of a mapping. */
export const throughMappings = (model: AppModel, stroke: Stroke, press: Press): Update => {
  const { mappings, typed } = model.keys
  if (mappings.length === 0) return press(model, stroke)
  return read(held(model, []), { typed: [...typed, stroke], isLate: false }, press)
}

/** No further key came in time. */
export const typedLate = (model: AppModel, press: Press): Update =>
  read(held(model, []), { typed: model.keys.typed, isLate: true }, press)
