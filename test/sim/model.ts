import type { ModelFailure } from "../../src/core/model/failure/model-failure.ts"
import type { ModelRequest } from "../../src/core/model/request/model-request.ts"
import type { ModelEvent } from "../../src/core/model/stream/model-event.ts"
import type { Random } from "./random.ts"

/** A model that answers at random: texts, thoughts, calls, and everything an endpoint can do wrong. */
export type Delivery =
  | { readonly _tag: "Opened"; readonly afterMs: number }
  | { readonly _tag: "Event"; readonly afterMs: number; readonly event: ModelEvent }
  | { readonly _tag: "Ended"; readonly afterMs: number }
  | { readonly _tag: "Failed"; readonly afterMs: number; readonly failure: ModelFailure }

const failure = (patch: Partial<ModelFailure>): ModelFailure => ({
  kind: "http",
  status: null,
  errorType: null,
  message: "simulated failure",
  ...patch
})

const HTTP_FAILURES: ReadonlyArray<ModelFailure> = [
  failure({ status: 529, errorType: "overloaded_error", message: "Overloaded" }),
  failure({ status: 529, errorType: "overloaded_error", message: "Overloaded" }),
  failure({ status: 429, errorType: "rate_limit_error", message: "slow down", retryAfterMs: 1_500 }),
  failure({ status: 500, errorType: "api_error", message: "internal" }),
  failure({ status: 503, message: "unavailable" }),
  failure({ status: 408, message: "timeout" }),
  failure({
    status: 400,
    errorType: "invalid_request_error",
    message: "prompt is too long: 210000 tokens > 200000 maximum"
  }),
  failure({ status: 400, errorType: "invalid_request_error", message: "output_config: effort is not supported" }),
  failure({ status: 400, errorType: "invalid_request_error", message: "messages: nonsense" }),
  failure({ status: 401, errorType: "authentication_error", message: "bad key" }),
  failure({ status: 404, errorType: "not_found_error", message: "model: unknown" }),
  failure({ kind: "network", code: "ECONNREFUSED", message: "connect ECONNREFUSED" }),
  failure({ kind: "stalled", message: "no byte for 300 s" })
]

const STREAM_FAILURES: ReadonlyArray<ModelFailure> = [
  failure({ kind: "network", code: "ECONNRESET", message: "socket hang up" }),
  failure({ kind: "stream", errorType: "overloaded_error", message: "Overloaded" }),
  failure({ kind: "stalled", message: "no byte for 300 s" })
]

interface CallShape {
  readonly name: string
  readonly input: unknown
}

const CALLS: ReadonlyArray<CallShape> = [
  { name: "Read", input: { file_path: "/project/a.txt" } },
  { name: "Read", input: { file_path: "/etc/passwd" } },
  { name: "Glob", input: { pattern: "*.ts" } },
  { name: "Grep", input: { pattern: "x" } },
  { name: "Bash", input: { command: "ls" } },
  { name: "Bash", input: { command: "rm -rf build" } },
  { name: "Edit", input: { file_path: "/project/a.txt", old_string: "a", new_string: "b" } },
  { name: "Write", input: { file_path: "/project/b.txt", content: "x" } },
  { name: "TodoWrite", input: { todos: [] } },
  { name: "Nonsense", input: {} },
  { name: "Read", input: { wrong: true } }
]

const textBlock = (random: Random, index: number): Array<ModelEvent> => {
  const words = Array.from({ length: 1 + random.int(4) }, (_, at) => `word${at} `)
  return [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    ...words.map((text): ModelEvent => ({ type: "content_block_delta", index, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index }
  ]
}

const thinkingBlock = (index: number): Array<ModelEvent> => [
  { type: "content_block_start", index, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index, delta: { type: "thinking_delta", thinking: "hm" } },
  { type: "content_block_delta", index, delta: { type: "signature_delta", signature: "sig" } },
  { type: "content_block_stop", index }
]

const callBlock = (random: Random, index: number, id: string): Array<ModelEvent> => {
  const call = random.pick(CALLS)
  const json = JSON.stringify(call.input)
  const broken = random.chance(0.05) ? json.slice(0, -2) : json
  const cut = random.int(Math.max(1, broken.length))
  return [
    { type: "content_block_start", index, content_block: { type: "tool_use", id, name: call.name, input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: broken.slice(0, cut) } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: broken.slice(cut) } },
    { type: "content_block_stop", index }
  ]
}

const bodyOf = (random: Random, serial: string): { events: Array<ModelEvent>; calls: number } => {
  const events: Array<ModelEvent> = []
  let index = 0
  let calls = 0
  if (random.chance(0.3)) events.push(...thinkingBlock(index++))
  if (random.chance(0.8)) events.push(...textBlock(random, index++))
  const wanted = random.chance(0.55) ? 1 + random.int(4) : 0
  for (let made = 0; made < wanted; made++) {
    const id = random.chance(0.04) ? "toolu_same" : `toolu_${serial}_${made}`
    events.push(...callBlock(random, index++, id))
    calls += 1
  }
  return { events, calls }
}

const stopReason = (random: Random, calls: number): string => {
  if (random.chance(0.08)) return "max_tokens"
  if (random.chance(0.02)) return "refusal"
  return calls > 0 ? "tool_use" : "end_turn"
}

const wholeResponse = (random: Random, request: ModelRequest, serial: string): Array<ModelEvent> => {
  const empty = random.chance(0.03)
  const { events, calls } = empty ? { events: [], calls: 0 } : bodyOf(random, serial)
  return [
    {
      type: "message_start",
      message: { id: `msg_${serial}`, model: request.model, usage: { input_tokens: 10 + random.int(50), output_tokens: 1 } }
    },
    ...events,
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(random, calls), stop_sequence: null },
      usage: { output_tokens: 1 + random.int(40) }
    },
    { type: "message_stop" }
  ]
}

/** Loses, repeats and swaps some events, as a broken proxy would. */
const damage = (random: Random, events: ReadonlyArray<ModelEvent>): Array<ModelEvent> =>
  events.flatMap((event) => {
    if (random.chance(0.03)) return []
    return random.chance(0.03) ? [event, event] : [event]
  })

/** What the endpoint does with one request, in order, with the pauses in between. */
export const respond = (
  random: Random,
  request: ModelRequest,
  options: { serial: string; faulty: boolean }
): Array<Delivery> => {
  const pause = (): number => (random.chance(0.1) ? random.int(400) : random.int(3))
  if (options.faulty && random.chance(0.25)) {
    return [{ _tag: "Failed", afterMs: pause(), failure: random.pick(HTTP_FAILURES) }]
  }
  const whole = wholeResponse(random, request, options.serial)
  const damaged = options.faulty && random.chance(0.2) ? damage(random, whole) : whole
  const cutAt = options.faulty && random.chance(0.2) ? random.int(damaged.length + 1) : damaged.length
  const deliveries: Array<Delivery> = [
    { _tag: "Opened", afterMs: pause() },
    ...damaged.slice(0, cutAt).map((event): Delivery => ({ _tag: "Event", afterMs: pause(), event }))
  ]
  const cut = cutAt < damaged.length && random.chance(0.7)
  deliveries.push(
    cut ? { _tag: "Failed", afterMs: pause(), failure: random.pick(STREAM_FAILURES) } : { _tag: "Ended", afterMs: pause() }
  )
  return deliveries
}
