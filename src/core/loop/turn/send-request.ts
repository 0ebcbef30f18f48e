import { estimateBlocks, estimateTools } from "../../model/tokens/estimate.ts"
import type { CacheSight } from "../../model/tokens/cache-breaks.ts"
import { cautiousTokens, fitOutput, windowStatus, type WindowStatus } from "../../model/tokens/window.ts"
import { buildRequest } from "../../model/request/build-request.ts"
import { renderedParts, renderMessages } from "../../model/request/api-history.ts"
import type { Part, RenderOptions } from "../../model/request/api-turn.ts"
import type { ModelRequest, Thinking } from "../../model/request/model-request.ts"
import { resolveEffort } from "../../model/request/thinking.ts"
import { LIMITS } from "../../domain/limits.ts"
import { contextTokens, type Usage } from "../../domain/usage.ts"
import { outputCap, profileOf, type ThinkingSupport } from "../../model/catalog/model.ts"
import type { OptionalField } from "../../model/failure/classify.ts"
import { finish } from "./finish.ts"
import { setPhase, setTurn } from "../machine/patch-state.ts"
import type { AgentState, PromptConfig, RunningState, SentRequest, Turn } from "../machine/state.ts"
import { freshName, isRunning, type Step } from "../machine/transition.ts"

/** Which model answers: the primary, or the fallback the turn has switched to. */
export const currentModel = (state: AgentState): string => {
  const index = isRunning(state) ? state.run.turn.modelIndex : 0
  return index === 0
    ? state.config.choice.model
    : (state.config.choice.fallbackModels[index - 1] ?? state.config.choice.model)
}

/** What every request begins with changes hardly ever, and a screen asks for it with each frame. */
const remembering = <Part extends object>(estimate: (part: Part) => number): ((part: Part) => number) => {
  const known = new WeakMap<Part, number>()
  return (part) => {
    const tokens = known.get(part) ?? estimate(part)
    known.set(part, tokens)
    return tokens
  }
}

const toolTokens = remembering(estimateTools)
const promptTokens = remembering(({ system }: PromptConfig) => estimateBlocks(system))

/** An estimate of what stands around the conversation in every request. */
export const fixedTokens = ({ config, toolbox }: AgentState): number =>
  toolTokens(toolbox.definitions) + promptTokens(config.prompt)

/** Tokens in the window: the API's last count plus the estimate of what was added since; before it, an estimate. */
export const likelyTokens = (state: AgentState): number => {
  const { count } = state.conversation
  return count.counted === undefined
    ? fixedTokens(state) + count.estimatedSince
    : Math.max(0, count.counted + count.estimatedSince)
}

const isEstimated = ({ conversation: { count } }: AgentState): boolean => count.counted === undefined

/** Tokens in the window for decisions: a mere estimate counts as more than it is. */
export const usedTokens = (state: AgentState): number =>
  isEstimated(state) ? cautiousTokens(likelyTokens(state)) : likelyTokens(state)

export const statusOf = (state: AgentState): WindowStatus =>
  windowStatus({
    usedTokens: likelyTokens(state),
    isEstimated: isEstimated(state),
    model: currentModel(state),
    autoCompact: state.config.compaction.isAutomatic,
    ...(state.config.choice.windowTokens === undefined ? {} : { windowTokens: state.config.choice.windowTokens }),
    ...(state.config.compaction.windowTokens === undefined
      ? {}
      : { autoWindowTokens: state.config.compaction.windowTokens }),
    ...(state.config.compaction.percent === undefined ? {} : { autoPercent: state.config.compaction.percent })
  })

const omits = (turn: Turn, field: OptionalField): boolean => turn.recovery.omitted.includes(field)

/** The output limit of a request: what the turn wants, within what the model can do and what fits behind the prompt. */
export const outputLimit = (state: AgentState, turn: Turn): number => {
  const { windowTokens } = statusOf(state)
  return fitOutput(Math.min(turn.outputTokens, outputCap(currentModel(state))), usedTokens(state), windowTokens)
}

const TAKES: Readonly<Record<Thinking["type"], ReadonlyArray<ThinkingSupport>>> = {
  adaptive: ["either", "adaptive", "always"],
  enabled: ["budget", "either"],
  disabled: []
}

/** The options are made for the primary model; a fallback gets of them what it can do. */
const suits = (thinking: Thinking, state: AgentState, turn: Turn): boolean =>
  turn.modelIndex === 0 || TAKES[thinking.type].includes(profileOf(currentModel(state)).thinking)

