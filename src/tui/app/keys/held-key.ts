import type { Stroke } from "../../keymap/stroke.ts"
import { ANSWER_GUARD_MS } from "../../model/questions/attention.ts"
import type { AppModel, HeldKey } from "../../model/app-model.ts"

/**
 * A key that is held down must not answer a dialog that appears under it. Where the terminal does not tell
 * repeats from presses, presses of the same key in quicker succession than a hand can are taken for one that is held.
 */
const REPEAT_MS = 100

export const heldAfter = ({ keys, now }: AppModel, stroke: Stroke): HeldKey => {
  const { held } = keys
  const goesOn = held?.stroke === stroke && now - held.at < REPEAT_MS
  return { stroke, since: goesOn ? held.since : now, at: now }
}

/** The key went down before the dialog could be answered. */
export const isHeldOver = ({ overlays }: AppModel, held: HeldKey): boolean =>
  held.at > held.since && held.since < overlays.shownSince + ANSWER_GUARD_MS
