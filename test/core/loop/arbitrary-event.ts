import * as fc from "fast-check"
import type { ModelFailure } from "../../../src/core/domain/failure.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { CallOutcome, HookOutcome, Occurrence, PermissionAnswer } from "../../../src/core/loop/event.ts"
import type { AgentState } from "../../../src/core/loop/state.ts"
import type { ModelEvent } from "../../../src/core/stream/model-event.ts"
import { PERMISSION_MODES } from "../../../src/core/permission/verdict.ts"
import { blocksOf, bash, failure, grep, malformed, messageStart, read, type ResponsePlan, returned, write } from "./script.ts"

/**
 * Events in any order with any fields. Ids come from a small space, so that they collide and sometimes fit; an aimed
 * id fits what the state waits for at that moment, which takes sequences deeper than chance would.
 */
export const AIMED = "@"

const serial = fc.integer({ min: 1, max: 9 })
const named = (prefix: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 1, arbitrary: serial.map((n) => `${prefix}-${n}`) }, { weight: 3, arbitrary: fc.constant(AIMED) })

const requestId = named("request")
const callId = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("c1", "c2", "c3") },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }).map((index) => `${AIMED}${index}`) }
)
const promptUuid = fc.constantFrom("p1", "p2", "p3", "p4", "p5", "p6")

const INPUTS: ReadonlyArray<unknown> = [
  { file_path: "/project/a.txt" },
  { file_path: "/etc/passwd" },
  { command: "ls" },
  { command: "rm -rf build" },
  { file_path: "/project/a.txt", content: "x" },
  { pattern: "x" },
  { answer: 1 },
  {},
  "no object",
  null
]
const input = fc.constantFrom(...INPUTS)
const toolName = fc.constantFrom("Read", "Bash", "Write", "Grep", "TodoWrite", "StructuredOutput", "AskUserQuestion", "Nonsense")

const count = fc.integer({ min: 0, max: 40_000 })
const usage = fc.option(fc.record({ input_tokens: count, output_tokens: count }, { requiredKeys: [] }), { nil: undefined })
const index = fc.constantFrom(0, 0, 0, 1)
const stopReason = fc.constantFrom("end_turn", "tool_use", "max_tokens", "refusal", "model_context_window_exceeded", null)
const word = fc.constantFrom("a", "word ", "{", '{"file_path": "/project/a.txt"}', "}", " ")

const blockStart = fc.oneof(
  fc.constant({ type: "text", text: "" }),
  fc.constant({ type: "thinking", thinking: "", signature: "" }),
  fc.record({ type: fc.constant("tool_use"), id: fc.constantFrom("c1", "c2", "c3", ""), name: toolName }),
  fc.constant({ type: "redacted_thinking", data: "x" })
)

const delta = fc.oneof(
  fc.record({ type: fc.constant("text_delta" as const), text: word }),
  fc.record({ type: fc.constant("thinking_delta" as const), thinking: word }),
  fc.record({ type: fc.constant("signature_delta" as const), signature: word }),
  fc.record({ type: fc.constant("input_json_delta" as const), partial_json: word }),
  fc.record({ type: fc.constant("citations_delta" as const), citation: fc.constant({ at: 1 }) })
)

const modelName = fc.constantFrom("offline", "claude-opus-4-6", "constructor", "")

const modelEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({
    type: fc.constant("message_start" as const),
    message: fc.record({ id: fc.constantFrom("msg_1", "msg_2", "msg_3", ""), model: modelName, usage })
  }),
  fc.record({ type: fc.constant("content_block_start" as const), index, content_block: blockStart }),
  fc.record({ type: fc.constant("content_block_delta" as const), index, delta }),
  fc.record({ type: fc.constant("content_block_stop" as const), index }),
  fc.record({
    type: fc.constant("message_delta" as const),
    delta: fc.record({ stop_reason: stopReason, stop_sequence: fc.constant(null) }),
    usage
  }),
  fc.constant({ type: "message_stop" as const }),
  fc.constant({ type: "ping" as const })
)

