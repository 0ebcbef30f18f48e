import { isToolResult, isToolUse } from "../../../src/core/domain/block.ts"
import { hasId } from "../../../src/core/domain/id-set.ts"
import { LIMITS } from "../../../src/core/domain/limits.ts"
import * as Log from "../../../src/core/domain/append-list.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import type { Command } from "../../../src/core/loop/machine/command.ts"
import type { LoopEvent, Occurrence } from "../../../src/core/loop/machine/event.ts"
import type { AgentState, Call } from "../../../src/core/loop/machine/state.ts"
import { step } from "../../../src/core/loop/step.ts"
import { violationOf } from "../../support/messages-validate.ts"
import { isSafe } from "./call-at.ts"
import { check, fail } from "./law.ts"
import { START } from "./script.ts"
import { StartOracle } from "./start-oracle.ts"
import { addedSince, deepFreeze, isReplaced, textOf, textSince } from "./structure.ts"
import { phaseOf, turnOf } from "../../../src/core/loop/machine/transition.ts"
import { checkPending } from "./pending-law.ts"
import { timerFor } from "../../../src/core/loop/machine/pending.ts"

const isBlank = ({ appendOnly, content, origin }: Extract<LoopEvent, { _tag: "PromptSubmitted" }>): boolean =>
  origin === "human" && !appendOnly && typeof content === "string" && content.trim() === ""

/** The laws of the step machine, checked after every single event whatever it is. */

/** Events that mean something when no turn runs. */
const ALWAYS_HEARD: ReadonlySet<string> = new Set([
  "PromptSubmitted",
  "QueueCancelled",
  "CompactionRequested",
  "ClearRequested",
  "SnipRequested",
  "AboutCompaction",
  "PinChanged",
  "ContextOutdated",
  "ModeChanged",
  "PermissionsUpdated",
  "SettingsApplied",
  "ModelChosen",
  "PromptChanged",
  "ToolsChanged",
  "CompactionTuned",
  "LimitsChanged",
  "OutputPromised",
  "HooksRegistered",
  "AudienceChanged",
  "SpentBeside",
  "SideAsked",
  "SideDropped",
  "SideSettled",
  "SideFailed",
  "SideTasksTuned",
  "HostRequested",
  "HostRequestEnded"
])

/** Commands that went to the background may ask for hosts, and be answered, when no turn runs. */
const isHeard = ({ pending: { hosts }, conversation }: AgentState, event: LoopEvent): boolean => {
  if (ALWAYS_HEARD.has(event._tag)) return true
  if (event._tag === "ContextRead") return conversation.context.awaited.includes(event.collectId)
  if (event._tag === "PermissionAnswered") return hosts.open.some(({ id }) => id === event.callId)
  const look = event._tag === "CallChecked" ? event.checkId : event._tag === "TimerFired" ? event.timerId : undefined
  return look !== undefined && hosts.open.some(({ check: awaited }) => awaited === look)
}

const blocksIn = (message: Message) =>
  message.type === "assistant" || message.type === "user"
    ? typeof message.message.content === "string"
      ? []
      : message.message.content
    : []

/** Each message once: a compaction repeats the ones it keeps. */
const distinct = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => [
  ...new Map(messages.map((message) => [message.uuid, message])).values()
]

/** Every call of the conversation has exactly one result, and no result stands alone. */
export const checkPairing = (messages: ReadonlyArray<Message>): void => {
  const blocks = distinct(messages).flatMap(blocksIn)
  const uses = blocks.filter(isToolUse).map((block) => block.id)
  const results = blocks.filter(isToolResult).map((block) => block.tool_use_id)
  check(new Set(uses).size === uses.length, "call ids are unique", uses.join())
  check(
    textOf(uses.toSorted()) === textOf(results.toSorted()),
    "each call has one result",
    `${uses.join()} / ${results.join()}`
  )
}

/** What the real endpoint would refuse. */
const checkRequest = (command: Extract<Command, { _tag: "StartRequest" | "Compact" }>): void => {
  const { request } = command
  const { source: _source, effort: _effort, userId: _userId, betas: _betas, ...body } = request
  const violation = violationOf({ ...body, stream: true })
  if (violation !== undefined) fail("the endpoint takes the request", violation)
}

