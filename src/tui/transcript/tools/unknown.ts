/** Any other tool: its input as it is, its result as it is. Also what a broken renderer is replaced by. */
import type { ToolBlock } from "../block.ts"
import { callArgument, makeRenderer, outcomeText } from "./make-renderer.ts"
import type { ToolRenderer } from "./renderer.ts"

export const compactInput = (block: ToolBlock): string => {
  const text = JSON.stringify(block.input)
  return text === undefined || text === "{}" || text === "null" ? "" : text
}

export const unknownRenderer: ToolRenderer = makeRenderer({
  call: compactInput,
  head: (view) => ({ argument: callArgument(view), marks: [] }),
  outcome: (block) => ({ result: outcomeText(block) })
})
