import { Effect } from "effect"
import { modelUsage } from "../../model/model-usage.ts"
import type { SessionHandle } from "../../session/session-handle.ts"
import { contextAnswer } from "./context-answer.ts"
import type { ControlReply } from "./host-link.ts"

/** What a host asks to know about the session, in the shapes that the public SDK declares. */
type Query = (session: SessionHandle) => Readonly<Record<string, unknown>>

const contextUsage: Query = (session) => contextAnswer(session.state())

const sessionCost: Query = (session) => {
  const { totals } = session.state()
  return { total_cost_usd: totals.costUsd, total_api_duration_ms: totals.apiMs, modelUsage: modelUsage(totals.models) }
}

/** Limits of a subscription are the vendor's business; here there are only costs. */
const usage: Query = (session) => {
  const { totals } = session.state()
  return {
    session: {
      total_cost_usd: totals.costUsd,
      total_api_duration_ms: totals.apiMs,
      total_duration_ms: Math.round(performance.now()),
      total_lines_added: 0,
      total_lines_removed: 0,
      model_usage: modelUsage(totals.models)
    },
    subscription_type: null,
    rate_limits_available: false,
    rate_limits: null,
    behaviors: null
  }
}

const nothing: Query = () => ({})

/** Things that this version does not have: there are none of them, and looking again finds none. */
const QUERIES: Readonly<Record<string, Query>> = {
  get_context_usage: contextUsage,
  get_session_cost: sessionCost,
  get_usage: usage,
  reload_plugins: () => ({ commands: [], agents: [], plugins: [], mcpServers: [], error_count: 0 }),
  reload_skills: () => ({ skills: [] }),
  reload_output_styles: () => ({ available_output_styles: ["default"] }),
  rewind_files: () => ({ canRewind: false, error: "File rewinding is not enabled: this version keeps no copies of files." }),
  set_has_subscribers: nothing
}

/** Answers a request that only asks; undefined when it is of another kind. */
export const answerQuery = (subtype: string, session: () => SessionHandle): Effect.Effect<ControlReply> | undefined => {
  const query = Object.hasOwn(QUERIES, subtype) ? QUERIES[subtype] : undefined
  return query === undefined ? undefined : Effect.sync((): ControlReply => ({ _tag: "Success", response: query(session()) }))
}