const FAILURES = [
  failure({ status: 529, errorType: "overloaded_error", message: "Overloaded" }),
  failure({ status: 429, message: "slow down", retryAfterMs: 1_500 }),
  failure({ status: 500, message: "internal" }),
  failure({ status: 500, message: "internal", shouldRetry: false }),
  failure({ status: 404, message: "model: unknown" }),
  failure({ status: 401, message: "bad key" }),
  failure({ status: 403, message: "no" }),
  failure({ status: 400, message: "messages: nonsense" }),
  failure({ status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" }),
  failure({ status: 400, message: "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000" }),
  failure({ status: 400, message: "`max_tokens` must be greater than `thinking.budget_tokens`" }),
  failure({ status: 400, message: "output_config: effort is not supported" }),
  failure({ status: 400, message: "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum" }),
  failure({ kind: "network", code: "ECONNRESET", message: "socket hang up" }),
  failure({ kind: "network", code: "CERT_HAS_EXPIRED", message: "certificate" }),
  failure({ kind: "stalled", message: "no byte for 300 s" }),
  failure({ kind: "stream", errorType: "constructor", message: "odd" }),
  failure({ kind: "credential", message: "no credential" })
]

const answer: fc.Arbitrary<PermissionAnswer> = fc.oneof(
  fc.record(
    {
      behavior: fc.constant("allow" as const),
      updatedInput: input,
      updates: fc.constantFrom(
        [],
        [{ type: "setMode" as const, mode: "plan" as const, destination: "session" as const }],
        [{ type: "addRules" as const, rules: [{ toolName: "Bash" }], behavior: "deny" as const, destination: "session" as const }]
      )
    },
    { requiredKeys: ["behavior"] }
  ),
  fc.record({ behavior: fc.constant("deny" as const), message: fc.constant("no"), interrupt: fc.boolean() })
)

/** A few of them fill a small window, two of them the room for the results of one response. */
export const LONG = "a line of output\n".repeat(6_500)

const outcome: fc.Arbitrary<CallOutcome> = fc.oneof(
  fc.record(
    {
      _tag: fc.constant("Returned" as const),
      content: fc.constantFrom("done", "", LONG),
      data: fc.constantFrom({}, null, "text"),
      isError: fc.boolean(),
      cwd: fc.constantFrom("/project/sub", "/tmp")
    },
    { requiredKeys: ["_tag", "content", "data", "isError"] }
  ),
  fc.record({ _tag: fc.constant("Failed" as const), message: fc.constant("it failed") }),
  fc.record({ _tag: fc.constant("Cancelled" as const), content: fc.constant("[stopped]"), data: fc.constant({}) })
)

const hookOutcome: fc.Arbitrary<HookOutcome> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        decision: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
        reason: fc.constant("because"),
        updatedInput: input,
        updatedOutput: fc.constant("other"),
        context: fc.constant("note"),
        block: fc.constant("not yet"),
        stop: fc.constant("enough")
      },
      { requiredKeys: [] }
    )
  }
)

