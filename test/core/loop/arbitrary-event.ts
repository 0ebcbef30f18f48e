import type { HookOutcome } from "../../../src/core/hooks/outcome.ts"
import * as fc from "fast-check"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { CallOutcome, Occurrence, PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import type { LoopConfig } from "../../../src/core/loop/machine/state.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import type { PermissionUpdate } from "../../../src/core/permission/configuration/update.ts"
import { PERMISSION_MODES } from "../../../src/core/permission/verdict.ts"
import { DEFAULT_AUTO } from "../../../src/core/permission/auto-mode-lists.ts"
import type { CheckOutcome } from "../../../src/core/permission/classifier/outcome.ts"
import { NO_FACTS } from "../../../src/core/permission/facts.ts"
import type { AnalysisPlace } from "../../../src/core/permission/decide/facts-wanted.ts"
import { type ConfigPatch, loopConfig, toolsFor } from "../../support/loop-fixture.ts"
import { plainFacts } from "../../support/plain-facts.ts"
import { SIDE_KINDS } from "../../../src/core/context/side/side-task.ts"
import type { Look } from "../../../src/core/context/sources/source.ts"
import { SOURCE_KINDS } from "../../../src/core/context/sources/table.ts"
import { AIMED } from "./aim.ts"
import { failure } from "./response-plan.ts"

/** Events in any order with any fields. Ids come from a small space, so that they collide and sometimes fit. */
const serial = fc.integer({ min: 1, max: 9 })
const named = (prefix: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 1, arbitrary: serial.map((n) => `${prefix}-${n}`) }, { weight: 3, arbitrary: fc.constant(AIMED) })

const requestId = named("request")
const callId = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("c1", "c2", "c3") },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }).map((index) => `${AIMED}${index}`) }
)
const hostRequestId = fc.constantFrom("h1", "h2", "h3", "h4")
const promptUuid = fc.constantFrom("p1", "p2", "p3", "p4", "p5", "p6")

const INPUTS: ReadonlyArray<unknown> = [
  { file_path: "/project/a.txt" },
  { file_path: "/etc/passwd" },
  { command: "make" },
  { command: "rm -rf build" },
  { file_path: "/project/a.txt", content: "x" },
  { pattern: "x" },
  { answer: 1 },
  {},
  "no object",
  null
]
const input = fc.constantFrom(...INPUTS)
const toolName = fc.constantFrom(
  "Read",
  "Bash",
  "Write",
  "Grep",
  "TodoWrite",
  "StructuredOutput",
  "AskUserQuestion",
  "Nonsense"
)

const place: AnalysisPlace = { cwd: "/project", home: "/home/u", workingDirs: ["/project"], platform: "posix" }
const PATHS = ["/project/a.txt", "/project/b.txt", "/project"]
const facts = fc.constantFrom(
  NO_FACTS,
  plainFacts({ paths: PATHS, commands: ["make", "rm -rf build"], place, watched: [], ruleStarts: [], confined: false }),
  { ...NO_FACTS, paths: [{ path: "/project/a.txt", realPath: "/etc/shadow", exists: true }] }
)

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

export const modelName = fc.constantFrom("offline", "claude-opus-4-6", "constructor", "")

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

