import { historyOf } from "../../model/request/api-history.ts"
import { NO_CACHE_WATCH } from "../../model/tokens/cache-breaks.ts"
import { defaultOutputTokens } from "../../model/catalog/model.ts"
import { isToolResult, type ContentBlock, type ToolResultBlock } from "../../domain/block.ts"
import { type CallId, idSource, type Uuid } from "../../domain/id.ts"
import { idsOf } from "../../domain/id-set.ts"
import * as Log from "../../domain/append-list.ts"
import type { Message, UserMessage } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { zeroUsage } from "../../domain/usage.ts"
import { isBoundaryLine } from "../../session/transcript/boundary.ts"
import { contextOf } from "../machine/context-state.ts"
import { NO_OBJECTIONS } from "../../permission/classifier/objections.ts"
import type { PermissionContext } from "../../permission/context.ts"
import type { AgentState, LoopConfig, Pin, QueuedPrompt, Recovery, RunningState, Totals, Turn } from "../machine/state.ts"
import type { ToolEntry } from "../../tools/tool-entry.ts"
import { makeToolbox } from "../../tools/toolbox.ts"
import { isUndoLine } from "../../context/reduction/undo-line.ts"
import { NO_WISHES, wishesIn } from "./prompt-wishes.ts"
import { promptText } from "./queue.ts"
import { resumedCount } from "./resumed-count.ts"
import { patchConversation, setRun, setTurn } from "../machine/patch-state.ts"
import { commit, commitAndPublish, emit, freshName, type Step, timestamp } from "../machine/transition.ts"

/** What a resumed session brings along. */
export interface Restored {
  readonly messages: ReadonlyArray<Message>
  /** Results whose shortened copy the model has already seen, by tool_use id. */
  readonly replacements: ReadonlyMap<string, string>
  readonly totals: Totals
  readonly tip: Uuid | null
  readonly queue: ReadonlyArray<QueuedPrompt>
  readonly pins?: ReadonlyArray<Pin>
}

export interface InitialState {
  readonly config: LoopConfig
  readonly permission: PermissionContext
  readonly tools: ReadonlyArray<ToolEntry>
  readonly cwd: string
  /** Random digits from the shell; all ids of the conversation derive from them. */
  readonly seed: string
  readonly restored?: Restored
}

export const NO_TOTALS: Totals = { models: {}, costUsd: 0, apiMs: 0 }

/** The message as the model sees it; most messages come back as they are. */
export const withReplacements = (message: Message, replacements: ReadonlyMap<CallId, string>): Message => {
  if (message.type !== "user" || typeof message.message.content === "string") return message
  const isReplaced = (block: ContentBlock): block is ToolResultBlock =>
    isToolResult(block) && replacements.has(block.tool_use_id)
  if (!message.message.content.some(isReplaced)) return message
  const content = message.message.content.map((block) =>
    isReplaced(block) ? { ...block, content: replacements.get(block.tool_use_id) ?? "" } : block
  )
  return { ...message, message: { role: "user", content } }
}

/** All messages as the model sees them. */
export const allWithReplacements = (
  messages: ReadonlyArray<Message>,
  replacements: ReadonlyMap<CallId, string>
): ReadonlyArray<Message> =>
  replacements.size === 0 ? messages : messages.map((message) => withReplacements(message, replacements))

/** Prompts are user messages, or attachments where they joined a running turn. */
const promptIdsIn = (messages: ReadonlyArray<Message>, queue: ReadonlyArray<QueuedPrompt>): ReadonlySet<Uuid> => {
  const ids = new Set(queue.map(({ uuid }) => uuid))
  for (const { type, uuid } of messages) if (type === "user" || type === "attachment") ids.add(uuid)
  return ids
}

const responseIdsIn = (messages: ReadonlyArray<Message>): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const message of messages) if (message.type === "assistant") ids.add(message.message.id)
  return ids
}

