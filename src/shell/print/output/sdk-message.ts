import { isText } from "../../../core/domain/block.ts"
import type { ErrorClass, Message } from "../../../core/domain/message.ts"
import { isInterruptionText } from "../../../core/domain/program-texts.ts"
import type { Emission, TurnResult } from "../../../core/loop/machine/emission.ts"
import { modelUsage } from "../../model/model-usage.ts"

/** One line of stream-json: an object with a type. */
export interface SdkMessage {
  readonly type: string
  readonly [field: string]: unknown
}

export interface MessageScope {
  readonly sessionId: string
  /** Fresh uuid for lines that are not messages of the conversation. */
  readonly newUuid: () => string
  /** The scripted model answered; results say so, because a script must be able to tell. */
  readonly offline: boolean
  /** Hooks that run are shown. */
  readonly hookEvents: boolean
}

/** Hosts know a closed list of names; a prompt that is too long is an invalid request among them. */
const errorName = (error: ErrorClass): string => (error === "prompt_too_long" ? "invalid_request" : error)

const assistantLine = (message: Extract<Message, { type: "assistant" }>, scope: MessageScope): SdkMessage => ({
  type: "assistant",
  message: { ...message.message, context_management: null },
  parent_tool_use_id: null,
  session_id: scope.sessionId,
  uuid: message.uuid,
  ...(message.requestId === undefined ? {} : { request_id: message.requestId }),
  ...(message.error === undefined ? {} : { error: errorName(message.error) }),
  ...(message.isAbortedMidStream === true ? { aborted: true } : {})
})

const userLine = (message: Extract<Message, { type: "user" }>, scope: MessageScope): SdkMessage => ({
  type: "user",
  message: message.message,
  parent_tool_use_id: null,
  session_id: scope.sessionId,
  uuid: message.uuid,
  timestamp: message.timestamp,
  ...(message.toolUseResult === undefined ? {} : { tool_use_result: message.toolUseResult }),
  ...(message.isMeta === true ? { isSynthetic: true } : {})
})

const isToolResult = (message: Extract<Message, { type: "user" }>): boolean => message.sourceToolAssistantUUID !== undefined

const systemLine = (message: Extract<Message, { type: "system" }>, scope: MessageScope): SdkMessage | undefined => {
  if (message.subtype === "compact_boundary") {
    const metadata = message["compactMetadata"] as { trigger?: string; preTokens?: number; postTokens?: number } | undefined
    return {
      type: "system",
      subtype: "compact_boundary",
      session_id: scope.sessionId,
      uuid: message.uuid,
      compact_metadata: {
        trigger: metadata?.trigger ?? "auto",
        pre_tokens: metadata?.preTokens ?? 0,
        ...(metadata?.postTokens === undefined ? {} : { post_tokens: metadata.postTokens })
      }
    }
  }
  if (message.subtype !== "informational") return undefined
  return {
    type: "system",
    subtype: "informational",
    content: message.content ?? "",
    level: message.level ?? "info",
    session_id: scope.sessionId,
    uuid: message.uuid
  }
}

/** A message of the conversation as hosts see it; the user's own prompts are not echoed here. */
const messageLine = (message: Message, scope: MessageScope): SdkMessage | undefined => {
  switch (message.type) {
    case "assistant":
      return assistantLine(message, scope)
    case "user":
      return isToolResult(message) || message.isMeta === true || isInterruption(message)
        ? userLine(message, scope)
        : undefined
    case "system":
      return systemLine(message, scope)
    case "attachment":
      return undefined
  }
}

const isInterruption = (message: Extract<Message, { type: "user" }>): boolean => {
  const [first] = typeof message.message.content === "string" ? [] : message.message.content
  return first !== undefined && isText(first) && isInterruptionText(first.text)
}

/** What a host said, on its own or folded into a running turn; undefined for everything else on the user's side. */
const promptOf = (message: Message): unknown => {
  if (message.type === "attachment") {
    const { type, commandMode, prompt } = message.attachment
    return type === "queued_command" && commandMode === "prompt" ? { role: "user", content: prompt } : undefined
  }
  if (message.type !== "user" || message.isMeta === true || message.origin !== undefined) return undefined
  return isToolResult(message) || isInterruption(message) ? undefined : message.message
}

/** A prompt as it goes back to the host that sent it. */
export const replayOf = (prompt: unknown, uuid: string, scope: MessageScope): SdkMessage => ({
  type: "user",
  message: prompt,
  parent_tool_use_id: null,
  session_id: scope.sessionId,
  uuid,
  isReplay: true
})

export const replayLine = (message: Message, scope: MessageScope): SdkMessage | undefined => {
  const prompt = promptOf(message)
  return prompt === undefined ? undefined : replayOf(prompt, message.uuid, scope)
}

