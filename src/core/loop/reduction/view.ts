import * as Log from "../../domain/append-list.ts"
import type { Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import { millisFromIso } from "../../domain/time.ts"
import { historyOf } from "../../model/request/api-history.ts"
import { estimateMessages } from "../../model/tokens/estimate.ts"
import type { WindowStatus } from "../../model/tokens/window.ts"
import type { Ask, ReductionView, RungInput, RungName } from "../../context/reduction/reduction.ts"
import { isBoundaryLine } from "../../session/transcript/boundary.ts"
import { allWithReplacements } from "../turn/start-turn.ts"
import { fixedTokens, statusOf } from "../turn/send-request.ts"
import type { AgentState, Conversation } from "../machine/state.ts"
import { turnOf } from "../machine/transition.ts"

/** Messages the model still sees, as it sees them: everything after the last compaction boundary. */
export const visibleMessages = ({ conversation: { messages, replacements } }: AgentState): ReadonlyArray<Message> =>
  allWithReplacements(Log.toArray(messages, Log.findLastIndex(messages, isBoundaryLine) + 1), replacements)

/** The newest compaction that is in the window, with what stands for its older part. */
export const newestCompaction = ({
  messages
}: Conversation): { readonly at: number; readonly boundary: SystemMessage; readonly summary: UserMessage } | undefined => {
  const at = Log.findLastIndex(messages, isBoundaryLine)
  const boundary = Log.get(messages, at)
  const summary = Log.toArray(messages, at + 1).find(
    (message) => message.type === "user" && message.isCompactSummary === true
  )
  return boundary?.type === "system" && summary?.type === "user" ? { at, boundary, summary } : undefined
}

const NOTHING: Ask = { _tag: "Nothing" }
const NONE: ReadonlySet<RungName> = new Set()

const idleSince = ({ now, conversation: { messages } }: AgentState): number => {
  const at = Log.findLastIndex(messages, ({ type }) => type === "assistant")
  const answered = millisFromIso(Log.get(messages, at)?.timestamp ?? "")
  return answered === undefined ? 0 : Math.max(0, now - answered)
}

/** The conversation as the ladder looks at it. */
export const viewOf = (state: AgentState, ask: Ask = NOTHING, spent: ReadonlySet<RungName> = NONE): ReductionView => {
  const turn = turnOf(state)
  return {
    visible: () => visibleMessages(state),
    promptUuid: turn === undefined || turn.isCommand ? undefined : turn.promptUuid,
    pins: new Set(state.conversation.pins.map(({ uuid }) => uuid)),
    ask,
    spent,
    failures: state.conversation.compaction.failures,
    isUndone: state.conversation.compaction.isUndone,
    idleMs: idleSince(state),
    clearedAtTokens: state.conversation.compaction.clearedAtTokens,
    fixedTokens: fixedTokens(state)
  }
}

export const rungInput = (state: AgentState, ask: Ask, status: WindowStatus = statusOf(state)): RungInput => ({
  status,
  view: viewOf(state, ask),
  settings: state.config.compaction
})

/** The form that requests are made of, for other messages. Call ids stay taken: the transcript holds those calls. */
export const historyWith = (
  { history }: Conversation,
  messages: ReadonlyArray<Message>,
  replacements: Conversation["replacements"]
): Conversation["history"] => ({ ...historyOf(allWithReplacements(messages, replacements)), calls: history.calls })

export const countOf = (visible: ReadonlyArray<Message>): Conversation["count"] => ({
  counted: undefined,
  estimatedSince: estimateMessages(visible)
})
