import { describe, expect, it } from "vitest"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import { TEXTS } from "../../../src/core/domain/program-texts.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { bash, callBlock, grep, OVERLOADED, read, returned, textBlock, thinkingBlock, write } from "./response-plan.ts"
import { lastWords, Script } from "./script.ts"

/** An interrupt at any moment (01 §2.14): what stops, what is kept, and that the conversation can go on. */
const ALLOWED = permissions({ mode: "bypassPermissions" })

const PING: ModelEvent = { type: "ping" }

const lastText = (script: Script): unknown => {
  const message = script.messages.at(-1)
  const content = message?.type === "user" ? message.message.content : []
  const blocks = typeof content === "string" ? [] : content
  return blocks.map((block) => ("text" in block ? block.text : block.type)).join()
}

describe("while an answer streams", () => {
  const streaming = (): Script => {
    const script = new Script({ permission: ALLOWED })
    script.begin()
    script.startResponse()
    return script
  }

  it("closes the connection and leaves the usual words behind", () => {
    const script = streaming()
    script.interrupt()
    expect(script.all("AbortRequest")).toMatchObject([{ requestId: script.requestId }])
    expect(lastText(script)).toBe(TEXTS.interrupted)
    expect(script.result.terminalReason).toBe("aborted_streaming")
  })

  it("keeps the text that was on screen, marked, and sends it again as ordinary text", () => {
    const script = streaming()
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half an ans" } }
    )
    script.interrupt()
    expect(script.messages.at(-2)).toMatchObject({
      isAbortedMidStream: true,
      message: { content: [{ text: "half an ans" }] }
    })
    script.begin("go on")
    expect(script.requests.at(-1)?.messages.at(-2)).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "half an ans" }]
    })
  })

  it("drops half a thought and half a call", () => {
    for (const block of [
      { type: "thinking", thinking: "hm", signature: "" },
      { type: "tool_use", id: "a", name: "Read", input: {} }
    ]) {
      const script = streaming()
      script.say({ type: "content_block_start", index: 0, content_block: block })
      script.interrupt()
      expect(script.messages.filter((message) => message.type === "assistant")).toEqual([])
    }
  })

  it("a finished block that waited for its counts is kept", () => {
    const script = streaming()
    script.say(...textBlock(0, "whole"))
    script.interrupt()
    expect(JSON.stringify(script.messages)).toContain("whole")
    expect(script.all("CancelTimer").length).toBeGreaterThan(0)
  })

  it("a finished call that had not begun is answered and never runs", () => {
    const script = streaming()
    script.say(...callBlock(0, write("w")))
    script.interrupt()
    expect(script.all("StartCall")).toEqual([])
    expect(script.result.terminalReason).toMatch(/^aborted/)
    script.begin("go on")
    expect(lastWords(script.requests.at(-1))).toMatch(/tool_result[\s\S]*interrupted before this call ran[\s\S]*go on/)
  })

  it("thinking before a finished call goes back with it", () => {
    const script = streaming()
    script.say(...thinkingBlock(0, "hm"), ...callBlock(1, grep("g")))
    script.interrupt()
    script.begin("go on")
    expect(JSON.stringify(script.requests.at(-1)?.messages.at(-2))).toMatch(/signed[\s\S]*tool_use/)
  })
})

describe("while calls run", () => {
  const running = (): Script => {
    const script = new Script({ permission: ALLOWED })
    script.begin()
    script.respond({ calls: [grep("a"), grep("b"), bash("c", "make")] })
    script.prepare("a")
    script.prepare("b")
    return script
  }

  it("tells each to stop, answers those that wait, and ends when all have reported", () => {
    const script = running()
    script.interrupt()
    expect(script.all("CancelCall").map(({ callId }) => callId)).toEqual(["a", "b"])
    script.settle("b", { _tag: "Cancelled", content: "b so far", data: {} })
    expect(script.results).toEqual([])
    script.settle("a", returned("a made it"))
    expect(script.result.terminalReason).toBe("aborted_tools")
    expect(lastText(script)).toBe(TEXTS.interruptedInTool)
    const sent = JSON.stringify(script.messages)
    expect(sent).toContain("a made it")
    expect(sent).toContain("b so far")
    expect(script.all("StartCall").map(({ callId }) => callId)).toEqual(["a", "b"])
  })

  it("does not wait for ever, and long enough for a process that has to be killed", () => {
    const script = running()
    script.interrupt()
    expect(script.newest("StartTimer").ms).toBeGreaterThan(2_500)
    script.fireTimer()
    expect(script.result.terminalReason).toBe("aborted_tools")
    const { state } = script
    script.settle("a", returned("too late"))
    expect(script.state).toBe(state)
  })

  it("a second interrupt changes nothing", () => {
    const script = running()
    script.interrupt()
    const { state } = script
    script.interrupt()
    expect(script.state).toBe(state)
  })

  it("a timer of another time does not end the wait", () => {
    const script = running()
    script.interrupt()
    const { state } = script
    for (const timerId of ["settle-1", "retry-3", "hold-request-2"]) script.feed({ _tag: "TimerFired", timerId })
    expect(script.state).toBe(state)
  })

  it("hooks are not asked about calls that end because of it", () => {
    const script = new Script({ permission: ALLOWED, config: { hookEvents: ["PostToolUse", "PostToolUseFailure"] } })
    script.begin()
    script.respond({ calls: [grep("a")] })
    script.prepare("a")
    script.interrupt()
    script.settle("a", returned("made it"))
    expect(script.all("RunHooks")).toEqual([])
    expect(script.result.terminalReason).toBe("aborted_tools")
  })
})

