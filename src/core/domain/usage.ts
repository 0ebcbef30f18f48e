import { Schema } from "effect"

/** Token counts of one response, as the Messages API reports them. */
export const Usage = Schema.Struct({
  input_tokens: Schema.Number,
  output_tokens: Schema.Number,
  cache_creation_input_tokens: Schema.Number,
  cache_read_input_tokens: Schema.Number,
  server_tool_use: Schema.Struct({ web_search_requests: Schema.Number, web_fetch_requests: Schema.Number }),
  service_tier: Schema.NullOr(Schema.String),
  cache_creation: Schema.Struct({
    ephemeral_1h_input_tokens: Schema.Number,
    ephemeral_5m_input_tokens: Schema.Number
  }),
  inference_geo: Schema.NullOr(Schema.String),
  iterations: Schema.NullOr(Schema.Unknown),
  speed: Schema.NullOr(Schema.String)
})
export type Usage = typeof Usage.Type

export const zeroUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: null,
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: null,
  iterations: null,
  speed: null
}

const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0)
const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
const textOrNull = (value: unknown, previous: string | null): string | null => (typeof value === "string" ? value : previous)

type Searches = Usage["server_tool_use"]
type Creation = Usage["cache_creation"]

/** Most responses search nothing: what did not change is shared, so that many answers do not hold many zeros. */
const withSearches = (known: Searches, web_search_requests: number, web_fetch_requests: number): Searches =>
  known.web_search_requests === web_search_requests && known.web_fetch_requests === web_fetch_requests
    ? known
    : { web_search_requests, web_fetch_requests }

const withCreation = (known: Creation, ephemeral_1h_input_tokens: number, ephemeral_5m_input_tokens: number): Creation =>
  known.ephemeral_1h_input_tokens === ephemeral_1h_input_tokens &&
  known.ephemeral_5m_input_tokens === ephemeral_5m_input_tokens
    ? known
    : { ephemeral_1h_input_tokens, ephemeral_5m_input_tokens }

/**
 * The counts after one more report about the same response: input counters keep the maximum seen, output counters
 * are replaced, and a zero or absent value never erases what is known.
 */
export const observeUsage = (known: Usage, report: unknown): Usage => {
  const r = record(report)
  const creation = record(r["cache_creation"])
  const server = record(r["server_tool_use"])
  const searches = count(server["web_search_requests"]) || known.server_tool_use.web_search_requests
  const fetches = count(server["web_fetch_requests"]) || known.server_tool_use.web_fetch_requests
  const oneHour = Math.max(known.cache_creation.ephemeral_1h_input_tokens, count(creation["ephemeral_1h_input_tokens"]))
  const fiveMinutes = Math.max(known.cache_creation.ephemeral_5m_input_tokens, count(creation["ephemeral_5m_input_tokens"]))
  return {
    input_tokens: Math.max(known.input_tokens, count(r["input_tokens"])),
    output_tokens: count(r["output_tokens"]) || known.output_tokens,
    cache_creation_input_tokens: Math.max(known.cache_creation_input_tokens, count(r["cache_creation_input_tokens"])),
    cache_read_input_tokens: Math.max(known.cache_read_input_tokens, count(r["cache_read_input_tokens"])),
    server_tool_use: withSearches(known.server_tool_use, searches, fetches),
    service_tier: textOrNull(r["service_tier"], known.service_tier),
    cache_creation: withCreation(known.cache_creation, oneHour, fiveMinutes),
    inference_geo: textOrNull(r["inference_geo"], known.inference_geo),
    iterations: r["iterations"] ?? known.iterations,
    speed: textOrNull(r["speed"], known.speed)
  }
}

/** Sum over different responses. */
export const addUsage = (left: Usage, right: Usage): Usage => ({
  input_tokens: left.input_tokens + right.input_tokens,
  output_tokens: left.output_tokens + right.output_tokens,
  cache_creation_input_tokens: left.cache_creation_input_tokens + right.cache_creation_input_tokens,
  cache_read_input_tokens: left.cache_read_input_tokens + right.cache_read_input_tokens,
  server_tool_use: {
    web_search_requests: left.server_tool_use.web_search_requests + right.server_tool_use.web_search_requests,
    web_fetch_requests: left.server_tool_use.web_fetch_requests + right.server_tool_use.web_fetch_requests
  },
  service_tier: right.service_tier ?? left.service_tier,
  cache_creation: {
    ephemeral_1h_input_tokens:
      left.cache_creation.ephemeral_1h_input_tokens + right.cache_creation.ephemeral_1h_input_tokens,
    ephemeral_5m_input_tokens: left.cache_creation.ephemeral_5m_input_tokens + right.cache_creation.ephemeral_5m_input_tokens
  },
  inference_geo: left.inference_geo,
  iterations: left.iterations,
  speed: left.speed
})

/** What was added to a sum since. */
export const usageSince = (before: Usage, after: Usage): Usage =>
  addUsage(after, {
    ...after,
    input_tokens: -before.input_tokens,
    output_tokens: -before.output_tokens,
    cache_creation_input_tokens: -before.cache_creation_input_tokens,
    cache_read_input_tokens: -before.cache_read_input_tokens,
    server_tool_use: {
      web_search_requests: -before.server_tool_use.web_search_requests,
      web_fetch_requests: -before.server_tool_use.web_fetch_requests
    },
    cache_creation: {
      ephemeral_1h_input_tokens: -before.cache_creation.ephemeral_1h_input_tokens,
      ephemeral_5m_input_tokens: -before.cache_creation.ephemeral_5m_input_tokens
    }
  })

/** Everything that stood in the window when the response was made, its own output included. */
export const contextTokens = (usage: Usage): number =>
  usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens + usage.output_tokens

export const isZeroUsage = (usage: Usage): boolean => contextTokens(usage) === 0
