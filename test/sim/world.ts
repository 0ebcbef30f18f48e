import * as Log from "../../src/core/domain/append-list.ts"
import { step } from "../../src/core/loop/step.ts"
import type { Command } from "../../src/core/loop/machine/command.ts"
import type { Emission } from "../../src/core/loop/machine/emission.ts"
import type { CallOutcome, LoopEvent, Occurrence, PermissionAnswer } from "../../src/core/loop/machine/event.ts"
import type { AgentState } from "../../src/core/loop/machine/state.ts"
import type { CheckOutcome } from "../../src/core/permission/classifier/outcome.ts"
import type { Message } from "../../src/core/domain/message.ts"
import { zeroUsage } from "../../src/core/domain/usage.ts"
import { LOOKS_SEEN } from "../core/loop/arbitrary-event.ts"
import { plainFacts } from "../support/plain-facts.ts"
import { windowAt } from "./crash.ts"
import { type Delivery, respond } from "./model.ts"
import type { Random } from "./random.ts"
import { phaseOf, turnOf } from "../../src/core/loop/machine/transition.ts"

/** A line of the simulated disk: a message with the parent it was written behind. */
export interface DiskLine {
  readonly message: Message
  readonly parentUuid: string | null
  /** The window before it takes the place of the conversation that was. */
  readonly endsWindow?: boolean
  /** A prompt that hooks refused: the conversation goes on as if it had not been typed. */
  readonly isWithdrawn?: true
}

export interface WorldOptions {
  readonly random: Random
  readonly faulty: boolean
  /** What is on disk already, after a crash. */
  readonly disk?: ReadonlyArray<DiskLine>
  readonly startAt?: number
}

interface Scheduled {
  readonly at: number
  readonly order: number
  readonly occurrence: Occurrence
  /** Cancelled together: a request, a timer, a call. */
  readonly group: string
}

export type Inspector = (world: World, event: LoopEvent, commands: ReadonlyArray<Command>) => void

/**
 * Virtual time, a model, tools, a disk and a user, all driven by one seed. Commands of the core schedule occurrences;
 * occurrences are delivered in order of their time.
 */
export class World {
  readonly disk: Array<DiskLine>
  readonly emissions: Array<Emission> = []
  readonly events: Array<LoopEvent> = []
  readonly trace: Array<string> = []
  now: number
  private readonly agenda: Array<Scheduled> = []
  private order = 0
  private requests = 0
  private readonly startedAt: number

  constructor(
    public state: AgentState,
    private readonly options: WorldOptions,
    private readonly inspect: Inspector
  ) {
    this.disk = [...(options.disk ?? [])]
    this.startedAt = options.startAt ?? 1_700_000_000_000
    this.now = this.startedAt
  }

  /** Something outside happens after a while. */
  schedule(afterMs: number, occurrence: Occurrence, group = "outside"): void {
    this.agenda.push({ at: this.now + afterMs, order: this.order++, occurrence, group })
  }

  /** Delivers the next occurrence; false when nothing is left to happen. */
  advance(): boolean {
    if (this.agenda.length === 0) return false
    let earliest = 0
    for (let index = 1; index < this.agenda.length; index++) {
      const left = this.agenda[earliest]
      const right = this.agenda[index]
      if (left === undefined || right === undefined) continue
      if (right.at < left.at || (right.at === left.at && right.order < left.order)) earliest = index
    }
    const [due] = this.agenda.splice(earliest, 1)
    if (due === undefined) return false
    this.now = Math.max(this.now, due.at)
    this.deliver(due.occurrence)
    return true
  }

  private deliver(occurrence: Occurrence): void {
    const event: LoopEvent = { ...occurrence, at: this.now }
    this.events.push(event)
    const before = this.state
    const [next, commands] = step(before, event)
    this.state = next
    if (event._tag === "HooksSettled") this.withdraw(before)
    this.trace.push(
      `${this.now - 1_700_000_000_000}ms ${describe(event)} -> ${phaseOf(next)._tag} [${commands.map((c) => c._tag).join(" ")}]`
    )
    for (const command of commands) this.interpret(command)
    this.inspect(this, event, commands)
  }

  /** The prompt is no longer part of the conversation, although nothing was summarised. */
  private withdraw(before: AgentState): void {
    const promptUuid = turnOf(before)?.promptUuid
    const holds = ({ conversation }: AgentState): boolean =>
      Log.findLastIndex(conversation.messages, ({ uuid }) => uuid === promptUuid) >= 0
    const at = this.disk.findIndex(({ message }) => message.uuid === promptUuid)
    const line = this.disk[at]
    if (line !== undefined && holds(before) && !holds(this.state)) this.disk[at] = { ...line, isWithdrawn: true }
  }

