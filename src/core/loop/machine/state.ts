import type { ApiHistory } from "../../model/request/api-history.ts"
import type { JsonSchema, QuerySource, Thinking } from "../../model/request/model-request.ts"
import type { ContentBlock, TextBlock } from "../../domain/block.ts"
import type { CallId, IdSource, RequestId, SessionId, Uuid } from "../../domain/id.ts"
import type { IdSet } from "../../domain/id-set.ts"
import type { Log } from "../../domain/append-list.ts"
import type { AssistantMessage, ErrorClass, Message, UserMessage } from "../../domain/message.ts"
import type { Usage } from "../../domain/usage.ts"
import type { Ask, ReductionSettings, RungName } from "../../context/reduction/reduction.ts"
import type { SideKind, SideMoment, SideOptions, SidePast } from "../../context/side/side-task.ts"
import type { SourceKind } from "../../context/sources/source.ts"
import type { ContextState } from "./context-state.ts"
import type { HookEvent } from "../../hooks/hook-event.ts"
import type { ObjectionCount } from "../../permission/classifier/objections.ts"
import type { CheckOutcome } from "../../permission/classifier/outcome.ts"
import type { PermissionContext } from "../../permission/context.ts"
import type { HookVerdict } from "../../permission/permission-request.ts"
import type { CallFacts } from "../../permission/facts.ts"
import type { CacheWatch } from "../../model/tokens/cache-breaks.ts"
import type { Assembly, CompletedBlock } from "../../model/stream/assemble.ts"
import type { DecodedCall } from "../../tools/contract/any-tool.ts"
import type { OptionalField } from "../../model/failure/classify.ts"
import type { PermissionQuestion } from "./command.ts"
import type { ContinueReason, TerminalReason } from "./reasons.ts"
import type { Toolbox } from "../../tools/toolbox.ts"
import type { RetryPolicy } from "../../model/failure/retry.ts"

/** Which model answers, and how it is asked. */
export interface ModelChoice {
  readonly model: string
  readonly fallbackModels: ReadonlyArray<string>
  readonly thinking: Thinking | undefined
  readonly effort: string | undefined
  /** Output limit the user set; then no escalation happens. */
  readonly explicitOutputTokens: number | undefined
  /** The window where something changes it; otherwise each model, fallbacks too, has its own. */
  readonly windowTokens: number | undefined
  readonly betas: ReadonlyArray<string>
  readonly caching: { readonly enabled: boolean; readonly ttl: "5m" | "1h" }
}

export interface PromptConfig {
  readonly system: ReadonlyArray<TextBlock>
  /** What the model is told besides the conversation. */
  readonly sources: ReadonlyArray<SourceKind>
}

export interface CompactionConfig extends ReductionSettings {
  /** A smaller window to compact in than the model has. */
  readonly windowTokens: number | undefined
  /** The share of the window at which to compact, in percent, if that is earlier. */
  readonly percent: number | undefined
}

export interface LimitsConfig {
  readonly maxTurns: number | undefined
  readonly maxBudgetUsd: number | undefined
  readonly structuredRetries: number
  /** How often Stop hooks may send the model back to work in one turn, where it is not the usual number. */
  readonly stopHookRounds?: number
  /** The same call with the same outcome in a row that ends the turn; 0: none does. */
  readonly repeatedCalls?: number
  readonly parallelCalls: number
  /** How long the classifier of auto mode may take for one call. */
  readonly checkTimeoutMs: number
  readonly retry: RetryPolicy
}

/**
 * Options of a conversation, in parts. `place` never changes; each other part is replaced as a whole by an event of its
 * own and counts from the next request on.
 */
export interface LoopConfig {
  readonly place: {
    readonly sessionId: SessionId
    readonly projectDir: string
    readonly sessionDir: string
    readonly userId: string | undefined
    /** What its requests are made for, where that is not the conversation with the user. */
    readonly source?: QuerySource
    /** Where memory is kept, if it is. */
    readonly memoryDir?: string
  }
  readonly choice: ModelChoice
  readonly prompt: PromptConfig
  readonly compaction: CompactionConfig
  readonly limits: LimitsConfig
  /** What is asked beside the conversation; an agent that another one starts asks nothing. */
  readonly side: SideOptions
  /** What the final answer was promised to look like. */
  readonly jsonSchema: JsonSchema | undefined
  /** Hook events that have at least one hook; others are never asked for. */
  readonly hookEvents: ReadonlyArray<HookEvent>
  /** Somebody can answer a permission question: the user at the terminal or the host over the control channel. */
  readonly canAsk: boolean
}