export class Watch {
  state: AgentState
  readonly events: Array<LoopEvent> = []
  readonly texts: Array<string> = []
  readonly commands: Array<Command> = []
  private readonly initial: AgentState
  private now = START
  private started = 0
  private finished = 0
  private shutDowns = 0
  private pendingAck: string | undefined
  private inFlight: string | undefined
  private readonly requestIds = new Set<string>()
  private readonly calls = new StartOracle()
  private readonly tombstoned = new Set<string>()
  private readonly written: Set<string>
  private readonly accepted: Set<string>
  /** Prompts whose turns are counted. */
  private readonly opening = new Set<string>()
  /** Prompts that the program answers itself, and how turns ended. */
  private readonly forProgram = new Set<string>()
  private readonly results: Array<string> = []
  private readonly removed = new Set<string>()
  private readonly takenBack = new Set<string>()
  /** Messages that a summary stands for by now. */
  private readonly summarised: Array<Message> = []

  constructor(initial: AgentState) {
    this.initial = initial
    this.state = initial
    this.written = new Set(Log.toArray(initial.conversation.messages).map(({ uuid }) => uuid))
    this.accepted = new Set(initial.queue.map(({ uuid }) => uuid))
    deepFreeze(initial)
  }

  feed(occurrence: Occurrence): ReadonlyArray<Command> {
    const event: LoopEvent = { ...occurrence, at: (this.now += 7) }
    const before = this.state
    const told = Log.toArray(before.conversation.messages)
    this.hear(before, event)
    deepFreeze(event)
    const [next, commands] = step(before, event)
    const [nextAgain, commandsAgain] = step(before, event)
    const text = textOf(commands)
    check(text === textOf(commandsAgain), "same event, same commands", event._tag)
    const isIgnored = next === before && nextAgain === before
    check(isIgnored || textSince(next, before) === textSince(nextAgain, before), "same event, same state", event._tag)
    check(
      told.every((message, at) => Log.get(before.conversation.messages, at) === message),
      "the past is not rewritten",
      event._tag
    )
    if (turnOf(before) === undefined && !isHeard(before, event)) {
      check(next === before && commands.length === 0, "late events change nothing", event._tag)
    }
    deepFreeze(next)
    deepFreeze(commands)
    if (event._tag === "HooksSettled") this.hearRefusal(before, event.hookId, next)
    this.state = next
    this.events.push(event)
    this.texts.push(text)
    this.commands.push(...commands)
    for (const command of commands) this.obey(command)
    if (isReplaced(before, next)) this.summarised.push(...told)
    this.checkState(addedSince(next, before))
    return commands
  }

  /** All that was said, whether the state still holds it or not. */
  get said(): ReadonlyArray<Message> {
    const all = distinct([...this.summarised, ...Log.toArray(this.state.conversation.messages)])
    return all.filter(({ uuid }) => !this.takenBack.has(uuid))
  }

  /** What the event means for the laws, read from the state it meets. */
  private hear(before: AgentState, event: LoopEvent): void {
    this.calls.hear(before, event)
    switch (event._tag) {
      case "PromptSubmitted":
        if (event.answer !== undefined && !this.accepted.has(event.uuid)) this.forProgram.add(event.uuid)
        if (!isBlank(event)) this.accepted.add(event.uuid)
        // Blanks begin and end their turn in one step, without a word in the conversation.
        else if (turnOf(before) === undefined && !hasId(before.conversation.promptIds, event.uuid)) {
          this.opening.add(event.uuid)
          this.started += 1
        }
        return
      case "QueueCancelled":
        for (const { uuid } of before.queue) if (event.uuids.includes(uuid)) this.removed.add(uuid)
        return
      case "Persisted":
      case "PersistFailed":
        if (event.ack === this.pendingAck) this.pendingAck = undefined
        return
      case "StreamEnded":
      case "RequestFailed":
        if (event.requestId === this.inFlight) this.inFlight = undefined
        return
      case "ModelSaid":
        if (event.event.type === "message_stop" && event.requestId === this.inFlight) this.inFlight = undefined
        return
      case "ShutDown":
        this.inFlight = undefined
        this.pendingAck = undefined
        if (turnOf(before) !== undefined) this.shutDowns += 1
        return
      default:
        return
    }
  }

