import { describe, expect, it } from "vitest"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import type { ObservedPhase } from "../../../src/core/loop/machine/state.ts"
import { step } from "../../../src/core/loop/step.ts"
import { NO_FACTS } from "../../../src/core/permission/facts.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { bash, failure, OVERLOADED, read, textBlock, TOO_LONG } from "./response-plan.ts"
import { afterOneTurn, Script } from "./script.ts"
import { phaseOf, turnOf } from "../../../src/core/loop/machine/transition.ts"
import { timerFor } from "../../../src/core/loop/machine/pending.ts"

/** The table of phases and events (01 §3.3): where each leads, and that everything else changes nothing. */
const ALLOWED = permissions({ mode: "bypassPermissions" })

const begun = (...parameters: ConstructorParameters<typeof Script>): Script => {
  const script = new Script(...parameters)
  script.begin()
  return script
}

const WAYS_IN: Readonly<Record<ObservedPhase["_tag"], () => Script>> = {
  Idle: () => new Script(),
  Preparing: () => {
    const script = new Script()
    script.prompt("do it")
    return script
  },
  Hooks: () => begun({ config: { hookEvents: ["UserPromptSubmit"] } }),
  Collecting: () => begun({ config: { sources: ["date"] } }),
  Compacting: () => {
    const script = afterOneTurn()
    script.begin()
    script.fail(TOO_LONG)
    return script
  },
  Rereading: () => {
    const script = afterOneTurn()
    script.begin("go on")
    script.fail(TOO_LONG)
    script.compacted()
    script.respond({ text: "fine" })
    script.feed({ _tag: "AboutCompaction", wish: { _tag: "Undo" } })
    return script
  },
  Requesting: () => begun(),
  Streaming: () => {
    const script = begun()
    script.startResponse()
    return script
  },
  Waiting: () => {
    const script = begun()
    script.fail(OVERLOADED)
    return script
  },
  Tools: () => {
    const script = begun()
    script.respond({ calls: [read("a")] })
    return script
  },
  Settling: () => {
    const script = begun({ permission: ALLOWED })
    script.respond({ calls: [bash("a", "ls")] })
    script.prepare("a")
    script.interrupt()
    return script
  },
  Done: () => afterOneTurn()
}

/** The other hooks that have a phase of their own. */
const atStopHooks = (): Script => {
  const script = begun({ config: { hookEvents: ["Stop"] } })
  script.respond({ text: "done" })
  return script
}

const PHASES = [...Object.entries(WAYS_IN), ["Hooks", atStopHooks] as const]

/** Late or strange: ids that nothing has, or that something had before. */
const strangers = (id: string): ReadonlyArray<Occurrence> => [
  { _tag: "Persisted", ack: id },
  { _tag: "PersistFailed", ack: id, cause: "ENOSPC" },
  { _tag: "StreamOpened", requestId: id, apiRequestId: undefined },
  ...textBlock(0, "late").map((event): Occurrence => ({ _tag: "ModelSaid", requestId: id, event })),
  { _tag: "ModelSaid", requestId: id, event: { type: "message_stop" } },
  { _tag: "StreamEnded", requestId: id },
  { _tag: "RequestFailed", requestId: id, failure: OVERLOADED, jitter: 0 },
  { _tag: "TimerFired", timerId: id },
  {
    _tag: "ContextRead",
    collectId: id,
    look: { date: [{ id: "date", value: { date: "2026-01-01" } }] },
    isLast: true,
    failed: []
  },
  { _tag: "CallPrepared", callId: id, facts: NO_FACTS },
  { _tag: "CallOutdated", callId: id, facts: NO_FACTS },
  { _tag: "CallRefused", callId: id, message: "gone" },
  { _tag: "PermissionAnswered", callId: id, answer: { behavior: "allow" } },
  { _tag: "CallStopped", callId: id },
  { _tag: "CallProgressed", callId: id, progress: {} },
  { _tag: "CallSettled", callId: id, outcome: { _tag: "Failed", message: "late" } },
  { _tag: "HooksSettled", hookId: id, outcome: { stop: "late" } },
  { _tag: "HooksSettled", hookId: `pre:${id}`, outcome: { stop: "late" } },
  { _tag: "HooksSettled", hookId: `post:${id}`, outcome: { stop: "late" } },
  { _tag: "CompactionSettled", compactionId: id, summary: "late", model: "offline", usage: zeroUsage },
  { _tag: "CompactionFailed", compactionId: id, cause: "late" },
  { _tag: "WindowRead", readId: id, window: { cause: "late" } },
  { _tag: "QueueCancelled", uuids: [id] }
]

