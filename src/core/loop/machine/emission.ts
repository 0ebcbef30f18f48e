import type { CallId, Uuid } from "../../domain/id.ts"
import type { ErrorClass, Message } from "../../domain/message.ts"
import type { HookEvent } from "../../hooks/hook-event.ts"
import type { Usage } from "../../domain/usage.ts"
import type { SideResult } from "../../context/side/side-task.ts"
import type { PermissionMode } from "../../permission/verdict.ts"
import type { ModelTotals, PermissionDenial } from "./state.ts"
import type { ResultSubtype, TerminalReason } from "./reasons.ts"

/** The one report at the end of a turn. */
export interface TurnResult {
  readonly uuid: Uuid
  readonly subtype: ResultSubtype
  readonly terminalReason: TerminalReason
  readonly isError: boolean
  readonly durationMs: number
  readonly durationApiMs: number
  readonly numTurns: number
  readonly text: string
  readonly errors: ReadonlyArray<string>
  readonly stopReason: string | null
  readonly totalCostUsd: number
  readonly usage: Usage
  readonly models: Readonly<Record<string, ModelTotals>>
  readonly denials: ReadonlyArray<PermissionDenial>
  readonly structuredOutput?: { readonly value: unknown }
  readonly apiErrorStatus?: number
  readonly ttftMs?: number
  readonly promptUuid: Uuid
}

/** A handler that runs, or ran. */
export interface HookAtWork {
  readonly hookId: string
  /** The event, and what its matcher was compared with. */
  readonly name: string
  readonly event: HookEvent
  /** What a user is to read while it runs. */
  readonly status?: string
}

/** What whoever watches the conversation is told: the screen, the print writer, a host. */
export type Emission =
  | { readonly _tag: "TurnStarted"; readonly promptUuid: Uuid }
  | { readonly _tag: "MessageAdded"; readonly message: Message }
  /** An assistant message already shown turned out to belong to an abandoned attempt. */
  | { readonly _tag: "Tombstone"; readonly uuid: Uuid }
  /** What was streamed since the last finished block is void. */
  | { readonly _tag: "PartialDiscarded" }
  /** The classifier of auto mode looks at the call before anything happens. */
  | { readonly _tag: "CallChecking"; readonly callId: CallId; readonly tool: string; readonly summary: string }
  /** `why` says what let it run: a rule, a mode, or an answer. */
  | {
      readonly _tag: "CallStarted"
      readonly callId: CallId
      readonly tool: string
      readonly summary: string
      readonly why: string
    }
  | { readonly _tag: "CallProgress"; readonly callId: CallId; readonly tool: string; readonly progress: unknown }
  | {
      readonly _tag: "RetryScheduled"
      readonly uuid: Uuid
      readonly attempt: number
      readonly maxRetries: number
      readonly delayMs: number
      readonly status: number | null
      readonly errorClass: ErrorClass
      readonly text: string
    }
  /** A compaction began, or ended as `compacted` says. */
  | {
      readonly _tag: "StatusChanged"
      readonly uuid: Uuid
      readonly status: "compacting" | null
      readonly compacted?: "success" | "failed"
    }
  | { readonly _tag: "ModeReported"; readonly uuid: Uuid; readonly mode: PermissionMode }
  | {
      readonly _tag: "PermissionDenied"
      readonly uuid: Uuid
      readonly callId: CallId
      readonly tool: string
      readonly reasonType: string
      readonly reason: string
      readonly message: string
    }
  | {
      readonly _tag: "PromptQueued"
      readonly promptUuid: Uuid
    }
  /** A queued prompt joined the running turn; hosts that asked for it get the message back. */
  | { readonly _tag: "PromptTaken"; readonly promptUuid: Uuid }
  /** The prompt of this turn, and all that joined the conversation with it, is no longer part of it: it can be typed again. */
  | {
      readonly _tag: "PromptTakenBack"
      readonly promptUuid: Uuid
      readonly text: string
      readonly uuids: ReadonlyArray<Uuid>
    }
  /** A message was pinned or is no longer; what all pins take together. */
  | { readonly _tag: "PinsChanged"; readonly pinned: boolean; readonly tokens: number }
  | {
      readonly _tag: "Notice"
      readonly level: "info" | "warning" | "error"
      readonly text: string
      /** A host hears of it in a line of its own. */
      readonly isForHosts?: boolean
    }
  /** A hook named the session. */
  | { readonly _tag: "SessionTitled"; readonly title: string }
  | ({ readonly _tag: "HookStarted" } & HookAtWork)
  | ({
      readonly _tag: "HookEnded"
      readonly outcome: "success" | "error" | "cancelled"
      readonly stdout: string
      readonly stderr: string
      readonly code?: number
    } & HookAtWork)
  /** What came of a side task. */
  | { readonly _tag: "SideReported"; readonly result: SideResult }
  | { readonly _tag: "TurnFinished"; readonly result: TurnResult }
