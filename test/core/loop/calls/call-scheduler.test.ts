import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { startable, resultsDue } from "../../../../src/core/loop/calls/call-scheduler.ts"
import type { Call, CallStage } from "../../../../src/core/loop/machine/state.ts"
import { permissions } from "../../../support/loop-fixture.ts"
import { bash, type CallPlan, failure, grep, read, returned, write } from "../response-plan.ts"
import { at, callOf, isSafe } from "../call-at.ts"
import { Script } from "../script.ts"
import { turnOf, isRunning, phaseOf } from "../../../../src/core/loop/machine/transition.ts"
import { setTurn } from "../../../../src/core/loop/machine/patch-state.ts"
import { timerFor } from "../../../../src/core/loop/machine/pending.ts"

/** Scheduling of the calls of one response (02 §2.5): overlap, order, and the fate of siblings. */
const ALLOWED = permissions({ mode: "bypassPermissions" })

const call = (id: string, safe: boolean, stage: CallStage): Call => at(callOf(id, safe), stage)

const isBusy = ({ stage }: Call): boolean => stage !== "queued" && stage !== "completed"

interface Schedule {
  readonly safe: ReadonlyArray<boolean>
  readonly parallel: number
  /** Which of the running calls ends next, over and over. */
  readonly picks: ReadonlyArray<number>
}

const schedule: fc.Arbitrary<Schedule> = fc.record({
  safe: fc.array(fc.boolean(), { maxLength: 12 }),
  parallel: fc.integer({ min: 1, max: 5 }),
  picks: fc.array(fc.nat(11), { minLength: 12, maxLength: 12 })
})

const put = (calls: ReadonlyArray<Call>, call: Call): ReadonlyArray<Call> =>
  calls.map((other) => (other.id === call.id ? call : other))

const moved = (calls: ReadonlyArray<Call>, id: string, stage: CallStage): ReadonlyArray<Call> =>
  calls.map((other) => (other.id === id && "reading" in other ? at(callOf(id, isSafe(other)), stage) : other))

/** Runs everything to its end and tells every state in between and the order of the results. */
const simulate = ({ safe, parallel, picks }: Schedule) => {
  let calls: ReadonlyArray<Call> = safe.map((isSafe, index) => call(String(index), isSafe, "queued"))
  const states: Array<ReadonlyArray<Call>> = []
  const begun: Array<string> = []
  const results: Array<string> = []
  const settle = (): void => {
    for (const next of startable(calls, parallel)) {
      begun.push(next.id)
      calls = put(calls, at(next, "executing"))
    }
    for (const due of resultsDue(calls)) {
      results.push(due.id)
      calls = put(calls, { ...due, isYielded: true })
    }
    states.push(calls)
  }
  settle()
  for (const pick of picks) {
    const running = calls.filter(isBusy)
    const ended = running[pick % Math.max(1, running.length)]
    if (ended !== undefined) calls = moved(calls, ended.id, "completed")
    settle()
  }
  return { calls, states, begun, results }
}

describe("any interleaving of completions", () => {
  it("never runs an unsafe call beside anything, nor more safe ones than allowed", () => {
    fc.assert(
      fc.property(schedule, (plan) => {
        for (const calls of simulate(plan).states) {
          const busy = calls.filter(isBusy)
          if (!busy.every(isSafe)) expect(busy).toHaveLength(1)
          expect(busy.length).toBeLessThanOrEqual(plan.parallel)
        }
      })
    )
  })

  it("runs every call once and gives the results in the order of the calls, each once", () => {
    fc.assert(
      fc.property(schedule, (plan) => {
        const { calls, begun, results } = simulate(plan)
        const ids = calls.map(({ id }) => id)
        expect(begun.toSorted()).toEqual(ids.toSorted())
        expect(results).toEqual(ids)
      })
    )
  })

  it("lets nothing overtake an unsafe call that waits", () => {
    fc.assert(
      fc.property(schedule, (plan) => {
        const { begun } = simulate(plan)
        plan.safe.forEach((safe, index) => {
          if (safe) return
          const later = begun.slice(0, begun.indexOf(String(index))).filter((id) => Number(id) > index)
          expect(later).toEqual([])
        })
      })
    )
  })

  it("always has something to do until everything is done", () => {
    fc.assert(
      fc.property(schedule, (plan) => {
        for (const calls of simulate(plan).states) {
          if (calls.some(({ stage }) => stage === "queued")) expect(calls.some(isBusy)).toBe(true)
        }
      })
    )
  })
})