/** One arbitrary per event; a new tag without one does not compile. */
const BY_TAG: { readonly [Tag in Occurrence["_tag"]]: fc.Arbitrary<Extract<Occurrence, { _tag: Tag }>> } = {
  PromptSubmitted: fc.record({
    _tag: fc.constant("PromptSubmitted" as const),
    uuid: promptUuid,
    content: fc.constantFrom("do it", "", [{ type: "text" as const, text: "blocks" }]),
    priority: fc.oneof(
      { weight: 5, arbitrary: fc.constant("next" as const) },
      { weight: 2, arbitrary: fc.constant("later" as const) },
      { weight: 1, arbitrary: fc.constant("now" as const) }
    ),
    origin: fc.constantFrom("human" as const, "task" as const),
    appendOnly: fc.constantFrom(false, false, false, true)
  }),
  Persisted: fc.record({ _tag: fc.constant("Persisted" as const), ack: named("prompt") }),
  PersistFailed: fc.record({ _tag: fc.constant("PersistFailed" as const), ack: named("prompt"), cause: fc.constant("ENOSPC") }),
  StreamOpened: fc.record({
    _tag: fc.constant("StreamOpened" as const),
    requestId,
    apiRequestId: fc.constantFrom("req_1", undefined)
  }),
  ModelSaid: fc.record({ _tag: fc.constant("ModelSaid" as const), requestId, event: modelEvent }),
  StreamEnded: fc.record({ _tag: fc.constant("StreamEnded" as const), requestId }),
  RequestFailed: fc.record({
    _tag: fc.constant("RequestFailed" as const),
    requestId,
    failure: fc.constantFrom(...FAILURES),
    jitter: fc.constantFrom(0, 0.5, 0.99)
  }),
  TimerFired: fc.record({
    _tag: fc.constant("TimerFired" as const),
    timerId: fc.oneof(named("retry"), named("settle"), named("hold-request"))
  }),
  CallPrepared: fc.record({
    _tag: fc.constant("CallPrepared" as const),
    callId,
    facts: fc.constantFrom(
      [],
      ["/project/a.txt", "/project/b.txt", "/project"].map((path) => ({ path, realPath: path, exists: true })),
      [{ path: "/project/a.txt", realPath: "/etc/shadow", exists: true }]
    )
  }),
  CallRefused: fc.record({ _tag: fc.constant("CallRefused" as const), callId, message: fc.constant("file is gone") }),
  PermissionAnswered: fc.record({ _tag: fc.constant("PermissionAnswered" as const), callId, answer }),
  CallProgressed: fc.record({ _tag: fc.constant("CallProgressed" as const), callId, progress: fc.constant({ n: 1 }) }),
  CallSettled: fc.record({ _tag: fc.constant("CallSettled" as const), callId, outcome }),
  HooksSettled: fc.record({
    _tag: fc.constant("HooksSettled" as const),
    hookId: fc.oneof(
      named("stop"),
      named("prompt-hooks"),
      callId.map((id) => `pre:${id}`),
      callId.map((id) => `post:${id}`)
    ),
    outcome: hookOutcome
  }),
  CompactionSettled: fc.record({
    _tag: fc.constant("CompactionSettled" as const),
    compactionId: named("compaction"),
    summary: fc.constantFrom("<summary>so far</summary>", "", "plain"),
    model: modelName,
    usage: fc.constantFrom(zeroUsage, { ...zeroUsage, input_tokens: 9_000, output_tokens: 900 })
  }),
  CompactionFailed: fc.record({
    _tag: fc.constant("CompactionFailed" as const),
    compactionId: named("compaction"),
    cause: fc.constant("away")
  }),
  Interrupted: fc.record({ _tag: fc.constant("Interrupted" as const) }),
  QueueCancelled: fc.record({ _tag: fc.constant("QueueCancelled" as const), uuids: fc.array(promptUuid, { maxLength: 2 }) }),
  ModeChanged: fc.record({ _tag: fc.constant("ModeChanged" as const), mode: fc.constantFrom(...PERMISSION_MODES) }),
  PermissionsUpdated: fc.record({
    _tag: fc.constant("PermissionsUpdated" as const),
    updates: fc.constantFrom(
      [],
      [{ type: "addRules" as const, rules: [{ toolName: "Bash" }], behavior: "allow" as const, destination: "session" as const }],
      [{ type: "addRules" as const, rules: [{ toolName: "Read" }], behavior: "deny" as const, destination: "session" as const }]
    )
  }),
  ConfigChanged: fc.record({
    _tag: fc.constant("ConfigChanged" as const),
    config: fc.constantFrom(
      { effort: "low" },
      { tools: [] },
      { model: "claude-opus-4-6" },
      { fallbackModels: [] },
      { hookEvents: ["PreToolUse" as const, "Stop" as const] }
    )
  }),
  ShutDown: fc.record({ _tag: fc.constant("ShutDown" as const) })
}

