import { isToolResult, isToolUse, type ToolResultBlock } from "../../domain/block.ts"
import type { CallId } from "../../domain/id.ts"
import { toArray, type Log } from "../../domain/append-list.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { makeTurn, type Part, type Turn } from "./api-turn.ts"
import { asidesFirst } from "./asides.ts"

/**
 * A round is one response and what the user's side said after it, up to the next response. Closing it settles the law
 * of pairs: every call is answered once, in the order of the calls, by the message right after it.
 */
export interface Round {
  /** API id of the response; its fragments carry the same. */
  readonly responseId: string | undefined
  readonly assistant: Log<Part>
  readonly user: Log<Part>
}

const missing = (callId: CallId): Part => ({
  block: { type: "tool_result", tool_use_id: callId, content: TEXTS.missingResult, is_error: true },
  source: "",
  human: false
})

const callIds = (parts: ReadonlyArray<Part>): ReadonlyArray<CallId> =>
  parts.flatMap(({ block }) => (isToolUse(block) ? [block.id] : []))

const isResultPart = (part: Part): part is Part & { readonly block: ToolResultBlock } => isToolResult(part.block)

/** First result of each call; results without a call and second results fall away. */
const resultsByCall = (parts: ReadonlyArray<Part>): ReadonlyMap<CallId, Part> => {
  const found = new Map<CallId, Part>()
  for (const part of parts.filter(isResultPart)) {
    if (!found.has(part.block.tool_use_id)) found.set(part.block.tool_use_id, part)
  }
  return found
}

const turnsOf = (role: Turn["message"]["role"], parts: ReadonlyArray<Part>): ReadonlyArray<Turn> =>
  parts.length === 0 ? [] : [makeTurn(role, parts)]

/** The turns of a finished round: what the model said, then what the user's side said. */
export const closeParts = (assistant: ReadonlyArray<Part>, user: ReadonlyArray<Part>): ReadonlyArray<Turn> => {
  const ids = callIds(assistant)
  const rest = asidesFirst(user.filter((part) => !isToolResult(part.block)))
  if (ids.length === 0) return [...turnsOf("assistant", assistant), ...turnsOf("user", rest)]
  const results = resultsByCall(user)
  const answers = ids.map((id) => results.get(id) ?? missing(id))
  return [...turnsOf("assistant", assistant), ...turnsOf("user", [...answers, ...rest])]
}

export const closeRound = (round: Round): ReadonlyArray<Turn> => closeParts(toArray(round.assistant), toArray(round.user))
