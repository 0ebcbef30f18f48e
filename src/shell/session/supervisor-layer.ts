import { join } from "node:path"
import { Context, Deferred, Effect, Fiber, FiberMap, Layer, Result, type Scope } from "effect"
import { childConfig, childPermission, childTools, type AgentKind, occurrenceFor } from "../../core/agents/agent-kind.ts"
import { toArray } from "../../core/domain/append-list.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { type AgentId, MAIN_AGENT } from "../../core/domain/id.ts"
import type { TurnResult } from "../../core/loop/machine/emission.ts"
import { NO_TOTALS } from "../../core/loop/turn/start-turn.ts"
import { spentOn } from "../../core/loop/turn/accounting.ts"
import { Git } from "../../core/ports/Git.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import type { Audience } from "../runtime/audience.ts"
import { AgentLoop, type Witness } from "../runtime/driver.ts"
import { type Member, Publications } from "../runtime/publications.ts"
import { AgentFailed, type AgentOrder, SpawnRefused, Supervisor, UnknownAgent } from "../tools/services/supervisor.ts"
import { openAgent } from "./open-agent.ts"
import type { Witnesses } from "./witnesses.ts"
import { memoryOf, type SessionServices, unwrittenMemory } from "./session-services.ts"

/** How long an interrupted agent may take to settle its calls. */
const INTERRUPT_MS = 3_000

interface Ends {
  readonly parent: Member["loop"]
  readonly onEnd: (result: TurnResult) => void
}

/** Hears in the same step what an agent spends, which its parent counts too, and that nothing is left for it to do. */
const watching = ({ parent, onEnd }: Ends): Witness => {
  let totals = NO_TOTALS
  let last: TurnResult | undefined
  return (event, state, commands) => {
    const spent = spentOn(event, totals, state.totals)
    totals = state.totals
    if (spent.length > 0) parent.offer({ _tag: "SpentBeside", spent })
    for (const command of commands) {
      if (command._tag === "Emit" && command.emission._tag === "TurnFinished") last = command.emission.result
    }
    if (state.run._tag === "Done" && last !== undefined) onEnd(last)
  }
}

const failed = (message: string): AgentFailed => new AgentFailed({ message })

interface Session {
  readonly plan: SessionPlan
  readonly answers: Pick<Audience, "ask">
  readonly hooks: Hooks
  readonly witnesses: Witnesses
}

/** An agent from its opening to its report. */
const live = Effect.fnUntraced(function* (
  { plan, answers, hooks, witnesses }: Session,
  { id, kind, prompt, parent }: AgentOrder,
  { loop }: Member
): Effect.fn.Return<TurnResult, AgentFailed, Scope.Scope | SessionServices> {
  const ended = yield* Deferred.make<TurnResult, AgentFailed>()
  const state = loop.state()
  const { sessionId, sessionDir } = state.config.place
  const { branch } = (yield* Git).facts(plan.cwd)
  const path = join(sessionDir, "subagents", `agent-${id}.jsonl`)
  const { messages, replacements, tip } = state.conversation
  const forked = { messages: toArray(messages), replacements, totals: NO_TOTALS, tip, queue: [] }
  const initial = {
    config: childConfig(state, kind),
    tools: childTools(state.toolbox, kind),
    permission: childPermission(state.permission, kind),
    cwd: state.cwd,
    seed: crypto.randomUUID(),
    ...(kind.side?.isFork === true ? { restored: forked } : {})
  }
  const onEnd = (result: TurnResult): void => void Deferred.doneUnsafe(ended, Effect.succeed(result))
  const agent = yield* openAgent({
    id,
    parent,
    plan,
    sessionId,
    sessionDir,
    initial,
    witnesses: [...(yield* Effect.mapError(witnesses.of(id, initial), failed)), watching({ parent: loop, onEnd })],
    // Where a turn never began there is nothing to finish: whatever breaks is the end.
    onDefect: (message) => void Deferred.doneUnsafe(ended, Effect.fail(failed(message))),
    answers,
    context: { plan, memory: { _tag: "Off", why: "the memory is the first agent's" } },
    hooks,
    memory:
      kind.side === undefined
        ? memoryOf(plan, { sessionId, path, agentId: id }, branch)
        : unwrittenMemory(initial.restored?.messages ?? [])
  }).pipe(Effect.mapError(failed))
  Context.get(agent, AgentLoop).offer({
    _tag: "PromptSubmitted",
    uuid: crypto.randomUUID(),
    content: prompt,
    priority: "next",
    origin: "task",
    appendOnly: false
  })
  // The step that ended it is carried out to its last command before its scope closes.
  return yield* Effect.tap(Deferred.await(ended), Effect.yieldNow)
})

const make = Effect.fnUntraced(function* (
  session: Session
): Effect.fn.Return<Supervisor["Service"], never, Scope.Scope | SessionServices> {
  const services = yield* Effect.context<SessionServices>()
  const { member, view } = yield* Publications
  const fibers = yield* FiberMap.make<AgentId, TurnResult, AgentFailed>()
  const kinds = new Map<AgentId, AgentKind>()

  const depthOf = (agent: AgentId): number => {
    const parent = member(agent)?.parent ?? null
    return parent === null ? 0 : 1 + depthOf(parent)
  }
  /** Who wants it, if it may have it. */
  const admit = ({ id, parent }: AgentOrder): Result.Result<Member, string> => {
    const open = member(parent)
    if (open === undefined) return Result.fail(`the agent ${parent} that wants another one has ended`)
    if (kinds.has(id) || id === MAIN_AGENT) return Result.fail(`an agent ${id} is at work already`)
    if (depthOf(parent) >= LIMITS.agentDepth) return Result.fail(`agents start each other ${LIMITS.agentDepth} deep at most`)
    return kinds.size < LIMITS.agents ? Result.succeed(open) : Result.fail(`${LIMITS.agents} agents are at work, the most`)
  }

  const spawn: Supervisor["Service"]["spawn"] = Effect.fnUntraced(function* (order) {
    const admitted = admit(order)
    if (Result.isFailure(admitted)) return yield* new SpawnRefused({ message: admitted.failure })
    kinds.set(order.id, order.kind)
    const lived = live(session, order, admitted.success).pipe(
      Effect.scoped,
      Effect.catchDefect((defect) => failed(String(defect))),
      Effect.ensuring(Effect.sync(() => kinds.delete(order.id)))
    )
    return yield* FiberMap.run(fibers, order.id, Effect.provideContext(lived, services))
  })

  const interrupt: Supervisor["Service"]["interrupt"] = Effect.fnUntraced(function* (id) {
    const fiber = FiberMap.getUnsafe(fibers, id)
    const open = member(id)
    open?.loop.offer({ _tag: "Interrupted" })
    if (fiber._tag === "None") return
    if (open !== undefined) yield* Effect.timeoutOption(Fiber.await(fiber.value), INTERRUPT_MS)
    yield* FiberMap.remove(fibers, id)
  })

  return {
    spawn,
    interrupt,
    tell: (id, occurrence) =>
      Effect.suspend(() => {
        const open = member(id)
        if (open === undefined) return new UnknownAgent({ agent: id })
        return Effect.sync(() => open.loop.offer(occurrence))
      }),
    tellAll: (occurrence) => {
      member(MAIN_AGENT)?.loop.offer(occurrence)
      for (const [id, kind] of kinds) member(id)?.loop.offer(occurrenceFor(kind, occurrence))
    },
    list: Effect.sync(() => view().agents)
  }
})

export const supervisorLayer = (session: Session): Layer.Layer<Supervisor, never, SessionServices> =>
  Layer.effect(Supervisor, make(session))
