import type { ContentBlock } from "./block.ts"
import type { Uuid } from "./id.ts"
import type { Usage } from "./usage.ts"

/**
 * One conversation in memory. The fields carry the names that transcripts use, so that a line on disk is a message
 * with its envelope (core/session/transcript/record.ts) and nothing has to be translated back and forth.
 */
export type UserContent = string | ReadonlyArray<ContentBlock>

export interface Origin {
  readonly kind: string
}

export interface UserMessage {
  readonly type: "user"
  readonly uuid: Uuid
  readonly timestamp: string
  readonly message: { readonly role: "user"; readonly content: UserContent }
  /** The model sees it, the screen does not. */
  readonly isMeta?: boolean
  /** The screen sees it, the model does not. */
  readonly isVirtual?: boolean
  readonly isCompactSummary?: boolean
  readonly isVisibleInTranscriptOnly?: boolean
  readonly toolUseResult?: unknown
  readonly sourceToolAssistantUUID?: Uuid
  readonly sourceToolUseID?: string
  readonly toolDenialKind?: string
  readonly permissionMode?: string
  readonly promptId?: string
  readonly origin?: Origin
}

/** The closed list of what went wrong with the API, as results and stream lines name it. */
export type ErrorClass =
  | "authentication_failed"
  | "billing_error"
  | "rate_limit"
  | "overloaded"
  | "server_error"
  | "model_not_found"
  | "invalid_request"
  | "max_output_tokens"
  | "prompt_too_long"
  | "unknown"

export interface AssistantMessage {
  readonly type: "assistant"
  readonly uuid: Uuid
  readonly timestamp: string
  readonly requestId?: string
  readonly message: {
    readonly id: string
    readonly type: "message"
    readonly role: "assistant"
    readonly model: string
    readonly content: ReadonlyArray<ContentBlock>
    readonly stop_reason: string | null
    readonly stop_sequence: string | null
    readonly usage: Usage
  }
  readonly isApiErrorMessage?: boolean
  readonly error?: ErrorClass
  readonly apiErrorStatus?: number
  readonly isAbortedMidStream?: boolean
  readonly isVirtual?: boolean
}

export interface SystemMessage {
  readonly type: "system"
  readonly uuid: Uuid
  readonly timestamp: string
  readonly subtype: string
  readonly content?: string
  readonly level?: "info" | "warning" | "error" | "suggestion"
  readonly isMeta?: boolean
  readonly [field: string]: unknown
}

export interface AttachmentMessage {
  readonly type: "attachment"
  readonly uuid: Uuid
  readonly timestamp: string
  readonly attachment: { readonly type: string; readonly [field: string]: unknown }
  /** The very words that the model was sent, so that it is sent the same again; without them they are made anew. */
  readonly rendered?: ReadonlyArray<{ readonly content: UserContent }>
}

export type Message = UserMessage | AssistantMessage | SystemMessage | AttachmentMessage

/** Model name of messages that the program itself wrote in the assistant's place. */
export const SYNTHETIC_MODEL = "<synthetic>"

export const blocksOf = (content: UserContent): ReadonlyArray<ContentBlock> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content
