import { LIMITS } from "../../domain/limits.ts"
import { get, type Log } from "../../domain/append-list.ts"
import type { AssistantMessage, Message } from "../../domain/message.ts"
import { isOfflineModel, outputCap, profileOf } from "../catalog/model.ts"
import { contextWindow } from "./window-table.ts"
import { contextTokens, isZeroUsage } from "../../domain/usage.ts"
import { estimateMessage } from "./estimate.ts"
import { thresholdsOf, type Thresholds, type WindowSettings } from "./threshold.ts"

/** How full the window is, as one record that the loop, the meter and `/context` all read. */
export interface WindowStatus extends Thresholds {
  readonly usedTokens: number
  /** The endpoint has counted nothing of the conversation yet; then the state is that of a fuller window. */
  readonly isEstimated: boolean
  readonly windowTokens: number
  readonly autoCompact: boolean
  /** Of the limit in force, rounded, from 100 down to 0. */
  readonly percentLeft: number
  /** In order of need; `error` only where its threshold differs from the warning's. */
  readonly state: "ok" | "warning" | "error" | "compact" | "blocked"
}

export interface WindowInput extends WindowSettings {
  readonly usedTokens: number
  readonly isEstimated?: boolean
  readonly model: string
  /** Overrides what the model's id says. */
  readonly windowTokens?: number
}

/** What nobody has counted may be more than it looks like, so decisions about it err on the safe side. */
export const cautiousTokens = (estimatedTokens: number): number => Math.ceil((estimatedTokens * 4) / 3)

const stateOf = (usedTokens: number, thresholds: Thresholds, autoCompact: boolean): WindowStatus["state"] => {
  if (usedTokens >= thresholds.blockingTokens) return "blocked"
  if (autoCompact && usedTokens >= thresholds.autoTokens) return "compact"
  if (usedTokens >= thresholds.errorTokens && thresholds.errorTokens > thresholds.warningTokens) return "error"
  return usedTokens >= thresholds.warningTokens ? "warning" : "ok"
}

export const windowStatus = (input: WindowInput): WindowStatus => {
  const windowTokens = input.windowTokens ?? contextWindow(input.model)
  const thresholds = thresholdsOf(windowTokens, outputCap(input.model), input)
  const isEstimated = input.isEstimated ?? false
  const left = ((thresholds.limitTokens - input.usedTokens) / thresholds.limitTokens) * 100
  // Written out, because every request asks for it several times and a spread is slow.
  return {
    reserveTokens: thresholds.reserveTokens,
    effectiveTokens: thresholds.effectiveTokens,
    warningTokens: thresholds.warningTokens,
    errorTokens: thresholds.errorTokens,
    autoTokens: thresholds.autoTokens,
    blockingTokens: thresholds.blockingTokens,
    limitTokens: thresholds.limitTokens,
    usedTokens: input.usedTokens,
    isEstimated,
    windowTokens,
    autoCompact: input.autoCompact,
    percentLeft: Math.min(100, Math.max(0, Math.round(left))),
    state: stateOf(isEstimated ? cautiousTokens(input.usedTokens) : input.usedTokens, thresholds, input.autoCompact)
  }
}

export interface WindowOverrides {
  /** CLAUDE_CODE_MAX_CONTEXT_TOKENS: for models we do not know, or for any when compaction is disabled. */
  readonly maxContextTokens?: number
  readonly compactionDisabled?: boolean
  /** Setting `nacre.models.<id>.windowTokens`. */
  readonly settingTokens?: number
  readonly largeWindowDisabled?: boolean
  readonly offlineTokens?: number
}

const LARGE_WINDOW_CAP_TOKENS = 200_000

/** The window of a model with everything the user said about it. */
export const resolveWindow = (model: string, overrides: WindowOverrides): number => {
  const known = isOfflineModel(model) || profileOf(model).family !== undefined
  const byVariable = !known || overrides.compactionDisabled === true ? overrides.maxContextTokens : undefined
  const byModel = isOfflineModel(model) ? (overrides.offlineTokens ?? contextWindow(model)) : contextWindow(model)
  const tokens = byVariable ?? overrides.settingTokens ?? byModel
  return overrides.largeWindowDisabled === true ? Math.min(tokens, LARGE_WINDOW_CAP_TOKENS) : tokens
}

/** An output limit that fits behind the prompt, as long as something useful can still be said. */
export const fitOutput = (maxTokens: number, usedTokens: number, windowTokens: number): number =>
  Math.min(maxTokens, Math.max(LIMITS.minOutputTokens, windowTokens - usedTokens))

const isCounted = (message: Message): message is AssistantMessage =>
  message.type === "assistant" && message.isApiErrorMessage !== true && !isZeroUsage(message.message.usage)

const isBoundary = (message: Message): boolean => message.type === "system" && message.subtype === "compact_boundary"

const estimateWhole = (messages: Log<Message>, fixedTokens: number): number => {
  let sum = fixedTokens
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = get(messages, index)
    if (message === undefined || isBoundary(message)) break
    sum += estimateMessage(message)
  }
  return cautiousTokens(sum)
}

/**
 * Tokens in the window: the newest count of the endpoint and the estimate of what came after it. Results may stand
 * between the fragments of the counted response; they are not in its count. Looks back no further than that response.
 */
export const countTokens = (messages: Log<Message>, fixedTokens: number, freedTokens = 0): number => {
  let counted: AssistantMessage | undefined
  let since = 0
  let between = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = get(messages, index)
    if (message === undefined || isBoundary(message)) break
    if (counted === undefined) {
      if (isCounted(message)) counted = message
      else since += estimateMessage(message)
    } else if (message.type === "assistant") {
      if (message.message.id !== counted.message.id) break
      since += between
      between = 0
    } else {
      between += estimateMessage(message)
    }
  }
  if (counted === undefined) return estimateWhole(messages, fixedTokens)
  return Math.max(0, contextTokens(counted.message.usage) + since - freedTokens)
}
