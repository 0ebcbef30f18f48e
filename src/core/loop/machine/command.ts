import type { HookEvent } from "../../hooks/hook-event.ts"
import type { ModelRequest } from "../../model/request/model-request.ts"
import type { CallId, RequestId, Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import type { ActingOrder, SideKind } from "../../context/side/side-task.ts"
import type { Want } from "../../context/sources/source.ts"
import type { CheckInquiry } from "../../permission/classifier/request.ts"
import type { CallFacts } from "../../permission/facts.ts"
import type { FactsWanted } from "../../permission/decide/facts-wanted.ts"
import type { Decision } from "../../permission/verdict.ts"
import type { PermissionUpdate } from "../../permission/configuration/update.ts"
import type { Decoded } from "../../tools/contract/decoded.ts"
import type { AskedHost } from "./host-question.ts"
import type { SavedUpdate } from "../../permission/configuration/save-updates.ts"
import type { Emission } from "./emission.ts"
import type { ModelTotals } from "./state.ts"

/** A bookkeeping line of the transcript that is not a message. */
export type Bookkeeping =
  | { readonly type: "queue-operation"; readonly operation: "enqueue" | "dequeue" | "remove"; readonly content: string }
  | { readonly type: "last-prompt"; readonly leafUuid: Uuid }
  | {
      readonly type: "content-replacement"
      readonly replacements: ReadonlyArray<{
        readonly kind: "tool-result"
        readonly toolUseId: CallId
        readonly replacement: string
      }>
    }
  /** The text too: the message itself may be before the part that is loaded. */
  | { readonly type: "nacre-pin"; readonly target: Uuid; readonly pinned: boolean; readonly text: string }
  | { readonly type: "ai-title"; readonly aiTitle: string }
  | {
      readonly type: "cost-state"
      readonly totalCostUSD: number
      readonly totalAPIDuration: number
      readonly modelUsage: Readonly<Record<string, ModelTotals>>
    }

export interface PermissionQuestion {
  readonly callId: CallId
  readonly tool: string
  readonly input: unknown
  readonly summary: string
  readonly decision: Decision
  readonly suggestions: ReadonlyArray<PermissionUpdate>
  /** The question is not about a call but about a host that a running command wants to reach. */
  readonly host?: AskedHost
}

/** How a side task is done: by one request, or by an agent that may write in one place only. */
export type SideWork =
  | { readonly _tag: "Ask"; readonly request: ModelRequest }
  | { readonly _tag: "Act"; readonly order: ActingOrder }

export type Command =
  /**
   * Appends messages to the transcript after `parentUuid`, in one write; with `ack` they are made durable and reported.
   * `notes` stand before the last message.
   */
  | {
      readonly _tag: "Persist"
      readonly messages: ReadonlyArray<Message>
      readonly parentUuid: Uuid | null
      readonly ack?: string
      readonly notes?: ReadonlyArray<Bookkeeping>
    }
  /** Reads the conversation that ended at a line of the transcript. */
  | { readonly _tag: "ReadWindow"; readonly readId: string; readonly at: Uuid }
  | { readonly _tag: "Note"; readonly record: Bookkeeping }
  | { readonly _tag: "SpillResult"; readonly callId: CallId; readonly text: string; readonly path: string }
  | { readonly _tag: "StartRequest"; readonly requestId: RequestId; readonly request: ModelRequest }
  | { readonly _tag: "AbortRequest"; readonly requestId: RequestId }
  /** Looks at what the model should know; answered by ContextRead. */
  | {
      readonly _tag: "CollectContext"
      readonly collectId: string
      readonly wants: ReadonlyArray<Want>
      readonly cwd: string
    }
  | { readonly _tag: "StartTimer"; readonly timerId: string; readonly ms: number }
  | { readonly _tag: "CancelTimer"; readonly timerId: string }
  | {
      readonly _tag: "PrepareCall"
      readonly callId: CallId
      readonly tool: string
      readonly input: Decoded<unknown>
      /** What the decision depends on. */
      readonly wanted: FactsWanted
      readonly cwd: string
    }
  /** Asks the classifier of auto mode about a call. */
  | {
      readonly _tag: "CheckCall"
      readonly checkId: string
      readonly callId: CallId
      readonly inquiry: CheckInquiry
      /** The command could lose work: the classifier is told what stands uncommitted. */
      readonly wantsWorkingTree: boolean
    }
  | { readonly _tag: "AbortCheck"; readonly checkId: string }
  | { readonly _tag: "AskPermission"; readonly question: PermissionQuestion }
  /** Writes what shall hold in later sessions too; it holds in this one already. */
  | { readonly _tag: "SavePermissions"; readonly updates: ReadonlyArray<SavedUpdate> }
  | { readonly _tag: "WithdrawQuestion"; readonly callId: CallId }
  /** Connections of sandboxed commands go on, or are refused for the reason given. */
  | {
      readonly _tag: "AnswerHostRequests"
      readonly requestIds: ReadonlyArray<string>
      readonly refused: string | undefined
    }
  | {
      readonly _tag: "StartCall"
      readonly callId: CallId
      readonly tool: string
      readonly input: Decoded<unknown>
      readonly cwd: string
      readonly model: string
      readonly effort?: string
      readonly facts: CallFacts
      /** Made again right before the call runs; another one means that it is decided anew. */
      readonly digest: string
      readonly wanted: FactsWanted
      /** A command that runs without approval because it only reads: nothing else may make it do more. */
      readonly onlyReads: boolean
      /** A user let this one command run outside, because the sandbox that it needs cannot start. */
      readonly outside: boolean
    }
  | { readonly _tag: "CancelCall"; readonly callId: CallId }
  | {
      readonly _tag: "RunHooks"
      readonly hookId: string
      readonly event: HookEvent
      readonly input: Readonly<Record<string, unknown>>
    }
  | { readonly _tag: "Compact"; readonly compactionId: RequestId; readonly request: ModelRequest }
  | { readonly _tag: "AbortCompaction"; readonly compactionId: RequestId }
  /** Asks a model beside the conversation. */
  | {
      readonly _tag: "StartSide"
      readonly sideId: string
      readonly kind: SideKind
      readonly timeoutMs: number
      readonly work: SideWork
    }
  | { readonly _tag: "AbortSide"; readonly sideId: string }
  | { readonly _tag: "Emit"; readonly emission: Emission }

export const NO_COMMANDS: ReadonlyArray<Command> = []
