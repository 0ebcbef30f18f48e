import { ACTIONS } from "./actions/action-tables.ts"
import { formatChord } from "./chord.ts"
import type { ContextName } from "./actions/context.ts"
import type { Keymap } from "./keymap.ts"

/** The text of a new keybindings.json: every default, ready to be changed. */
export const keybindingsTemplate = (keymap: Keymap): string => {
  const blocks = new Map<ContextName, Record<string, string | null>>()
  for (const { context, strokes, action } of keymap.bindings) {
    if (action !== null && ACTIONS.get(action)?.fixed === true) continue
    blocks.set(context, { ...blocks.get(context), [formatChord(strokes)]: action })
  }
  const file = {
    $docs: "Keys and actions: F1 in nacre, or docs/KEYS.md. null unbinds a key. Delete what you do not change.",
    bindings: [...blocks].map(([context, bindings]) => ({ context, bindings }))
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
