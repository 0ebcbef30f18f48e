import { Effect, FiberMap, type Scope } from "effect"
import { isoFromMillis } from "../../core/domain/time.ts"
import type { Bookkeeping, Command, PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { AgentId, Uuid } from "../../core/domain/id.ts"
import type { HookEvent } from "../../core/hooks/hook-event.ts"
import type { HookOutcome } from "../../core/hooks/outcome.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"
import { headlessDenial } from "../../core/permission/decide/explain.ts"
import type { SavedUpdate } from "../../core/permission/configuration/save-updates.ts"
import type { Model } from "../../core/ports/Model.ts"
import type { MetaRecord } from "../../core/session/transcript/meta-record.ts"
import type { ContextSeen } from "../context/collect-context.ts"
import type { FactPorts } from "../facts/gather-facts.ts"
import type { HookOccasion } from "../hooks/hooks.ts"
import { type Decider, firstAnswer, readHookDecision } from "../hooks/permission-race.ts"
import { askModel, callModel } from "../model/call-model.ts"
import { checkCall } from "../model/classify-call.ts"
import { modelUsage } from "../model/model-usage.ts"
import { runSideTask } from "./run-side-task.ts"
import type { HostRequests } from "../sandbox/host-requests.ts"
import type { Supervisor } from "../tools/services/supervisor.ts"
import type { Audience } from "./audience.ts"
import { AgentLoop, type Driver } from "./driver.ts"
import { Persist } from "./persist.ts"
import { Publications } from "./publications.ts"
import { prepareCall, startCall, type ToolRun } from "./run-tool.ts"
import { writeSpill } from "./spill.ts"

/** What hooks say about something that happens in the conversation. */
export interface AskHooks {
  readonly listensTo: (event: HookEvent) => boolean
  readonly ask: (occasion: HookOccasion) => Effect.Effect<HookOutcome>
}

/** Withdraw the questions that somebody was asked, by the call they are about. */
export type PutQuestions = Map<string, () => void>

export interface InterpretOptions<R> {
  readonly agent: AgentId
  readonly tools: ToolRun<R>
  readonly emit: (emission: Emission) => void
  /** Starts the agents of side tasks. */
  readonly agents: Supervisor["Service"] | undefined
  readonly answers: Pick<Audience, "ask">
  readonly hooks: AskHooks
  readonly questions: PutQuestions
  /** Looks at what the model should know. */
  readonly collect: (command: CommandOf<"CollectContext">, report: (read: ContextSeen) => void) => Effect.Effect<void>
  /** Lets connections of sandboxed commands go on, or refuses them. */
  readonly answerHosts: HostRequests["settle"]
  /** Reads an earlier window of the conversation from its transcript. */
  readonly readWindow: (at: Uuid) => Effect.Effect<WindowRead["window"]>
  /** Writes permission updates to settings files. */
  readonly save: (updates: ReadonlyArray<SavedUpdate>) => Effect.Effect<void>
}

/** What takes time, by its id. */
type WorkId =
  `${"call" | "check" | "compact" | "context" | "hooks" | "persist" | "prepare" | "reread" | "request" | "save" | "side" | "spill" | "timer"}:${string}`

/** Fibers that begin in the call that starts them: one that is stopped right afterwards still reports its end. */
interface Work<R> {
  readonly start: (id: WorkId, work: Effect.Effect<void, never, R>) => void
  readonly stop: (id: WorkId) => void
}

interface Parts<R> extends InterpretOptions<R> {
  readonly loop: Driver
  readonly persist: Persist["Service"]
  readonly publications: Publications["Service"]
  readonly work: Work<R | FactPorts | Model | Publications>
  /** What hooks were asked since the turn began. */
  readonly hooksAtWork: Set<string>
}

type WindowRead = Extract<Occurrence, { readonly _tag: "WindowRead" }>

type CommandOf<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>

const makeWork = Effect.fnUntraced(function* <R>(): Effect.fn.Return<Work<R>, never, R | Scope.Scope> {
  const fibers = yield* FiberMap.make<WorkId, void>()
  const run = yield* FiberMap.runtime(fibers)<R>()
  return {
    start: (id, work) => void run(id, work),
    stop: (id) => {
      const fiber = FiberMap.getUnsafe(fibers, id)
      if (fiber._tag === "Some") fiber.value.interruptUnsafe()
    }
  }
})

/** What PermissionRequest hooks say; about hosts that a running command wants to reach they are not asked. */
const hookDecider = <R>(
  { hooks }: Parts<R>,
  { callId, decision, host, input, suggestions, tool }: PermissionQuestion
): ReadonlyArray<Decider> =>
  host !== undefined || !hooks.listensTo("PermissionRequest")
    ? []
    : [
        (settle) => {
          const fields = { tool_name: tool, tool_input: input, permission_suggestions: suggestions }
          const asked = hooks.ask({ event: "PermissionRequest", fields, callId })
          const fiber = Effect.runFork(Effect.map(asked, ({ permission }) => settle(readHookDecision(permission, decision))))
          return () => fiber.interruptUnsafe()
        }
      ]

/** Whoever answers first is heard, the others are called off. */
const askPermission = <R>(parts: Parts<R>, { question }: CommandOf<"AskPermission">): void => {
  const { answers, loop, questions } = parts
  const { callId, decision, tool } = question
  const { ask } = answers
  const person: ReadonlyArray<Decider> = ask === undefined ? [] : [(settle) => ask(question, settle)]
  const withdrawal = firstAnswer({
    deciders: [...person, ...hookDecider(parts, question)],
    reply: (answer) => {
      questions.delete(callId)
      loop.offer({ _tag: "PermissionAnswered", callId, answer })
    },
    otherwise: { behavior: "deny", message: headlessDenial(tool, decision) }
  })
  questions.set(callId, withdrawal)
}

export const withdraw = (questions: PutQuestions, callId: string): void => {
  questions.get(callId)?.()
  questions.delete(callId)
}

const persistMessages = <R>(parts: Parts<R>, command: CommandOf<"Persist">): void => {
  const { persist, work, loop } = parts
  const notes = command.notes?.map((record) => recordOf(parts, record))
  persist.record(command.messages, command.parentUuid, notes)
  const { ack } = command
  if (ack === undefined) return
  work.start(
    `persist:${ack}`,
    persist.durable.pipe(
      Effect.match({
        onSuccess: () => loop.offer({ _tag: "Persisted", ack }),
        onFailure: (failure) => loop.offer({ _tag: "PersistFailed", ack, cause: failure.message })
      })
    )
  )
}

const recordOf = <R>({ loop, tools }: Parts<R>, record: Bookkeeping): MetaRecord => {
  const envelope = { sessionId: tools.session.sessionId, timestamp: isoFromMillis(loop.state().now) }
  return record.type === "cost-state"
    ? { ...record, modelUsage: modelUsage(record.modelUsage), ...envelope }
    : { ...record, ...envelope }
}

const request = <R>(
  { agent, emit, loop, publications }: Parts<R>,
  { requestId, request: asked }: CommandOf<"StartRequest">
) =>
  callModel({
    requestId,
    request: asked,
    offer: loop.offer,
    backpressure: publications.backpressure,
    onSilence: (silentMs) =>
      emit({
        _tag: "Notice",
        level: "warning",
        text: `no data from the model for ${Math.round(silentMs / 1_000)} s; still waiting, Ctrl-C interrupts`
      }),
    onEvent: (event) => publications.stream(agent, event),
    onGrowth: () => publications.grew(agent)
  })

const compact = (offer: Driver["offer"], command: CommandOf<"Compact">): Effect.Effect<void, never, Model> => {
  const { compactionId } = command
  return askModel(command.request).pipe(
    Effect.match({
      onSuccess: ({ text, model, usage }): Occurrence => ({
        _tag: "CompactionSettled",
        compactionId,
        summary: text,
        model,
        usage
      }),
      onFailure: (failure): Occurrence => ({
        _tag: "CompactionFailed",
        compactionId,
        cause: describeFailure(failure),
        failure
      })
    }),
    Effect.map(offer)
  )
}

const runHooks = <R>({ hooks, loop }: Parts<R>, { hookId, event, input }: CommandOf<"RunHooks">): Effect.Effect<void> =>
  Effect.map(hooks.ask({ event, fields: input }), (outcome) => loop.offer({ _tag: "HooksSettled", hookId, outcome }))

/** Nobody waits any more for what hooks say about a turn that is over. */
const endHooks = <R>({ hooksAtWork, work }: Parts<R>): void => {
  for (const hookId of hooksAtWork) work.stop(`hooks:${hookId}`)
  hooksAtWork.clear()
}

const collectContext = <R>({ collect, loop }: Parts<R>, command: CommandOf<"CollectContext">) =>
  collect(command, (read) => loop.offer({ _tag: "ContextRead", collectId: command.collectId, ...read }))

const reread = <R>({ loop, readWindow }: Parts<R>, { readId, at }: CommandOf<"ReadWindow">): Effect.Effect<void> =>
  Effect.map(readWindow(at), (window) => loop.offer({ _tag: "WindowRead", readId, window }))

const timer = ({ offer }: Driver, { timerId, ms }: CommandOf<"StartTimer">): Effect.Effect<void> =>
  Effect.map(Effect.sleep(ms), () => offer({ _tag: "TimerFired", timerId }))

/** One case per command. Work that takes time runs in a fiber named after its id. */
const makeInterpret = <R>(parts: Parts<R>) => {
  const { loop, persist, tools } = parts
  const { start, stop } = parts.work
  const { offer } = loop
  let saves = 0
  return (command: Command): void => {
    switch (command._tag) {
      case "Emit":
        if (command.emission._tag === "TurnFinished") endHooks(parts)
        return parts.emit(command.emission)
      case "Persist":
        return persistMessages(parts, command)
      case "Note":
        return persist.note(recordOf(parts, command.record))
      case "SpillResult":
        return start(`spill:${command.callId}`, Effect.ignore(writeSpill(command.path, command.text)))
      case "StartRequest":
        return start(`request:${command.requestId}`, request(parts, command))
      case "AbortRequest":
        return stop(`request:${command.requestId}`)
      case "CollectContext":
        return start(`context:${command.collectId}`, collectContext(parts, command))
      case "StartTimer":
        return start(`timer:${command.timerId}`, timer(loop, command))
      case "CancelTimer":
        return stop(`timer:${command.timerId}`)
      case "PrepareCall":
        return start(`prepare:${command.callId}`, prepareCall(tools, command))
      case "CheckCall":
        return start(`check:${command.checkId}`, checkCall({ offer, env: tools.session.env }, command))
      case "AbortCheck":
        return stop(`check:${command.checkId}`)
      case "AskPermission":
        return askPermission(parts, command)
      case "SavePermissions":
        return start(`save:${++saves}`, parts.save(command.updates))
      case "AnswerHostRequests":
        return parts.answerHosts(command.requestIds, command.refused)
      case "WithdrawQuestion":
        return withdraw(parts.questions, command.callId)
      case "StartCall":
        return start(`call:${command.callId}`, startCall(tools, command))
      case "CancelCall":
        return stop(`call:${command.callId}`)
      case "RunHooks":
        parts.hooksAtWork.add(command.hookId)
        return start(`hooks:${command.hookId}`, runHooks(parts, command))
      case "Compact":
        return start(`compact:${command.compactionId}`, compact(offer, command))
      case "AbortCompaction":
        return stop(`compact:${command.compactionId}`)
      case "StartSide":
        return start(`side:${command.sideId}`, runSideTask({ offer, agents: parts.agents }, command))
      case "AbortSide":
        return stop(`side:${command.sideId}`)
      case "ReadWindow":
        return start(`reread:${command.readId}`, reread(parts, command))
      default:
        return command satisfies never
    }
  }
}

/** Does what the loop of this context asks for until the scope closes, which is the loop's last event and ends all work. */
export const startInterpreter = Effect.fnUntraced(function* <R>(
  options: InterpretOptions<R>
): Effect.fn.Return<void, never, AgentLoop | FactPorts | Model | Persist | Publications | R | Scope.Scope> {
  const loop = yield* AgentLoop
  const persist = yield* Persist
  const work = yield* makeWork<R | FactPorts | Model | Publications>()
  yield* Effect.addFinalizer(() => Effect.sync(loop.shutDown))
  const publications = yield* Publications
  loop.start(makeInterpret({ ...options, loop, persist, publications, work, hooksAtWork: new Set() }))
})
