import type { Json } from "./messages-validate.ts"

/**
 * What the fake Messages endpoint answers, as values. A reply is a function of the request's place in the script; it
 * gives a plan: status, headers, the whole message for plain requests, and the steps of the event stream. Faults are
 * functions from reply to reply, so that any of them can be laid over any answer.
 */
export type Reply = (context: ReplyContext) => Plan

export interface ReplyContext {
  readonly index: number
  readonly model: string
  readonly inputTokens: number
}

export interface Plan {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Nothing is sent before it is fulfilled. */
  readonly before?: Promise<unknown>
  readonly json: unknown
  readonly steps: ReadonlyArray<Step>
}

export type Step =
  | { readonly type: "write"; readonly bytes: string | Uint8Array }
  | { readonly type: "wait"; readonly until: Promise<unknown> }
  /** Closes the socket in the middle of the response. */
  | { readonly type: "cut" }
  /** Says nothing more and waits until the client leaves. */
  | { readonly type: "hold" }

export interface MessageOptions {
  readonly stopReason?: string
  readonly stopSequence?: string
  readonly usage?: Json
  readonly model?: string
  readonly messageId?: string
  /** Characters per delta; the default puts about four words into one. */
  readonly deltaChars?: number
}

export type ScriptedBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature?: string }
  | {
      readonly type: "tool_use"
      readonly name: string
      readonly input?: unknown
      readonly id?: string
      /** Sent instead of the serialised input, to be as broken as the test likes. */
      readonly rawJson?: string
    }
  /** Sent whole in its content_block_start. */
  | { readonly type: "redacted_thinking"; readonly data: string }
  /** So is what the endpoint's own search found. */
  | { readonly type: "web_search_tool_result"; readonly tool_use_id: string; readonly content: unknown }

const DELTA_CHARS = 24
const CHARS_PER_TOKEN = 4

export const write = (bytes: string | Uint8Array): Step => ({ type: "write", bytes })