describe("which calls may begin", () => {
  it("a safe one that cannot does not stop the scan, an unsafe one does", () => {
    const full = [call("a", true, "executing"), call("b", true, "queued"), call("c", true, "queued")]
    expect(startable(full, 1)).toEqual([])
    const behind = [call("a", true, "executing"), call("b", false, "queued"), call("c", true, "queued")]
    expect(startable(behind, 10)).toEqual([])
  })

  const PLACES = ["preparing", "hooks", "asking", "executing", "reviewing"] as const

  it.each(PLACES)("one that is %s takes a place", (stage) => {
    expect(startable([call("a", false, stage), call("b", true, "queued")], 10)).toEqual([])
  })

  it("a finished result waits for every earlier one", () => {
    const [first, ...rest] = resultsDue([call("a", true, "completed")])
    const out: ReadonlyArray<Call> = first === undefined ? [] : [{ ...first, isYielded: true }]
    expect(rest).toEqual([])
    const calls = [...out, call("b", true, "executing"), call("c", true, "completed")]
    expect(resultsDue(calls)).toEqual([])
    expect(resultsDue(moved(calls, "b", "completed")).map(({ id }) => id)).toEqual(["b", "c"])
  })
})

const called = (...calls: ReadonlyArray<CallPlan>): Script => {
  const script = new Script({ permission: ALLOWED })
  script.begin()
  script.respond({ calls })
  return script
}

/** Puts calls where a command that is proven harmless would let them be: beside it. */
const place = (script: Script, stages: Readonly<Record<string, CallStage>>): void => {
  if (!isRunning(script.state)) return
  const calls = script.state.run.turn.calls.map((one) => {
    if (one.stage === "completed") return one
    const traits = { ...one.reading.traits, concurrencySafe: true }
    return at({ ...one, reading: { ...one.reading, traits } }, stages[one.id] ?? one.stage)
  })
  script.state = setTurn(script.state, { calls })
}

describe("a failed shell command", () => {
  const failed = failure({}).message

  it("A5: cancels the one that waits, names the failed one, and the turn goes on", () => {
    const script = called(bash("a", "mkdir /nope/x"), bash("b", "npm test"))
    script.prepare("a")
    script.settle("a", { _tag: "Failed", message: "mkdir: no such directory" })
    expect(script.all("StartCall").map(({ callId }) => callId)).toEqual(["a"])
    expect(script.toolResults).toEqual([
      ["a", "mkdir: no such directory"],
      ["b", expect.stringMatching(/^Cancelled: .*mkdir \/nope\/x.* failed in the same response/)]
    ])
    expect([script.phase, turnOf(script.state)?.transition]).toEqual(["Requesting", "next_turn"])
  })

  it("cancels those that run, and their results name it too", () => {
    const script = called(bash("a", "ls"), grep("g"), read("r"))
    place(script, { a: "executing", g: "executing", r: "executing" })
    script.settle("a", { _tag: "Failed", message: failed })
    expect(script.all("CancelCall").map(({ callId }) => callId)).toEqual(["g", "r"])
    script.settle("g", { _tag: "Cancelled", content: "half", data: {} })
    script.settle("r", returned("too late to be stopped"))
    expect(script.toolResults).toEqual([
      ["a", failed],
      ["g", expect.stringMatching(/Bash\(ls\) failed[\s\S]*half/)],
      ["r", "too late to be stopped"]
    ])
  })

  it("cancels those that are being looked at or asked about, and withdraws the question", () => {
    const script = called(bash("a", "ls"), read("asked"), grep("looked"), grep("hooked"))
    place(script, { a: "executing", asked: "asking", looked: "preparing", hooked: "hooks" })
    script.settle("a", { _tag: "Failed", message: failed })
    expect(script.all("WithdrawQuestion")).toMatchObject([{ callId: "asked" }])
    script.prepare("looked")
    script.answer("asked", { behavior: "allow" })
    expect(script.all("StartCall")).toEqual([])
    expect(script.toolResults.map(([id]) => id)).toEqual(["a", "asked", "looked", "hooked"])
  })

  it("also cancels calls that arrive after it in the same response, not those of the next", () => {
    const script = new Script({ permission: ALLOWED })
    script.begin()
    script.startResponse()
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "Bash", input: {} } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"command":"make"}' }
      },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "b", name: "Grep", input: {} } }
    )
    script.prepare("a")
    script.settle("a", { _tag: "Failed", message: failed })
    script.say(
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"pattern":"x"}' } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" }
    )
    expect(script.toolResults.map(([, text]) => text.startsWith("Cancelled"))).toEqual([false, true])
    script.respond({ calls: [grep("c")] })
    expect(script.all("PrepareCall").at(-1)?.callId).toBe("c")
  })

  it("is the only failure that does: reads and cancelled commands take nobody with them", () => {
    const script = called(read("a"), grep("g"))
    script.prepare("a")
    script.settle("a", { _tag: "Failed", message: failed })
    expect(script.all("CancelCall")).toEqual([])
    const cancelled = called(bash("a", "ls"), grep("g"))
    place(cancelled, { a: "executing", g: "executing" })
    cancelled.settle("a", { _tag: "Cancelled", content: "", data: {} })
    expect(cancelled.all("CancelCall")).toEqual([])
  })

  it("takes its siblings with it before hooks have looked at it", () => {
    const script = new Script({ permission: ALLOWED, config: { hookEvents: ["PostToolUseFailure"] } })
    script.begin()
    script.respond({ calls: [bash("a", "ls"), grep("g")] })
    place(script, { a: "executing", g: "preparing" })
    script.settle("a", { _tag: "Failed", message: failed })
    expect(script.newest("RunHooks").event).toBe("PostToolUseFailure")
    script.prepare("g")
    expect(script.all("StartCall")).toEqual([])
  })
})

