import { describe, expect, it } from "vitest"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import { callBlock, failure, malformed, read, RESET, textBlock, thinkingBlock } from "./response-plan.ts"
import { lastWords, Script } from "./script.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

/** A stream that breaks: what is kept, what is taken back and what is sent again depends on how far it had come. */
const STALLED = failure({ kind: "stalled", message: "no byte for 300 s" })

const openText = (index: number, text: string): ReadonlyArray<ModelEvent> => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text } }
]

const openCall = (index: number): ReadonlyArray<ModelEvent> => [
  { type: "content_block_start", index, content_block: { type: "tool_use", id: "half", name: "Read", input: {} } },
  { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: '{"file_' } }
]

const stopsWith = (reason: string): ModelEvent => ({ type: "message_delta", delta: { stop_reason: reason } })

const streamed = (...events: ReadonlyArray<ModelEvent>): Script => {
  const script = new Script()
  script.begin()
  script.startResponse()
  script.say(...events)
  return script
}

describe("nothing was complete", () => {
  it.each([
    ["nothing at all", []],
    ["the beginning of a text", openText(0, "half")],
    ["the beginning of a call", openCall(0)]
  ])("%s: it is taken back and asked for again under the normal budget", (_name, events) => {
    const script = streamed(...events)
    script.fail(RESET)
    expect(script.phase).toBe("Waiting")
    expect(script.emitted("PartialDiscarded")).toHaveLength(events.length === 0 ? 0 : 1)
    script.fireTimer()
    expect(script.requests[1]).toEqual(script.requests[0])
    script.respond({ text: "whole" })
    expect(script.said).toEqual(["whole"])
    expect(script.result.numTurns).toBe(1)
  })

  it("a stream that ends without a word of the end is a broken one", () => {
    const script = streamed(...openText(0, "half"))
    script.feed({ _tag: "StreamEnded", requestId: script.requestId })
    expect(script.phase).toBe("Waiting")
  })
})

describe("only thinking was complete", () => {
  it("is taken back with a tombstone and asked for at once, twice, then under the normal budget", () => {
    const script = new Script()
    script.begin()
    for (let count = 0; count < 3; count++) {
      script.startResponse()
      script.say(...thinkingBlock(0, "hm"), { type: "ping" }, ...thinkingBlock(1, "hm hm"))
      script.fail(RESET)
    }
    expect(script.phase).toBe("Waiting")
    expect(script.requests).toHaveLength(3)
    expect(script.emitted("RetryScheduled")).toHaveLength(1)
    expect(script.emitted("Tombstone").map(({ uuid }) => uuid)).toEqual(
      script.emitted("MessageAdded").flatMap(({ message }) => (message.type === "assistant" ? [message.uuid] : []))
    )
    script.fireTimer()
    script.respond({ text: "whole" })
    expect(script.said).toEqual(["whole"])
  })

  it("after a stall it is asked for at once only one time", () => {
    const script = new Script()
    script.begin()
    for (let count = 0; count < 2; count++) {
      script.startResponse()
      script.say(...thinkingBlock(0, "hm"))
      script.fail(STALLED)
    }
    expect([script.phase, script.requests.length]).toEqual(["Waiting", 2])
  })

  it("a thought that had just begun, open or hidden, changes nothing about that", () => {
    for (const block of [
      { type: "thinking", thinking: "", signature: "" },
      { type: "redacted_thinking", data: "x" }
    ]) {
      const script = streamed(...thinkingBlock(0, "hm"), { type: "content_block_start", index: 1, content_block: block })
      script.fail(RESET)
      expect([script.phase, script.requests.length]).toEqual(["Requesting", 2])
    }
  })

  it("a text that had begun without a word changes nothing about that: kept, the answer would be empty", () => {
    for (const words of ["", " \n"]) {
      const script = streamed(...thinkingBlock(0, "hm"), ...openText(1, words))
      script.fail(RESET)
      expect([script.phase, script.requests.length]).toEqual(["Requesting", 2])
      script.respond({ text: "whole" })
      expect([script.said, script.result.text]).toEqual([["whole"], "whole"])
    }
  })

  it("a block that waited for its counts is dropped with its timer", () => {
    const script = streamed(...thinkingBlock(0, "hm"))
    const { timerId } = script.newest("StartTimer")
    script.fail(RESET)
    expect(script.all("CancelTimer").map((command) => command.timerId)).toContain(timerId)
    expect(script.said).toEqual([])
  })
})

