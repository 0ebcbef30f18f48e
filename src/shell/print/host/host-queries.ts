import { Effect } from "effect"
import { estimateBlocks, estimateTools } from "../../../core/model/tokens/estimate.ts"
import { statusOf } from "../../../core/loop/turn/send-request.ts"
import { modelUsage } from "../../model/model-usage.ts"
import type { SessionHandle } from "../../session/session-handle.ts"
import type { ControlReply } from "./host-link.ts"

/** What a host asks to know about the session, in the shapes that the public SDK declares. */
type Query = (session: SessionHandle) => Readonly<Record<string, unknown>>

interface Category {
  readonly id?: string
  readonly name: string
  readonly tokens: number
  readonly color: string
  readonly kind: "used" | "free"
}

const category = (
  name: string,
  tokens: number,
  { id, kind = "used" }: Pick<Partial<Category>, "id" | "kind"> = {}
): Category => ({
  ...(id === undefined ? {} : { id }),
  name,
  tokens,
  color: kind === "free" ? "inactive" : "text",
  kind
})

/** Where the tokens of the window go. What is not prompt and tools is the conversation. */
const contextUsage: Query = (session) => {
  const state = session.state()
  const { usedTokens, windowTokens } = statusOf(state)
  const prompt = Math.min(usedTokens, estimateBlocks(state.config.prompt.system))
  const tools = Math.min(usedTokens - prompt, estimateTools(state.toolbox.definitions))
  return {
    categories: [
      category("System prompt", prompt, { id: "system_prompt" }),
      category("System tools", tools, { id: "system_tools" }),
      category("Messages", usedTokens - prompt - tools, { id: "messages" }),
      category("Free space", Math.max(0, windowTokens - usedTokens), { id: "free_space", kind: "free" })
    ],
    totalTokens: usedTokens,
    maxTokens: windowTokens,
    rawMaxTokens: windowTokens,
    percentage: Math.round((100 * usedTokens) / windowTokens),
    gridRows: [],
    model: state.config.choice.model,
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    isAutoCompactEnabled: state.config.compaction.isAutomatic,
    apiUsage: null
  }
}

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
