import { HashSet } from "effect"
import { append as appendToHistory, emptyHistory } from "../context/normalize.ts"
import { estimateMessage } from "../budget/estimate.ts"
import { defaultOutputTokens } from "../domain/model.ts"
import { isText, isToolResult, type ContentBlock } from "../domain/block.ts"
import { idSource, type Uuid } from "../domain/id.ts"
import * as Log from "../domain/log.ts"
import { blocksOf, type Message, type UserMessage } from "../domain/message.ts"
import { TEXTS } from "../domain/texts.ts"
import { zeroUsage } from "../domain/usage.ts"
import type { PermissionContext } from "../permission/context.ts"
import type { AgentState, LoopConfig, QueuedPrompt, Recovery, Totals, Turn } from "./state.ts"
import { andThen, commit, emit, freshName, type Step, timestamp } from "./transition.ts"

/** What a resumed session brings along. */
export interface Restored {
  readonly messages: ReadonlyArray<Message>
  /** Results whose shortened copy the model has already seen, by tool_use id. */
  readonly replacements: ReadonlyMap<string, string>
  readonly totals: Totals
  readonly tip: Uuid | null
  readonly queue: ReadonlyArray<QueuedPrompt>
}

export interface InitialState {
  readonly config: LoopConfig
  readonly permission: PermissionContext
  readonly cwd: string
  /** Random digits from the shell; all ids of the conversation derive from them. */
  readonly seed: string
  readonly restored?: Restored
}

const NO_TOTALS: Totals = { models: {}, costUsd: 0, apiMs: 0 }

export const withReplacements = (message: Message, replacements: ReadonlyMap<string, string>): Message => {
  if (replacements.size === 0 || message.type !== "user" || typeof message.message.content === "string") return message
  const content = message.message.content.map((block: ContentBlock): ContentBlock => {
    if (!isToolResult(block)) return block
    const replacement = replacements.get(block.tool_use_id)
    return replacement === undefined ? block : { ...block, content: replacement }
  })
  return { ...message, message: { role: "user", content } }
}

export const initialState = (input: InitialState): AgentState => {
  const messages = input.restored?.messages ?? []
  const replacements = input.restored?.replacements ?? new Map<string, string>()
  const shown = messages.map((message) => withReplacements(message, replacements))
  return {
    config: input.config,
    permission: input.permission,
    phase: { _tag: "Idle" },
    turn: undefined,
    ids: idSource(input.seed),
    now: 0,
    cwd: input.cwd,
    messages: Log.fromArray(messages),
    history: shown.reduce(appendToHistory, emptyHistory),
    count: {
      counted: undefined,
      estimatedSince: shown.reduce((sum, message) => sum + estimateMessage(message), 0)
    },
    totals: input.restored?.totals ?? NO_TOTALS,
    queue: input.restored?.queue ?? [],
    promptIds: HashSet.fromIterable(messages.filter((m) => m.type === "user").map((m) => m.uuid)),
    tip: input.restored?.tip ?? null,
    compaction: { failures: 0, requestsSince: 0, rapidRefills: 0 },
    strippedMedia: {},
    serial: 1,
    lastRequest: undefined
  }
}

const NO_RECOVERY: Recovery = {
  escalated: false,
  continuations: 0,
  reactiveCompacted: false,
  mediaStripped: false,
  malformed: 0,
  structuredRetries: 0,
  structuredNudged: false,
  stopHookRounds: 0,
  thinkingResends: 0,
  credentialRetried: false,
  emptyRetries: 0,
  omitted: []
}

const newTurn = (state: AgentState, promptUuid: Uuid): Turn => ({
  startedAt: state.now,
  promptUuid,
  responses: 0,
  apiMs: 0,
  requestStartedAt: state.now,
  firstTokenMs: undefined,
  usage: zeroUsage,
  attempt: { failures: 0, overloads: 0 },
  recovery: NO_RECOVERY,
  transition: undefined,
  modelIndex: 0,
  outputTokens: state.config.explicitOutputTokens ?? defaultOutputTokens(state.config.model),
  thinkingTokens: undefined,
  assistant: [],
  calls: [],
  results: [],
  failedCall: undefined,
  stopAfterTools: undefined,
  stopText: undefined,
  structuredOutput: undefined,
  denials: [],
  lastText: "",
  lastStopReason: null,
  lastRequest: undefined,
  apiError: undefined,
  notes: [],
  tipBefore: null,
  stopHookActive: false
})

const isBlank = (content: string | ReadonlyArray<ContentBlock>): boolean =>
  typeof content === "string" ? content.trim() === "" : content.length === 0

export const promptMessage = (state: AgentState, prompt: QueuedPrompt): UserMessage => ({
  type: "user",
  uuid: prompt.uuid,
  timestamp: timestamp(state),
  message: { role: "user", content: isBlank(prompt.content) ? TEXTS.noContent : prompt.content },
  permissionMode: state.permission.mode,
  ...(prompt.origin === "task" ? { origin: { kind: "task-notification" } } : {})
})

/** Plain text of a prompt for bookkeeping lines. */
export const promptText = (content: string | ReadonlyArray<ContentBlock>): string =>
  blocksOf(content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n")

/** Starts a turn: the prompt joins the conversation and must be durable before anything else happens. */
export const beginTurn = (state: AgentState, prompt: QueuedPrompt): Step => {
  const message = promptMessage(state, prompt)
  const [ack, named] = freshName(state, "prompt")
  const next = commit({ ...named, turn: newTurn(named, prompt.uuid) }, message)
  return [
    { ...next, tip: message.uuid, phase: { _tag: "Preparing", ack } },
    [
      { _tag: "Persist", messages: [message], parentUuid: state.tip, ack },
      emit({ _tag: "MessageAdded", message })
    ]
  ]
}

/** After a turn: the next waiting prompt starts its own. */
export const takeNextQueued = (state: AgentState): Step => {
  const [next, ...rest] = state.queue
  if (next === undefined) return [state, []]
  return andThen(
    [
      { ...state, queue: rest },
      [{ _tag: "Note", record: { type: "queue-operation", operation: "dequeue", content: promptText(next.content) } }]
    ],
    (ready) => beginTurn(ready, next)
  )
}
