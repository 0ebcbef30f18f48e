import { Clock, Context, Effect, Layer, type Scope } from "effect"
import type { AgentId, CallId } from "../../core/domain/id.ts"
import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import { agentView, type SessionView } from "../../core/loop/machine/session-view.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"
import type { Driver } from "./driver.ts"

export type SessionItem =
  | { readonly _tag: "Emitted"; readonly emission: Emission }
  /** Only for audiences that want events. */
  | { readonly _tag: "Streamed"; readonly event: ModelEvent }
  | { readonly _tag: "AgentOpened"; readonly parent: AgentId | null }
  | { readonly _tag: "AgentClosed" }
  | { readonly _tag: "QuestionOpened"; readonly question: PermissionQuestion }
  /** Answered by somebody, or withdrawn. */
  | { readonly _tag: "QuestionClosed"; readonly callId: CallId; readonly answer?: PermissionAnswer }

/** Something that happened, whose it is, and its place in the order of the session. */
export interface Published {
  readonly agent: AgentId
  readonly seq: number
  readonly at: number
  readonly item: SessionItem
}

/** What an audience wants to hear, and when it has heard enough for the moment. */
export interface Wants {
  /** Called in the middle of a step: who takes long puts the item into a queue of its own. */
  readonly onItem: (published: Published) => void
  /** Every event of the model as an item, before the loop takes it. */
  readonly events?: boolean
  /** The open block grew. No more than a signal: ask for a frame and read the state there. */
  readonly onGrowth?: (agent: AgentId) => void
  /** Completes when this audience has caught up; nothing is read from the model before. */
  readonly backpressure?: Effect.Effect<void>
}

/** An agent at work. */
export interface Member {
  readonly parent: AgentId | null
  readonly loop: Pick<Driver, "offer" | "state">
}

/** What the agents of a session tell, to any number of audiences. */
export class Publications extends Context.Service<
  Publications,
  {
    /** Names an agent until the scope closes; its state is part of the view meanwhile. */
    readonly join: (agent: AgentId, member: Member) => Effect.Effect<void, never, Scope.Scope>
    readonly publish: (agent: AgentId, item: SessionItem) => void
    readonly stream: (agent: AgentId, event: ModelEvent) => void
    readonly grew: (agent: AgentId) => void
    readonly member: (agent: AgentId) => Member | undefined
    readonly backpressure: () => Effect.Effect<void>
    readonly view: () => SessionView
    /** Everything behind the view that comes back is heard, and nothing that is in it. */
    readonly attach: (wants: Wants) => Effect.Effect<SessionView, never, Scope.Scope>
  }
>()("nacre/shell/Publications") {}

const slowestOf = (audiences: ReadonlyArray<Wants>): Effect.Effect<void> => {
  const [first = Effect.void, ...others] = audiences.flatMap(({ backpressure }) => backpressure ?? [])
  return others.reduce((all, one) => Effect.andThen(all, one), first)
}

const make = Effect.map(Clock.Clock, (clock): Publications["Service"] => {
  const members = new Map<AgentId, Member>()
  // Replaced as a whole: who attaches or leaves in the middle of an item changes nothing for that item.
  let audiences: ReadonlyArray<Wants> = []
  let eager: ReadonlyArray<Wants> = []
  let backpressure: Effect.Effect<void> = Effect.void
  let seq = 0

  const setAudiences = (next: ReadonlyArray<Wants>): void => {
    audiences = next
    eager = next.filter(({ events }) => events === true)
    backpressure = slowestOf(next)
  }

  /** An audience that fails must not make others deaf; its failure is told all the same. */
  const tell = (among: ReadonlyArray<Wants>, published: Published): void => {
    const defects: Array<unknown> = []
    for (const { onItem } of among) {
      try {
        onItem(published)
      } catch (defect) {
        defects.push(defect)
      }
    }
    if (defects.length > 0) throw defects[0]
  }

  const publish = (agent: AgentId, item: SessionItem, among = audiences): void =>
    tell(among, { agent, seq: ++seq, at: clock.currentTimeMillisUnsafe(), item })

  const view = (): SessionView => ({
    version: 1,
    seq,
    agents: [...members].map(([agent, { parent, loop }]) => agentView(agent, parent, loop.state()))
  })

  return {
    publish: (agent, item) => publish(agent, item),
    stream: (agent, event) => {
      if (eager.length > 0) publish(agent, { _tag: "Streamed", event }, eager)
    },
    grew: (agent) => {
      for (const { onGrowth } of audiences) onGrowth?.(agent)
    },
    member: (agent) => members.get(agent),
    backpressure: () => backpressure,
    view,
    join: (agent, member) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          members.set(agent, member)
          publish(agent, { _tag: "AgentOpened", parent: member.parent })
        }),
        () =>
          Effect.sync(() => {
            members.delete(agent)
            publish(agent, { _tag: "AgentClosed" })
          })
      ),
    attach: (wants) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          setAudiences([...audiences, wants])
          return view()
        }),
        () => Effect.sync(() => setAudiences(audiences.filter((one) => one !== wants)))
      )
  }
})

export const layer: Layer.Layer<Publications> = Layer.effect(Publications, make)