export interface QueuedPrompt {
  readonly uuid: Uuid
  readonly content: string | ReadonlyArray<ContentBlock>
  /** now cuts in, next is folded in at the next tool boundary, later waits for the end of the turn. */
  readonly priority: "now" | "next" | "later"
  readonly origin: "human" | "task"
  /** Only joins the history and asks for no answer. */
  readonly appendOnly?: boolean
  /** What the program answers in the model's place. */
  readonly answer?: string
}

/** The result a call got: what the model sees and what hosts and transcripts keep. */
export interface CallResult {
  readonly content: string | ReadonlyArray<ContentBlock>
  readonly isError: boolean
  readonly data: unknown
  readonly denial?: string
}

/** The classifier's look at a call: under way, or with what came of it, which is used once. */
export interface Check {
  readonly id: string
  readonly outcome?: CheckOutcome
}

/** A tool call of the current response, whatever became of it. */
interface CallBlock {
  readonly id: CallId
  readonly name: string
  readonly assistantUuid: Uuid
}

/** Of a tool that exists, with an input that it took. */
export interface ReadCall extends CallBlock {
  /** Canonical tool name. */
  readonly tool: string
  readonly reading: DecodedCall
}

/** What is known of a call that may run; it holds also for an input that hooks or an answer changed. */
export interface PreparedCall extends ReadCall {
  readonly facts: CallFacts
  /** What hooks said about this call; it also holds for the input they changed. */
  readonly hook: HookVerdict | undefined
  /** What hooks want the model to know beside the result; sent once, when the call settles. */
  readonly hookContext: string | undefined
  /** A hook changed the input once already. */
  readonly isRewritten: boolean
  /**
   * A user or host allowed this very call; rules that only ask no longer stop it. If they changed its input, `doubt`
   * is what they knew to be grave about it: something graver asks again.
   */
  readonly grant: { readonly doubt: string | undefined } | undefined
  /** How often the world changed between the decision and the start. */
  readonly redecided: number
  readonly check: Check | undefined
  /** When it began to run. */
  readonly startedAt?: number
  /** A shell text that is proven to change nothing, by these facts: it may run beside other safe calls. */
  readonly onlyReads: boolean
}

/** A call that has its result. */
interface CompletedCall extends CallBlock {
  readonly tool: string | undefined
  readonly reading: DecodedCall | undefined
  /** Its input was not JSON. */
  readonly isMalformed: boolean
  readonly result: CallResult
  /** What hooks want the model to know beside it. */
  readonly remark?: string
  /** The result went out. */
  readonly isYielded: boolean
}

type At<Stage extends string, Facts> = Stage extends string ? Facts & { readonly stage: Stage } : never

/** One tool call of the current response on its way from block to result, with what its stage knows. */
export type Call =
  | At<"queued", ReadCall>
  | At<"preparing", PreparedCall>
  /** It turned out not to be safe while others run: it waits until it is alone, and is prepared again then. */
  | At<"held", PreparedCall>
  | At<"hooks", PreparedCall & { readonly hookId: string }>
  /** The classifier of auto mode looks at it. */
  | At<"checking", PreparedCall>
  | At<"asking", PreparedCall & { readonly question: PermissionQuestion }>
  | At<"executing", PreparedCall>
  | At<"reviewing", PreparedCall & { readonly hookId: string; readonly result: CallResult }>
  | At<"completed", CompletedCall>

export type CallStage = Call["stage"]
export type CallAt<Stage extends CallStage> = Extract<Call, { readonly stage: Stage }>

export interface Recovery {
  readonly escalated: boolean
  readonly continuations: number
  /** What made room for a request that was refused; each is tried once. */
  readonly rescued: ReadonlyArray<RungName>
  /** The window was full and there was nothing to summarise; said once. */
  readonly foundNothing: boolean
  readonly mediaStripped: boolean
  readonly malformed: number
  readonly structuredRetries: number
  readonly structuredNudged: boolean
  readonly stopHookRounds: number
  readonly thinkingResends: number
  /** Asked once more after an answer without a visible word, and after a refusal. */
  readonly silenceNudged: boolean
  readonly refusalNudged: boolean
  readonly omitted: ReadonlyArray<OptionalField>
}

