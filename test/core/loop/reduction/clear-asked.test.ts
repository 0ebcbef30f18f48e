import { describe, expect, it } from "vitest"
import { TEXTS } from "../../../../src/core/domain/program-texts.ts"
import { usageOf } from "../../../../src/core/loop/reduction/context-usage.ts"
import { read, returned } from "../response-plan.ts"
import { Script } from "../script.ts"

/** A conversation in which two files were read. */
const played = (): Script => {
  const script = new Script()
  script.begin("read both")
  script.respond({ calls: [read("r1"), read("r2")] })
  for (const id of ["r1", "r2"]) {
    script.prepare(id)
    script.settle(id, returned("words of a file ".repeat(500)))
  }
  script.respond({ text: "I read them.", usage: { input_tokens: 5_000 } })
  return script
}

const sent = (script: Script): string => {
  script.begin("go on")
  return JSON.stringify(script.requests.at(-1)?.messages)
}

describe("results that a user wants cleared", () => {
  it("give way to one line, in the next request and when the session is resumed", () => {
    const script = played()
    const before = usageOf(script.state).status.usedTokens
    script.feed({ _tag: "ClearRequested", calls: ["r1"] })
    expect(usageOf(script.state).status.usedTokens).toBeLessThan(before - 1_500)
    expect(script.newest("Note").record).toMatchObject({
      type: "content-replacement",
      replacements: [{ toolUseId: "r1", replacement: TEXTS.clearedResult }]
    })
    const text = sent(script)
    expect(text.split(TEXTS.clearedResult)).toHaveLength(2)
    expect(text).toContain("words of a file")
  })

  it("stay when they are pinned, cleared already, unknown, or a turn runs", () => {
    const script = played()
    const state = script.state
    script.feed({ _tag: "ClearRequested", calls: ["nobody"] })
    expect(script.state.conversation).toBe(state.conversation)
    script.feed({ _tag: "ClearRequested", calls: ["r1"] })
    const cleared = script.state.conversation
    script.feed({ _tag: "ClearRequested", calls: ["r1"] })
    expect(script.state.conversation).toBe(cleared)
    script.begin("go on")
    const running = script.state.conversation
    script.feed({ _tag: "ClearRequested", calls: ["r2"] })
    expect(script.state.conversation).toBe(running)
    expect(script.emitted("Notice").map(({ text }) => text)).toContain("Results can be cleared when the turn is over.")
  })
})

describe("what goes next", () => {
  it("is what the ladder would take at the threshold, and marks what it takes", () => {
    const script = played()
    script.begin("and another")
    script.respond({ text: "fine" })
    const { next, categories, status } = usageOf(script.state)
    expect(next).toMatchObject({ kind: "summarise", atTokens: status.autoTokens })
    const results = categories.find(({ id }) => id === "tool_results")?.items ?? []
    expect(results.every(({ source }) => "uuid" in source && next?.messages.has(source.uuid ?? ""))).toBe(true)
  })
})
