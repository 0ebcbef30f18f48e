/** The named ranges of a block. Those of Markdown are found when somebody asks, once per revision. */
import { markdownParts } from "../../text/markdown/parts.ts"
import type { Block, Part } from "../block.ts"

const found = new WeakMap<Block, ReadonlyArray<Part>>()

const NO_PARTS: ReadonlyArray<Part> = []

export const partsOf = (block: Block): ReadonlyArray<Part> => {
  if (block.kind !== "text") return block.parts ?? NO_PARTS
  const known = found.get(block)
  if (known !== undefined) return known
  const parts = markdownParts(block.source)
  found.set(block, parts)
  return parts
}
