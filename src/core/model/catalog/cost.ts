import { isOfflineModel, lineageKey } from "./model.ts"
import { type Usage, zeroUsage } from "../../domain/usage.ts"
import listPrices from "./prices.json" with { type: "json" }

/** What a response cost at list price. An estimate: what is not known is `undefined`, never zero. */
export interface ModelPrice {
  /** US dollars per million tokens. */
  readonly input: number
  readonly output: number
  /** Factors on the input price; the table's common factors hold where they are absent. */
  readonly cacheRead?: number
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
  /** Other prices for the whole request once its prompt is longer. */
  readonly longPrompt?: { readonly overTokens: number; readonly input: number; readonly output: number }
  /** Prompts beyond this size are billed at a price we do not know. */
  readonly knownUpToTokens?: number
}

/** Keyed by lineage (`opus-4-6`) or by the exact model id, which wins. */
export type PriceOverrides = Readonly<Record<string, ModelPrice>>

const FREE: ModelPrice = { input: 0, output: 0 }
const TABLE: PriceOverrides = listPrices.models

/** Names of models come from outside: a word that every object has is not an entry. */
const entryOf = (table: PriceOverrides, name: string): ModelPrice | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export const priceOf = (model: string, overrides: PriceOverrides = {}): ModelPrice | undefined => {
  const key = lineageKey(model)
  const own = entryOf(overrides, model) ?? (key === undefined ? undefined : entryOf(overrides, key))
  if (own !== undefined) return own
  if (isOfflineModel(model)) return FREE
  return key === undefined ? undefined : entryOf(TABLE, key)
}

const PER_MILLION = 1_000_000

export const costOf = (model: string, usage: Usage, overrides?: PriceOverrides): number | undefined => {
  const price = priceOf(model, overrides)
  if (price === undefined) return undefined
  const promptTokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  if (price.knownUpToTokens !== undefined && promptTokens > price.knownUpToTokens) return undefined
  const { input, output } =
    price.longPrompt !== undefined && promptTokens > price.longPrompt.overTokens ? price.longPrompt : price
  // Endpoints that do not split the cache writes write for five minutes.
  const written1h = Math.min(usage.cache_creation.ephemeral_1h_input_tokens, usage.cache_creation_input_tokens)
  const written5m = usage.cache_creation_input_tokens - written1h
  const inputUnits =
    usage.input_tokens +
    usage.cache_read_input_tokens * (price.cacheRead ?? listPrices.cache.read) +
    written5m * (price.cacheWrite5m ?? listPrices.cache.write5m) +
    written1h * (price.cacheWrite1h ?? listPrices.cache.write1h)
  const searches = price === FREE ? 0 : usage.server_tool_use.web_search_requests * listPrices.webSearch
  return (inputUnits * input + usage.output_tokens * output) / PER_MILLION + searches
}

/** A running total stays unknown once a part of it is: a sum that leaves something out would look too cheap. */
export const addCost = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined ? undefined : total + part

/** What it costs to write tokens to the cache once more that could have been read from it. */
export const rereadCost = (model: string, tokens: number): number | undefined => {
  const written = costOf(model, { ...zeroUsage, cache_creation_input_tokens: tokens })
  const read = costOf(model, { ...zeroUsage, cache_read_input_tokens: tokens })
  return written === undefined || read === undefined ? undefined : written - read
}