/** The one line that closes a turn. */
export const resultLine = (result: TurnResult, scope: MessageScope): SdkMessage => ({
  type: "result",
  subtype: result.subtype,
  is_error: result.isError,
  duration_ms: Math.round(result.durationMs),
  duration_api_ms: Math.round(result.durationApiMs),
  num_turns: result.numTurns,
  ...(result.subtype === "success" ? { result: result.text } : {}),
  stop_reason: result.stopReason,
  session_id: scope.sessionId,
  total_cost_usd: result.totalCostUsd,
  usage: result.usage,
  modelUsage: modelUsage(result.models),
  permission_denials: result.denials,
  ...(result.structuredOutput === undefined ? {} : { structured_output: result.structuredOutput.value }),
  terminal_reason: result.terminalReason,
  ...(result.apiErrorStatus === undefined ? {} : { api_error_status: result.apiErrorStatus }),
  ...(result.ttftMs === undefined ? {} : { ttft_ms: Math.round(result.ttftMs) }),
  ...(result.subtype === "success" ? {} : { errors: result.errors }),
  ...(scope.offline ? { model: "offline", apiKeySource: "none" } : {}),
  user_message_uuid: result.promptUuid,
  uuid: result.uuid
})

const toolProgressLine = (emission: Extract<Emission, { _tag: "CallProgress" }>, scope: MessageScope): SdkMessage => {
  const progress = emission.progress as { elapsedMs?: number } | undefined
  return {
    type: "tool_progress",
    tool_use_id: emission.callId,
    tool_name: emission.tool,
    parent_tool_use_id: null,
    elapsed_time_seconds: (progress?.elapsedMs ?? 0) / 1_000,
    session_id: scope.sessionId,
    uuid: scope.newUuid()
  }
}

type HookLine = Extract<Emission, { readonly _tag: "HookStarted" | "HookEnded" }>

const hookFields = ({ hookId, name, event }: HookLine) => ({ hook_id: hookId, hook_name: name, hook_event: event })

/** Hooks of the beginning are always shown, others to whoever asks for them. */
const isHookShown = ({ event }: HookLine, { hookEvents }: MessageScope): boolean =>
  hookEvents || event === "SessionStart" || event === "Setup"

/** What a host hears of an emission, if anything. `system/init` is made elsewhere: it needs the session's facts. */
export const sdkMessage = (emission: Emission, scope: MessageScope): SdkMessage | undefined => {
  const system = (subtype: string, uuid: string, fields: Record<string, unknown>): SdkMessage => ({
    type: "system",
    subtype,
    ...fields,
    session_id: scope.sessionId,
    uuid
  })
  switch (emission._tag) {
    case "MessageAdded":
      return messageLine(emission.message, scope)
    case "CallProgress":
      return toolProgressLine(emission, scope)
    case "RetryScheduled":
      return system("api_retry", emission.uuid, {
        attempt: emission.attempt,
        max_retries: emission.maxRetries,
        retry_delay_ms: emission.delayMs,
        error_status: emission.status,
        error: errorName(emission.errorClass)
      })
    case "StatusChanged":
      return system("status", emission.uuid, {
        status: emission.status,
        ...(emission.compacted === undefined ? {} : { compact_result: emission.compacted })
      })
    case "ModeReported":
      return system("status", emission.uuid, { status: null, permissionMode: emission.mode })
    case "PermissionDenied":
      return system("permission_denied", emission.uuid, {
        tool_name: emission.tool,
        tool_use_id: emission.callId,
        decision_reason_type: emission.reasonType,
        decision_reason: emission.reason,
        message: emission.message
      })
    case "Notice":
      return emission.isForHosts === true
        ? system("informational", scope.newUuid(), {
            content: emission.text,
            level: emission.level === "info" ? "notice" : "warning"
          })
        : undefined
    case "SessionTitled":
      return system("session_title_changed", scope.newUuid(), { title: emission.title })
    case "HookStarted":
      return isHookShown(emission, scope) ? system("hook_started", scope.newUuid(), hookFields(emission)) : undefined
    case "HookEnded":
      return isHookShown(emission, scope)
        ? system("hook_response", scope.newUuid(), {
            ...hookFields(emission),
            output: emission.stdout,
            stdout: emission.stdout,
            stderr: emission.stderr,
            ...(emission.code === undefined ? {} : { exit_code: emission.code }),
            outcome: emission.outcome
          })
        : undefined
    case "Tombstone":
      return system("tombstone", scope.newUuid(), { message_uuid: emission.uuid })
    case "TurnFinished":
      return resultLine(emission.result, scope)
    default:
      return undefined
  }
}

/** Causes that a host is told of in a line of their own, as the last thing before the end. */
const FULL_DISK: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"])

/** Lines of the transcript found no room on the disk until the end. */
export const writesLostLine = (code: string | undefined, sessionId: string, uuid: string): SdkMessage | undefined =>
  code === undefined || !FULL_DISK.has(code)
    ? undefined
    : {
        type: "system",
        subtype: "session_writes_lost",
        error_code: code,
        lost: ["transcript"],
        transcript_session_ids: [sessionId],
        session_id: sessionId,
        uuid
      }