/** Tries at one response. */
export interface Attempt {
  readonly failures: number
  readonly overloads: number
}

/** What a prompt asks for besides its task, by words that mean something to the program. */
export interface PromptWishes {
  readonly thinksHard: boolean
  /** Output tokens that the user wants spent on it. */
  readonly targetTokens: number | undefined
}

/** A prompt that says how many tokens it is worth: the model is sent on until about so many are spent. */
export interface TokenTarget {
  readonly tokens: number
  readonly continuations: number
  readonly spentBefore: number
  /** What the last continuation but one brought. */
  readonly gainedBefore: number
}

/** The same call again and again with the same outcome: nothing new will come of it. */
export interface RepeatedCall {
  readonly tool: string
  readonly input: string
  readonly outcome: string
  readonly count: number
}

/** A request of the turn, for whoever looks into it: which one, by which model, why. */
export interface SentRequest {
  readonly at: number
  readonly number: number
  readonly model: string
  readonly reason: ContinueReason | "prompt"
  /** Failed tries at the same response. */
  readonly failures: number
}

/** Everything that lives as long as one submission. */
export interface Turn {
  readonly startedAt: number
  readonly promptUuid: Uuid
  /** Nobody asked the model anything: somebody wants something done to the conversation. */
  readonly isCommand: boolean
  readonly responses: number
  readonly apiMs: number
  readonly requestStartedAt: number
  readonly firstTokenMs: number | undefined
  readonly usage: Usage
  readonly attempt: Attempt
  readonly recovery: Recovery
  readonly transition: ContinueReason | undefined
  readonly wishes: PromptWishes
  /** How much the user wants spent, as far as it is. */
  readonly target: TokenTarget | undefined
  /** The newest call, with how often it came back the same in a row. */
  readonly repeated: RepeatedCall | undefined
  /** The newest requests, oldest first. */
  readonly sent: ReadonlyArray<SentRequest>
  /** 0 is the primary model, n the n-th fallback. */
  readonly modelIndex: number
  readonly outputTokens: number
  /** Assistant messages of the response in progress, one per block, in order. */
  readonly assistant: ReadonlyArray<AssistantMessage>
  readonly calls: ReadonlyArray<Call>
  /** Result messages of this response in request order. */
  readonly results: ReadonlyArray<UserMessage>
  /** Summary of the shell call whose failure cancels its siblings. */
  readonly failedCall: string | undefined
  /** Call whose denial or hook ends the turn once everything has settled. */
  readonly stopAfterTools: TerminalReason | undefined
  readonly stopText: string | undefined
  readonly structuredOutput: { readonly value: unknown } | undefined
  readonly denials: ReadonlyArray<PermissionDenial>
  readonly lastText: string
  readonly lastStopReason: string | null
  /** Text of the API error that ends the turn, if one does. */
  readonly apiError: ApiErrorNote | undefined
  /** Further sentences for the result's errors. */
  readonly notes: ReadonlyArray<string>
  /** Chain tip and last text before the response in progress; an abandoned response leaves no trace behind it. */
  readonly tipBefore: Uuid | null
  readonly textBefore: string
  /** The conversation without the prompt, as long as a user may undo it: until the first response is complete. */
  readonly before: Conversation | undefined
}

export interface ApiErrorNote {
  readonly text: string
  readonly status: number | null
  readonly errorClass: ErrorClass
}

/** How the turn ends when the request cannot be made to fit. */
export interface RefusedRequest {
  readonly reason: "prompt_too_long" | "image_error"
  readonly error: ApiErrorNote
  /** By how much it was too long, if the endpoint said that. */
  readonly overTokens: number | undefined
}

/** A summary that is being made, and why. */
export interface CompactionAim {
  /** The refused request that the compaction is to save; an automatic one has none. */
  readonly rescue: RefusedRequest | undefined
  /** Oldest rounds that the request for the summary does without, and how often it was found too long. */
  readonly leaveOut: number
  readonly tooLong: number
  /** Somebody asked for it; its turn is nothing but the compaction. */
  readonly asked?: AskedReduction
  /** What hooks want the summary to care about. */
  readonly fromHooks?: string
}

