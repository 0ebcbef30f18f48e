import { factsOf, factsText } from "../../context/reduction/facts.ts"
import { summarise } from "../../context/reduction/summarise.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { isText } from "../../domain/block.ts"
import { isPrompt } from "../../model/request/prompt-message.ts"
import { estimateMessages, estimateText } from "../../model/tokens/estimate.ts"
import { patchConversation } from "../machine/patch-state.ts"
import type { AgentState } from "../machine/state.ts"
import { likelyTokens } from "../turn/send-request.ts"
import { countOf, newestCompaction, rungInput, visibleMessages } from "./view.ts"

/** What can be known of a compaction before it happens, and after. */

const WHOLE = { _tag: "Manual", focus: "", part: { _tag: "All" } } as const
const SHOWN_CHARS = 60

const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")

const amount = (messages: ReadonlyArray<Message>): string =>
  `${number(messages.length)} message${messages.length === 1 ? "" : "s"}, about ${number(estimateMessages(messages))} tokens`

const firstLine = (message: Message): string => {
  const words = message.type === "user" ? blocksOf(message.message.content).find(isText)?.text : undefined
  const line = words?.trim().split("\n", 1)[0] ?? ""
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line
}

const promptLines = (older: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const prompts = older.filter(isPrompt).map(firstLine)
  const [first, ...rest] = prompts
  if (first === undefined) return []
  const last = rest.at(-1)
  return [`  from "${first}"${last === undefined ? "" : ` to "${last}"`}`]
}

/** What a summary would stand for now, and what would stay. */
export const compactionPreview = (state: AgentState): ReadonlyArray<string> => {
  const plan = summarise(rungInput(state, WHOLE))
  if (plan === undefined) return ["There is nothing to summarise yet."]
  const facts = factsText(factsOf(visibleMessages(state), new Set(plan.kept.map(({ uuid }) => uuid))))
  const kept = likelyTokens(patchConversation(state, { count: countOf(plan.kept) })) + estimateText(facts)
  const pins = state.conversation.pins.length
  return [
    `Would become a summary: ${amount(plan.older)}`,
    ...promptLines(plan.older),
    `Would stay word for word: ${amount(plan.kept)}`,
    `  the newest answer${pins === 0 ? "" : `, and what is pinned (${pins})`}`,
    "Would be written beside it by the program: what you asked, open todos, changed files, a command that failed",
    `In the window: ${number(likelyTokens(state))} tokens now, about ${number(kept)} and the summary afterwards`
  ]
}

/** What stands in for the older part, as the model sees it. */
export const summaryText = ({ conversation }: AgentState): string | undefined => {
  const summary = newestCompaction(conversation)?.summary
  if (summary === undefined) return undefined
  return blocksOf(summary.message.content)
    .filter(isText)
    .map(({ text }) => text)
    .join("\n")
}

export const NO_SUMMARY = "Nothing of this conversation has been summarised."