const effortFor = (state: AgentState, turn: Turn): string | undefined => {
  const { effort } = state.config.choice
  if (effort === undefined || omits(turn, "effort")) return undefined
  return turn.modelIndex === 0 ? effort : resolveEffort(profileOf(currentModel(state)), { session: effort })
}

/** A thinking budget always stays below the output limit, whatever lowered that. */
const thinkingFor = (state: AgentState, turn: Turn): Thinking | undefined => {
  const { thinking } = state.config.choice
  if (thinking === undefined || omits(turn, "thinking") || !suits(thinking, state, turn)) return undefined
  if (thinking.type !== "enabled") return thinking
  const budget = Math.min(thinking.budget_tokens, outputLimit(state, turn) - 1)
  return budget >= LIMITS.minThinkingTokens ? { type: "enabled", budget_tokens: budget } : undefined
}

/** What the next request could go without, the newest and least needed first. */
export const optionalFields = (state: AgentState, turn: Turn): ReadonlyArray<OptionalField> => {
  const { place, choice } = state.config
  const { userId } = place
  const { betas, caching } = choice
  const sent: ReadonlyArray<readonly [OptionalField, boolean]> = [
    ["betas", betas.length > 0],
    ["effort", effortFor(state, turn) !== undefined],
    ["thinking", thinkingFor(state, turn) !== undefined],
    ["metadata", userId !== undefined],
    ["cache", caching.enabled]
  ]
  return sent.filter(([field, isSent]) => isSent && !omits(turn, field)).map(([field]) => field)
}

/** How the conversation is shown to the model that is asked now. */
const renderOptions = (state: AgentState): RenderOptions => ({
  model: currentModel(state),
  strippedMedia: state.conversation.strippedMedia,
  toolNames: state.toolbox.definitions.map((tool) => tool.name)
})

/** What the cache of the endpoint gave back of the request that was just answered. */
export const cacheSight = (state: RunningState, usage: Usage): CacheSight => ({
  at: state.run.turn.requestStartedAt,
  readTokens: usage.cache_read_input_tokens,
  promptTokens: contextTokens(usage) - usage.output_tokens,
  model: currentModel(state),
  effort: effortFor(state, state.run.turn),
  tools: state.toolbox.definitions,
  system: state.config.prompt.system,
  history: state.conversation.history,
  options: renderOptions(state)
})

/** What the next request shows of the conversation, with where each part came from. */
export const partsToSend = (state: AgentState): ReadonlyArray<Part> =>
  renderedParts(state.conversation.history, renderOptions(state))

/** The request the conversation makes now; the same state always gives the same bytes. */
export const requestFor = (state: AgentState, turn: Turn): ModelRequest => {
  const model = currentModel(state)
  const thinking = thinkingFor(state, turn)
  const effort = effortFor(state, turn)
  return buildRequest({
    source: state.config.place.source ?? "main",
    model,
    maxTokens: outputLimit(state, turn),
    tools: state.toolbox.definitions,
    system: state.config.prompt.system,
    get messages() {
      return renderMessages(state.conversation.history, renderOptions(state))
    },
    caching: omits(turn, "cache") ? { ...state.config.choice.caching, enabled: false } : state.config.choice.caching,
    betas: omits(turn, "betas") ? [] : state.config.choice.betas,
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
    ...(state.config.place.userId === undefined || omits(turn, "metadata") ? {} : { userId: state.config.place.userId })
  })
}

export const overBudget = ({ config, totals }: AgentState): boolean =>
  config.limits.maxBudgetUsd !== undefined && totals.costUsd >= config.limits.maxBudgetUsd

const REQUESTS_KEPT = 30

const withThisOne = (state: RunningState): Turn["sent"] => {
  const { sent, transition, attempt } = state.run.turn
  const request: SentRequest = {
    at: state.now,
    number: (sent.at(-1)?.number ?? 0) + 1,
    model: currentModel(state),
    reason: transition ?? "prompt",
    failures: attempt.failures
  }
  return [...sent.slice(1 - REQUESTS_KEPT), request]
}

/** Sends the conversation as it stands, a first or a further time. Nothing is sent once the money is used up. */
export const sendRequest = (state: RunningState): Step => {
  const { turn } = state.run
  if (overBudget(state)) return finish(state, "budget_exhausted")
  const [requestId, named] = freshName(state, "request")
  const begun = {
    requestStartedAt: state.now,
    tipBefore: state.conversation.tip,
    textBefore: turn.lastText,
    sent: withThisOne(state)
  }
  return [
    setPhase(setTurn(named, begun), { _tag: "Requesting", requestId }),
    [{ _tag: "StartRequest", requestId, request: requestFor(named, turn) }]
  ]
}
