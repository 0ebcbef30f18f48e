import { Result, Schema } from "effect"
import { isObject, type Json } from "./messages-validate.ts"

/**
 * Every line that print mode may write with `--output-format stream-json`, as schemas without room for unknown fields,
 * and the laws that hold over a whole stream. Written from the specification, not from the code that prints.
 */
const Uuid = Schema.String.check(Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Money = Schema.Number.check(Schema.isGreaterThanOrEqualTo(0))
const Iso = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
const maybe = Schema.optionalKey

const identity = { uuid: Uuid, session_id: Uuid }

const ErrorName = Schema.Literals([
  "authentication_failed",
  "billing_error",
  "rate_limit",
  "overloaded",
  "invalid_request",
  "model_not_found",
  "server_error",
  "max_output_tokens",
  "unknown"
])

const PermissionMode = Schema.Literals(["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"])

const Usage = Schema.Struct({
  input_tokens: Count,
  output_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_read_input_tokens: Count,
  server_tool_use: Schema.Struct({ web_search_requests: Count, web_fetch_requests: Count }),
  service_tier: Schema.NullOr(Schema.String),
  cache_creation: Schema.Struct({ ephemeral_1h_input_tokens: Count, ephemeral_5m_input_tokens: Count }),
  inference_geo: Schema.NullOr(Schema.String),
  iterations: Schema.NullOr(Schema.Unknown),
  speed: Schema.NullOr(Schema.String)
})

const Text = Schema.Struct({ type: Schema.Literal("text"), text: Schema.NonEmptyString })

const AssistantBlock = Schema.Union([
  Text,
  Schema.Struct({ type: Schema.Literal("thinking"), thinking: Schema.String, signature: Schema.String }),
  Schema.Struct({ type: Schema.Literal("redacted_thinking"), data: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("tool_use"),
    id: Schema.NonEmptyString,
    name: Schema.NonEmptyString,
    input: Schema.Record(Schema.String, Schema.Unknown)
  })
])

const KeySource = Schema.Literals([
  "ANTHROPIC_API_KEY",
  "apiKeyHelper",
  "user",
  "project",
  "org",
  "temporary",
  "oauth",
  "none"
])

const Server = Schema.Struct({ name: Schema.String, status: Schema.String, source: maybe(Schema.String) })

const Init = Schema.Struct({
  ...identity,
  type: Schema.Literal("system"),
  subtype: Schema.Literal("init"),
  apiKeySource: KeySource,
  claude_code_version: Schema.String.check(Schema.isPattern(/^\d+\.\d+\.\d+$/)),
  nacre_version: Schema.String.check(Schema.isPattern(/^\d+\.\d+\.\d+/)),
  cwd: Schema.String.check(Schema.isPattern(/^\//)),
  tools: Schema.Array(Schema.NonEmptyString),
  mcp_servers: Schema.Array(Server),
  model: Schema.NonEmptyString,
  permissionMode: PermissionMode,
  slash_commands: Schema.Array(Schema.String),
  output_style: Schema.NonEmptyString,
  skills: Schema.Array(Schema.String),
  plugins: Schema.Array(Schema.Struct({ name: Schema.String, path: Schema.String, version: maybe(Schema.String) })),
  agents: maybe(Schema.Array(Schema.String)),
  betas: maybe(Schema.Array(Schema.String)),
  effort: maybe(Schema.Literals(["low", "medium", "high", "xhigh", "max"])),
  capabilities: maybe(Schema.Array(Schema.String)),
  memory_paths: maybe(Schema.Struct({ auto: Schema.String.check(Schema.isPattern(/^\/.*\/$/)) }))
})

const Assistant = Schema.Struct({
  ...identity,
  type: Schema.Literal("assistant"),
  message: Schema.Struct({
    id: Schema.NonEmptyString,
    type: Schema.Literal("message"),
    role: Schema.Literal("assistant"),
    model: Schema.NonEmptyString,
    /** One line per block. */
    content: Schema.Tuple([AssistantBlock]),
    stop_reason: Schema.NullOr(Schema.String),
    stop_sequence: Schema.NullOr(Schema.String),
    usage: Usage,
    context_management: maybe(Schema.Null)
  }),
  parent_tool_use_id: Schema.NullOr(Schema.String),
  error: maybe(ErrorName),
  request_id: maybe(Schema.String),
  aborted: maybe(Schema.Literal(true)),
  timestamp: maybe(Iso)
})

const ToolResult = Schema.Struct({
  type: Schema.Literal("tool_result"),
  tool_use_id: Schema.NonEmptyString,
  content: Schema.Union([Schema.String, Schema.NonEmptyArray(Schema.Record(Schema.String, Schema.Unknown))]),
  is_error: maybe(Schema.Boolean)
})

const User = Schema.Struct({
  ...identity,
  type: Schema.Literal("user"),
  message: Schema.Struct({
    role: Schema.Literal("user"),
    content: Schema.Union([Schema.String, Schema.NonEmptyArray(Schema.Union([ToolResult, Text]))])
  }),
  parent_tool_use_id: Schema.NullOr(Schema.String),
  timestamp: maybe(Iso),
  tool_use_result: maybe(Schema.Unknown),
  isSynthetic: maybe(Schema.Literal(true)),
  isReplay: maybe(Schema.Literal(true))
})

const StreamEvent = Schema.Struct({
  ...identity,
  type: Schema.Literal("stream_event"),
  event: Schema.StructWithRest(Schema.Struct({ type: Schema.NonEmptyString }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ]),
  parent_tool_use_id: Schema.NullOr(Schema.String),
  ttft_ms: maybe(Count)
})

const ModelUsage = Schema.Struct({
  inputTokens: Count,
  outputTokens: Count,
  cacheReadInputTokens: Count,
  cacheCreationInputTokens: Count,
  webSearchRequests: Count,
  costUSD: Money,
  contextWindow: Count,
  maxOutputTokens: Count
})

const resultFields = {
  ...identity,
  type: Schema.Literal("result"),
  duration_ms: Count,
  duration_api_ms: Count,
  num_turns: Count,
  stop_reason: Schema.NullOr(Schema.String),
  total_cost_usd: Money,
  usage: Usage,
  modelUsage: Schema.Record(Schema.String, ModelUsage),
  permission_denials: Schema.Array(
    Schema.Struct({
      tool_name: Schema.NonEmptyString,
      tool_use_id: Schema.NonEmptyString,
      tool_input: Schema.Record(Schema.String, Schema.Unknown)
    })
  ),
  terminal_reason: Schema.Literals([
    "completed",
    "max_turns",
    "budget_exhausted",
    "structured_output_retry_exhausted",
    "aborted_streaming",
    "aborted_tools",
    "stop_hook_prevented",
    "hook_stopped",
    "blocking_limit",
    "prompt_too_long",
    "image_error",
    "model_error",
    "api_error",
    "rapid_refill_breaker",
    "malformed_tool_use_exhausted",
    "turn_setup_failed"
  ]),
  ttft_ms: maybe(Count),
  api_error_status: maybe(Schema.NullOr(Count)),
  user_message_uuid: maybe(Uuid),
  /** Said when the scripted model answered. */
  model: maybe(Schema.Literal("offline")),
  apiKeySource: maybe(Schema.Literal("none"))
}

const Success = Schema.Struct({
  ...resultFields,
  subtype: Schema.Literal("success"),
  is_error: Schema.Boolean,
  result: Schema.String,
  structured_output: maybe(Schema.Unknown)
})

const Failure = Schema.Struct({
  ...resultFields,
  subtype: Schema.Literals([
    "error_during_execution",
    "error_max_turns",
    "error_max_budget_usd",
    "error_max_structured_output_retries"
  ]),
  is_error: Schema.Literal(true),
  errors: Schema.NonEmptyArray(Schema.NonEmptyString)
})

const system = <Subtype extends string, Fields extends Schema.Struct.Fields>(subtype: Subtype, fields: Fields) =>
  Schema.Struct({ ...identity, type: Schema.Literal("system"), subtype: Schema.Literal(subtype), ...fields })

const Status = system("status", {
  status: Schema.NullOr(Schema.Literals(["compacting", "requesting"])),
  permissionMode: maybe(PermissionMode),
  compact_result: maybe(Schema.Literals(["success", "failed"])),
  compact_error: maybe(Schema.String)
})

const CompactBoundary = system("compact_boundary", {
  compact_metadata: Schema.Struct({
    trigger: Schema.Literals(["manual", "auto"]),
    pre_tokens: Count,
    post_tokens: maybe(Count),
    duration_ms: maybe(Count)
  })
})

const ApiRetry = system("api_retry", {
  attempt: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  max_retries: Count,
  retry_delay_ms: Count,
  error_status: Schema.NullOr(Count),
  error: ErrorName
})

const PermissionDenied = system("permission_denied", {
  tool_name: Schema.NonEmptyString,
  tool_use_id: Schema.NonEmptyString,
  decision_reason_type: maybe(Schema.String),
  decision_reason: maybe(Schema.String),
  message: Schema.NonEmptyString
})

const Informational = system("informational", {
  content: Schema.NonEmptyString,
  level: Schema.Literals(["info", "warning", "error", "suggestion"])
})

/** Ours: names a line that belongs to an abandoned attempt. */
const Tombstone = system("tombstone", { message_uuid: Uuid })

const ToolProgress = Schema.Struct({
  ...identity,
  type: Schema.Literal("tool_progress"),
  tool_use_id: Schema.NonEmptyString,
  tool_name: Schema.NonEmptyString,
  parent_tool_use_id: Schema.NullOr(Schema.String),
  elapsed_time_seconds: Money
})

const SCHEMAS: Readonly<Record<string, Schema.Codec<unknown, unknown>>> = {
  assistant: Assistant,
  user: User,
  stream_event: StreamEvent,
  tool_progress: ToolProgress,
  result: Schema.Union([Success, Failure]),
  "system/init": Init,
  "system/status": Status,
  "system/compact_boundary": CompactBoundary,
  "system/api_retry": ApiRetry,
  "system/permission_denied": PermissionDenied,
  "system/informational": Informational,
  "system/tombstone": Tombstone
}

/** `assistant`, `system/init` and the like. */
export const kindOf = (line: Json): string =>
  line["type"] === "system" ? `system/${String(line["subtype"])}` : String(line["type"])

const STRICT = { onExcessProperty: "error", errors: "all" } as const

/** What is wrong with one line, or undefined. */
export const lineProblem = (line: Json): string | undefined => {
  const kind = kindOf(line)
  const schema = SCHEMAS[kind]
  if (schema === undefined) return `no schema for a line of type ${kind}`
  const decoded = Schema.decodeUnknownResult(schema, STRICT)(line)
  return Result.isSuccess(decoded) ? undefined : `${kind}: ${decoded.failure.message}`
}

const blocksOf = (line: Json, type: string): ReadonlyArray<Json> => {
  const message = isObject(line["message"]) ? line["message"] : {}
  const content = Array.isArray(message["content"]) ? message["content"] : []
  return content.filter(isObject).filter((block) => block["type"] === type)
}

export const idsOf = (line: Json, type: string, key: string): ReadonlyArray<string> =>
  blocksOf(line, type).map((block) => String(block[key]))

const repeated = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  values.filter((value, index) => values.indexOf(value) !== index)

/** Every call answered exactly once, behind it and before the result of its turn; every result has its init. */
const turnProblems = (lines: ReadonlyArray<Json>): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const open = new Set<string>()
  let begun = false
  for (const line of lines) {
    const kind = kindOf(line)
    if (kind === "system/init") begun = true
    if (kind === "assistant" && !begun) problems.push("an assistant line before system/init")
    for (const id of idsOf(line, "tool_use", "id")) open.add(id)
    for (const id of idsOf(line, "tool_result", "tool_use_id")) {
      if (!open.delete(id)) problems.push(`a result for ${id}, which is not open`)
    }
    if (kind !== "result") continue
    for (const id of open) problems.push(`the turn ended without a result for ${id}`)
    open.clear()
    begun = false
  }
  return problems
}

/** Everything wrong with the output of a run that was not killed. Empty is good. */
export const streamProblems = (stdout: string): ReadonlyArray<string> => {
  if (!stdout.endsWith("\n")) return [`the output does not end with a line break: ${stdout.slice(-200)}`]
  const texts = stdout.slice(0, -1).split("\n")
  const lines: Array<Json> = []
  for (const [index, text] of texts.entries()) {
    try {
      const value: unknown = JSON.parse(text)
      if (!isObject(value)) return [`line ${index + 1} is not an object: ${text.slice(0, 200)}`]
      lines.push(value)
    } catch {
      return [`line ${index + 1} is not JSON: ${text.slice(0, 200)}`]
    }
  }
  const last = lines.at(-1)
  return [
    ...lines.flatMap((line) => lineProblem(line) ?? []),
    ...repeated(lines.map((line) => line["uuid"])).map((uuid) => `uuid ${String(uuid)} occurs twice`),
    ...(new Set(lines.map((line) => line["session_id"])).size === 1 ? [] : ["more than one session id"]),
    ...turnProblems(lines),
    ...(last !== undefined && kindOf(last) === "result" ? [] : ["the last line is not a result"])
  ]
}