  /** A prompt that hooks refuse leaves the conversation with all that came with it, and nothing may hang on it. */
  private hearRefusal(before: AgentState, hookId: string, next: AgentState): void {
    const hook = before.pending.hooks.find(({ id }) => id === hookId)
    if (hook?.then._tag !== "BeginTurn") return
    const here = new Set(Log.toArray(next.conversation.messages).map(({ uuid }) => uuid))
    for (const { uuid } of Log.toArray(before.conversation.messages)) {
      if (here.has(uuid)) continue
      this.removed.add(uuid)
      this.takenBack.add(uuid)
      this.tombstoned.add(uuid)
    }
  }

  private obey(command: Command): void {
    switch (command._tag) {
      case "Persist":
        return this.checkWriting(command)
      case "StartRequest":
        check(this.pendingAck === undefined, "no request before the prompt is durable", command.requestId)
        check(this.inFlight === undefined, "one request in flight", `${this.inFlight ?? ""} ${command.requestId}`)
        check(!this.requestIds.has(command.requestId), "a request is sent once", command.requestId)
        this.requestIds.add(command.requestId)
        this.inFlight = command.requestId
        this.checkMoney(command._tag)
        return checkRequest(command)
      case "Compact": {
        check(this.inFlight === undefined, "no summary beside a request")
        this.checkMoney(command._tag)
        return checkRequest(command)
      }
      case "AbortRequest":
        if (command.requestId === this.inFlight) this.inFlight = undefined
        return
      case "CheckCall":
        this.checkMoney(command._tag)
        return this.calls.checking(this.state, command)
      case "AbortCheck":
        return this.calls.aborted(command)
      case "AskPermission":
        return this.calls.asked(command)
      case "PrepareCall":
        return this.calls.prepared(command)
      case "StartCall":
        return this.calls.started(this.state, command)
      case "Emit":
        return this.checkEmission(command.emission)
      default:
        return
    }
  }

  private checkWriting(command: Extract<Command, { _tag: "Persist" }>): void {
    const { parentUuid } = command
    check(parentUuid === null || this.written.has(parentUuid), "a message hangs on a written one", String(parentUuid))
    check(
      parentUuid === null || !this.tombstoned.has(parentUuid),
      "nothing hangs on what was taken back",
      String(parentUuid)
    )
    for (const { uuid } of command.messages) {
      check(!this.written.has(uuid), "a message is written once", uuid)
      this.written.add(uuid)
    }
    if (command.ack === undefined) return
    for (const { uuid } of command.messages) this.opening.add(uuid)
    this.started += 1
    this.pendingAck = command.ack
  }

  private checkMoney(what: string): void {
    const { maxBudgetUsd } = this.state.config.limits
    if (maxBudgetUsd !== undefined) check(this.state.totals.costUsd < maxBudgetUsd, "money is not overspent", what)
  }

  private checkEmission(emission: Extract<Command, { _tag: "Emit" }>["emission"]): void {
    // What somebody wants done to the conversation is a turn without a prompt.
    if (emission._tag === "TurnStarted" && !this.opening.has(emission.promptUuid)) this.started += 1
    if (emission._tag === "Tombstone") {
      this.tombstoned.add(emission.uuid)
      const stays = Log.toArray(this.state.conversation.messages).some(({ uuid }) => uuid === emission.uuid)
      check(!stays, "a tombstoned message is gone", emission.uuid)
    }
    if (emission._tag === "PromptTakenBack") {
      const here = new Set(Log.toArray(this.state.conversation.messages).map(({ uuid }) => uuid))
      this.removed.add(emission.promptUuid)
      for (const uuid of emission.uuids) {
        this.tombstoned.add(uuid)
        this.takenBack.add(uuid)
        check(!here.has(uuid), "what was taken back is gone", uuid)
      }
    }
    if (emission._tag === "TurnFinished") {
      this.finished += 1
      this.results.push(emission.result.promptUuid)
      const { maxTurns } = this.state.config.limits
      const { numTurns } = emission.result
      check(maxTurns === undefined || numTurns <= maxTurns + 1, "the turn budget holds", String(numTurns))
    } else if (
      emission._tag !== "MessageAdded" &&
      emission._tag !== "ModeReported" &&
      emission._tag !== "Notice" &&
      emission._tag !== "PinsChanged" &&
      emission._tag !== "SideReported"
    ) {
      check(
        this.started > this.finished + this.shutDowns || turnOf(this.state) !== undefined,
        "silence after the result",
        emission._tag
      )
    }
  }

