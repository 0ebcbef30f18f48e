import { hintLine } from "../keymap/hint.ts"
import { textRows } from "../text/line-rows.ts"
import type { OverlayActionId } from "../keymap/actions/action-tables.ts"
import { openOverlay, closeOverlay } from "../model/open-overlay.ts"
import { withoutCommands } from "../model/update-result.ts"
import type { Listing } from "../model/overlay.ts"
import { type AtOverlay, overlayOf } from "./panel/overlay-spec.ts"
import type { Handler, Handlers } from "../model/action.ts"

/** Lines to read and to put away again. */

const scroll =
  (by: number): Handler<AtOverlay<Listing>> =>
  ({ model, overlay, placed }) => {
    const { bodyHeight, bodyRows, top } = placed()
    const last = Math.max(0, bodyRows - bodyHeight)
    return withoutCommands(openOverlay(model, { ...overlay, top: Math.max(0, Math.min(top + by, last)) }))
  }

const close: Handler<AtOverlay<Listing>> = ({ model }) => withoutCommands(closeOverlay(model))

const ON: Partial<Handlers<OverlayActionId, AtOverlay<Listing>>> = {
  "select:next": scroll(1),
  "select:previous": scroll(-1),
  "select:halfPageDown": scroll(10),
  "select:halfPageUp": scroll(-10),
  "select:pageDown": scroll(20),
  "select:pageUp": scroll(-20),
  "select:first": scroll(Number.MIN_SAFE_INTEGER),
  "select:last": scroll(Number.MAX_SAFE_INTEGER),
  "select:accept": close,
  "select:cancel": close
}

export const LISTING_OVERLAY = overlayOf("Listing", {
  contexts: () => ["Select"],
  leave: "select:cancel",
  act: (at, id, press) => ON[id]?.(at, press),
  panel: ({ keys: { keymap } }, { title, lines, top }) => ({
    title,
    tone: "calm",
    width: 100,
    body: (width) => lines.flatMap((line) => textRows(line, width, undefined, "output")),
    top,
    foot: () => [],
    hint: hintLine(
      keymap,
      ["Select"],
      [
        [["select:next", "select:previous"], "scroll"],
        ["select:cancel", "close"]
      ]
    )
  })
})
