import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { insertPrompt } from "../../../../src/core/loop/turn/queue.ts"
import type { QueuedPrompt } from "../../../../src/core/loop/machine/state.ts"
import { loopState } from "../../../support/loop-fixture.ts"
import { read } from "../response-plan.ts"
import { lastWords, Script } from "../script.ts"

/** Prompts that come while a turn runs (01 §2.14). */
const prompt = (
  uuid: string,
  priority: QueuedPrompt["priority"],
  origin: QueuedPrompt["origin"] = "human"
): QueuedPrompt => ({ uuid, content: uuid, priority, origin })

const inTools = (): Script => {
  const script = new Script()
  script.begin("first")
  script.respond({ calls: [read("a")] })
  return script
}

const notes = (script: Script) =>
  script
    .all("Note")
    .map(({ record }) => record)
    .filter((record) => record.type === "queue-operation")
    .map(({ operation, content }) => `${operation} ${content}`)

const contents = (script: Script) => script.state.queue.map(({ content }) => content)

describe("the order", () => {
  const anyPrompt = fc.record({
    priority: fc.constantFrom("now" as const, "next" as const, "later" as const),
    origin: fc.constantFrom("human" as const, "task" as const)
  })

  it("is by priority, people before tasks, and first come first served among equals", () => {
    fc.assert(
      fc.property(fc.array(anyPrompt, { maxLength: 12 }), (asked) => {
        const prompts = asked.map((one, index) => prompt(String(index).padStart(2, "0"), one.priority, one.origin))
        const queue = prompts.reduce<ReadonlyArray<QueuedPrompt>>(insertPrompt, [])
        const key = ({ uuid, priority, origin }: QueuedPrompt) =>
          `${["now", "next", "later"].indexOf(priority)}${origin === "human" ? 0 : 1}${uuid}`
        expect(queue.map(key)).toEqual(prompts.map(key).toSorted())
      })
    )
  })
})

describe("at the next tool boundary", () => {
  it("prompts join the running turn, one after the other, behind the results", () => {
    const script = inTools()
    const ids = [script.prompt("second"), script.prompt("third")]
    script.runCalls("a")
    expect(lastWords(script.requests[1])).toMatch(/tool_result[\s\S]*second[\s\S]*third/)
    expect(script.emitted("PromptTaken").map(({ promptUuid }) => promptUuid)).toEqual(ids)
    expect(notes(script)).toEqual(["enqueue second", "enqueue third", "dequeue second", "dequeue third"])
    script.respond({ text: "all done" })
    expect(script.results).toHaveLength(1)
  })

  it("those for later wait for the end of the turn", () => {
    const script = inTools()
    script.prompt("afterwards", { priority: "later" })
    script.runCalls("a")
    expect(lastWords(script.requests[1])).not.toContain("afterwards")
    script.respond({ text: "done" })
    expect([script.phase, script.results.length]).toEqual(["Preparing", 1])
    script.persisted()
    script.respond({ text: "and that" })
    expect(script.results).toHaveLength(2)
  })

  it("a notice of a task is not the user's word", () => {
    const script = inTools()
    script.feed({
      _tag: "PromptSubmitted",
      uuid: "t",
      content: "task ended",
      priority: "next",
      origin: "task",
      appendOnly: false
    })
    script.runCalls("a")
    expect(lastWords(script.requests[1])).toMatch(/not from the user[\s\S]*task ended/)
  })

  it("nothing joins a turn that is about to end; it gets its own", () => {
    const script = new Script({ config: { maxTurns: 1 } })
    script.begin("first")
    script.respond({ calls: [read("a")] })
    script.prompt("second")
    script.runCalls("a")
    expect(script.result.terminalReason).toBe("max_turns")
    expect(script.phase).toBe("Preparing")
  })
})

describe("at the end of a turn", () => {
  it("each waiting prompt starts its own, in order", () => {
    const script = new Script()
    script.begin("first")
    script.prompt("second")
    script.prompt("third")
    for (const answer of ["one", "two", "three"]) {
      script.respond({ text: answer })
      if (script.phase === "Preparing") script.persisted()
    }
    expect(script.results.map(({ text }) => text)).toEqual(["one", "two", "three"])
    expect(new Set(script.results.map(({ promptUuid }) => promptUuid)).size).toBe(3)
  })
})