describe("something worth keeping was complete", () => {
  it("a finished text stays, nothing is sent again, and the reader is told", () => {
    const script = streamed(...textBlock(0, "whole"))
    script.fail(RESET)
    expect(script.requests).toHaveLength(1)
    expect(script.said).toEqual(["whole"])
    expect(script.messages.at(-1)).toMatchObject({
      type: "system",
      content: expect.stringMatching(/incomplete.*socket hang up/)
    })
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: false, text: "whole", numTurns: 1 })
  })

  it("a text begun after thinking stays as it stood", () => {
    const script = streamed(...thinkingBlock(0, "hm"), ...openText(1, "half of it"))
    script.fail(RESET)
    expect(script.requests).toHaveLength(1)
    expect(script.said).toEqual(["thinking", "half of it"])
    expect(script.result.text).toBe("half of it")
  })

  it("a call begun after a text is dropped", () => {
    const script = streamed(...textBlock(0, "whole"), ...openCall(1))
    script.fail(RESET)
    expect(script.said).toEqual(["whole"])
    expect(script.all("PrepareCall")).toEqual([])
    expect(script.result.terminalReason).toBe("completed")
  })

  it("a finished call runs, and the loop goes on from its result", () => {
    const script = streamed(...textBlock(0, "let me see"), ...callBlock(1, read("a")), ...openText(2, "and"))
    script.fail(RESET)
    expect(script.phase).toBe("Tools")
    script.runCalls("a")
    expect(script.requests).toHaveLength(2)
    expect(lastWords(script.requests[1])).toContain('"tool_use_id":"a"')
    expect(script.said).toEqual(["let me see", "tool_use", "and"])
  })

  it("a call that had settled already is not waited for", () => {
    const script = streamed(...callBlock(0, read("a")), ...openText(1, "and"))
    script.runCalls("a")
    script.fail(RESET)
    expect(script.requests).toHaveLength(2)
  })

  it("a failure that could be repaired is not: what was said counts", () => {
    const script = streamed(...textBlock(0, "whole"))
    script.fail(failure({ kind: "stream", errorType: "overloaded_error", message: "Overloaded" }))
    expect(script.requests).toHaveLength(1)
    expect(script.result.terminalReason).toBe("completed")
  })
})

describe("the end was known", () => {
  it.each([
    ["after the stop reason", [stopsWith("end_turn")]],
    ["after the last event", [stopsWith("end_turn"), { type: "message_stop" as const }]]
  ])("a failure %s is not a failure", (_name, end) => {
    const script = streamed(...textBlock(0, "whole"), ...end)
    script.feed({ _tag: "RequestFailed", requestId: script.requestId, failure: RESET, jitter: 0 })
    expect(script.result).toMatchObject({ terminalReason: "completed", text: "whole", stopReason: "end_turn" })
    expect(JSON.stringify(script.messages)).not.toContain("incomplete")
  })

  it("a call in it runs", () => {
    const script = streamed(...callBlock(0, read("a")), stopsWith("tool_use"))
    script.fail(RESET)
    script.runCalls("a")
    expect(script.requests).toHaveLength(2)
  })
})

