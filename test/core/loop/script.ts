import type { Look } from "../../../src/core/context/sources/source.ts"
import type { HookOutcome } from "../../../src/core/hooks/outcome.ts"
import type { ModelRequest } from "../../../src/core/model/request/model-request.ts"
import { isText, isToolResult } from "../../../src/core/domain/block.ts"
import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import * as Log from "../../../src/core/domain/append-list.ts"
import { blocksOf as blocksOfContent, type Message } from "../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { Command } from "../../../src/core/loop/machine/command.ts"
import type { Emission, TurnResult } from "../../../src/core/loop/machine/emission.ts"
import type { CallOutcome, Occurrence, PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import type { AgentState, ObservedPhase } from "../../../src/core/loop/machine/state.ts"
import { step } from "../../../src/core/loop/step.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import type { CheckOutcome } from "../../../src/core/permission/classifier/outcome.ts"
import { NOTHING_WANTED } from "../../../src/core/permission/decide/facts-wanted.ts"
import { configChange, type ConfigPatch, type LoopFixture, loopState } from "../../support/loop-fixture.ts"
import { plainFacts } from "../../support/plain-facts.ts"
import { checkPending } from "./pending-law.ts"
import { blocksOf, type CallPlan, ending, messageStart, type ResponsePlan, returned } from "./response-plan.ts"
import { phaseOf, turnOf } from "../../../src/core/loop/machine/transition.ts"

/** A conversation played by hand: events go in one by one, commands are read, nothing is done by itself. */

type Tagged<Union, Tag> = Extract<Union, { readonly _tag: Tag }>

export const START = 1_700_000_000_000

export class Script {
  state: AgentState
  /** Every command so far, and those of the last event. */
  readonly commands: Array<Command> = []
  last: ReadonlyArray<Command> = []
  now = START
  private responses = 0
  private prompts = 0

  constructor(fixture: LoopFixture = {}) {
    this.state = loopState(fixture)
  }

  feed(occurrence: Occurrence, afterMs = 10): ReadonlyArray<Command> {
    this.now += afterMs
    const [next, commands] = step(this.state, { ...occurrence, at: this.now })
    this.state = next
    checkPending(next)
    this.last = commands
    this.commands.push(...commands)
    return commands
  }

  /** What somebody sees who was asked to look at the sources of context. */
  look(look: Look, isLast = true): void {
    this.feed({ _tag: "ContextRead", collectId: this.newest("CollectContext").collectId, look, isLast, failed: [] })
  }

  /** Changes options of the running loop. */
  configure(patch: ConfigPatch): void {
    for (const event of configChange(this.state, patch)) this.feed(event)
  }

  get phase(): ObservedPhase["_tag"] {
    return phaseOf(this.state)._tag
  }

  all<Tag extends Command["_tag"]>(tag: Tag): ReadonlyArray<Tagged<Command, Tag>> {
    return this.commands.filter((command): command is Tagged<Command, Tag> => command._tag === tag)
  }

  /** The newest command of a kind; a test that needs one and has none is wrong. */
  newest<Tag extends Command["_tag"]>(tag: Tag): Tagged<Command, Tag> {
    const found = this.all(tag).at(-1)
    if (found === undefined) throw new Error(`no ${tag} so far; phase ${this.phase}`)
    return found
  }

  emitted<Tag extends Emission["_tag"]>(tag: Tag): ReadonlyArray<Tagged<Emission, Tag>> {
    return this.all("Emit")
      .map((command) => command.emission)
      .filter((emission): emission is Tagged<Emission, Tag> => emission._tag === tag)
  }

  get results(): ReadonlyArray<TurnResult> {
    return this.emitted("TurnFinished").map((emission) => emission.result)
  }

  /** The result of the turn that ended last. */
  get result(): TurnResult {
    const found = this.results.at(-1)
    if (found === undefined) throw new Error(`no turn has ended; phase ${this.phase}`)
    return found
  }

  get requests(): ReadonlyArray<ModelRequest> {
    return this.all("StartRequest").map((command) => command.request)
  }

  get messages(): ReadonlyArray<Message> {
    return Log.toArray(this.state.conversation.messages)
  }

  /** Results of calls in the order in which they joined the conversation, by the id of their call. */
  get toolResults(): ReadonlyArray<readonly [string, string]> {
    return this.messages
      .flatMap((message) => (message.type === "user" ? blocksOfContent(message.message.content) : []))
      .filter(isToolResult)
      .map((block) => [block.tool_use_id, typeof block.content === "string" ? block.content : "blocks"] as const)
  }

  resultOf(callId: string): string | undefined {
    return new Map(this.toolResults).get(callId)
  }

  get startedCalls(): ReadonlyArray<string> {
    return this.all("StartCall").map(({ callId }) => callId)
  }

  /** What the model said, block by block: texts as they are, other blocks by their kind. */
  get said(): ReadonlyArray<string> {
    return this.messages
      .flatMap((message) => (message.type === "assistant" && !isApiError(message) ? message.message.content : []))
      .map((block) => (isText(block) ? block.text : block.type))
  }

  prompt(
    content: string,
    options: { uuid?: string; priority?: "now" | "next" | "later"; appendOnly?: boolean } = {}
  ): string {
    const uuid = options.uuid ?? `prompt-${++this.prompts}`
    this.feed({
      _tag: "PromptSubmitted",
      uuid,
      content,
      priority: options.priority ?? "next",
      origin: "human",
      appendOnly: options.appendOnly ?? false
    })
    return uuid
  }

  persisted(): void {
    this.feed({ _tag: "Persisted", ack: this.pendingAck() })
  }

  private pendingAck(): string {
    const phase = phaseOf(this.state)
    return phase._tag === "Preparing" ? phase.ack : "none"
  }

  /** A prompt that is on disk: what follows is the first request, a hook, or the end. */
  begin(content = "do it"): string {
    const uuid = this.prompt(content)
    this.persisted()
    return uuid
  }

  get requestId(): string {
    return this.newest("StartRequest").requestId
  }

  open(): void {
    this.feed({ _tag: "StreamOpened", requestId: this.requestId, apiRequestId: "req_1" })
  }

  say(...events: ReadonlyArray<ModelEvent>): void {
    for (const event of events) this.feed({ _tag: "ModelSaid", requestId: this.requestId, event }, 1)
  }

  /** Opens the stream and says the first events of a response. */
  startResponse(plan: ResponsePlan = {}): void {
    this.open()
    this.say(messageStart(plan, `msg_${++this.responses}`, this.newest("StartRequest").request.model))
  }

  /** A whole response without a fault. */
  respond(plan: ResponsePlan): void {
    const id = this.requestId
    this.startResponse(plan)
    this.say(...blocksOf(plan), ...ending(plan))
    this.feed({ _tag: "StreamEnded", requestId: id })
  }

  fail(what: ModelFailure, jitter = 0): void {
    this.feed({ _tag: "RequestFailed", requestId: this.requestId, failure: what, jitter })
  }

  /** Fails and waits out the pause. */
  failAndWait(what: ModelFailure): void {
    this.fail(what)
    this.fireTimer()
  }

  /** Fails every further try in the same way, until the turn is over. */
  failUntilOver(what: ModelFailure): void {
    for (let tries = 0; turnOf(this.state) !== undefined && tries < 20; tries++) this.fail(what)
  }

  fireTimer(): void {
    const { timerId, ms } = this.newest("StartTimer")
    this.feed({ _tag: "TimerFired", timerId }, ms)
  }

  /** Every path leads where it says: what a file system without links would report. */
  prepare(callId: string): void {
    const command = this.all("PrepareCall").findLast((candidate) => candidate.callId === callId)
    this.feed({ _tag: "CallPrepared", callId, facts: plainFacts(command?.wanted ?? NOTHING_WANTED) })
  }

  answer(callId: string, answer: PermissionAnswer): void {
    this.feed({ _tag: "PermissionAnswered", callId, answer })
  }

  settle(callId: string, outcome: CallOutcome = returned()): void {
    this.feed({ _tag: "CallSettled", callId, outcome })
  }

  /** Prepares and settles calls that need no question, in the order given. */
  runCalls(...ids: ReadonlyArray<string>): void {
    for (const id of ids) {
      this.prepare(id)
      this.settle(id)
    }
  }

  hooks(outcome: HookOutcome = {}): void {
    this.feed({ _tag: "HooksSettled", hookId: this.newest("RunHooks").hookId, outcome })
  }

  /** The classifier's word on the newest look, or on a named one. */
  checked(outcome: CheckOutcome, checkId = this.newest("CheckCall").checkId): void {
    const { callId } = this.newest("CheckCall")
    const usage = { ...zeroUsage, input_tokens: 100, output_tokens: 5 }
    this.feed({ _tag: "CallChecked", checkId, callId, outcome, spent: [{ model: "claude-opus-4-6", usage }] })
  }

  interrupt(options: { readonly takeBack?: boolean } = {}): void {
    this.feed({ _tag: "Interrupted", ...options })
  }

  compacted(summary = "<summary>what happened so far</summary>"): void {
    const { compactionId, request } = this.newest("Compact")
    const usage = { ...zeroUsage, input_tokens: 500, output_tokens: 50 }
    this.feed({ _tag: "CompactionSettled", compactionId, summary, model: request.model, usage })
  }

  compactionFailed(cause = "the summary model is away", failure?: ModelFailure): void {
    const { compactionId } = this.newest("Compact")
    this.feed({ _tag: "CompactionFailed", compactionId, cause, ...(failure === undefined ? {} : { failure }) })
  }
}

/** Whether the message tells an error of the endpoint. */
export const isApiError = (message: Message): boolean => message.type === "assistant" && message.isApiErrorMessage === true

/** A conversation that has answered once already, so that there is something to summarise. */
export const afterOneTurn = (fixture: LoopFixture = {}): Script => {
  const script = new Script(fixture)
  script.begin("first")
  script.respond({ text: "an answer" })
  return script
}

/** A conversation whose first response holds these calls; they are prepared as far as they may be. */
export const called = (fixture: LoopFixture, ...calls: ReadonlyArray<CallPlan>): Script => {
  const script = new Script(fixture)
  script.begin()
  script.respond({ calls })
  for (const { callId } of script.all("PrepareCall")) script.prepare(callId)
  return script
}

export const LONG_ANSWER = "a".repeat(60_000)

/** A third prompt in a small window that is full, yet not so full that nothing could be sent. */
export const nearlyFull = (config: ConfigPatch = {}): Script => {
  const script = new Script({ config: { windowTokens: 60_000, ...config } })
  script.begin("first")
  script.respond({ text: LONG_ANSWER, usage: { input_tokens: 20_000 } })
  script.begin("second")
  script.respond({ text: LONG_ANSWER, usage: { input_tokens: 41_000 } })
  script.begin("third")
  return script
}

/** Text of a request's last message, for what was added to the conversation. */
export const lastWords = (request: ModelRequest | undefined): string =>
  (request?.messages.at(-1)?.content ?? []).map((block) => JSON.stringify(block)).join("\n")
