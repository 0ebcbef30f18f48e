import type { ContentBlock } from "../../domain/block.ts"
import type { HookOutcome } from "../../hooks/outcome.ts"
import type { ModelFailure } from "../../model/failure/model-failure.ts"
import type { AgentId, CallId, RequestId, Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import type { Usage } from "../../domain/usage.ts"
import type { Look, SourceKind } from "../../context/sources/source.ts"
import type { SummaryPart } from "../../context/reduction/reduction.ts"
import type { CheckOutcome } from "../../permission/classifier/outcome.ts"
import type { CallFacts } from "../../permission/facts.ts"
import type { PermissionUpdate } from "../../permission/configuration/update.ts"
import type { PermissionMode } from "../../permission/verdict.ts"
import type { AppliedSettings } from "../../permission/configuration/apply-settings.ts"
import type { ModelEvent } from "../../model/stream/model-event.ts"
import type { ToolEntry } from "../../tools/tool-entry.ts"
import type { SideAnswer, SideKind, SideOptions } from "../../context/side/side-task.ts"
import type { CompactionConfig, CompactionWish, LimitsConfig, LoopConfig, ModelChoice, PromptConfig } from "./state.ts"

/** How a started call came back. */
export type CallOutcome =
  | {
      readonly _tag: "Returned"
      readonly content: string | ReadonlyArray<ContentBlock>
      readonly data: unknown
      readonly isError: boolean
      readonly cwd?: string
    }
  | { readonly _tag: "Failed"; readonly message: string; readonly data?: unknown }
  /** Ended because it was told to; what it had printed so far is kept. */
  | { readonly _tag: "Cancelled"; readonly content: string; readonly data: unknown }

export type PermissionAnswer =
  | {
      readonly behavior: "allow"
      readonly updatedInput?: unknown
      readonly updates?: ReadonlyArray<PermissionUpdate>
    }
  | {
      readonly behavior: "deny"
      readonly message: string
      readonly interrupt?: boolean
      readonly updates?: ReadonlyArray<PermissionUpdate>
    }

/** Means something while a turn runs; without one it is late. */
export type TurnOccurrence =
  | { readonly _tag: "Persisted"; readonly ack: string }
  | { readonly _tag: "PersistFailed"; readonly ack: string; readonly cause: string }
  | { readonly _tag: "StreamOpened"; readonly requestId: RequestId; readonly apiRequestId: string | undefined }
  | { readonly _tag: "ModelSaid"; readonly requestId: RequestId; readonly event: ModelEvent }
  | { readonly _tag: "StreamEnded"; readonly requestId: RequestId }
  | {
      readonly _tag: "RequestFailed"
      readonly requestId: RequestId
      readonly failure: ModelFailure
      /** In [0, 1), drawn by the shell for the back-off. */
      readonly jitter: number
    }
  | { readonly _tag: "CallPrepared"; readonly callId: CallId; readonly facts: CallFacts }
  /** Right before a call was to run its paths led elsewhere than when it was decided; it did not run. */
  | { readonly _tag: "CallOutdated"; readonly callId: CallId; readonly facts: CallFacts }
  | { readonly _tag: "CallRefused"; readonly callId: CallId; readonly message: string }
  /** The user wants this call to end; the turn goes on without it. */
  | { readonly _tag: "CallStopped"; readonly callId: CallId }
  | { readonly _tag: "CallProgressed"; readonly callId: CallId; readonly progress: unknown }
  | { readonly _tag: "CallSettled"; readonly callId: CallId; readonly outcome: CallOutcome }
  | { readonly _tag: "HooksSettled"; readonly hookId: string; readonly outcome: HookOutcome }
  | {
      readonly _tag: "CompactionSettled"
      readonly compactionId: RequestId
      readonly summary: string
      readonly model: string
      readonly usage: Usage
    }
  | {
      readonly _tag: "CompactionFailed"
      readonly compactionId: RequestId
      readonly cause: string
      /** What the endpoint or the connection did, where it was one of them. */
      readonly failure?: ModelFailure
    }
  /** Nobody wants to wait for the next try: it is made now, by the same model or by the next one of the chain. */
  | { readonly _tag: "RetryHastened"; readonly by: "sameModel" | "nextModel" }
  /** An earlier window as it was written, or why it could not be read. */
  | {
      readonly _tag: "WindowRead"
      readonly readId: string
      readonly window:
        | { readonly messages: ReadonlyArray<Message>; readonly replacements: ReadonlyArray<readonly [CallId, string]> }
        | { readonly cause: string }
    }
  /** `takeBack`: whoever interrupts can type the prompt again, and gets it back if nothing was answered yet. */
  | { readonly _tag: "Interrupted"; readonly takeBack?: boolean }
  /** The program is shutting down: end without telling anybody. */
  | { readonly _tag: "ShutDown" }

/** One part of the options was replaced. */
export type ConfigEvent =
  | { readonly _tag: "ModelChosen"; readonly choice: ModelChoice }
  | { readonly _tag: "PromptChanged"; readonly prompt: PromptConfig }
  | { readonly _tag: "CompactionTuned"; readonly compaction: CompactionConfig }
  | { readonly _tag: "LimitsChanged"; readonly limits: LimitsConfig }
  | { readonly _tag: "SideTasksTuned"; readonly side: SideOptions }
  | { readonly _tag: "OutputPromised"; readonly jsonSchema: LoopConfig["jsonSchema"] }
  | { readonly _tag: "HooksRegistered"; readonly events: LoopConfig["hookEvents"] }
  | { readonly _tag: "AudienceChanged"; readonly canAsk: boolean }

/** A side task answered, or did not; either way with what it cost, request by request. */
export type SideEnd = {
  readonly sideId: string
  readonly spent: ReadonlyArray<{ readonly model: string; readonly usage: Usage }>
} & ({ readonly _tag: "SideSettled"; readonly answer: SideAnswer } | { readonly _tag: "SideFailed"; readonly cause: string })

/** Somebody wants a side task now, or wants it no more. */
export type SideWish =
  | { readonly _tag: "SideAsked"; readonly kind: SideKind }
  | { readonly _tag: "SideDropped"; readonly kind: SideKind }

export type Occurrence =
  | TurnOccurrence
  | SideEnd
  | SideWish
  | {
      readonly _tag: "PromptSubmitted"
      readonly uuid: Uuid
      readonly content: string | ReadonlyArray<ContentBlock>
      readonly priority: "now" | "next" | "later"
      readonly origin: "human" | "task"
      /** A prompt that only joins the history and asks for no answer. */
      readonly appendOnly: boolean
      /** A command that the program answers itself, with these words: the model hears of neither. */
      readonly answer?: string
    }
  | { readonly _tag: "TimerFired"; readonly timerId: string }
  /** Somebody has looked at sources of context, at all of them or at those that were quick. */
  | {
      readonly _tag: "ContextRead"
      readonly collectId: string
      readonly look: Look
      /** Nothing of this look is still to come. */
      readonly isLast: boolean
      readonly failed: ReadonlyArray<{ readonly kind: SourceKind; readonly cause: string }>
    }
  /** What a window begins with is to be looked at anew before the next request. */
  | { readonly _tag: "ContextOutdated" }
  /** The classifier of auto mode came to an end with a call. */
  | {
      readonly _tag: "CallChecked"
      readonly checkId: string
      readonly callId: CallId
      readonly outcome: CheckOutcome
      /** What it cost, request by request. */
      readonly spent: ReadonlyArray<{ readonly model: string; readonly usage: Usage }>
    }
  /** Requests beside the conversation were paid for. */
  | { readonly _tag: "SpentBeside"; readonly spent: ReadonlyArray<{ readonly model: string; readonly usage: Usage }> }
  | { readonly _tag: "PermissionAnswered"; readonly callId: CallId; readonly answer: PermissionAnswer }
  /** A sandboxed command wants to reach a host that no rule names. Its connection waits. */
  | {
      readonly _tag: "HostRequested"
      readonly requestId: string
      readonly callId: CallId
      readonly host: string
      readonly port: number
    }
  /** The connection or the command that waited for a host is gone. */
  | { readonly _tag: "HostRequestEnded"; readonly requestId: string }
  /** A message is to stay word for word in every summary, or no longer. */
  | { readonly _tag: "PinChanged"; readonly uuid: Uuid; readonly pinned: boolean }
  /** Somebody wants the conversation summarised now, whole or up to or from a message. */
  | { readonly _tag: "CompactionRequested"; readonly focus: string; readonly part?: SummaryPart }
  /** Somebody wants the newest compaction undone, done again, or said in other words. */
  | { readonly _tag: "AboutCompaction"; readonly wish: CompactionWish }
  /** Somebody wants the results of these calls cleared. */
  | { readonly _tag: "ClearRequested"; readonly calls: ReadonlyArray<CallId> }
  /** Somebody wants the oldest rounds taken out of what the model sees. */
  | { readonly _tag: "SnipRequested"; readonly rounds: number }
  | { readonly _tag: "QueueCancelled"; readonly uuids: ReadonlyArray<Uuid> }
  | { readonly _tag: "ModeChanged"; readonly mode: PermissionMode }
  | { readonly _tag: "PermissionsUpdated"; readonly updates: ReadonlyArray<PermissionUpdate> }
  /** Settings files changed. */
  | { readonly _tag: "SettingsApplied"; readonly settings: AppliedSettings }
  /** The tools that the conversation has from the next request on. */
  | { readonly _tag: "ToolsChanged"; readonly tools: ReadonlyArray<ToolEntry> }
  | ConfigEvent

/** Something that happened, and when. The only way anything reaches the core. */
export type LoopEvent = Occurrence & {
  readonly at: number
  /** Whose it is; the first agent's if absent. */
  readonly agent?: AgentId
}
