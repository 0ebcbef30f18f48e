import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { Command } from "../../../src/core/loop/machine/command.ts"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import type { ModelItem } from "../../../src/core/ports/Model.ts"
import { layer as publications } from "../../../src/shell/runtime/publications.ts"
import { runSideTask } from "../../../src/shell/runtime/run-side-task.ts"
import { type Answer, answering, failing, onlyTheFirst, words } from "./scripted-model.ts"

const START: Extract<Command, { _tag: "StartSide" }> = {
  _tag: "StartSide",
  sideId: "side-1",
  kind: "title",
  timeoutMs: 5_000,
  work: {
    _tag: "Ask",
    request: { source: "title", model: "small", max_tokens: 60, tools: [], system: [], messages: [] }
  }
}

const PAID: ModelItem = {
  _tag: "Event",
  event: { type: "message_start", message: { id: "m", model: "small", usage: { ...zeroUsage, input_tokens: 700 } } }
}
const paid = (rest: Answer): Answer => Stream.concat(Stream.make(PAID), rest)
const SPENT = [{ model: "small", usage: { ...zeroUsage, input_tokens: 700 } }]

/** What is offered when the model answers so; `meanwhile` may stop it or let time pass. */
const played = (answer: Answer, meanwhile: (fiber: Fiber.Fiber<void>) => Effect.Effect<unknown> = Fiber.await) =>
  Effect.gen(function* () {
    const offered: Array<Occurrence> = []
    const fiber = yield* Effect.forkChild(runSideTask({ offer: (one) => offered.push(one), agents: undefined }, START), {
      startImmediately: true
    })
    yield* meanwhile(fiber)
    yield* Fiber.await(fiber)
    return offered
  }).pipe(
    Effect.provide([answering(answer), publications]),
    Effect.provide(TestClock.layer()),
    Effect.scoped,
    Effect.runPromise
  )

describe("a side task", () => {
  it("is answered", async () => {
    expect(await played(words("Parser"))).toMatchObject([
      { _tag: "SideSettled", sideId: "side-1", answer: { text: "Parser" }, spent: [{ model: "offline" }] }
    ])
  })

  it("fails with what it has cost: broken off, too late, or told to stop", async () => {
    const failed = (cause: string) => [expect.objectContaining({ _tag: "SideFailed", cause, spent: SPENT })]
    expect(await played(paid(failing({ message: "down" })))).toEqual([
      expect.objectContaining({ _tag: "SideFailed", spent: SPENT })
    ])
    expect(await played(paid(Stream.never), () => TestClock.adjust(6_000))).toEqual(failed("no answer within 5 seconds"))
    expect(await played(paid(Stream.never), Fiber.interrupt)).toEqual(failed("stopped"))
    expect(await played(onlyTheFirst(0, words("x")), Fiber.interrupt)).toMatchObject([{ _tag: "SideFailed", spent: [] }])
  })
})