  private checkState(added: ReadonlyArray<Message>): void {
    checkPending(this.state)
    const turn = turnOf(this.state)
    const { limits } = this.state.config
    const open = this.started - this.finished - this.shutDowns
    check(open === (turn === undefined ? 0 : 1), "one result per turn", `${this.started} begun, ${this.finished} finished`)
    check((turn === undefined) === ["Idle", "Done"].includes(phaseOf(this.state)._tag), "a turn runs or it does not")
    for (const { uuid } of added) check(!this.tombstoned.has(uuid), "a tombstoned message does not come back", uuid)
    if (turn === undefined) return
    const { recovery } = turn
    check(limits.maxTurns === undefined || turn.responses <= limits.maxTurns, "responses stay within maxTurns")
    check(recovery.continuations <= LIMITS.outputContinuations, "continuations are bounded")
    check(recovery.stopHookRounds <= LIMITS.stopHookRounds, "stop hook rounds are bounded")
    check(recovery.thinkingResends <= LIMITS.thinkingResends, "thinking is resent a few times")
    check(recovery.malformed < LIMITS.malformedResponses, "malformed responses are bounded")
    check(recovery.structuredRetries < limits.structuredRetries, "structured retries are bounded")
    check(recovery.omitted.length <= LIMITS.omittedFields, "few fields are left out")
    check(new Set(recovery.omitted).size === recovery.omitted.length, "a field is left out once")
    check(turn.attempt.failures <= Math.min(limits.retry.maxRetries, LIMITS.retriesCap), "retries are bounded")
    checkCalls(turn.calls, limits.parallelCalls)
    for (const call of turn.calls) {
      const { stage } = call
      const look = "check" in call ? call.check : undefined
      check(stage !== "checking" || (look !== undefined && look.outcome === undefined), "a checked call is waited for")
      check(look === undefined || stage === "checking" || stage === "hooks", "no look at a call that went on", stage)
    }
  }

  /** Interrupts whatever runs until nothing does. */
  drain(): void {
    for (let round = 0; turnOf(this.state) !== undefined; round++) {
      check(round < 200, "an interrupted conversation comes to rest", phaseOf(this.state)._tag)
      this.feed({ _tag: "Interrupted" })
      const phase = phaseOf(this.state)
      if (phase._tag === "Settling") this.feed({ _tag: "TimerFired", timerId: timerFor(this.state, "EndSettling") })
    }
  }

  checkQueue(): void {
    const delivered = this.said.map(({ uuid }) => uuid)
    for (const uuid of this.accepted) {
      const places = [
        (this.forProgram.has(uuid) ? this.results : delivered).filter((known) => known === uuid).length,
        this.state.queue.filter((prompt) => prompt.uuid === uuid).length,
        this.removed.has(uuid) ? 1 : 0
      ]
      check(
        places.reduce((sum, n) => sum + n, 0) === 1,
        "a prompt is delivered, queued or removed",
        `${uuid}: ${places.join()}`
      )
    }
  }

  /** The recorded events, read back from their text, lead to the same commands and the same end. */
  checkReplay(): void {
    let state = this.initial
    this.events.forEach((event, at) => {
      const read = JSON.parse(JSON.stringify(event)) as LoopEvent
      const [next, commands] = step(state, read)
      check(textOf(commands) === this.texts[at], "a replay gives the same commands", `${at}: ${event._tag}`)
      state = next
    })
    check(textOf(state) === textOf(this.state), "a replay gives the same state")
  }
}

const checkCalls = (calls: ReadonlyArray<Call>, parallelCalls: number): void => {
  const busy = calls.filter(({ stage }) => stage !== "queued" && stage !== "held" && stage !== "completed")
  const isLookedAt = ({ stage, tool }: Call): boolean => stage === "preparing" && tool === "Bash"
  const unsafe = busy.filter((call) => !isSafe(call))
  if (!unsafe.every(isLookedAt)) check(busy.length === 1, "an unsafe call runs alone", String(busy.length))
  check(unsafe.length <= 1, "one command is looked at after the other", String(unsafe.length))
  check(busy.length <= parallelCalls, "no more calls than allowed", String(busy.length))
  const isYielded = (call: Call): boolean => call.stage === "completed" && call.isYielded
  check(calls.slice(0, calls.findLastIndex(isYielded) + 1).every(isYielded), "results come in the order of their calls")
}
