import type { Trees } from "./layout-file.ts"
import { column, leaf, type Node, row } from "./tree.ts"

/** Arrangements that everybody has, beside the default one. */
const MAIN = column(800, leaf("transcript"), leaf("prompt"))

/** Side by side where there is room for it, else one above the other. */
const forEvery = (beside: Node, above: Node): Trees => ({
  wide: beside,
  normal: beside,
  medium: beside,
  narrow: above,
  tiny: above
})

const WATCHED = column(333, leaf("sessions"), column(500, leaf("approvals"), leaf("activity")))

export const BUILT_IN: ReadonlyMap<string, Trees> = new Map([
  ["default", {}],
  ["focus", forEvery(MAIN, MAIN)],
  ["review", forEvery(row(600, leaf("changes"), MAIN), column(600, leaf("changes"), MAIN))],
  ["watch", forEvery(row(600, MAIN, WATCHED), column(500, WATCHED, MAIN))]
])