export const FAILURES = [
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

const ruleUpdate = (toolName: string, behavior: "allow" | "deny"): PermissionUpdate => ({
  type: "addRules",
  rules: [{ toolName }],
  behavior,
  destination: "session"
})

const AUTO_MODE: PermissionUpdate = { type: "setMode", mode: "auto", destination: "session" }
const PLAN_MODE: PermissionUpdate = { type: "setMode", mode: "plan", destination: "session" }

const answer: fc.Arbitrary<PermissionAnswer> = fc.oneof(
  fc.record(
    {
      behavior: fc.constant("allow" as const),
      updatedInput: input,
      updates: fc.constantFrom([], [PLAN_MODE], [AUTO_MODE], [ruleUpdate("Bash", "deny")])
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

export const CHECK_OUTCOMES: ReadonlyArray<CheckOutcome> = [
  { _tag: "Judged", block: false, reason: "", category: "none" },
  { _tag: "Judged", block: true, reason: "it harms", category: "destructive" },
  { _tag: "NoVerdict", why: "unavailable", detail: "529" },
  { _tag: "NoVerdict", why: "timeout", detail: "" },
  { _tag: "NoVerdict", why: "unparsable", detail: "words" },
  { _tag: "NoVerdict", why: "refused", detail: "" }
]

/** What somebody may have seen of sources. */
export const LOOKS_SEEN: ReadonlyArray<Look> = [
  { date: [{ id: "date", value: { date: "2026-11-19" } }] },
  {
    date: [{ id: "date", value: { date: "2026-11-20" } }],
    instructions: [
      {
        id: "/project/CLAUDE.md",
        value: { path: "/project/CLAUDE.md", kind: "project" as const, label: "the project's", text: "Use tabs." }
      }
    ],
    git: [{ id: "git", value: { branch: "main", status: "", commits: [] } }]
  },
  { instructions: [] }
]

const checkOutcome = fc.constantFrom(...CHECK_OUTCOMES)

const settingsRule = fc.record({
  tool: fc.constantFrom("Bash", "Read", "Edit"),
  behavior: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
  source: fc.constantFrom("userSettings" as const, "policySettings" as const)
})

const spent = fc.constantFrom(
  [],
  [{ model: "claude-opus-4-6", usage: { ...zeroUsage, input_tokens: 700, output_tokens: 60 } }]
)
const EARLIER_PROMPT = {
  type: "user" as const,
  uuid: "earlier",
  timestamp: "2026-01-01T00:00:00.000Z",
  message: { role: "user" as const, content: "said long ago" }
}

/** One arbitrary per event; a new tag without one does not compile. */
const configured = (...patches: ReadonlyArray<ConfigPatch>): fc.Arbitrary<LoopConfig> =>
  fc.constantFrom(...patches.map(loopConfig))

const anyPrompt = {
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
}

const BY_TAG: { readonly [Tag in Occurrence["_tag"]]: fc.Arbitrary<Extract<Occurrence, { _tag: Tag }>> } = {
  PromptSubmitted: fc.oneof(
    { weight: 15, arbitrary: fc.record(anyPrompt) },
    { weight: 1, arbitrary: fc.record({ ...anyPrompt, answer: fc.constant("the window is empty") }) }
  ),
  Persisted: fc.record({ _tag: fc.constant("Persisted" as const), ack: named("prompt") }),
  PersistFailed: fc.record({
    _tag: fc.constant("PersistFailed" as const),
    ack: named("prompt"),
    cause: fc.constant("ENOSPC")
  }),
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
  SettingsApplied: fc.record({
    _tag: fc.constant("SettingsApplied" as const),
    settings: fc.record({
      rules: fc.array(settingsRule, { maxLength: 2 }),
      directories: fc.constantFrom([], [{ path: "/else", realPath: "/else" }]),
      formerDirectories: fc.constantFrom([], ["/else"]),
      bypassAvailable: fc.boolean(),
      autoAvailable: fc.constantFrom(true, true, true, false),
      auto: fc.constantFrom(DEFAULT_AUTO, { ...DEFAULT_AUTO, classifyAllShell: true, duringPlan: true }),
      managedRulesOnly: fc.boolean(),
      sandbox: fc.record({
        enabled: fc.boolean(),
        autoAllow: fc.boolean(),
        excluded: fc.constantFrom([], ["make *"]),
        mayLeave: fc.boolean()
      }),
      secretFiles: fc.constantFrom("ask", "deny", "off"),
      bypassProtectedPaths: fc.constantFrom("allow", "ask"),
      preapprovedHosts: fc.constantFrom([], ["docs.example"])
    })
  }),
  TimerFired: fc.record({
    _tag: fc.constant("TimerFired" as const),
    timerId: fc.oneof(named("retry"), named("settle"), named("hold-request"), named("context"), fc.constant(`check${AIMED}`))
  }),
  CallPrepared: fc.record({
    _tag: fc.constant("CallPrepared" as const),
    callId,
    facts
  }),
  CallOutdated: fc.record({ _tag: fc.constant("CallOutdated" as const), callId, facts }),
  CallRefused: fc.record({ _tag: fc.constant("CallRefused" as const), callId, message: fc.constant("file is gone") }),
  PermissionAnswered: fc.record({
    _tag: fc.constant("PermissionAnswered" as const),
    callId: fc.oneof({ weight: 4, arbitrary: callId }, { weight: 1, arbitrary: hostRequestId }),
    answer
  }),
  HostRequested: fc.record({
    _tag: fc.constant("HostRequested" as const),
    requestId: hostRequestId,
    callId,
    host: fc.constantFrom("a.example", "b.example"),
    port: fc.constant(443)
  }),
  HostRequestEnded: fc.record({ _tag: fc.constant("HostRequestEnded" as const), requestId: hostRequestId }),
  ContextRead: fc.record({
    _tag: fc.constant("ContextRead" as const),
    collectId: named("context"),
    look: fc.constantFrom({}, ...LOOKS_SEEN),
    isLast: fc.boolean(),
    failed: fc.constantFrom([], [{ kind: "git" as const, cause: "no git" }])
  }),
  CallChecked: fc.record({
    _tag: fc.constant("CallChecked" as const),
    checkId: named("check"),
    callId,
    outcome: checkOutcome,
    spent: fc.constantFrom([], [{ model: "claude-opus-4-6", usage: { ...zeroUsage, input_tokens: 900, output_tokens: 20 } }])
  }),
  SpentBeside: fc.record({ _tag: fc.constant("SpentBeside" as const), spent }),
  SideAsked: fc.record({ _tag: fc.constant("SideAsked" as const), kind: fc.constantFrom(...SIDE_KINDS) }),
  SideDropped: fc.record({ _tag: fc.constant("SideDropped" as const), kind: fc.constantFrom(...SIDE_KINDS) }),
  SideSettled: fc.record({
    _tag: fc.constant("SideSettled" as const),
    sideId: named("side"),
    answer: fc.constantFrom(
      { text: "Parser fixes" },
      { text: "" },
      { text: "word ".repeat(900) },
      { text: "done", wrote: ["/memory/a.md"] }
    ),
    spent
  }),
  SideFailed: fc.record({
    _tag: fc.constant("SideFailed" as const),
    sideId: named("side"),
    cause: fc.constant("away"),
    spent
  }),
  SideTasksTuned: fc.record({
    _tag: fc.constant("SideTasksTuned" as const),
    side: configured({ side: { kinds: SIDE_KINDS, smallModel: "offline", memoryDir: "/memory" } }, {}).map(
      ({ side }) => side
    )
  }),
  CallStopped: fc.record({ _tag: fc.constant("CallStopped" as const), callId }),
  CallProgressed: fc.record({ _tag: fc.constant("CallProgressed" as const), callId, progress: fc.constant({ n: 1 }) }),
  CallSettled: fc.record({ _tag: fc.constant("CallSettled" as const), callId, outcome }),
  HooksSettled: fc.record({
    _tag: fc.constant("HooksSettled" as const),
    hookId: fc.oneof(
      named("stop"),
      named("prompt-hooks"),
      named("compact-hooks"),
      callId.map((id) => `pre:${id}`),
      callId.map((id) => `post:${id}`)
    ),
    outcome: hookOutcome
  }),
  ContextOutdated: fc.constant({ _tag: "ContextOutdated" as const }),
  PinChanged: fc.record({
    _tag: fc.constant("PinChanged" as const),
    uuid: promptUuid,
    pinned: fc.boolean()
  }),
  CompactionRequested: fc.record({
    _tag: fc.constant("CompactionRequested" as const),
    focus: fc.constantFrom("", "the tests"),
    part: fc.oneof(
      fc.constant({ _tag: "All" as const }),
      promptUuid.map((uuid) => ({ _tag: "UpTo" as const, uuid })),
      promptUuid.map((uuid) => ({ _tag: "From" as const, uuid }))
    )
  }),
  AboutCompaction: fc.record({
    _tag: fc.constant("AboutCompaction" as const),
    wish: fc.constantFrom(
      { _tag: "Undo" as const },
      { _tag: "Redo" as const },
      { _tag: "Reword" as const, text: "other words" },
      { _tag: "Reword" as const, text: "" }
    )
  }),
  WindowRead: fc.record({
    _tag: fc.constant("WindowRead" as const),
    readId: named("reread"),
    window: fc.constantFrom(
      { cause: "EIO" },
      { messages: [], replacements: [] },
      { messages: [EARLIER_PROMPT], replacements: [] }
    )
  }),
  ClearRequested: fc.record({
    _tag: fc.constant("ClearRequested" as const),
    calls: fc.array(callId, { maxLength: 2 })
  }),
  SnipRequested: fc.record({ _tag: fc.constant("SnipRequested" as const), rounds: fc.integer({ min: 0, max: 3 }) }),
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
  RetryHastened: fc.record({
    _tag: fc.constant("RetryHastened" as const),
    by: fc.constantFrom("sameModel" as const, "nextModel" as const)
  }),
  Interrupted: fc.record({ _tag: fc.constant("Interrupted" as const), takeBack: fc.boolean() }, { requiredKeys: ["_tag"] }),
  QueueCancelled: fc.record({
    _tag: fc.constant("QueueCancelled" as const),
    uuids: fc.array(promptUuid, { maxLength: 2 })
  }),
  ModeChanged: fc.record({ _tag: fc.constant("ModeChanged" as const), mode: fc.constantFrom(...PERMISSION_MODES) }),
  PermissionsUpdated: fc.record({
    _tag: fc.constant("PermissionsUpdated" as const),
    updates: fc.constantFrom([], [ruleUpdate("Bash", "allow")], [ruleUpdate("Read", "deny")])
  }),
  ModelChosen: fc.record({
    _tag: fc.constant("ModelChosen" as const),
    choice: configured({ effort: "low" }, { model: "claude-opus-4-6" }, { fallbackModels: [] }).map(({ choice }) => choice)
  }),
  PromptChanged: fc.record({
    _tag: fc.constant("PromptChanged" as const),
    prompt: configured({ sources: ["date", "instructions"] }, { sources: SOURCE_KINDS }, { system: [] }).map(
      ({ prompt }) => prompt
    )
  }),
  ToolsChanged: fc.record({
    _tag: fc.constant("ToolsChanged" as const),
    tools: fc.constantFrom([], toolsFor({ only: ["Bash", "Read"] }))
  }),
  CompactionTuned: fc.record({
    _tag: fc.constant("CompactionTuned" as const),
    compaction: configured({ autoCompact: false }, { compactionDisabled: true }, { autoPercent: 30 }).map(
      ({ compaction }) => compaction
    )
  }),
  // Only wider: what was used up before under narrower ones would break the laws about them.
  LimitsChanged: fc.record({
    _tag: fc.constant("LimitsChanged" as const),
    limits: configured({ parallelCalls: 100 }).map(({ limits }) => limits)
  }),
  OutputPromised: fc.record({
    _tag: fc.constant("OutputPromised" as const),
    jsonSchema: fc.constantFrom(undefined, { type: "object" })
  }),
  HooksRegistered: fc.record({
    _tag: fc.constant("HooksRegistered" as const),
    events: fc.constantFrom(["PreToolUse" as const, "Stop" as const], ["UserPromptSubmit" as const], [])
  }),
  AudienceChanged: fc.record({ _tag: fc.constant("AudienceChanged" as const), canAsk: fc.boolean() }),
  ShutDown: fc.record({ _tag: fc.constant("ShutDown" as const) })
}

const RARE: ReadonlySet<string> = new Set([
  "ShutDown",
  "ModelChosen",
  "PromptChanged",
  "ToolsChanged",
  "CompactionTuned",
  "LimitsChanged",
  "SideTasksTuned",
  "SideAsked",
  "SideDropped",
  "SideSettled",
  "SideFailed",
  "OutputPromised",
  "HooksRegistered",
  "AudienceChanged",
  "CallStopped",
  "SpentBeside",
  "Interrupted",
  "ModeChanged",
  "PermissionsUpdated",
  "SettingsApplied"
])

const WEIGHTS: Readonly<Record<string, number>> = {
  ModelSaid: 18,
  CallPrepared: 8,
  CallSettled: 8,
  CallOutdated: 1,
  PermissionAnswered: 6,
  CallChecked: 5,
  ContextRead: 5,
  HooksSettled: 6,
  HostRequested: 1,
  HostRequestEnded: 1,
  CompactionRequested: 1,
  ContextOutdated: 1,
  AboutCompaction: 1,
  ClearRequested: 1,
  PinChanged: 1
}

/** Any event at all. */
export const anyOccurrence: fc.Arbitrary<Occurrence> = fc.oneof(
  ...Object.entries(BY_TAG).map(([tag, arbitrary]) => ({
    weight: RARE.has(tag) ? 1 : (WEIGHTS[tag] ?? 4),
    arbitrary: arbitrary as fc.Arbitrary<Occurrence>
  }))
)