const RARE: ReadonlySet<string> = new Set(["ShutDown", "ConfigChanged", "Interrupted", "ModeChanged", "PermissionsUpdated"])

const WEIGHTS: Readonly<Record<string, number>> = { ModelSaid: 18, CallPrepared: 8, CallSettled: 8, PermissionAnswered: 6, HooksSettled: 6 }

/** Any event at all. */
export const anyOccurrence: fc.Arbitrary<Occurrence> = fc.oneof(
  ...Object.entries(BY_TAG).map(([tag, arbitrary]) => ({
    weight: RARE.has(tag) ? 1 : (WEIGHTS[tag] ?? 4),
    arbitrary: arbitrary as fc.Arbitrary<Occurrence>
  }))
)

const CALLS = [
  read("c1"),
  read("c2", "/etc/passwd"),
  grep("c3"),
  bash("c1", "ls"),
  bash("c2", "rm -rf build"),
  write("c3"),
  malformed("c1"),
  { id: "c1", name: "StructuredOutput", input: { answer: 1 } },
  { id: "c2", name: "StructuredOutput", input: { wrong: true } },
  { id: "c3", name: "Nonsense", input: {} }
]

const anyPlan: fc.Arbitrary<ResponsePlan> = fc.record(
  {
    id: fc.constantFrom("msg_1", "msg_2", "msg_3", "msg_4", "msg_5"),
    model: modelName,
    think: fc.constant("hm"),
    text: fc.constantFrom("an answer", ""),
    calls: fc.array(fc.constantFrom(...CALLS), { minLength: 1, maxLength: 3 }),
    stop: fc.constantFrom("end_turn", "max_tokens", "max_tokens", "refusal"),
    usage: fc.constantFrom({ input_tokens: 9_000 }, { input_tokens: 60_000 })
  },
  { requiredKeys: ["id"] }
)

const PLAIN_ANSWER: ResponsePlan = { text: "an answer" }
const MALFORMED_ONLY: ResponsePlan = { calls: [malformed("c1")] }
const OUTPUT_ONLY: ResponsePlan = { calls: [{ id: "c1", name: "StructuredOutput", input: { answer: 1 } }] }

/** A whole response, so that turns have several of them. */
export const anyResponse: fc.Arbitrary<ReadonlyArray<Occurrence>> = fc
  .oneof({ weight: 5, arbitrary: anyPlan }, { weight: 3, arbitrary: fc.constantFrom(PLAIN_ANSWER, MALFORMED_ONLY, OUTPUT_ONLY) })
  .map((plan) => {
    const said: ReadonlyArray<ModelEvent> = [
      messageStart(plan, "msg", "offline"),
      ...blocksOf(plan),
      { type: "message_delta", delta: { stop_reason: plan.stop ?? "end_turn" }, usage: { output_tokens: 9 } },
      { type: "message_stop" }
    ]
    return [
      { _tag: "StreamOpened" as const, requestId: AIMED, apiRequestId: undefined },
      ...said.map((event): Occurrence => ({ _tag: "ModelSaid", requestId: AIMED, event }))
    ]
  })

const aimAtCall = (state: AgentState, id: string): string => {
  const calls = state.turn?.calls ?? []
  return calls[Number(id.slice(AIMED.length)) % Math.max(1, calls.length)]?.id ?? "c1"
}

const callRef = (state: AgentState, id: string): string => (id.startsWith(AIMED) ? aimAtCall(state, id) : id)

