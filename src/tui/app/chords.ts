import type { ContextName } from "../keymap/context.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { type KeyNode, keysFor, lookup } from "../keymap/trie.ts"
import type { Overlay } from "../overlays/overlay.ts"
import { activeContexts } from "./contexts.ts"
import type { AppModel } from "./model.ts"
import { shownOverlay } from "./overlay-panel.ts"

/** Where a chord that is half typed stands in the keys that work here. */

/**
 * What window keys mean something over: lists that the person opened, which they reach past, and questions, which must
 * not take the last key of a chord for an answer. A field has a `<C-w>` of its own.
 */
const contextsOver = (overlay: Overlay): ReadonlyArray<ContextName> | undefined => {
  switch (overlay._tag) {
    case "Picker":
      return overlay.picker.isFiltering || overlay.browser.typing !== undefined ? ["Global"] : ["Pane", "Global"]
    case "Listing":
      return ["Pane", "Global"]
    case "History":
      return ["Global"]
    case "Permission":
      return overlay.typing === "nothing" ? ["Pane", "Global"] : ["Global"]
    case "Question":
      return overlay.isTyping ? ["Global"] : ["Pane", "Global"]
    case "Host":
      return ["Pane", "Global"]
    default:
      return undefined
  }
}

export const nodeOf = (model: AppModel): KeyNode => {
  const overlay = shownOverlay(model)
  const over = overlay === undefined ? undefined : contextsOver(overlay)
  const root = keysFor(model.keys.keymap, over ?? activeContexts(model))
  return model.keys.pending.reduce<KeyNode>((node, stroke) => node.children.get(stroke) ?? node, root)
}

const leadsToWindow = (node: KeyNode): boolean => node.takesCount || [...node.children.values()].some(leadsToWindow)

/** Whether a stroke over an overlay begins a window chord, or goes on with one. */
export const isWindowChord = (model: AppModel, overlay: Overlay, stroke: Stroke): boolean => {
  if (contextsOver(overlay) === undefined) return false
  if (model.keys.pending.length > 0) return true
  const found = lookup(nodeOf(model), stroke)
  return found._tag === "Pending" && leadsToWindow(found.node)
}
