import { type OverlayActionId, isOverlayAction } from "../../src/tui/keymap/actions/action-tables.ts"
import type { ContextName } from "../../src/tui/keymap/actions/context.ts"
import { defaultKeymap } from "../../src/tui/keymap/keymap.ts"
import type { Stroke } from "../../src/tui/keymap/stroke.ts"
import { keysFor, lookup } from "../../src/tui/keymap/trie.ts"
import { type Field, updateField } from "../../src/tui/editor/field.ts"

/** Keys for a dialog as a value, as the application gives them to it: text to an open field, actions by the keymap. */

const KEYMAP = defaultKeymap()

export interface Keyed<Outcome> {
  readonly contexts: ReadonlyArray<ContextName>
  readonly field: Field | undefined
  readonly put: (next: Field) => Outcome
  readonly act: (id: OverlayActionId) => Outcome | undefined
}

const isText = (stroke: Stroke): boolean => !(stroke.length > 1 && stroke.startsWith("<"))

/** Undefined where the key does nothing. */
export const pressKey = <Outcome>(stroke: Stroke, { contexts, field, put, act }: Keyed<Outcome>): Outcome | undefined => {
  const typed = field === undefined ? undefined : updateField(field, stroke)
  if (typed !== undefined && isText(stroke)) return put(typed)
  const found = lookup(keysFor(KEYMAP, contexts), stroke)
  const done = found._tag === "Matched" && isOverlayAction(found.action) ? act(found.action) : undefined
  return done ?? (typed === undefined ? undefined : put(typed))
}