describe("shell commands that only read", () => {
  const started = (script: Script) => script.all("StartCall").map(({ callId }) => callId)
  const prepareAll = (script: Script, ids: ReadonlyArray<string>): void => ids.forEach((id) => script.prepare(id))

  it("run beside each other and beside safe calls; their results keep the order of the calls", () => {
    const script = called(bash("a", "ls src"), grep("g"), bash("b", "git log --oneline | head -3"), bash("c", "cat x.txt"))
    prepareAll(script, ["a", "g", "b", "c"])
    expect(started(script)).toEqual(["a", "g", "b", "c"])
    for (const id of ["c", "b", "g", "a"]) script.settle(id, returned(id))
    expect(script.toolResults.map(([id]) => id)).toEqual(["a", "g", "b", "c"])
  })

  it("one that fails takes nobody with it", () => {
    const script = called(bash("a", "cat missing"), bash("b", "ls"), bash("c", "npm test"))
    prepareAll(script, ["a", "b"])
    script.settle("a", { _tag: "Failed", message: "cat: missing: No such file or directory" })
    script.settle("b", returned("found"))
    prepareAll(script, ["c"])
    script.settle("c", returned("passed"))
    expect(script.toolResults.map(([, text]) => text)).toEqual([
      "cat: missing: No such file or directory",
      "found",
      "passed"
    ])
  })

  it("wait for one that changes something, which waits for those before it", () => {
    const script = called(bash("a", "ls"), bash("m", "mkdir new"), bash("z", "ls new"))
    prepareAll(script, ["a", "m"])
    expect(started(script)).toEqual(["a"])
    expect(script.all("PrepareCall").map(({ callId }) => callId)).toEqual(["a", "m"])
    script.settle("a")
    prepareAll(script, ["m"])
    expect(started(script)).toEqual(["a", "m"])
    script.settle("m")
    prepareAll(script, ["z"])
    expect(started(script)).toEqual(["a", "m", "z"])
  })

  it.each(["cd src && ls", "echo x > y", "ls; make", "git status; pushd src", "cat $(make list)"])(
    "%s is not one of them",
    (command) => {
      const script = called(read("r"), bash("a", command))
      prepareAll(script, ["r", "a"])
      expect(started(script)).toEqual(["r"])
      script.settle("r")
      prepareAll(script, ["a"])
      expect(started(script)).toEqual(["r", "a"])
    }
  )

  it("hooks hear of one that has to wait once, when its time has come", () => {
    const script = new Script({ permission: ALLOWED, config: { hookEvents: ["PreToolUse"] } })
    script.begin()
    script.respond({ calls: [bash("a", "ls"), bash("m", "mkdir new")] })
    prepareAll(script, ["a", "m"])
    const asked = () => script.all("RunHooks").map(({ hookId }) => hookId)
    expect(asked()).toEqual(["pre:a"])
    script.hooks({})
    script.settle("a")
    prepareAll(script, ["m"])
    expect(asked()).toEqual(["pre:a", "pre:m"])
  })

  it("one that waits to be alone is answered when the turn is stopped", () => {
    const script = called(bash("a", "ls"), bash("m", "mkdir new"))
    prepareAll(script, ["a", "m"])
    script.interrupt()
    script.settle("a", { _tag: "Cancelled", content: "", data: {} })
    expect(script.toolResults.map(([id]) => id)).toEqual(["a", "m"])
    expect(script.phase).toBe("Done")
  })
})

