import { Cause, Effect, Fiber, type Scope } from "effect"
import { MAIN_AGENT } from "../../core/domain/id.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import type { Occurrence, SideEnd } from "../../core/loop/machine/event.ts"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import type { Model } from "../../core/ports/Model.ts"
import { askModel } from "../model/call-model.ts"
import { Publications, type SessionItem } from "./publications.ts"
import type { AgentFailed, SpawnRefused, Supervisor } from "../tools/services/supervisor.ts"

type StartSide = Extract<Command, { readonly _tag: "StartSide" }>
type Act = Extract<StartSide["work"], { readonly _tag: "Act" }>
type Answer = Extract<SideEnd, { readonly _tag: "SideSettled" }>["answer"]

export interface SideRun {
  readonly offer: (occurrence: Occurrence) => void
  /** Starts agents for tasks that write. Without it there are none. */
  readonly agents: Supervisor["Service"] | undefined
}

type Failure = ModelFailure | AgentFailed | SpawnRefused | string

/** The file that a result says was written. */
const writtenPath = (item: SessionItem): string | undefined => {
  if (item._tag !== "Emitted" || item.emission._tag !== "MessageAdded") return undefined
  const { message } = item.emission
  if (message.type !== "user" || typeof message.toolUseResult !== "object" || message.toolUseResult === null)
    return undefined
  const { filePath }: { readonly filePath?: unknown } = { ...message.toolUseResult }
  return typeof filePath === "string" ? filePath : undefined
}

/** An agent that works until it ends. What it spends its parent counts as it is spent. */
const act = Effect.fnUntraced(function* (
  agents: Supervisor["Service"],
  { sideId, kind }: StartSide,
  { order }: Act
): Effect.fn.Return<Answer, Failure, Publications | Scope.Scope> {
  const { sight, grant, tools, maxTurns } = order
  const wrote = new Set<string>()
  yield* (yield* Publications).attach({
    onItem: ({ agent, item }) => {
      const path = agent === sideId ? writtenPath(item) : undefined
      if (path !== undefined) wrote.add(path)
    }
  })
  const isFork = sight._tag === "Fork"
  const fiber = yield* agents.spawn({
    id: sideId,
    parent: MAIN_AGENT,
    prompt: isFork ? sight.instruction : sight.content,
    kind: {
      name: kind,
      maxTurns,
      side: { kind, grant, isFork },
      ...(isFork ? {} : { tools, system: [{ type: "text", text: sight.system }] })
    }
  })
  const { text } = yield* Effect.onInterrupt(Fiber.join(fiber), () => agents.interrupt(sideId))
  return { text, wrote: [...wrote] }
}, Effect.scoped)

const ask = (
  request: ModelRequest,
  onSpent: (spent: SideEnd["spent"]) => void
): Effect.Effect<Answer, ModelFailure, Model> =>
  Effect.map(
    askModel(request, ({ model, usage }) => onSpent([{ model, usage }])),
    ({ text }) => ({ text })
  )

const causeOf = (failure: Failure): string => {
  if (typeof failure === "string") return failure
  return "_tag" in failure ? failure.message : describeFailure(failure)
}

/** Whatever happens to it, its end is reported with what it cost, also when it was told to stop. */
export const runSideTask = (
  { offer, agents }: SideRun,
  command: StartSide
): Effect.Effect<void, never, Model | Publications> => {
  const { sideId, timeoutMs, work } = command
  let spent: SideEnd["spent"] = []
  const failed = (cause: string): void => offer({ _tag: "SideFailed", sideId, cause, spent })
  const done: Effect.Effect<Answer, Failure, Model | Publications> =
    work._tag === "Ask"
      ? ask(work.request, (known) => (spent = known))
      : agents === undefined
        ? Effect.fail("an agent for it cannot be started here")
        : act(agents, command, work)
  return done.pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.fail(`no answer within ${timeoutMs / 1_000} seconds`)
    }),
    Effect.match({
      onSuccess: (answer) => offer({ _tag: "SideSettled", sideId, answer, spent }),
      onFailure: (failure) => failed(causeOf(failure))
    }),
    Effect.catchCause((cause) => Effect.sync(() => failed(Cause.pretty(cause)))),
    Effect.onInterrupt(() => Effect.sync(() => failed("stopped")))
  )
}
