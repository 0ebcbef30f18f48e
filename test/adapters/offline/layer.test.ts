import { Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import type { ModelRequest } from "../../../src/core/model/request/model-request.ts"
import { Model, type ModelItem } from "../../../src/core/ports/Model.ts"
import { layer } from "../../../src/adapters/offline/layer.ts"
import type { OfflineOptions } from "../../../src/adapters/offline/respond.ts"
import { asking, OPTIONS, saidIn } from "./world.ts"

const running = <A, E>(
  body: (stream: Model["Service"]["stream"]) => Effect.Effect<A, E>,
  options: OfflineOptions = OPTIONS
): Effect.Effect<A, E> =>
  Effect.provide(
    Effect.flatMap(Model, (model) => body(model.stream)),
    layer(options)
  )

const heard = (items: ReadonlyArray<ModelItem>): string =>
  saidIn(items.flatMap((item) => (item._tag === "Event" ? [item.event] : []))).text

/** The status of each request in a row; null for one that was answered. */
const statuses = (requests: ReadonlyArray<ModelRequest>): Promise<ReadonlyArray<number | null>> =>
  Effect.runPromise(
    running((stream) =>
      Effect.forEach(requests, (asked) =>
        Effect.match(Stream.runDrain(stream(asked)), { onSuccess: () => null, onFailure: (failure) => failure.status })
      )
    )
  )

describe("the offline layer", () => {
  it("opens, streams and ends", async () => {
    const asked = asking("@say hello there, world")
    const items = await Effect.runPromise(running((stream) => Stream.runCollect(stream(asked))))
    expect(items[0]).toEqual({ _tag: "Opened" })
    expect(items.at(-1)).toEqual({ _tag: "Event", event: { type: "message_stop" } })
    expect(heard(items)).toBe("hello there, world")
  })

  it("counts the requests that a fault hit, and forgets them once answered", async () => {
    const asked = asking("@fault overloaded 2\n@say hi")
    const larger = { ...asked, max_tokens: 64_000 }
    expect(await statuses([asked, larger, asked, asked])).toEqual([529, 529, null, 529])
  })

  it("counts for each model and prompt on its own", async () => {
    const asked = (prompt: string, model = "offline") =>
      asking(`@fault overloaded 1\n@fault auth 1 offline-b\n@say ${prompt}`, { model })
    expect(await statuses([asked("a"), asked("b"), asked("a", "offline-b"), asked("a")])).toEqual([529, 529, 401, null])
  })

  it("delivers what came before the connection broke", async () => {
    const seen: Array<ModelItem> = []
    const asked = asking("@fault disconnect:text\n@say some words to cut")
    const exit = await Effect.runPromiseExit(
      running((stream) => Stream.runForEach(stream(asked), (item) => Effect.sync(() => seen.push(item))))
    )
    expect(Exit.isFailure(exit)).toBe(true)
    expect(heard(seen)).not.toBe("")
  })

  it("stalls until it is interrupted", async () => {
    const exit = await Effect.runPromise(
      running((stream) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(Stream.runDrain(stream(asking("@fault stall\n@say x"))))
          yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          return yield* Fiber.await(fiber)
        })
      )
    )
    expect(Exit.hasInterrupts(exit)).toBe(true)
  })

  it("waits before each chunk when it is told to", async () => {
    const counts = await Effect.runPromise(
      running(
        (stream) =>
          Effect.gen(function* () {
            let chunks = 0
            const count = (item: ModelItem) => {
              if (item._tag === "Event" && item.event.type === "content_block_delta") chunks += 1
            }
            const fiber = yield* Effect.forkChild(
              Stream.runForEach(stream(asking(`@say ${"x".repeat(36)}`)), (item) => Effect.sync(() => count(item)))
            )
            const seen: Array<number> = []
            for (let tick = 0; tick < 3; tick++) {
              yield* TestClock.adjust(50)
              seen.push(chunks)
            }
            yield* Fiber.join(fiber)
            return seen
          }),
        { ...OPTIONS, delayMs: 50 }
      ).pipe(Effect.provide(TestClock.layer()))
    )
    expect(counts).toEqual([1, 2, 3])
  })
})