describe.each(PHASES)("in %s", (name, reach) => {
  it("is where the way in leads", () => {
    expect(reach().phase).toBe(name)
  })

  it("events with ids that nothing waits for leave the very same state", () => {
    const { state, now } = reach()
    for (const id of ["stranger", "prompt-999", "request-999"]) {
      for (const occurrence of strangers(id)) {
        const [next, commands] = step(state, { ...occurrence, at: now + 1 })
        expect([occurrence._tag, next === state, commands]).toEqual([occurrence._tag, true, []])
      }
    }
  })

  it("what has been answered already is not heard again", () => {
    const script = reach()
    const acks = script.all("Persist").flatMap(({ ack }) => ack ?? [])
    const done = script.phase === "Preparing" ? acks.slice(0, -1) : acks
    const phase = phaseOf(script.state)
    const current = "requestId" in phase ? phase.requestId : ""
    const requests = script
      .all("StartRequest")
      .map(({ requestId }) => requestId)
      .filter((id) => id !== current)
    for (const occurrence of [...done, ...requests].flatMap(strangers)) {
      const [next, commands] = step(script.state, { ...occurrence, at: script.now + 1 })
      expect([occurrence._tag, next === script.state, commands]).toEqual([occurrence._tag, true, []])
    }
  })

  it("an interrupt ends the turn, at once or when its calls have settled, and only once", () => {
    const script = reach()
    const running = turnOf(script.state) !== undefined
    const before = script.results.length
    script.interrupt()
    script.interrupt()
    const phase = phaseOf(script.state)
    if (phase._tag === "Settling") script.feed({ _tag: "TimerFired", timerId: timerFor(script.state, "EndSettling") })
    expect(turnOf(script.state)).toBeUndefined()
    expect(script.results.length - before).toBe(running ? 1 : 0)
    if (running) expect(script.result.terminalReason).toMatch(/^aborted_/)
  })

  it("shutting down ends it in silence", () => {
    const script = reach()
    script.prompt("waiting", { priority: "later" })
    const queue = script.state.queue
    script.feed({ _tag: "ShutDown" })
    expect(script.last).toEqual([])
    expect(turnOf(script.state)).toBeUndefined()
    expect(script.state.queue).toEqual(queue)
  })
})

describe("Preparing", () => {
  it("sends nothing before the prompt is on disk", () => {
    const script = WAYS_IN.Preparing()
    expect(script.requests).toEqual([])
    script.persisted()
    expect(script.phase).toBe("Requesting")
  })

  it("goes on with a warning when the prompt cannot be written", () => {
    const script = WAYS_IN.Preparing()
    const phase = phaseOf(script.state)
    script.feed({ _tag: "PersistFailed", ack: "ack" in phase ? phase.ack : "", cause: "disk full" })
    expect(script.phase).toBe("Requesting")
    expect(script.emitted("Notice")).toMatchObject([{ level: "warning", text: expect.stringContaining("disk full") }])
  })

  it("leads to compaction when the window is full", () => {
    const script = afterOneTurn({ config: { windowTokens: 12_000 } })
    script.begin("x".repeat(80_000))
    expect(script.phase).toBe("Compacting")
  })

  it("ends when there is no money left", () => {
    const script = new Script({ config: { model: "claude-opus-4-6", maxBudgetUsd: 0.01 } })
    script.begin()
    script.respond({ text: "dear", usage: { input_tokens: 50_000 } })
    script.begin("again")
    expect(script.results.map(({ terminalReason }) => terminalReason)).toEqual(["budget_exhausted", "budget_exhausted"])
    expect(script.requests).toHaveLength(1)
  })
})

describe("Compacting", () => {
  it("leads to the request when the summary arrives", () => {
    const script = WAYS_IN.Compacting()
    script.compacted()
    expect(script.phase).toBe("Requesting")
  })

  it("ends a turn whose request was refused when it fails", () => {
    const script = WAYS_IN.Compacting()
    script.compactionFailed("the summary model is away")
    expect(script.result).toMatchObject({
      terminalReason: "prompt_too_long",
      text: "Prompt is too long · automatic compaction failed: the summary model is away"
    })
  })
})

