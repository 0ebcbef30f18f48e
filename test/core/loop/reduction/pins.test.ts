import { describe, expect, it } from "vitest"
import type { Uuid } from "../../../../src/core/domain/id.ts"
import { afterOneTurn, Script } from "../script.ts"

const pin = (script: Script, uuid: Uuid, pinned = true): void => {
  script.feed({ _tag: "PinChanged", uuid, pinned })
}

const answerOf = (script: Script): Uuid => script.messages.find((message) => message.type === "assistant")?.uuid ?? "none"

const nextRequest = (script: Script): string => JSON.stringify(script.requests.at(-1)?.messages)

const compactedTwice = (script: Script): void => {
  script.feed({ _tag: "CompactionRequested", focus: "" })
  script.compacted()
  script.begin("second")
  script.respond({ text: "another" })
  script.feed({ _tag: "CompactionRequested", focus: "" })
  script.compacted("<summary>again</summary>")
}

describe("pins", () => {
  it("keep a message word for word through every compaction, and are written down", () => {
    const script = afterOneTurn()
    pin(script, answerOf(script))
    expect(script.newest("Note").record).toEqual({
      type: "nacre-pin",
      target: answerOf(script),
      pinned: true,
      text: "an answer"
    })
    compactedTwice(script)
    script.begin("third")
    expect(nextRequest(script)).toContain('{"type":"text","text":"an answer"}')
    expect(nextRequest(script)).not.toContain("Pinned by the user")
  })

  it("go away again, also after the message itself is gone", () => {
    const script = afterOneTurn()
    const uuid = answerOf(script)
    pin(script, uuid)
    script.feed({ _tag: "CompactionRequested", focus: "" })
    script.compacted()
    pin(script, uuid, false)
    expect(script.state.conversation.pins).toEqual([])
    expect(script.newest("Note").record).toMatchObject({ type: "nacre-pin", pinned: false })
  })

  it("come back with a resumed session", () => {
    const totals = { models: {}, costUsd: 0, apiMs: 0 }
    const pins = [{ uuid: "gone", text: "kept words" }]
    const script = new Script({ restored: { messages: [], replacements: new Map(), totals, tip: null, queue: [], pins } })
    script.begin("first")
    script.respond({ text: "an answer" })
    script.feed({ _tag: "CompactionRequested", focus: "" })
    script.compacted()
    script.begin("second")
    expect(nextRequest(script)).toContain("kept words")
  })

  it("are refused with the numbers where they would take too much, and without words", () => {
    const script = new Script({ config: { windowTokens: 40_000 } })
    script.begin("first")
    script.respond({ text: "word ".repeat(8_000) })
    pin(script, answerOf(script))
    pin(script, "stranger")
    expect(script.state.conversation.pins).toEqual([])
    const notices = script.emitted("Notice").map(({ text }) => text)
    expect(notices[0]).toMatch(/^Pins may take \d+ tokens; 0 are taken and this message has \d+\. Fix: /)
    expect(notices[1]).toContain("no words")
  })

  it("do nothing twice", () => {
    const script = afterOneTurn()
    pin(script, answerOf(script))
    const before = script.state
    pin(script, answerOf(script))
    pin(script, "stranger", false)
    expect(script.state).toBe(before)
  })
})