describe("a damaged stream", () => {
  it("without its first event still makes one response of its blocks", () => {
    const script = new Script()
    script.begin()
    script.open()
    script.say(...textBlock(0, "one"), ...callBlock(1, read("a")), stopsWith("tool_use"), { type: "message_stop" })
    const ids = script.messages.flatMap((message) => (message.type === "assistant" ? [message.message.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).not.toBe("")
    script.runCalls("a")
    script.open()
    script.say(...textBlock(0, "two"), { type: "message_stop" })
    expect(script.result.text).toBe("two")
    expect(script.messages.at(-1)).not.toMatchObject({ message: { id: ids[0] } })
  })

  it("a call with the id of an earlier one gets its own", () => {
    const script = new Script()
    script.begin()
    script.respond({ calls: [read("same")] })
    script.runCalls("same")
    script.respond({ calls: [read("same"), { id: "", name: "Grep", input: { pattern: "x" } }] })
    const ids = script.all("PrepareCall").map(({ callId }) => callId)
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain("")
  })
})

describe("a call whose input is not JSON", () => {
  it("is answered with the place of the error and not run", () => {
    const script = new Script()
    script.begin()
    script.respond({ calls: [malformed("a")] })
    expect(script.all("PrepareCall")).toEqual([])
    expect(lastWords(script.requests[1])).toMatch(/InputValidationError.*position \d+/)
  })

  it("is dropped when the output limit cut it", () => {
    for (const stop of ["max_tokens", "model_context_window_exceeded"]) {
      const script = new Script({ config: { explicitOutputTokens: 4_000 } })
      script.begin()
      script.respond({ text: "so", calls: [malformed("a")], stop })
      expect(turnOf(script.state)?.transition).toBe("max_output_tokens_recovery")
      expect(script.said).toEqual(["so"])
    }
  })

  it("three in a row end the turn; one good call in between starts the count again", () => {
    const script = new Script()
    script.begin()
    script.respond({ calls: [malformed("a")] })
    script.respond({ calls: [malformed("b")] })
    script.respond({ calls: [read("c")] })
    script.runCalls("c")
    script.respond({ calls: [malformed("d")] })
    script.respond({ calls: [malformed("e")] })
    expect(script.phase).toBe("Requesting")
    script.respond({ calls: [malformed("f")] })
    expect(script.result.terminalReason).toBe("malformed_tool_use_exhausted")
  })
})

describe("the last block of a response", () => {
  it("is published with the final counts and the stop reason", () => {
    const script = streamed(...textBlock(0, "whole"))
    expect(script.said).toEqual([])
    script.say({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 77 } })
    const [shown] = script.emitted("MessageAdded").filter(({ message }) => message.type === "assistant")
    expect(shown?.message).toMatchObject({ message: { stop_reason: "end_turn", usage: { output_tokens: 77 } } })
  })

  it("is published without them when they do not come soon", () => {
    const script = streamed(...textBlock(0, "whole"))
    script.fireTimer()
    const [shown] = script.emitted("MessageAdded").filter(({ message }) => message.type === "assistant")
    expect(shown?.message).toMatchObject({ message: { stop_reason: null, content: [{ text: "whole" }] } })
  })

  it("a timer of an earlier response does not touch it", () => {
    const script = new Script()
    script.begin()
    script.respond({ calls: [read("a")] })
    const { timerId } = script.newest("StartTimer")
    script.runCalls("a")
    script.startResponse()
    script.say(...textBlock(0, "held"))
    const held = script.state
    script.feed({ _tag: "TimerFired", timerId })
    expect(script.state).toBe(held)
  })
})

describe("ids of responses", () => {
  const idsOf = (script: Script): ReadonlyArray<string> =>
    script.messages.flatMap((message) => (message.type === "assistant" ? [message.message.id] : []))

  it("are made anew when the endpoint repeats one, so that two answers stay two", () => {
    const script = new Script()
    script.begin("one")
    script.respond({ id: "msg_same", text: "first", calls: [read("a")] })
    script.runCalls("a")
    script.respond({ id: "msg_same", text: "second" })
    script.begin("two")
    script.respond({ id: "msg_same", text: "third" })
    script.begin("three")
    const ids = idsOf(script)
    expect(ids[0]).toBe("msg_same")
    expect(ids[1]).toBe("msg_same")
    expect(new Set(ids).size).toBe(3)
    const roles = script.requests.at(-1)?.messages.map(({ role, content }) => `${role} ${content.length}`)
    expect(roles).toEqual(["user 1", "assistant 2", "user 1", "assistant 1", "user 1", "assistant 1", "user 1"])
  })

  it("are made anew when the endpoint gives an empty one, one for all blocks of a response", () => {
    const script = new Script()
    script.begin()
    script.respond({ id: "", text: "first", calls: [read("a")] })
    script.runCalls("a")
    script.respond({ id: "", text: "second" })
    const [text, call, second] = idsOf(script)
    expect(text).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(call).toBe(text)
    expect(second).not.toBe(text)
  })

  it("of a try that was given up are taken too: the transcript still holds its lines", () => {
    const script = new Script()
    script.begin()
    script.open()
    script.say(
      { type: "message_start", message: { id: "msg_same", model: "offline", usage: {} } },
      ...thinkingBlock(0, "hm"),
      ...thinkingBlock(1, "hm")
    )
    script.fail(RESET)
    script.respond({ id: "msg_same", text: "whole" })
    expect(idsOf(script)).toEqual([expect.not.stringMatching(/^msg_same$/)])
  })

  it("of a conversation that is taken up again are taken", () => {
    const first = new Script()
    first.begin()
    first.respond({ id: "msg_same", text: "first" })
    const restored = { replacements: new Map(), totals: first.state.totals, tip: first.state.conversation.tip, queue: [] }
    const script = new Script({ restored: { ...restored, messages: first.messages } })
    script.prompt("again", { uuid: "another" })
    script.persisted()
    script.respond({ id: "msg_same", text: "second" })
    expect(new Set(idsOf(script)).size).toBe(2)
  })
})
