import { actInOverlay, openFieldOf } from "../../overlays/overlay-keys.ts"
import { isOverlayAction } from "../../keymap/actions/action-tables.ts"
import { lookup } from "../../keymap/trie.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import type { Overlay } from "../../model/overlay.ts"
import { notify } from "../../model/update-result.ts"
import { ownNodeOf } from "./chords.ts"
import type { AppModel } from "../../model/app-model.ts"

/**
 * Somebody who goes on writing a sentence when a dialog has the keyboard already does not answer it: behind a letter
 * that means nothing to the dialog, letters that follow as quickly as one types belong to the sentence.
 */
const STRAY_MS = 300

const isLetter = (stroke: Stroke): boolean => !(stroke.length > 1 && stroke.startsWith("<"))

/** A letter that does something in the dialog, or begins a chord there. */
const isKnown = (model: AppModel, overlay: Overlay, stroke: Stroke): boolean => {
  const node = ownNodeOf(model, overlay)
  const found = node === undefined ? undefined : lookup(node, stroke)
  if (found?._tag !== "Matched") return found?._tag === "Pending"
  return !isOverlayAction(found.action) || actInOverlay(model, overlay, found.action) !== undefined
}

export const isStray = (model: AppModel, overlay: Overlay, stroke: Stroke): boolean => {
  if (!isLetter(stroke) || openFieldOf(model, overlay) !== undefined || model.keys.pending.length > 0) return false
  return model.now - model.keys.strayAt < STRAY_MS || !isKnown(model, overlay, stroke)
}

export const withStray = (model: AppModel): AppModel =>
  notify({ ...model, keys: { ...model.keys, strayAt: model.now } }, "typing answers no question; pause, then answer", {
    key: "stray"
  })
