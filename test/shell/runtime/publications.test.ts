import { Effect, Exit, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { MAIN_AGENT } from "../../../src/core/domain/id.ts"
import { layer, type Published, Publications, type SessionItem } from "../../../src/shell/runtime/publications.ts"
import { loopState } from "../../support/loop-fixture.ts"

const notice = (text: string): SessionItem => ({ _tag: "Emitted", emission: { _tag: "Notice", level: "info", text } })
const DELTA = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } } as const

const said = (heard: ReadonlyArray<Published>): ReadonlyArray<string> =>
  heard.map(({ item }) => (item._tag === "Emitted" && item.emission._tag === "Notice" ? item.emission.text : item._tag))

/** An audience and what it has heard. */
const listener = () => {
  const heard: Array<Published> = []
  return { heard, onItem: (published: Published) => void heard.push(published) }
}

const publishing = <A>(use: (publications: Publications["Service"]) => Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(Publications, use)).pipe(Effect.provide(layer)))

describe("publications", () => {
  it("an audience hears all that comes after its view, in order, and no more once its scope is closed", () =>
    publishing(({ attach, publish }) =>
      Effect.gen(function* () {
        const [first, second] = [listener(), listener()]
        const scope = yield* Scope.make()
        yield* attach(first)
        publish(MAIN_AGENT, notice("a"))
        const view = yield* Scope.provide(attach(second), scope)
        publish("agent-1", notice("b"))
        yield* Scope.close(scope, Exit.void)
        publish(MAIN_AGENT, notice("c"))
        expect(said(first.heard)).toEqual(["a", "b", "c"])
        expect(said(second.heard)).toEqual(["b"])
        expect(first.heard.map(({ agent, seq }) => [agent, seq])).toEqual([
          [MAIN_AGENT, 1],
          ["agent-1", 2],
          [MAIN_AGENT, 3]
        ])
        expect(view.seq).toBe(1)
      })
    ))

  it("one that attaches because of an item has that item in its view and does not hear it again", () =>
    publishing(({ attach, publish }) =>
      Effect.gen(function* () {
        const late = listener()
        const scope = yield* Effect.scope
        let seq = 0
        const once = { onItem: () => void (seq ||= Effect.runSync(Scope.provide(attach(late), scope)).seq) }
        yield* attach(once)
        publish(MAIN_AGENT, notice("a"))
        publish(MAIN_AGENT, notice("b"))
        expect([seq, said(late.heard)]).toEqual([1, ["b"]])
      })
    ))

  it("growth is a signal; events are items only for those who want them, in order with the rest", () =>
    publishing(({ attach, publish, stream, grew }) =>
      Effect.gen(function* () {
        let signals = 0
        const [quiet, loud] = [listener(), listener()]
        yield* attach({ ...quiet, onGrowth: () => void signals++ })
        for (let delta = 0; delta < 500; delta++) {
          stream(MAIN_AGENT, DELTA)
          grew(MAIN_AGENT)
        }
        expect([signals, quiet.heard.length]).toEqual([500, 0])
        yield* attach({ ...loud, events: true })
        publish(MAIN_AGENT, notice("a"))
        stream(MAIN_AGENT, DELTA)
        publish(MAIN_AGENT, notice("b"))
        expect(said(loud.heard)).toEqual(["a", "Streamed", "b"])
        expect(said(quiet.heard)).toEqual(["a", "b"])
      })
    ))

  it("an audience that fails leaves the others their items, and does not go unnoticed", () =>
    publishing(({ attach, publish }) =>
      Effect.gen(function* () {
        const other = listener()
        const failing = {
          onItem: () => {
            throw new Error("no paper")
          }
        }
        yield* attach(failing)
        yield* attach(other)
        expect(() => publish(MAIN_AGENT, notice("a"))).toThrow("no paper")
        expect(said(other.heard)).toEqual(["a"])
      })
    ))

  it("waits for every audience that is behind", () =>
    publishing(({ attach, backpressure }) =>
      Effect.gen(function* () {
        const waited: Array<string> = []
        const slow = (name: string) => ({ onItem: () => {}, backpressure: Effect.sync(() => void waited.push(name)) })
        yield* backpressure()
        yield* attach(slow("one"))
        yield* attach({ onItem: () => {} })
        yield* attach(slow("two"))
        yield* backpressure()
        expect(waited).toEqual(["one", "two"])
      })
    ))

  it("agents are in the view from their opening to their end", () =>
    publishing(({ attach, join, view }) =>
      Effect.gen(function* () {
        const { heard, onItem } = listener()
        yield* attach({ onItem })
        const scope = yield* Scope.make()
        yield* join(MAIN_AGENT, { parent: null, loop: { state: () => loopState(), offer: () => {} } })
        yield* Scope.provide(
          join("agent-1", { parent: MAIN_AGENT, loop: { state: () => loopState(), offer: () => {} } }),
          scope
        )
        expect(view().agents.map(({ agent, parent }) => [agent, parent])).toEqual([
          [MAIN_AGENT, null],
          ["agent-1", MAIN_AGENT]
        ])
        yield* Scope.close(scope, Exit.void)
        expect(view().agents.map(({ agent }) => agent)).toEqual([MAIN_AGENT])
        expect(said(heard)).toEqual(["AgentOpened", "AgentOpened", "AgentClosed"])
      })
    ))
})