export type AskedReduction = Extract<Ask, { readonly _tag: "Manual" | "Snip" }>

/** What somebody wants done about the newest compaction. */
export type CompactionWish =
  /** The conversation as it was before. */
  | { readonly _tag: "Undo" }
  /** The compaction that was just undone. */
  | { readonly _tag: "Redo" }
  /** The same compaction with other words. */
  | { readonly _tag: "Reword"; readonly text: string }

export interface PermissionDenial {
  readonly tool_name: string
  readonly tool_use_id: CallId
  readonly tool_input: unknown
}

/** A completed block that waits one event for the final usage and stop reason of its response. */
export interface HeldBlock {
  readonly completed: CompletedBlock
  readonly uuid: Uuid
}

export type AbortReason = Extract<TerminalReason, `aborted_${string}`>

/** What follows a look at the sources of context. */
export type AfterLook = "makeRoom" | "sendRequest"

/** Where a turn stands. */
export type Phase =
  /** The prompt is being made durable; nothing leaves the machine before. */
  | { readonly _tag: "Preparing"; readonly ack: string }
  /** Hooks have their say before the turn goes on, or before it ends. */
  | { readonly _tag: "Hooks"; readonly hookId: string }
  /** Somebody looks at what the model should know. */
  | { readonly _tag: "Collecting"; readonly collectId: string; readonly then: AfterLook }
  | ({ readonly _tag: "Compacting"; readonly compactionId: RequestId } & CompactionAim)
  /** An earlier window is read from the transcript. */
  | { readonly _tag: "Rereading"; readonly readId: string; readonly change: "Undo" | "Redo" }
  | { readonly _tag: "Requesting"; readonly requestId: RequestId }
  | {
      readonly _tag: "Streaming"
      readonly requestId: RequestId
      readonly apiRequestId: string | undefined
      readonly assembly: Assembly
      readonly held: HeldBlock | undefined
    }
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Tools" }
  /** Interrupted: cancelled calls are reporting back. */
  | { readonly _tag: "Settling"; readonly reason: AbortReason }

export type PhaseOf<T extends Phase["_tag"]> = Extract<Phase, { readonly _tag: T }>

/** A turn that runs; there is none without its phase, and no phase without a turn. */
export interface Running<P extends Phase = Phase> {
  readonly _tag: "Running"
  readonly turn: Turn
  readonly phase: P
}

export type Run = { readonly _tag: "Idle" } | Running | { readonly _tag: "Done"; readonly reason: TerminalReason }

export interface ModelTotals {
  readonly usage: Usage
  readonly costUsd: number | undefined
}

/** Cumulative over the conversation. */
export interface Totals {
  readonly models: Readonly<Record<string, ModelTotals>>
  readonly costUsd: number
  readonly apiMs: number
}

/** How full the window is: the last count the API gave, and the estimate of what came after it. */
export interface ContextCount {
  readonly counted: number | undefined
  readonly estimatedSince: number
}

export interface CompactionState {
  /** Failed attempts in a row. */
  readonly failures: number
  /** Iterations since the last one that worked. */
  readonly iterationsSince: number | undefined
  /** How many compactions in a row found the window full again at once. */
  readonly rapidRefills: number
  /** Tokens in the window when old results were last cleared because it was filling. */
  readonly clearedAtTokens: number | undefined
  /** Asked for while a turn ran; it happens when none runs any more, in this order. */
  readonly wanted: ReadonlyArray<AskedReduction | CompactionWish>
  /** A user undid the newest one: none comes by itself until nothing else helps. */
  readonly isUndone: boolean
}

/** Connections that wait for one answer about one host. */
export interface OpenHostQuestion {
  readonly id: string
  readonly host: string
  readonly port: number
  /** The classifier looks at it; absent when a user is asked. */
  readonly check?: string
  /** What a user is asked. */
  readonly question?: PermissionQuestion
  readonly requests: ReadonlyArray<{ readonly requestId: string; readonly callId: CallId }>
}

/** What is asked about hosts, and what was answered for the commands that asked. */
export interface HostQuestions {
  readonly open: ReadonlyArray<OpenHostQuestion>
  readonly settled: ReadonlyArray<{
    readonly callId: CallId
    readonly host: string
    readonly refused: string | undefined
  }>
  /** What the classifier said in this mode under these rules. */
  readonly judged: ReadonlyArray<{
    readonly host: string
    readonly port: number
    readonly refused: string | undefined
  }>
}

