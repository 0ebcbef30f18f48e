import { Result, Schema } from "effect"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"
import { malformedEvent, streamFailure } from "./errors.ts"
import type { Frame } from "./sse.ts"

/**
 * Decodes one frame of the event stream. What is known must be well formed, what is not known is named and dropped,
 * and whatever passes is handed on as it came, with fields we never heard of.
 */
export type Decoded =
  | { readonly _tag: "Event"; readonly event: ModelEvent }
  | { readonly _tag: "Unknown"; readonly name: string }
  | { readonly _tag: "Failed"; readonly failure: ModelFailure }

const Index = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const MessageStart = Schema.Struct({
  type: Schema.Literal("message_start"),
  message: Schema.Struct({ id: Schema.String, model: Schema.String })
})

const ToolUseStart = Schema.Struct({
  type: Schema.Literal("tool_use"),
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString
})

const OtherStart = Schema.Struct({
  type: Schema.String.check(Schema.makeFilter((type) => type !== "tool_use"))
})

const ContentBlockStart = Schema.Struct({
  type: Schema.Literal("content_block_start"),
  index: Index,
  content_block: Schema.Union([ToolUseStart, OtherStart])
})

const ContentBlockStop = Schema.Struct({ type: Schema.Literal("content_block_stop"), index: Index })

const MessageDelta = Schema.Struct({
  type: Schema.Literal("message_delta"),
  delta: Schema.Struct({
    stop_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
    stop_sequence: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
})

const problemWith = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown): string | undefined => {
    const decoded = decode(value)
    return Result.isFailure(decoded) ? decoded.failure.message : undefined
  }
}

const checks = {
  message_start: problemWith(MessageStart),
  content_block_start: problemWith(ContentBlockStart),
  content_block_stop: problemWith(ContentBlockStop),
  message_delta: problemWith(MessageDelta)
}

/** The one field that each kind of delta must carry; `undefined` allows any value. */
const DELTA_FIELDS: Readonly<Record<string, { readonly field: string; readonly type: "string" | undefined }>> = {
  text_delta: { field: "text", type: "string" },
  input_json_delta: { field: "partial_json", type: "string" },
  thinking_delta: { field: "thinking", type: "string" },
  signature_delta: { field: "signature", type: "string" },
  citations_delta: { field: "citation", type: undefined }
}

interface Json {
  readonly [key: string]: unknown
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const malformed = (name: string, problem: string): Decoded => ({
  _tag: "Failed",
  failure: malformedEvent(name, problem)
})

/** Past the checks the value has the shape of the event; decoding to a copy would drop the unknown fields. */
const passed = (value: Json): Decoded => ({ _tag: "Event", event: value as ModelEvent })

/** By hand, because a long answer is ten thousand of these. */
const decodeDelta = (value: Json): Decoded => {
  const { delta, index } = value
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0) {
    return malformed("content_block_delta", "index is not a whole number")
  }
  if (!isObject(delta) || typeof delta["type"] !== "string") {
    return malformed("content_block_delta", "delta has no type")
  }
  const rule = DELTA_FIELDS[delta["type"]]
  if (rule === undefined) return { _tag: "Unknown", name: `content_block_delta/${delta["type"]}` }
  const content = delta[rule.field]
  const fits = rule.type === undefined ? content !== undefined : typeof content === rule.type
  return fits ? passed(value) : malformed("content_block_delta", `${delta["type"]} has no ${rule.field}`)
}

const decodeByType = (type: string, value: Json): Decoded => {
  switch (type) {
    case "content_block_delta":
      return decodeDelta(value)
    case "message_start":
    case "content_block_start":
    case "content_block_stop":
    case "message_delta": {
      const problem = checks[type](value)
      return problem === undefined ? passed(value) : malformed(type, problem)
    }
    case "message_stop":
    case "ping":
      return passed(value)
    case "error":
      return { _tag: "Failed", failure: streamFailure(value) }
    default:
      return { _tag: "Unknown", name: type }
  }
}

/** Data without a `type`: a ping says nothing anyway, an error still is one, and the rest cannot be trusted. */
const decodeNameless = (name: string, value: Json): Decoded => {
  if (name === "ping") return { _tag: "Event", event: { type: "ping" } }
  if (name === "error") return { _tag: "Failed", failure: streamFailure(value) }
  return name in checks || name === "content_block_delta" || name === "message_stop"
    ? malformed(name, "its data has no type")
    : { _tag: "Unknown", name }
}

/** The `type` inside the data decides; the frame's own name helps only where the data has none. */
export const decodeFrame = (frame: Frame): Decoded => {
  let value: unknown
  try {
    value = JSON.parse(frame.data === "" ? "{}" : frame.data)
  } catch {
    return frame.event === "error"
      ? { _tag: "Failed", failure: streamFailure(frame.data) }
      : malformed(frame.event ?? "event", "its data is not JSON")
  }
  if (!isObject(value)) return malformed(frame.event ?? "event", "its data is not an object")
  if (typeof value["type"] === "string") return decodeByType(value["type"], value)
  return decodeNameless(frame.event ?? "nameless", value)
}
