import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Log from "../../../src/core/domain/append-list.ts"
import { MAIN_AGENT } from "../../../src/core/domain/id.ts"
import type { Emission } from "../../../src/core/loop/machine/emission.ts"
import { AgentLoop, makeDriver } from "../../../src/shell/runtime/driver.ts"
import { startInterpreter } from "../../../src/shell/runtime/interpret.ts"
import { layer as publicationsLayer } from "../../../src/shell/runtime/publications.ts"
import { disabled as persistDisabled } from "../../../src/shell/runtime/persist.ts"
import type { BoundExecutor } from "../../../src/shell/tools/contract/bound-executor.ts"
import { sessionFactPorts } from "../../support/fact-ports.ts"
import { loopState, PROJECT_DIR } from "../../support/loop-fixture.ts"
import { type Answer, answering, failing, onlyTheFirst, toolCall, words } from "./scripted-model.ts"
import { phaseOf, turnOf } from "../../../src/core/loop/machine/transition.ts"

/** The interpreter in virtual time: what it waits for comes when the clock says so. */
const ports = await sessionFactPorts()

const NOBODY: BoundExecutor<never> = { maxResultChars: 1_000, prepare: () => Effect.void, run: () => Effect.never }

const agent = Effect.fnUntraced(function* (executorOf: () => BoundExecutor<never> | undefined = () => NOBODY) {
  const { offer, state } = yield* AgentLoop
  const emissions: Array<Emission> = []
  yield* startInterpreter({
    answerHosts: () => {},
    readWindow: () => Effect.succeed({ cause: "there is no transcript" }),
    save: () => Effect.void,
    collect: () => Effect.succeed({}),
    agent: MAIN_AGENT,
    emit: (emission) => void emissions.push(emission),
    agents: undefined,
    answers: {},
    questions: new Map(),
    hooks: { listensTo: () => false, ask: () => Effect.succeed({}) },
    tools: {
      executorOf,
      offer,
      sandboxProblem: Effect.succeed(undefined),
      session: {
        sessionId: "s",
        projectDir: PROJECT_DIR,
        additionalDirs: [],
        sessionDir: PROJECT_DIR,
        nonInteractive: true,
        env: {}
      }
    }
  })
  const ask = (): void =>
    offer({ _tag: "PromptSubmitted", uuid: "p", content: "hi", priority: "next", origin: "human", appendOnly: false })
  return { offer, state, emissions, ask, phase: () => phaseOf(state())._tag }
})

const inVirtualTime = <A>(
  answers: ReadonlyArray<Answer>,
  work: Effect.Effect<A, never, Effect.Services<ReturnType<typeof agent>>>
): Promise<A> => {
  const loop = makeDriver({
    initial: loopState(),
    now: () => 0,
    witnesses: [],
    onDefect: (defect) => {
      throw defect
    }
  })
  const services = Layer.mergeAll(
    Layer.succeed(AgentLoop, loop),
    Layer.succeedContext(ports),
    answering(...answers),
    persistDisabled,
    publicationsLayer,
    TestClock.layer()
  )
  return Effect.runPromise(Effect.scoped(work).pipe(Effect.provide(services)))
}

const textsOf = (emissions: ReadonlyArray<Emission>): ReadonlyArray<string> =>
  emissions.flatMap((emission) => (emission._tag === "Notice" ? [emission.text] : []))

describe("the interpreter", () => {
  it("carries a turn to its end", () =>
    inVirtualTime(
      [words("hello")],
      Effect.gen(function* () {
        const { ask, emissions, phase } = yield* agent()
        ask()
        yield* TestClock.adjust(0)
        expect(phase()).toBe("Done")
        expect(emissions.at(-1)).toMatchObject({ _tag: "TurnFinished", result: { text: "hello" } })
      })
    ))

  it("tries again when the clock says so, and not before", () =>
    inVirtualTime(
      [failing({})],
      Effect.gen(function* () {
        const { ask, emissions, phase } = yield* agent()
        const tries = () => emissions.filter(({ _tag }) => _tag === "RetryScheduled").length
        ask()
        yield* TestClock.adjust(1)
        expect([phase(), tries()]).toEqual(["Waiting", 1])
        yield* TestClock.adjust("1 hour")
        expect([phase(), tries()]).toEqual(["Done", 10])
      })
    ))

  it("tells of a model that has gone silent, again as the silence grows", () =>
    inVirtualTime(
      [onlyTheFirst(4, words("hello"))],
      Effect.gen(function* () {
        const { ask, emissions } = yield* agent()
        ask()
        yield* TestClock.adjust("19 seconds")
        expect(textsOf(emissions)).toEqual([])
        yield* TestClock.adjust("22 seconds")
        expect(textsOf(emissions)).toEqual([
          "no data from the model for 20 s; still waiting, Ctrl-C interrupts",
          "no data from the model for 40 s; still waiting, Ctrl-C interrupts"
        ])
      })
    ))

  it("a call that is cancelled settles, at whatever moment it is", async () => {
    const met = new Set<string>()
    const slowly = Stream.tap(toolCall("toolu_1", "TodoWrite", { todos: [] }), () => Effect.yieldNow)
    for (let turns = 0; turns < 40; turns++) {
      await inVirtualTime(
        [slowly],
        Effect.gen(function* () {
          const { ask, offer, state, phase, emissions } = yield* agent()
          ask()
          for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
          met.add(turnOf(state())?.calls[0]?.stage ?? "none")
          offer({ _tag: "Interrupted" })
          yield* TestClock.adjust("1 hour")
          expect(phase()).toBe("Done")
          const ends = emissions.filter(({ _tag }) => _tag === "TurnFinished")
          expect(ends, `after ${turns} turns of the scheduler`).toHaveLength(1)
        })
      )
    }
    expect([...met]).toEqual(["none", "executing"])
  })

  it("settles a call whose tool has nobody left to run it, before it was looked at and after", async () => {
    for (const stays of [0, 1]) {
      await inVirtualTime(
        [toolCall("toolu_1", "TodoWrite", { todos: [] }), words("I see")],
        Effect.gen(function* () {
          let looks = 0
          const { ask, state, phase } = yield* agent(() => (looks++ < stays ? NOBODY : undefined))
          ask()
          yield* TestClock.adjust("1 hour")
          expect(phase()).toBe("Done")
          const results = Log.toArray(state().conversation.messages).filter(({ type }) => type === "user")
          expect(JSON.stringify(results)).toContain("No such tool available: TodoWrite")
        })
      )
    }
  })

  it("ends all work with its scope, and the loop with it", () =>
    inVirtualTime(
      [toolCall("toolu_1", "TodoWrite", { todos: [] })],
      Effect.gen(function* () {
        const ended: Array<string> = []
        const scope = yield* Scope.make()
        const run = () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push("call")))
        const running = agent(() => ({ ...NOBODY, run }))
        const { ask, offer, state, emissions } = yield* Scope.provide(running, scope)
        ask()
        while (turnOf(state())?.calls[0]?.stage !== "executing") yield* Effect.promise(() => new Promise(setImmediate))
        const before = emissions.length
        yield* Scope.close(scope, Exit.void)
        expect(ended).toEqual(["call"])
        const last = state()
        offer({ _tag: "PromptSubmitted", uuid: "q", content: "x", priority: "next", origin: "human", appendOnly: false })
        expect(state()).toBe(last)
        expect([phaseOf(state())._tag, emissions.length]).toEqual(["Done", before])
      })
    ))
})
