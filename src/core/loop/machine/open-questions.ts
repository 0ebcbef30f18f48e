import type { PermissionQuestion } from "./command.ts"
import type { AgentState } from "./state.ts"
import { turnOf } from "./transition.ts"

/** What users are asked at this moment. A question is the same value for as long as it is open. */
export const openQuestions = (state: AgentState): ReadonlyArray<PermissionQuestion> => [
  ...(turnOf(state)?.calls ?? []).flatMap((call) => (call.stage === "asking" ? [call.question] : [])),
  ...state.pending.hosts.open.flatMap(({ question }) => question ?? [])
]
