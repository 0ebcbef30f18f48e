import { type Context, Effect, Fiber } from "effect"
import type { Bookkeeping, Command } from "../../core/loop/machine/command.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { Model } from "../../core/ports/Model.ts"
import type { SavedUpdate } from "../../core/permission/configuration/save-updates.ts"
import { askModel, callModel } from "../model/call-model.ts"
import { checkCall } from "../model/classify-call.ts"
import { modelUsage } from "../model/model-usage.ts"
import type { FactPorts } from "../facts/gather-facts.ts"
import type { Persist } from "./persist.ts"
import { prepareCall, startCall, type ToolRun } from "./run-tool.ts"
import type { HostRequests } from "../sandbox/host-requests.ts"
import type { Audience } from "./audience.ts"
import { writeSpill } from "./spill.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"

export interface InterpretOptions<R> {
  readonly services: Context.Context<R | FactPorts | Model>
  readonly tools: ToolRun<R>
  readonly persist: Persist["Service"]
  readonly audience: Audience
  readonly offer: (occurrence: Occurrence) => void
  readonly random: () => number
  /** Lets connections of sandboxed commands go on, or refuses them. */
  readonly answerHosts: HostRequests["settle"]
  /** Writes permission updates to settings files. */
  readonly save: (updates: ReadonlyArray<SavedUpdate>) => Effect.Effect<void>
}

export interface Interpreter {
  readonly interpret: (command: Command) => void
  /** Stops everything that still runs. */
  readonly stop: Effect.Effect<void>
}

/** Does what the core asks for: one case per command. Work that takes time runs in a fiber named after its id. */
export const makeInterpreter = <R>(options: InterpretOptions<R>): Interpreter => {
  const { audience, offer, persist } = options
  const fibers = new Map<string, Fiber.Fiber<void>>()
  const timers = new Map<string, NodeJS.Timeout>()
  const questions = new Map<string, () => void>()
  let saves = 0
  const fork = Effect.runForkWith(options.services)

  const start = (name: string, work: Effect.Effect<void, never, R | FactPorts | Model>): void => {
    const fiber = fork(work)
    fibers.set(name, fiber)
    fiber.addObserver(() => {
      if (fibers.get(name) === fiber) fibers.delete(name)
    })
  }

  const stop = (name: string): void => {
    const fiber = fibers.get(name)
    if (fiber === undefined) return
    fibers.delete(name)
    fork(Fiber.interrupt(fiber))
  }

  const startTimer = (timerId: string, ms: number): void => {
    timers.set(
      timerId,
      setTimeout(() => {
        timers.delete(timerId)
        offer({ _tag: "TimerFired", timerId })
      }, ms)
    )
  }

  const cancelTimer = (timerId: string): void => {
    clearTimeout(timers.get(timerId))
    timers.delete(timerId)
  }

  const withdraw = (callId: string): void => {
    questions.get(callId)?.()
    questions.delete(callId)
  }

  const askPermission = (command: Extract<Command, { _tag: "AskPermission" }>): void => {
    const { callId } = command.question
    if (audience.ask === undefined) {
      offer({
        _tag: "PermissionAnswered",
        callId,
        answer: { behavior: "deny", message: "Nobody is there to answer this permission question." }
      })
      return
    }
    const cancel = audience.ask(command.question, (answer) => {
      questions.delete(callId)
      offer({ _tag: "PermissionAnswered", callId, answer })
    })
    questions.set(callId, cancel)
  }

  const persistMessages = (command: Extract<Command, { _tag: "Persist" }>): void => {
    persist.record(command.messages, command.parentUuid)
    const { ack } = command
    if (ack === undefined) return
    start(
      `persist:${ack}`,
      persist.durable.pipe(
        Effect.match({
          onSuccess: () => offer({ _tag: "Persisted", ack }),
          onFailure: (failure) => offer({ _tag: "PersistFailed", ack, cause: failure.message })
        })
      )
    )
  }

  const compact = (command: Extract<Command, { _tag: "Compact" }>): Effect.Effect<void, never, Model> =>
    askModel(command.request).pipe(
      Effect.match({
        onSuccess: (answer) =>
          offer({
            _tag: "CompactionSettled",
            compactionId: command.compactionId,
            summary: answer.text,
            model: answer.model,
            usage: answer.usage
          }),
        onFailure: (failure) =>
          offer({
            _tag: "CompactionFailed",
            compactionId: command.compactionId,
            cause: describeFailure(failure),
            failure
          })
      })
    )

  const recordOf = (record: Bookkeeping) => {
    const { sessionId } = options.tools.session
    const timestamp = new Date().toISOString()
    return record.type === "cost-state"
      ? { ...record, modelUsage: modelUsage(record.modelUsage), sessionId, timestamp }
      : { ...record, sessionId, timestamp }
  }

  const interpret = (command: Command): void => {
    switch (command._tag) {
      case "Emit":
        return audience.onEmission(command.emission)
      case "Persist":
        return persistMessages(command)
      case "Note":
        return persist.note(recordOf(command.record))
      case "SpillResult":
        return start(`spill:${command.callId}`, writeSpill(command.path, command.text).pipe(Effect.ignore))
      case "StartRequest":
        return start(
          command.requestId,
          callModel({
            requestId: command.requestId,
            request: command.request,
            offer,
            backpressure: audience.backpressure,
            random: options.random,
            onSilence: (silentMs) =>
              audience.onEmission({
                _tag: "Notice",
                level: "warning",
                text: `no data from the model for ${Math.round(silentMs / 1_000)} s; still waiting, Ctrl-C interrupts`
              }),
            ...(audience.onModelEvent === undefined ? {} : { onEvent: audience.onModelEvent })
          })
        )
      case "AbortRequest":
        return stop(command.requestId)
      case "StartTimer":
        return startTimer(command.timerId, command.ms)
      case "CancelTimer":
        return cancelTimer(command.timerId)
      case "PrepareCall":
        return start(`prepare:${command.callId}`, prepareCall(options.tools, command))
      case "CheckCall":
        return start(command.checkId, checkCall({ offer, env: options.tools.session.env }, command))
      case "AbortCheck":
        return stop(command.checkId)
      case "AskPermission":
        return askPermission(command)
      case "SavePermissions":
        return start(`save:${++saves}`, options.save(command.updates))
      case "AnswerHostRequests":
        return options.answerHosts(command.requestIds, command.refused)
      case "WithdrawQuestion":
        return withdraw(command.callId)
      case "StartCall":
        return start(`call:${command.callId}`, startCall(options.tools, command))
      case "CancelCall":
        return stop(`call:${command.callId}`)
      case "RunHooks":
        return start(
          command.hookId,
          (audience.runHooks?.(command.event, command.input) ?? Effect.succeed({})).pipe(
            Effect.map((outcome) => offer({ _tag: "HooksSettled", hookId: command.hookId, outcome }))
          )
        )
      case "Compact":
        return start(command.compactionId, compact(command))
      case "AbortCompaction":
        return stop(command.compactionId)
      default:
        return command satisfies never
    }
  }

  return {
    interpret,
    stop: Effect.suspend(() => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      const running = [...fibers.values()]
      fibers.clear()
      return Effect.forEach(running, (fiber) => Fiber.interrupt(fiber), { concurrency: "unbounded", discard: true })
    })
  }
}
