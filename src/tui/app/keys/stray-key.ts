import type { Stroke } from "../../keymap/stroke.ts"
import type { Overlay } from "../../model/overlay.ts"
import { notify } from "../../model/update-result.ts"
import { ownNodeOf } from "./chords.ts"
import type { AppModel } from "../../model/app-model.ts"
import { isTypedInto } from "../../overlays/panel/overlay-contexts.ts"

/**
 * Somebody who goes on writing a sentence when a dialog has the keyboard already does not answer it: behind a letter
 * that means nothing to the dialog, letters that follow as quickly as one types belong to the sentence.
 */
const STRAY_MS = 300

/** Letters that dialogs of the agent know. */
const KNOWN = /^[yndjkeshlK1-9 ]$/

const isLetter = (stroke: Stroke): boolean => !(stroke.length > 1 && stroke.startsWith("<"))

export const isStray = (model: AppModel, overlay: Overlay, stroke: Stroke): boolean => {
  if (!isLetter(stroke) || isTypedInto(overlay) || model.keys.pending.length > 0) return false
  if (model.now - model.keys.strayAt < STRAY_MS) return true
  return !KNOWN.test(stroke) && ownNodeOf(model, overlay)?.children.has(stroke) !== true
}

export const withStray = (model: AppModel): AppModel =>
  notify({ ...model, keys: { ...model.keys, strayAt: model.now } }, "typing answers no question; pause, then answer", {
    key: "stray"
  })