  private cancel(group: string): void {
    // Whatever is under way may still arrive: a cancelled thing can be late.
    const late = this.options.random.chance(0.2)
    for (let index = this.agenda.length - 1; index >= 0; index--) {
      if (this.agenda[index]?.group === group && !late) this.agenda.splice(index, 1)
    }
  }

  private interpret(command: Command): void {
    const { random } = this.options
    switch (command._tag) {
      case "Emit":
        this.emissions.push(command.emission)
        return
      case "Persist": {
        let parent = command.parentUuid
        for (const message of command.messages) {
          const endsWindow = command.notes !== undefined && message === command.messages.at(-1)
          this.disk.push({ message, parentUuid: parent, ...(endsWindow ? { endsWindow } : {}) })
          parent = message.uuid
        }
        if (command.ack === undefined) return
        const failed = this.options.faulty && random.chance(0.03)
        return this.schedule(
          random.int(5),
          failed ? { _tag: "PersistFailed", ack: command.ack, cause: "ENOSPC" } : { _tag: "Persisted", ack: command.ack }
        )
      }
      case "Note":
      case "SpillResult":
      case "SavePermissions":
      case "WithdrawQuestion":
      case "AnswerHostRequests":
        return
      case "StartRequest":
        return this.stream(
          command.requestId,
          respond(random, command.request, { serial: `${this.startedAt}_${this.requests++}`, faulty: this.options.faulty })
        )
      case "AbortRequest":
        return this.cancel(command.requestId)
      case "CollectContext":
        return this.look(command)
      case "StartTimer":
        return this.schedule(command.ms, { _tag: "TimerFired", timerId: command.timerId }, command.timerId)
      case "CancelTimer":
        return this.cancel(command.timerId)
      case "PrepareCall":
        return this.schedule(random.int(3), this.prepared(command))
      case "CheckCall":
        return this.check(command)
      case "AbortCheck":
        return this.cancel(command.checkId)
      case "AskPermission":
        if (random.chance(0.05)) return
        return this.schedule(
          random.int(500),
          { _tag: "PermissionAnswered", callId: command.question.callId, answer: this.answer(command.question.input) },
          `ask:${command.question.callId}`
        )
      case "StartCall":
        return this.runCall(command.callId)
      case "CancelCall":
        this.cancel(`call:${command.callId}`)
        if (random.chance(0.1)) return
        return this.schedule(random.int(60), {
          _tag: "CallSettled",
          callId: command.callId,
          outcome: { _tag: "Cancelled", content: "[Interrupted]", data: {} }
        })
      case "RunHooks":
        return this.schedule(random.int(20), {
          _tag: "HooksSettled",
          hookId: command.hookId,
          outcome: random.pick([
            {},
            {},
            { block: "not yet" },
            { stop: "enough" },
            { decision: "deny" as const, reason: "no" }
          ])
        })
      case "Compact":
        return this.schedule(
          random.int(200),
          random.chance(0.3)
            ? { _tag: "CompactionFailed", compactionId: command.compactionId, cause: "simulated" }
            : {
                _tag: "CompactionSettled",
                compactionId: command.compactionId,
                summary: "<summary>what happened</summary>",
                model: "offline",
                usage: zeroUsage
              },
          command.compactionId
        )
      case "AbortCompaction":
        return this.cancel(command.compactionId)
      case "StartSide":
        return this.side(command.sideId)
      case "AbortSide":
        return this.cancel(command.sideId)
      case "ReadWindow":
        return this.reread(command)
      default:
        return command satisfies never
    }
  }

  /** Somebody who sees all, nothing or something new; late, twice or never. */
  private look({ collectId }: Extract<Command, { _tag: "CollectContext" }>): void {
    const { random } = this.options
    if (random.chance(0.1)) return
    const isLast = !random.chance(0.1)
    const seen = (): Extract<Occurrence, { _tag: "ContextRead" }> => {
      const look = random.pick([{}, ...LOOKS_SEEN])
      return { _tag: "ContextRead", collectId, look, isLast, failed: [] }
    }
    const afterMs = random.chance(0.1) ? 1_500 : random.int(50)
    this.schedule(afterMs, seen())
    if (!isLast || random.chance(0.05)) this.schedule(afterMs + random.int(1_000), { ...seen(), isLast: true })
  }

  /** A disk that has the earlier conversation, refuses, or says so twice. */
  private reread({ readId, at }: Extract<Command, { _tag: "ReadWindow" }>): void {
    const { random, faulty } = this.options
    const window = faulty && random.chance(0.2) ? { cause: "EIO" } : { messages: windowAt(this.disk, at), replacements: [] }
    this.schedule(random.int(50), { _tag: "WindowRead", readId, window })
    if (faulty && random.chance(0.2)) this.schedule(random.int(100), { _tag: "WindowRead", readId, window })
  }

