import type { ClearResults, RungName } from "../../context/reduction/reduction.ts"
import * as Log from "../../domain/append-list.ts"
import type { SystemMessage } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { usedTokens } from "../turn/send-request.ts"
import { patchConversation } from "../machine/patch-state.ts"
import type { AgentState, Run } from "../machine/state.ts"
import { andThen, commitAndPublish, freshUuid, type Step, timestamp } from "../machine/transition.ts"
import { historyWith } from "./view.ts"

/** How transcripts name what made somebody clear results. */
const TRIGGERS: Readonly<Partial<Record<RungName, string>>> = {
  "clear-idle": "time",
  "clear-pressure": "pressure",
  "clear-rescue": "reactive",
  "clear-asked": "manual"
}

const boundary = (state: AgentState, { calls, freesTokens, rung }: ClearResults) =>
  ({
    type: "system",
    subtype: "microcompact_boundary",
    timestamp: timestamp(state),
    content: "Old tool results cleared",
    level: "info",
    microcompactMetadata: { trigger: TRIGGERS[rung] ?? "time", ids: calls, tokensSaved: freesTokens }
  }) as const

/** Old results give way to one line. The record that makes a resumed conversation do the same is written first. */
export const clearResults = <R extends Run>(state: AgentState<R>, reduction: ClearResults): Step<R> => {
  const { conversation } = state
  const cleared = reduction.calls.map((callId) => [callId, TEXTS.clearedResult] as const)
  const replacements = new Map([...conversation.replacements, ...cleared])
  const [uuid, drawn] = freshUuid(state)
  const message: SystemMessage = { ...boundary(drawn, reduction), uuid }
  const { count, compaction } = conversation
  const changed = patchConversation(drawn, {
    replacements,
    history: historyWith(conversation, Log.toArray(conversation.messages), replacements),
    count: { ...count, estimatedSince: count.estimatedSince - reduction.freesTokens }
  })
  const noted =
    reduction.rung === "clear-pressure"
      ? patchConversation(changed, { compaction: { ...compaction, clearedAtTokens: usedTokens(changed) } })
      : changed
  const record = {
    type: "content-replacement" as const,
    replacements: cleared.map(([toolUseId, replacement]) => ({ kind: "tool-result" as const, toolUseId, replacement }))
  }
  return andThen([noted, [{ _tag: "Note", record }]], (next) => commitAndPublish(next, message))
}