/** The event with aimed ids replaced by those the state waits for. */
export const aim = (state: AgentState, occurrence: Occurrence): Occurrence => {
  const { phase } = state
  const waited: Readonly<Record<string, string>> = {
    ...("requestId" in phase ? { requestId: phase.requestId } : {}),
    ...("ack" in phase ? { ack: phase.ack } : {}),
    ...("timerId" in phase ? { timerId: phase.timerId } : {}),
    ...("hookId" in phase ? { hookId: phase.hookId } : {}),
    ...("compactionId" in phase ? { compactionId: phase.compactionId } : {})
  }
  const fields = Object.entries(occurrence).map(([key, value]: [string, unknown]) => {
    if (typeof value !== "string" || !value.includes(AIMED)) return [key, value]
    if (key === "callId") return [key, callRef(state, value)]
    if (/^(pre|post):/.test(value)) return [key, value.replace(/@\d/, (id) => callRef(state, id))]
    return [key, waited[key] ?? "nothing"]
  })
  return Object.fromEntries(fields) as Occurrence
}

const FACTS = ["a", "c1", "c2", "c3"].map((name) => ({
  path: `/project/${name}.txt`,
  realPath: `/project/${name}.txt`,
  exists: true
}))

/** How a world that answers does it: mostly well, with short results and hooks that have nothing to say. */
export interface Service {
  readonly fails: boolean
  readonly result: string
  readonly hook: HookOutcome
  readonly failure: ModelFailure
}

const mostly = <A>(usual: A, odds: number, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: odds, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

export const anyService: fc.Arbitrary<Service> = fc.record({
  fails: mostly(false, 7, true),
  result: mostly("ok", 9, LONG),
  hook: mostly<HookOutcome>({}, 2, { block: "not yet" }, { stop: "enough" }, { decision: "ask" }),
  failure: fc.constantFrom(...FAILURES)
})

/** What such a world says next; undefined while it is the model's turn to speak. */
export const serve = (state: AgentState, service: Service): Occurrence | undefined => {
  const { phase } = state
  switch (phase._tag) {
    case "Preparing":
      return { _tag: "Persisted", ack: phase.ack }
    case "PromptHooks":
      return { _tag: "HooksSettled", hookId: phase.hookId, outcome: {} }
    case "StopHooks":
      return { _tag: "HooksSettled", hookId: phase.hookId, outcome: service.hook }
    case "Waiting":
    case "Settling":
      return { _tag: "TimerFired", timerId: phase.timerId }
    case "Compacting":
      return serveCompaction(phase.compactionId, service)
    case "Tools":
    case "Streaming":
      return serveCall(state, service)
    case "Requesting":
      return service.fails
        ? { _tag: "RequestFailed", requestId: phase.requestId, failure: service.failure, jitter: 0.5 }
        : undefined
    case "Idle":
    case "Done":
      return {
        _tag: "PromptSubmitted",
        uuid: `served-${state.serial}`,
        content: "go on",
        priority: "next",
        origin: "human",
        appendOnly: false
      }
  }
}

const serveCompaction = (compactionId: string, service: Service): Occurrence =>
  service.fails
    ? { _tag: "CompactionFailed", compactionId, cause: "away" }
    : { _tag: "CompactionSettled", compactionId, summary: "<summary>so far</summary>", model: "offline", usage: zeroUsage }

const serveCall = (state: AgentState, service: Service): Occurrence | undefined => {
  const call = state.turn?.calls.find(({ stage }) => stage !== "completed" && stage !== "queued")
  switch (call?.stage) {
    case "preparing":
      return { _tag: "CallPrepared", callId: call.id, facts: FACTS }
    case "hooks":
      return { _tag: "HooksSettled", hookId: `pre:${call.id}`, outcome: service.hook }
    case "asking":
      return { _tag: "PermissionAnswered", callId: call.id, answer: { behavior: "allow" } }
    case "executing":
      return {
        _tag: "CallSettled",
        callId: call.id,
        outcome: service.fails ? { _tag: "Failed", message: "it failed" } : returned(service.result)
      }
    case "reviewing":
      return { _tag: "HooksSettled", hookId: `post:${call.id}`, outcome: {} }
    default:
      return undefined
  }
}