describe("a call that the user stops", () => {
  const stop = (script: Script, callId: string): void => void script.feed({ _tag: "CallStopped", callId })

  it("ends alone: its siblings run on, and the turn goes on with what it had printed", () => {
    const script = called(bash("a", "ls"), grep("g"))
    place(script, { a: "executing", g: "executing" })
    stop(script, "a")
    expect(script.all("CancelCall").map(({ callId }) => callId)).toEqual(["a"])
    script.settle("a", { _tag: "Cancelled", content: "half", data: {} })
    expect(turnOf(script.state)?.failedCall).toBeUndefined()
    script.settle("g", returned("found"))
    expect(script.phase).toBe("Requesting")
    expect(script.toolResults).toEqual([
      ["a", "Cancelled: the user stopped this call.\nhalf"],
      ["g", "found"]
    ])
    script.respond({ text: "without it" })
    expect(script.phase).toBe("Done")
  })

  it.each(["queued", "preparing", "asking"] as const)(
    "while it is %s is answered at once, and no question is left",
    (stage) => {
      const script = new Script()
      script.begin()
      script.respond({ calls: [bash("a", "make"), bash("b", "make install")] })
      if (stage === "asking") script.prepare("a")
      const id = stage === "queued" ? "b" : "a"
      stop(script, id)
      expect(script.all("WithdrawQuestion").length).toBe(stage === "asking" ? 1 : 0)
      expect(turnOf(script.state)?.calls.find((call) => call.id === id)?.stage).toBe("completed")
      script.answer(id, { behavior: "allow" })
      expect(script.all("StartCall")).toEqual([])
    }
  )

  it("is not stopped when it is over, or while its turn is being stopped", () => {
    const script = called(grep("a"), grep("b"))
    place(script, { a: "executing", b: "executing" })
    script.settle("a")
    const { state } = script
    stop(script, "a")
    expect(script.state).toBe(state)
    script.interrupt()
    const before = script.all("CancelCall").length
    stop(script, "b")
    expect(script.all("CancelCall").length).toBe(before)
  })
})

describe("calls of one response", () => {
  it("report progress at once, whatever the order of their results, and none after the result", () => {
    const script = called(grep("a"), grep("b"))
    script.prepare("a")
    script.prepare("b")
    script.feed({ _tag: "CallProgressed", callId: "b", progress: { n: 1 } })
    script.settle("b")
    script.feed({ _tag: "CallProgressed", callId: "b", progress: { n: 2 } })
    expect(script.emitted("CallProgress")).toHaveLength(1)
    expect(script.toolResults).toEqual([])
    script.settle("a")
    expect(script.toolResults.map(([id]) => id)).toEqual(["a", "b"])
  })

  it("settle once each: a second report changes nothing", () => {
    const script = called(grep("a"), grep("b"))
    script.prepare("a")
    script.settle("a", returned("first"))
    const { state } = script
    script.settle("a", returned("second"))
    expect(script.state).toBe(state)
  })

  it("whose tools have been taken away meanwhile are answered, and the others run once", () => {
    const script = called(write("w"), grep("g1"), grep("g2"))
    const onlyGrep = script.state.toolbox.entries.filter(({ definition }) => definition.name === "Grep")
    script.feed({ _tag: "ToolsChanged", tools: onlyGrep })
    script.prepare("w")
    expect(script.all("PrepareCall").map(({ callId }) => callId)).toEqual(["w", "g1", "g2"])
    script.feed({ _tag: "ToolsChanged", tools: [] })
    script.prepare("g1")
    script.prepare("g2")
    expect(script.all("StartCall")).toEqual([])
    expect(script.phase).toBe("Requesting")
    expect(script.requests.at(-1)?.tools).toEqual([])
  })

  it("that run keep running when their tool is taken away", () => {
    const script = called(grep("g"))
    script.prepare("g")
    script.feed({ _tag: "ToolsChanged", tools: [] })
    script.settle("g", returned("found"))
    expect(script.toolResults).toEqual([["g", "found"]])
  })

  it("all get exactly one result, wherever an interrupt falls", () => {
    const plans = [grep("a"), bash("b", "ls"), write("c"), read("d")]
    for (let events = 0; events < 12; events++) {
      const script = called(...plans)
      const acts = plans.flatMap(({ id }) => [() => script.prepare(id), () => script.settle(id)])
      for (const act of acts.slice(0, events)) act()
      script.interrupt()
      const phase = phaseOf(script.state)
      if (phase._tag === "Settling") script.feed({ _tag: "TimerFired", timerId: timerFor(script.state, "EndSettling") })
      expect(script.toolResults.map(([id]) => id)).toEqual(["a", "b", "c", "d"])
    }
  })
})