/** A message that stays word for word, whatever is summarised. */
export interface Pin {
  readonly uuid: Uuid
  readonly text: string
}

/** Where an agent stands, for whoever only looks: in a phase of its turn, or in none. */
export type ObservedPhase = Phase | Exclude<Run, Running>

/** What was said so far, and what is known about it. */
export interface Conversation {
  readonly messages: Log<Message>
  readonly history: ApiHistory
  readonly count: ContextCount
  readonly tip: Uuid | null
  /** Uuids of prompts already accepted; a host may repeat a line. */
  readonly promptIds: IdSet
  /** Ids of responses so far, also of those that were given up; the transcript joins lines by them. */
  readonly responseIds: IdSet
  readonly compaction: CompactionState
  readonly context: ContextState
  readonly pins: ReadonlyArray<Pin>
  readonly cache: CacheWatch
  /** What the model sees instead of results that were too long together, by tool_use id. */
  readonly replacements: ReadonlyMap<CallId, string>
  readonly strippedMedia: Readonly<Record<Uuid, ReadonlyArray<string>>>
}

/** What follows when hooks have spoken. */
export type HookContinuation =
  | { readonly _tag: "BeginSession" }
  | { readonly _tag: "BeginWindow" }
  | { readonly _tag: "BeginTurn" }
  | { readonly _tag: "JudgeCall"; readonly callId: CallId }
  | { readonly _tag: "SettleCall"; readonly callId: CallId }
  | { readonly _tag: "NextRequest"; readonly reason: ContinueReason }
  | { readonly _tag: "EndTurn" }
  | { readonly _tag: "Compact"; readonly aim: CompactionAim }

export interface PendingHook {
  readonly id: string
  readonly event: HookEvent
  readonly then: HookContinuation
}

/** What follows when a time is over. */
export type TimerContinuation =
  | { readonly _tag: "ReleaseHeldBlock"; readonly requestId: RequestId }
  | { readonly _tag: "RetryRequest" }
  | { readonly _tag: "GiveUpOnCheck"; readonly checkId: string }
  | { readonly _tag: "GoOnWithoutContext"; readonly collectId: string }
  | { readonly _tag: "EndSettling" }

export interface PendingTimer {
  readonly id: string
  readonly then: TimerContinuation
}

/** What somebody outside has not said yet. */
export interface Pending {
  readonly hosts: HostQuestions
  readonly hooks: ReadonlyArray<PendingHook>
  readonly timers: ReadonlyArray<PendingTimer>
}

/** A side task at work. */
export interface SideRun {
  readonly id: string
  readonly kind: SideKind
  /** The conversation's tip when it began. */
  readonly tip: Uuid | null
  /** False: it was aborted, and only its cost is waited for. */
  readonly isWanted: boolean
}

export interface SideState {
  readonly runs: ReadonlyArray<SideRun>
  /** Due again when the run of the kind ends. */
  readonly waiting: ReadonlyArray<{ readonly kind: SideKind; readonly moment: SideMoment }>
  readonly past: Readonly<Partial<Record<SideKind, SidePast>>>
  /** The tip that the conversation went on from; null when it is new. */
  readonly resumedAt: Uuid | null
}

/** One agent. Immutable; every transition builds a new one. */
export interface AgentState<R extends Run = Run> {
  readonly config: LoopConfig
  readonly permission: PermissionContext
  /** What the model is offered; calls under way keep what was read of them when it changes. */
  readonly toolbox: Toolbox
  readonly run: R
  readonly pending: Pending
  readonly conversation: Conversation
  readonly queue: ReadonlyArray<QueuedPrompt>
  readonly totals: Totals
  /** How often the classifier of auto mode said no. */
  readonly objections: ObjectionCount
  readonly side: SideState
  readonly cwd: string
  readonly ids: IdSource
  readonly serial: number
  readonly now: number
}

/** An agent in the middle of a turn, and in a phase of it. */
export type RunningState<P extends Phase = Phase> = AgentState<Running<P>>
export type StreamingState = RunningState<PhaseOf<"Streaming">>