describe("a prompt for now", () => {
  it("cuts in and is next, before those that waited", () => {
    const script = new Script()
    script.begin("first")
    script.prompt("waiting")
    script.prompt("urgent", { priority: "now" })
    expect(script.all("AbortRequest")).toHaveLength(1)
    expect(script.result.terminalReason).toBe("aborted_streaming")
    script.persisted()
    expect(lastWords(script.requests.at(-1))).toContain("urgent")
    expect(contents(script)).toEqual(["waiting"])
  })

  it("the first of two stays the first", () => {
    const script = inTools()
    script.prepare("a")
    script.prompt("urgent", { priority: "now" })
    script.prompt("urgent too", { priority: "now" })
    expect(contents(script)).toEqual(["urgent", "urgent too"])
  })
})

describe("a prompt that asks for no answer", () => {
  it("joins the history at once when nothing runs", () => {
    const script = new Script()
    script.prompt("for your information", { appendOnly: true })
    expect([script.phase, script.requests.length]).toEqual(["Idle", 0])
    script.begin("and now")
    expect(lastWords(script.requests[0])).toMatch(/for your information[\s\S]*and now/)
  })

  it("waits while a turn runs, and still starts none of its own", () => {
    const script = new Script()
    script.begin("first")
    script.prompt("note one", { appendOnly: true })
    script.prompt("note two", { appendOnly: true, priority: "now" })
    expect(script.phase).toBe("Requesting")
    script.respond({ text: "done" })
    expect([script.phase, contents(script)]).toEqual(["Done", []])
    expect(script.results).toHaveLength(1)
    script.begin("second")
    expect(lastWords(script.requests.at(-1))).toMatch(/note two[\s\S]*note one[\s\S]*second/)
  })

  it("does not keep the next prompt from starting its turn", () => {
    const script = new Script()
    script.begin("first")
    script.prompt("a note", { appendOnly: true })
    script.prompt("second")
    script.respond({ text: "done" })
    expect(script.phase).toBe("Preparing")
    expect(contents(script)).toEqual([])
  })
})

describe("bookkeeping", () => {
  it("what the user removes is gone and noted; strangers are ignored", () => {
    const script = inTools()
    const second = script.prompt("second")
    script.prompt("third")
    script.feed({ _tag: "QueueCancelled", uuids: [second, "stranger"] })
    expect([contents(script), notes(script).at(-1)]).toEqual([["third"], "remove second"])
    script.runCalls("a")
    expect(lastWords(script.requests[1])).not.toContain("second")
  })

  it("a repeated uuid is the same prompt: waiting, running or long answered", () => {
    const script = new Script()
    script.prompt("first", { uuid: "one" })
    script.prompt("first", { uuid: "one" })
    expect(script.state.queue).toEqual([])
    script.persisted()
    script.prompt("second", { uuid: "two" })
    script.prompt("second", { uuid: "two" })
    expect(script.state.queue).toHaveLength(1)
    script.respond({ text: "done" })
    script.persisted()
    script.respond({ text: "done" })
    const { state } = script
    script.prompt("first", { uuid: "one" })
    expect(script.state).toBe(state)
  })

  it("a resumed session knows the prompts of before, also those that joined a turn or still wait", () => {
    const script = inTools()
    script.prompt("joined", { uuid: "joined" })
    script.runCalls("a")
    const restored = {
      messages: script.messages,
      replacements: new Map<string, string>(),
      totals: { models: {}, costUsd: 0, apiMs: 0 },
      tip: script.state.conversation.tip,
      queue: [prompt("waiting", "next")]
    }
    const again = new Script()
    again.state = loopState({ restored })
    for (const uuid of ["prompt-1", "joined", "waiting"]) again.prompt("again", { uuid })
    expect(again.commands).toEqual([])
    expect(contents(again)).toEqual(["waiting"])
  })
})