describe("afterwards", () => {
  it("the next prompt follows, and the endpoint would take the history", () => {
    const script = new Script()
    script.begin("one")
    script.interrupt()
    script.begin("two")
    expect(script.requests.at(-1)?.messages).toHaveLength(1)
    expect(lastWords(script.requests.at(-1))).toMatch(/one[\s\S]*interrupted[\s\S]*two/)
  })

  it("with a queue the queue is sent next", () => {
    const script = new Script()
    script.begin("one")
    script.prompt("two")
    script.interrupt()
    expect(script.results).toHaveLength(1)
    expect(script.phase).toBe("Preparing")
    script.persisted()
    expect(lastWords(script.requests.at(-1))).toContain("two")
  })

  it("a prompt that comes while calls still settle waits for them", () => {
    const script = new Script()
    script.begin("one")
    script.respond({ calls: [read("a")] })
    script.prepare("a")
    script.interrupt()
    script.prompt("two")
    script.prompt("three", { priority: "now" })
    expect([script.phase, script.state.queue.length]).toEqual(["Settling", 2])
    script.settle("a")
    expect(script.phase).toBe("Preparing")
    expect(script.messages.at(-1)).toMatchObject({ message: { content: "three" } })
  })
})

describe("a prompt that was not answered yet", () => {
  const begun = (content = "do it"): Script => {
    const script = new Script({ permission: ALLOWED })
    script.begin("first")
    script.respond({ text: "answer" })
    script.begin(content)
    return script
  }
  const takenBack = (script: Script) => script.emitted("PromptTakenBack")

  it("is taken out of the conversation, with all that came with it, and given back", () => {
    const script = new Script({ permission: ALLOWED, config: { hookEvents: ["UserPromptSubmit"] } })
    script.begin("first")
    script.hooks()
    script.respond({ text: "answer" })
    const before = script.state.conversation
    script.begin("second")
    script.hooks({ context: "a remark" })
    script.interrupt({ takeBack: true })
    expect(script.all("AbortRequest").at(-1)).toMatchObject({ requestId: script.requestId })
    expect(takenBack(script)).toMatchObject([{ text: "second", uuids: { length: 2 } }])
    expect(script.state.conversation).toEqual({ ...before, promptIds: script.state.conversation.promptIds })
    expect(script.all("Note")).toContainEqual({ _tag: "Note", record: { type: "last-prompt", leafUuid: before.tip } })
    expect([script.phase, script.result.terminalReason]).toEqual(["Done", "aborted_streaming"])
  })

  it("is answered when it is sent again, and hangs on what was said before it", () => {
    const script = begun()
    const { tip } = script.state.conversation
    script.interrupt({ takeBack: true })
    script.begin("do that")
    const { messages, parentUuid } = script.all("Persist").at(-1) ?? {}
    expect(messages).toMatchObject([{ message: { content: "do that" } }])
    expect(parentUuid).not.toBe(tip)
    expect(parentUuid).toBe(script.messages.at(-2)?.uuid)
    script.respond({ text: "done" })
    expect(script.said).toEqual(["answer", "done"])
  })

  it.each<readonly [string, (script: Script) => void]>([
    ["while a retry is waited for", (script) => script.fail(OVERLOADED)],
    ["when the connection is open and the response has a name", (script) => script.startResponse()]
  ])("is given back %s", (_name, advance) => {
    const script = begun()
    advance(script)
    script.interrupt({ takeBack: true })
    expect(takenBack(script)).toHaveLength(1)
    expect(script.phase).toBe("Done")
  })

  it.each<readonly [string, boolean, (script: Script) => void]>([
    ["nobody can type it again", false, () => undefined],
    ["the answer has begun", true, (script) => (script.startResponse(), script.say(textBlock(0, "wo")[0] ?? PING))],
    ["another prompt waits", true, (script) => void script.prompt("more")],
    ["a call was made", true, (script) => script.respond({ calls: [read("a")] })]
  ])("stays where %s", (_name, takeBack, advance) => {
    const script = begun()
    advance(script)
    script.interrupt({ takeBack })
    expect(takenBack(script)).toEqual([])
    const texts = script.messages.flatMap((message) => (message.type === "user" ? JSON.stringify(message) : []))
    expect(texts.join()).toContain("[Request interrupted by user")
  })
})
