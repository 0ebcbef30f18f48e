import { contextsOf } from "../../overlays/overlay-keys.ts"
import type { ContextName } from "../../keymap/actions/context.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { type KeyNode, keysFor, type Lookup, lookup } from "../../keymap/trie.ts"
import type { Overlay } from "../../model/overlay.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import type { AppModel } from "../../model/app-model.ts"
import { shownOverlay } from "../../overlays/shown-overlay.ts"

/** Where a chord that is half typed stands in the keys that work here. */

/** What goes on working while a question is docked: scrolling, help, going to a pane. */
const BESIDE_DOCK: ReadonlyArray<ContextName> = ["Scroll", "Global"]

/**
 * What window keys mean something over: lists that the user opened, which they reach past, and questions, which must
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
      return overlay.typing === "nothing" ? ["Pane", ...BESIDE_DOCK] : BESIDE_DOCK
    case "Question":
      return overlay.isTyping ? BESIDE_DOCK : ["Pane", ...BESIDE_DOCK]
    case "Host":
      return ["Pane", ...BESIDE_DOCK]
    default:
      return undefined
  }
}

/** Where a half typed chord stands in the keys of the overlay; undefined when it is none of them. */
export const ownNodeOf = (model: AppModel, overlay: Overlay): KeyNode | undefined => {
  const { keymap, pending } = model.keys
  return pending.reduce<KeyNode | undefined>(
    (node, stroke) => node?.children.get(stroke),
    keysFor(keymap, contextsOf(overlay))
  )
}

export const nodeOf = (model: AppModel): KeyNode => {
  const overlay = shownOverlay(model)
  const own = overlay === undefined || model.keys.pending.length === 0 ? undefined : ownNodeOf(model, overlay)
  if (own !== undefined) return own
  const over = overlay === undefined || model.line !== undefined ? undefined : contextsOver(overlay)
  const root = keysFor(model.keys.keymap, over ?? activeContexts(model))
  return model.keys.pending.reduce<KeyNode>((node, stroke) => node.children.get(stroke) ?? node, root)
}

/** A key that means something beside a question, none of its own. */
export const besideDock = (model: AppModel, stroke: Stroke): Lookup =>
  lookup(keysFor(model.keys.keymap, BESIDE_DOCK), stroke)

const leadsToWindow = (node: KeyNode): boolean => node.takesCount || [...node.children.values()].some(leadsToWindow)

/** Whether a stroke over an overlay begins a window chord, or goes on with one. */
export const isWindowChord = (model: AppModel, overlay: Overlay, stroke: Stroke): boolean => {
  if (contextsOver(overlay) === undefined) return false
  if (model.keys.pending.length > 0 && ownNodeOf(model, overlay) !== undefined) return false
  if (model.keys.pending.length > 0) return true
  const found = lookup(nodeOf(model), stroke)
  return found._tag === "Pending" && leadsToWindow(found.node)
}

const CHOOSES =
  /^confirm:(?:choose|leave|next|previous|nextField|cycleMode|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)$/

/** A key that moves or chooses in the questions of the first start; a letter begins a prompt. */
export const isOnboardingKey = ({ keys }: AppModel, stroke: Stroke): boolean => {
  const found = lookup(keysFor(keys.keymap, ["Confirmation"]), stroke)
  return found._tag === "Matched" && CHOOSES.test(found.action) && !/^[a-z]$/i.test(stroke)
}
