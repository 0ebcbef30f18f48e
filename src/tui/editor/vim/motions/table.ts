/** Every motion by its keys. */
import { blockMotions } from "./blocks.ts"
import { lineMotions } from "./in-line.ts"
import { verticalMotions } from "./lines.ts"
import type { Motion } from "./motion.ts"
import { pairMotions } from "./pairs.ts"
import { searchMotions } from "./searches.ts"
import { wordMotions } from "./words.ts"

export const motions: ReadonlyMap<string, Motion> = new Map(
  Object.entries({
    ...lineMotions,
    ...verticalMotions,
    ...wordMotions,
    ...blockMotions,
    ...pairMotions,
    ...searchMotions
  })
)
