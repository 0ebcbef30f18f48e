import type { Stroke } from "../keymap/stroke.ts"
import { textRows } from "../text/line-rows.ts"
import type { Listing } from "../model/overlay.ts"
import type { Panel } from "./panel/panel.ts"

/** Lines to read and to put away again. */
export const listingPanel = ({ title, lines, top }: Listing): Panel => ({
  title,
  tone: "calm",
  width: 100,
  body: (width) => lines.flatMap((line) => textRows(line, width, undefined, "output")),
  top,
  foot: () => [],
  hint: "j k scroll · q close"
})

const STEPS: ReadonlyMap<Stroke, number> = new Map([
  ["j", 1],
  ["<Down>", 1],
  ["k", -1],
  ["<Up>", -1],
  ["<C-d>", 10],
  ["<C-u>", -10],
  ["<PageDown>", 20],
  ["<PageUp>", -20],
  [" ", 20],
  ["G", Number.MAX_SAFE_INTEGER],
  ["g", Number.MIN_SAFE_INTEGER]
])

/** The listing after a stroke, no further down than `lastTop`; undefined when it was put away. */
export const updateListing = (listing: Listing, stroke: Stroke, lastTop: number): Listing | undefined => {
  const step = STEPS.get(stroke)
  if (step !== undefined) return { ...listing, top: Math.max(0, Math.min(listing.top + step, lastTop)) }
  return stroke === "q" || stroke === "<Esc>" || stroke === "<CR>" ? undefined : listing
}
