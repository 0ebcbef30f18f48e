import { setImmediate } from "node:timers/promises"
import { Clock, Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import type { ModelItem } from "../../../src/core/ports/Model.ts"
import { silent, stallAfter } from "../../support/messages-fault.ts"
import { text } from "../../support/messages-reply.ts"
import type { MessagesServer } from "../../support/messages-server.ts"
import { shortest } from "../../support/shortest.ts"
import { collect, optionsFor, streamFrom, textOf, withServer } from "./harness.ts"

type Items = Stream.Stream<ModelItem, ModelFailure>

/** Runs the stream and tells when so many items have been taken. */
const watched = (stream: Items, count: number) =>
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    let taken = 0
    const running = yield* stream.pipe(
      Stream.tap(() => (++taken === count ? Deferred.succeed(reached, undefined) : Effect.void)),
      collect,
      Effect.forkChild
    )
    return { reached: Deferred.await(reached), running }
  })

describe("interrupting the consumer", () => {
  it.each([
    ["in the middle of a response", stallAfter(3, text("hello there, all of you"))],
    ["before the endpoint has answered", silent()]
  ])("%s closes the connection at once", async (_, reply) => {
    const interrupted = (server: MessagesServer) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Stream.runDrain(streamFrom(optionsFor(server.url))))
        const seen = yield* Effect.promise(() => server.arrived(1))
        const before = performance.now()
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => seen.closed)
        expect(seen.aborted).toBe(true)
        return (seen.closedAtMs ?? Infinity) - before
      })
    const elapsed = () => withServer([reply], (server) => Effect.runPromise(interrupted(server)))
    expect(await shortest(100, elapsed)).toBeLessThan(100)
  })

  it("leaves the layer usable", () =>
    withServer([stallAfter(2, text("one")), text("two")], async (server) => {
      const second = await Effect.runPromise(
        Effect.gen(function* () {
          const stream = streamFrom(optionsFor(server.url))
          const first = yield* watched(stream, 3)
          yield* first.reached
          yield* Fiber.interrupt(first.running)
          return yield* collect(stream)
        })
      )
      expect(textOf(second.items)).toBe("two")
    }))
})

describe("a silent endpoint", () => {
  const idle = { idleAbortMs: 300_000, requestTimeoutMs: 600_000 }

  it.each([
    ["after some events", stallAfter(3, text("hello")), 4],
    ["before any answer", silent(), 0]
  ])("%s is given up at the idle limit and not before", (_, reply, count) =>
    withServer([reply], async (server) => {
      const outcome = await Effect.runPromise(
        Effect.gen(function* () {
          const { reached, running } = yield* watched(streamFrom(optionsFor(server.url, idle)), count)
          const seen = yield* Effect.promise(() => server.arrived(1))
          if (count > 0) yield* reached
          yield* TestClock.adjust("299 seconds")
          yield* Effect.promise(() => setImmediate())
          expect(seen.closedAtMs).toBeUndefined()
          yield* TestClock.adjust("2 seconds")
          yield* Effect.promise(() => seen.closed)
          return yield* Fiber.join(running)
        }).pipe(Effect.provide(TestClock.layer()))
      )
      expect(outcome.failure).toMatchObject({ kind: "stalled", status: null })
      expect(outcome.failure?.message).toContain("300 s")
    })
  )

  it("is waited for without end when the limit is off, but not past the request's own", () =>
    withServer([stallAfter(3, text("hello"))], async (server) => {
      const options = optionsFor(server.url, { idleAbortMs: 0, requestTimeoutMs: 600_000 })
      const outcome = await Effect.runPromise(
        Effect.gen(function* () {
          const { reached, running } = yield* watched(streamFrom(options), 4)
          yield* reached
          yield* TestClock.adjust("599 seconds")
          expect(server.requests[0]?.closedAtMs).toBeUndefined()
          yield* TestClock.adjust("1 second")
          return yield* Fiber.join(running)
        }).pipe(Effect.provide(TestClock.layer()))
      )
      expect(outcome.failure).toMatchObject({ kind: "network", code: "ETIMEDOUT" })
    }))

  it("is not blamed for a consumer that takes its time", () =>
    withServer([text("one two three", { deltaChars: 3 })], async (server) => {
      const outcome = await Effect.runPromise(
        streamFrom(optionsFor(server.url, { idleAbortMs: 1_000, requestTimeoutMs: 600_000 })).pipe(
          Stream.tap(() => TestClock.adjust("10 seconds")),
          collect,
          Effect.provide(TestClock.layer())
        )
      )
      expect(outcome.failure).toBeUndefined()
      expect(textOf(outcome.items)).toBe("one two three")
    }))
})

describe("a machine that slept", () => {
  it("takes the connection as lost", () =>
    withServer([stallAfter(3, text("hello"))], async (server) => {
      let wallMs = 1_000
      let wake = (): void => {}
      const clock: Clock.Clock = {
        currentTimeMillisUnsafe: () => wallMs,
        currentTimeMillis: Effect.sync(() => wallMs),
        currentTimeNanosUnsafe: () => BigInt(wallMs) * 1_000_000n,
        currentTimeNanos: Effect.sync(() => BigInt(wallMs) * 1_000_000n),
        monotonicTimeNanosUnsafe: () => 0n,
        monotonicTimeNanos: Effect.succeed(0n),
        sleep: () =>
          Effect.callback((resume) => {
            wake = () => resume(Effect.void)
          })
      }
      const outcome = await Effect.runPromise(
        Effect.gen(function* () {
          const { reached, running } = yield* watched(streamFrom(optionsFor(server.url)), 4)
          yield* reached
          wallMs += 61_000
          wake()
          return yield* Fiber.join(running)
        }).pipe(Effect.provideService(Clock.Clock, clock))
      )
      expect(outcome.failure).toMatchObject({ kind: "network", code: "ECONNABORTED" })
      expect(outcome.failure?.message).toContain("slept")
    }))
})