export const frame = (event: Json): string => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`

const pieces = (value: string, size: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(value.length / size) }, (_, index) => value.slice(index * size, (index + 1) * size))

/** The block as a finished message holds it. */
const finished = (block: ScriptedBlock, fallbackId: string): Json => {
  if (block.type === "tool_use") {
    return { type: "tool_use", id: block.id ?? fallbackId, name: block.name, input: block.input ?? {} }
  }
  return block.type === "thinking" ? { ...block, signature: block.signature ?? "signature" } : block
}

interface Placed {
  readonly block: Json
  readonly source: ScriptedBlock
  readonly index: number
  readonly deltaChars: number
}

const deltasOf = ({ block, source, deltaChars }: Placed): ReadonlyArray<Json> => {
  switch (source.type) {
    case "text":
      return pieces(source.text, deltaChars).map((text) => ({ type: "text_delta", text }))
    case "thinking":
      return [
        ...pieces(source.thinking, deltaChars).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block["signature"] }
      ]
    case "tool_use":
      return pieces(source.rawJson ?? JSON.stringify(source.input ?? {}), deltaChars).map((partial_json) => ({
        type: "input_json_delta",
        partial_json
      }))
    default:
      return []
  }
}

const startOf = ({ block, source }: Placed): Json => {
  if (source.type === "text") return { type: "text", text: "" }
  if (source.type === "thinking") return { type: "thinking", thinking: "", signature: "" }
  return source.type === "tool_use" ? { ...block, input: {} } : block
}

const blockEvents = (placed: Placed): ReadonlyArray<Json> => [
  { type: "content_block_start", index: placed.index, content_block: startOf(placed) },
  ...deltasOf(placed).map((delta) => ({ type: "content_block_delta", index: placed.index, delta })),
  { type: "content_block_stop", index: placed.index }
]

const stopReasonOf = (content: ReadonlyArray<ScriptedBlock>): string =>
  content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn"

const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }

/** A whole answer from its blocks. */
export const blocks =
  (content: ReadonlyArray<ScriptedBlock>, options: MessageOptions = {}): Reply =>
  ({ index, inputTokens, model }) => {
    const placed = content.map((source, place): Placed => ({
      source,
      block: finished(source, `toolu_${index}_${place}`),
      index: place,
      deltaChars: options.deltaChars ?? DELTA_CHARS
    }))
    const outputTokens = Math.max(1, Math.ceil(JSON.stringify(content).length / CHARS_PER_TOKEN))
    const usage = {
      input_tokens: inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: outputTokens,
      ...options.usage
    }
    const stop = {
      stop_reason: options.stopReason ?? stopReasonOf(content),
      stop_sequence: options.stopSequence ?? null
    }
    const envelope = {
      id: options.messageId ?? `msg_${String(index).padStart(6, "0")}`,
      type: "message",
      role: "assistant",
      model: options.model ?? model
    }
    const unfinished = { content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } }
    const events: ReadonlyArray<Json> = [
      { type: "message_start", message: { ...envelope, ...unfinished } },
      ...placed.flatMap(blockEvents),
      { type: "message_delta", delta: stop, usage: { output_tokens: usage.output_tokens } },
      { type: "message_stop" }
    ]
    return {
      status: 200,
      headers: EVENT_STREAM,
      json: { ...envelope, content: placed.map(({ block }) => block), ...stop, usage },
      steps: events.map((event) => write(frame(event)))
    }
  }

export const text = (value: string, options?: MessageOptions): Reply => blocks([{ type: "text", text: value }], options)

export const toolUse = (name: string, input: unknown, id?: string): Reply =>
  blocks([{ type: "tool_use", name, input, ...(id === undefined ? {} : { id }) }])

export const thinking = (thought: string, answer: string, options?: MessageOptions): Reply =>
  blocks(
    [
      { type: "thinking", thinking: thought },
      { type: "text", text: answer }
    ],
    options
  )

/** A tool call whose input is not JSON. */
export const badToolJson = (name: string, rawJson: string, id?: string): Reply =>
  blocks([{ type: "tool_use", name, rawJson, ...(id === undefined ? {} : { id }) }])

/** A complete message without content. */
export const empty = (options?: MessageOptions): Reply => blocks([], options)

export const refusal = (said = ""): Reply =>
  blocks(said === "" ? [] : [{ type: "text", text: said }], { stopReason: "refusal" })

/** Any events, well formed or not. */
export const events =
  (list: ReadonlyArray<Json>): Reply =>
  () => ({ status: 200, headers: EVENT_STREAM, json: null, steps: list.map((event) => write(frame(event))) })

/** A 200 with these bytes in place of events. */
export const garbage =
  (bytes: string | Uint8Array, contentType = EVENT_STREAM["content-type"]): Reply =>
  () => ({ status: 200, headers: { "content-type": contentType }, json: null, steps: [write(bytes)] })

export interface StatusOptions {
  readonly errorType?: string
  readonly message?: string
  /** Seconds or an HTTP date. */
  readonly retryAfter?: number | string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is in place of the JSON error. */
  readonly rawBody?: string
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error"
}

export const status =
  (code: number, options: StatusOptions = {}): Reply =>
  () => ({
    status: code,
    headers: {
      "content-type": options.rawBody === undefined ? "application/json" : "text/html",
      ...(options.retryAfter === undefined ? {} : { "retry-after": String(options.retryAfter) }),
      ...options.headers
    },
    json: options.rawBody ?? {
      type: "error",
      error: {
        type: options.errorType ?? ERROR_TYPES[code] ?? "api_error",
        message: options.message ?? `scripted failure ${code}`
      }
    },
    steps: []
  })

/** A promise that the test fulfils, in place of a delay. */
export interface Gate {
  readonly opened: Promise<void>
  readonly open: () => void
}

export const gate = (): Gate => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
