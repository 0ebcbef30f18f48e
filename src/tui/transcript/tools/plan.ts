import type { ToolBlock } from "../block.ts"
import { lookOf } from "../../screen/style/look.ts"
import { mark } from "../rows/compose.ts"
import { markdownRows } from "../rows/markdown-rows.ts"
import { textField } from "../fields.ts"
import { dataOf, inputOf, makeRenderer, NO_BODY } from "./make-renderer.ts"
import type { Head, ToolRenderer, ToolView } from "./renderer.ts"

/** A plan that waits for consent, or has it. */
const planOf = (block: ToolBlock): string => textField(dataOf(block), "plan") || textField(inputOf(block), "plan")

const VERDICTS: Partial<Record<ToolBlock["state"], string>> = { ok: "accepted", denied: "rejected", failed: "rejected" }

const head = (view: ToolView): Head => {
  const { block, call, options, width } = view
  const verdict = VERDICTS[block.state]
  return {
    argument: [],
    marks: verdict === undefined ? [] : [mark(verdict, lookOf(verdict === "accepted" ? "success" : "error"))],
    rows: markdownRows(block.source, call, { ...options, width })
  }
}

export const planRenderer: ToolRenderer = makeRenderer({
  call: planOf,
  outcome: () => ({ result: "" }),
  plain: () => "plan",
  head,
  result: () => NO_BODY
})