export const initialState = (input: InitialState): AgentState => {
  const messages = input.restored?.messages ?? []
  const queue = input.restored?.queue ?? []
  const replacements = input.restored?.replacements ?? new Map<string, string>()
  const shown = allWithReplacements(messages, replacements)
  return {
    config: input.config,
    permission: input.permission,
    toolbox: makeToolbox(input.tools),
    run: { _tag: "Idle" },
    pending: { hosts: { open: [], settled: [], judged: [] }, hooks: [], timers: [] },
    conversation: {
      messages: Log.fromArray(messages),
      history: historyOf(shown),
      count: resumedCount(shown),
      tip: input.restored?.tip ?? null,
      promptIds: idsOf(promptIdsIn(messages, queue)),
      responseIds: idsOf(responseIdsIn(messages)),
      compaction: {
        failures: 0,
        iterationsSince: undefined,
        rapidRefills: 0,
        clearedAtTokens: undefined,
        wanted: [],
        isUndone: messages.some(isUndoLine)
      },
      context: contextOf(shown.slice(shown.findLastIndex(isBoundaryLine) + 1)),
      pins: input.restored?.pins ?? [],
      cache: NO_CACHE_WATCH,
      replacements,
      strippedMedia: {}
    },
    queue,
    totals: input.restored?.totals ?? NO_TOTALS,
    objections: NO_OBJECTIONS,
    side: { runs: [], waiting: [], past: {}, resumedAt: input.restored?.tip ?? null },
    cwd: input.cwd,
    ids: idSource(input.seed),
    serial: 1,
    now: 0
  }
}

const NO_RECOVERY: Recovery = {
  escalated: false,
  continuations: 0,
  rescued: [],
  foundNothing: false,
  mediaStripped: false,
  malformed: 0,
  structuredRetries: 0,
  structuredNudged: false,
  stopHookRounds: 0,
  thinkingResends: 0,
  silenceNudged: false,
  refusalNudged: false,
  omitted: []
}

const newTurn = (state: AgentState, promptUuid: Uuid): Turn => ({
  startedAt: state.now,
  promptUuid,
  isCommand: false,
  responses: 0,
  apiMs: 0,
  requestStartedAt: state.now,
  firstTokenMs: undefined,
  usage: zeroUsage,
  attempt: { failures: 0, overloads: 0 },
  recovery: NO_RECOVERY,
  transition: undefined,
  wishes: NO_WISHES,
  target: undefined,
  repeated: undefined,
  sent: [],
  modelIndex: 0,
  outputTokens: state.config.choice.explicitOutputTokens ?? defaultOutputTokens(state.config.choice.model),
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
  apiError: undefined,
  notes: [],
  tipBefore: null,
  textBefore: "",
  before: undefined
})

/** A turn runs from here on. Without an acknowledgement to wait for, whoever begins it says at once how it goes on. */
export const openTurn = (state: AgentState, promptUuid: Uuid, ack = ""): RunningState =>
  setRun(state, { _tag: "Running", turn: newTurn(state, promptUuid), phase: { _tag: "Preparing", ack } })

const isBlank = (content: string | ReadonlyArray<ContentBlock>): boolean =>
  typeof content === "string" ? content.trim() === "" : content.length === 0

const promptMessage = (state: AgentState, prompt: QueuedPrompt): UserMessage => ({
  type: "user",
  uuid: prompt.uuid,
  timestamp: timestamp(state),
  message: { role: "user", content: isBlank(prompt.content) ? TEXTS.noContent : prompt.content },
  permissionMode: state.permission.mode,
  ...(prompt.origin === "task" ? { origin: { kind: "task-notification" } } : {})
})

/** Starts a turn: the prompt joins the conversation and must be durable before anything else happens. */
const beginTurn = (state: AgentState, prompt: QueuedPrompt): Step => {
  const message = promptMessage(state, prompt)
  const [ack, named] = freshName(state, "prompt")
  const next = patchConversation(commit(named, message), { tip: message.uuid })
  const opened = openTurn(next, prompt.uuid, ack)
  return [
    prompt.origin === "human"
      ? setTurn(opened, { before: state.conversation, wishes: wishesIn(promptText(prompt.content)) })
      : opened,
    [
      { _tag: "Persist", messages: [message], parentUuid: state.conversation.tip, ack },
      emit({ _tag: "MessageAdded", message })
    ]
  ]
}

/** A prompt on its own: it starts a turn, or only joins the history when it asks for no answer. */
export const takePrompt = (state: AgentState, prompt: QueuedPrompt): Step =>
  prompt.appendOnly === true ? commitAndPublish(state, promptMessage(state, prompt)) : beginTurn(state, prompt)
