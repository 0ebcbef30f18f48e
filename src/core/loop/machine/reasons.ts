/** Why another model request follows inside the same turn. */
export type ContinueReason =
  | "next_turn"
  | "reactive_compact_retry"
  | "media_strip_retry"
  | "max_output_tokens_escalate"
  | "max_output_tokens_recovery"
  | "stop_hook_blocking"
  | "structured_output_retry"
  | "fallback_retry"
  | "malformed_tool_retry"
  | "empty_response_retry"
  | "refusal_retry"
  | "token_budget_continuation"

/** Why a turn ended; every turn ends with exactly one. */
export type TerminalReason =
  | "completed"
  | "aborted_streaming"
  | "aborted_tools"
  | "hook_stopped"
  | "stop_hook_prevented"
  | "max_turns"
  | "budget_exhausted"
  | "structured_output_retry_exhausted"
  | "prompt_too_long"
  | "image_error"
  | "model_error"
  | "api_error"
  | "blocking_limit"
  | "rapid_refill_breaker"
  | "malformed_tool_use_exhausted"

export type ResultSubtype =
  | "success"
  | "error_during_execution"
  | "error_max_turns"
  | "error_max_budget_usd"
  | "error_max_structured_output_retries"

const SUBTYPES: Record<TerminalReason, ResultSubtype> = {
  completed: "success",
  aborted_streaming: "error_during_execution",
  aborted_tools: "error_during_execution",
  hook_stopped: "success",
  stop_hook_prevented: "success",
  max_turns: "error_max_turns",
  budget_exhausted: "error_max_budget_usd",
  structured_output_retry_exhausted: "error_max_structured_output_retries",
  prompt_too_long: "success",
  image_error: "success",
  model_error: "success",
  api_error: "success",
  blocking_limit: "error_during_execution",
  rapid_refill_breaker: "error_during_execution",
  malformed_tool_use_exhausted: "error_during_execution"
}

export const subtypeOf = (reason: TerminalReason): ResultSubtype => SUBTYPES[reason]

const API_FAILURES: ReadonlySet<TerminalReason> = new Set(["prompt_too_long", "image_error", "model_error", "api_error"])

/** Ends that are reported as a success whose text is the API's error. */
export const isApiFailure = (reason: TerminalReason): boolean => API_FAILURES.has(reason)
