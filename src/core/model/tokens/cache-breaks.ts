import type { TextBlock } from "../../domain/block.ts"
import type { ApiHistory } from "../request/api-history.ts"
import { renderMessages } from "../request/api-history.ts"
import type { RenderOptions } from "../request/api-turn.ts"
import type { ApiMessage, ToolDefinition } from "../request/model-request.ts"

/**
 * Notices when the prompt cache did not give back what it held. A request normally begins with all of the one before it,
 * so the cache reads at least as much as it did then; when it reads much less, something in front has changed, or the
 * endpoint forgot. What was to be expected (another model, other tools, a summary, a long pause) is not reported.
 */
export interface CacheSight {
  readonly at: number
  readonly readTokens: number
  /** All that was sent, read from the cache or not. */
  readonly promptTokens: number
  readonly model: string
  readonly effort: string | undefined
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly system: ReadonlyArray<TextBlock>
  readonly history: ApiHistory
  readonly options: RenderOptions
}

/** What differed first, in the order of the prefix. */
export type ChangedLayer =
  | { readonly _tag: "System" }
  | { readonly _tag: "Message"; readonly index: number }
  /** All that went before was sent again as it was: it is the endpoint that no longer had it. */
  | { readonly _tag: "Nothing" }

export interface CacheBreak {
  readonly at: number
  readonly model: string
  readonly lostTokens: number
  readonly changed: ChangedLayer
}

export interface CacheWatch {
  readonly last: CacheSight | undefined
  /** The newest ones, oldest first. */
  readonly breaks: ReadonlyArray<CacheBreak>
  /** How often, and how many tokens in all. */
  readonly count: number
  readonly lostTokens: number
}

export const NO_CACHE_WATCH: CacheWatch = { last: undefined, breaks: [], count: 0, lostTokens: 0 }

const LEAST_LOST_TOKENS = 2_000
const LEAST_LOST_SHARE = 0.05
const BREAKS_KEPT = 20

/** Whether it is known why the cache reads less. A reduction makes the history anew, so its beginning is another one. */
const isAnnounced = (before: CacheSight, now: CacheSight, ttlMs: number): boolean =>
  before.model !== now.model ||
  before.effort !== now.effort ||
  before.tools !== now.tools ||
  before.history.earlier !== now.history.earlier ||
  now.at - before.at > ttlMs

const textOf = (value: unknown): string => JSON.stringify(value)

/** The first message of a request that the next one does not repeat. */
export const firstDifference = (before: ReadonlyArray<ApiMessage>, now: ReadonlyArray<ApiMessage>): number | undefined => {
  const index = before.findIndex((message, at) => {
    const next = now[at]
    if (next === undefined || next.role !== message.role) return true
    return message.content.some((block, place) => textOf(block) !== textOf(next.content[place]))
  })
  return index === -1 ? undefined : index
}

const changedLayer = (before: CacheSight, now: CacheSight): ChangedLayer => {
  if (before.system !== now.system && textOf(before.system) !== textOf(now.system)) return { _tag: "System" }
  const index = firstDifference(renderMessages(before.history, before.options), renderMessages(now.history, now.options))
  return index === undefined ? { _tag: "Nothing" } : { _tag: "Message", index }
}

/** What is known after one more response. The messages are only compared when something was lost. */
export const watchCache = (watch: CacheWatch, now: CacheSight, ttlMs: number): CacheWatch => {
  const { last } = watch
  if (last === undefined || isAnnounced(last, now, ttlMs)) return { ...watch, last: now }
  const lostTokens = last.readTokens - now.readTokens
  if (lostTokens < LEAST_LOST_TOKENS || lostTokens <= last.readTokens * LEAST_LOST_SHARE) return { ...watch, last: now }
  const found: CacheBreak = { at: now.at, model: now.model, lostTokens, changed: changedLayer(last, now) }
  return {
    last: now,
    breaks: [...watch.breaks, found].slice(-BREAKS_KEPT),
    count: watch.count + 1,
    lostTokens: watch.lostTokens + lostTokens
  }
}

/** Tokens of the last request that the endpoint still keeps: another model or effort has them read again. */
export const warmTokens = ({ last }: CacheWatch, now: number, ttlMs: number): number =>
  last !== undefined && now - last.at < ttlMs && last.promptTokens >= LEAST_LOST_TOKENS ? last.promptTokens : 0

/** In a few words, for people. */
export const describeChange = (changed: ChangedLayer): string => {
  switch (changed._tag) {
    case "System":
      return "the system prompt changed"
    case "Message":
      return `message ${changed.index + 1} changed`
    case "Nothing":
      return "the endpoint no longer had it"
  }
}