describe("Requesting", () => {
  it.each([
    ["an overload", OVERLOADED, "Waiting"],
    ["a prompt that is too long", TOO_LONG, "Compacting"],
    ["a refusal that stays", failure({ status: 403 }), "Done"]
  ])("%s leads to %s", (_name, what, next) => {
    const script = afterOneTurn()
    script.begin()
    script.fail(what)
    expect(script.phase).toBe(next)
  })

  it("an unknown model leads to the fallback at once", () => {
    const script = begun({ config: { fallbackModels: ["offline-b"] } })
    script.fail(failure({ status: 404 }))
    expect([script.phase, script.requests.at(-1)?.model]).toEqual(["Requesting", "offline-b"])
  })

  it("the answer's first sign leads to Streaming", () => {
    const script = begun()
    script.open()
    expect(script.phase).toBe("Streaming")
  })
})

describe("Streaming", () => {
  it("starts a call while the rest of the answer still arrives", () => {
    const script = begun()
    script.startResponse()
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "Grep", input: {} } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"pattern":"x"}' } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }
    )
    expect(script.phase).toBe("Streaming")
    expect(script.all("PrepareCall").map(({ callId }) => callId)).toEqual(["a"])
  })

  it.each([
    ["a call", { calls: [read("a")] }, "Tools"],
    ["an answer", { text: "fine" }, "Hooks"]
  ])("ends with %s in the phase %s", (_name, plan, next) => {
    const script = begun({ config: { hookEvents: ["Stop"] } })
    script.respond(plan)
    expect(script.phase).toBe(next)
  })

  it("the loop goes on because of calls, not because of the stop reason", () => {
    const withCall = begun()
    withCall.respond({ calls: [read("a")], stop: "end_turn" })
    const withoutCall = begun()
    withoutCall.respond({ text: "fine", stop: "tool_use" })
    expect([withCall.phase, withoutCall.phase]).toEqual(["Tools", "Done"])
  })
})

describe("Waiting", () => {
  it("sends the same request again when the time has come", () => {
    const script = WAYS_IN.Waiting()
    script.fireTimer()
    expect(script.phase).toBe("Requesting")
    expect(script.requests[1]).toEqual(script.requests[0])
  })

  it("an interrupt cancels the timer", () => {
    const script = WAYS_IN.Waiting()
    const { timerId } = script.newest("StartTimer")
    script.interrupt()
    expect(script.all("CancelTimer").map((command) => command.timerId)).toContain(timerId)
    expect(script.phase).toBe("Done")
  })
})

describe("Tools", () => {
  it("leads to the next request when the last call has settled", () => {
    const script = WAYS_IN.Tools()
    script.runCalls("a")
    expect([script.phase, turnOf(script.state)?.transition]).toEqual(["Requesting", "next_turn"])
  })
})

describe("Stop hooks", () => {
  it.each([
    ["nothing to say", {}, "Done"],
    ["a reason to go on", { block: "not yet" }, "Requesting"],
    ["a reason to stop", { stop: "enough" }, "Done"]
  ])("%s leads to %s", (_name, outcome, next) => {
    const script = atStopHooks()
    script.hooks(outcome)
    expect(script.phase).toBe(next)
  })
})

describe("an interrupt", () => {
  it("tells that a compaction is over, and keeps the history", () => {
    const script = WAYS_IN.Compacting()
    const { compactionId } = script.newest("Compact")
    const messages = script.messages
    script.interrupt()
    expect(script.all("AbortCompaction")).toMatchObject([{ compactionId }])
    expect(script.emitted("StatusChanged").map(({ status }) => status)).toEqual(["compacting", null])
    expect(script.messages.slice(0, messages.length)).toEqual(messages)
  })

  it("during hooks ends the turn; what the hooks say later is not heard", () => {
    for (const reach of [WAYS_IN.Hooks, atStopHooks]) {
      const script = reach()
      script.interrupt()
      const ended = script.state
      script.hooks({ stop: "late" })
      expect(script.state).toBe(ended)
      expect(script.result.terminalReason).toBe("aborted_streaming")
    }
  })

  it("before the prompt is on disk ends the turn without a request", () => {
    const script = WAYS_IN.Preparing()
    script.interrupt()
    expect(script.requests).toEqual([])
    expect(script.result.terminalReason).toBe("aborted_streaming")
  })
})