  private prepared(command: Extract<Command, { _tag: "PrepareCall" }>): Occurrence {
    if (this.options.random.chance(0.05)) return { _tag: "CallRefused", callId: command.callId, message: "file is gone" }
    return {
      _tag: "CallPrepared",
      callId: command.callId,
      facts: plainFacts(command.wanted)
    }
  }

  /** A classifier that is right, mistaken, broken, late, dead or repeats itself. */
  private check({ checkId, callId }: Extract<Command, { _tag: "CheckCall" }>): void {
    const { random, faulty } = this.options
    if (faulty && random.chance(0.1)) return
    const said: Occurrence = {
      _tag: "CallChecked",
      checkId,
      callId,
      outcome: random.pick<CheckOutcome>([
        { _tag: "Judged", block: false, reason: "", category: "none" },
        { _tag: "Judged", block: false, reason: "", category: "none" },
        { _tag: "Judged", block: true, reason: "it harms", category: "destructive" },
        { _tag: "NoVerdict", why: "unparsable", detail: "words" },
        { _tag: "NoVerdict", why: "unavailable", detail: "529" }
      ]),
      spent: [{ model: "offline", usage: zeroUsage }]
    }
    this.schedule(random.int(faulty ? 40_000 : 400), said, checkId)
    if (faulty && random.chance(0.1)) this.schedule(random.int(500), said, checkId)
  }

  /** A side task that is answered right, empty, at length, late, twice, not at all, or breaks off. */
  private side(sideId: string): void {
    const { random, faulty } = this.options
    if (faulty && random.chance(0.1)) return
    const spent = [{ model: "offline", usage: { ...zeroUsage, input_tokens: 10 } }]
    const end: Occurrence = random.chance(0.2)
      ? { _tag: "SideFailed", sideId, cause: "simulated", spent }
      : { _tag: "SideSettled", sideId, answer: sideAnswer(random), spent }
    this.schedule(random.int(faulty ? 60_000 : 400), end, sideId)
    if (faulty && random.chance(0.2)) this.schedule(random.int(500), end, sideId)
  }

  private answer(input: unknown): PermissionAnswer {
    const { random } = this.options
    if (random.chance(0.35)) return { behavior: "deny", message: "no", interrupt: random.chance(0.3) }
    return random.chance(0.15)
      ? { behavior: "allow", updatedInput: { ...(input as object), command: "ls -l" } }
      : { behavior: "allow" }
  }

  private runCall(callId: string): void {
    const { random } = this.options
    const group = `call:${callId}`
    let at = 0
    for (let progress = random.int(3); progress > 0; progress--) {
      at += random.int(50)
      this.schedule(at, { _tag: "CallProgressed", callId, progress: { type: "tool_progress", message: "..." } }, group)
    }
    const outcome: CallOutcome = random.chance(0.2)
      ? { _tag: "Failed", message: "it failed" }
      : {
          _tag: "Returned",
          content: random.chance(0.15) ? LONG_RESULT : "done",
          data: {},
          isError: random.chance(0.1)
        }
    at += random.chance(0.05) ? 100_000 : random.int(300)
    this.schedule(at, { _tag: "CallSettled", callId, outcome }, group)
    if (this.options.faulty && random.chance(0.05)) this.schedule(at, { _tag: "CallSettled", callId, outcome }, group)
  }

  private stream(requestId: string, deliveries: ReadonlyArray<Delivery>): void {
    let at = 0
    for (const delivery of deliveries) {
      at += delivery.afterMs
      this.schedule(at, occurrenceOf(requestId, delivery, this.options.random), requestId)
    }
  }
}

const sideAnswer = (random: Random) => ({
  text: random.pick(["a title", "", "word ".repeat(5_000)]),
  wrote: random.pick([[], ["/memory/a.md"], ["/memory/MEMORY.md", "/memory/a.md", "/memory/b.md"]])
})

/** Large enough that a few of them fill a small window. */
const LONG_RESULT = "a line of output\n".repeat(6_000)

const occurrenceOf = (requestId: string, delivery: Delivery, random: Random): Occurrence => {
  switch (delivery._tag) {
    case "Opened":
      return { _tag: "StreamOpened", requestId, apiRequestId: undefined }
    case "Event":
      return { _tag: "ModelSaid", requestId, event: delivery.event }
    case "Ended":
      return { _tag: "StreamEnded", requestId }
    case "Failed":
      return { _tag: "RequestFailed", requestId, failure: delivery.failure, jitter: random.next() }
  }
}

const describe = (event: LoopEvent): string => {
  if (event._tag === "ModelSaid") return `ModelSaid ${event.requestId} ${event.event.type}`
  const id =
    "callId" in event ? event.callId : "requestId" in event ? event.requestId : "timerId" in event ? event.timerId : ""
  return `${event._tag} ${id}`.trim()
}
