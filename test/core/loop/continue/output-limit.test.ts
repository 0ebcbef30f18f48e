import { describe, expect, it } from "vitest"
import { isText } from "../../../../src/core/domain/block.ts"
import { isProgramOpening } from "../../../../src/core/domain/program-texts.ts"
import { failure, read } from "../response-plan.ts"
import { lastWords, Script } from "../script.ts"
import { turnOf } from "../../../../src/core/loop/machine/transition.ts"

/** An answer that hits the output limit (01 §2.9). */
const cut = (script: Script, text: string | undefined = "part"): void =>
  script.respond({ ...(text === undefined ? {} : { text }), stop: "max_tokens" })

const limits = (script: Script): ReadonlyArray<number> => script.requests.map(({ max_tokens }) => max_tokens)

describe("a larger limit", () => {
  it("is tried once, with the same request; the cut answer leaves no trace", () => {
    const script = new Script()
    script.begin()
    cut(script, "half")
    const [first, second] = script.requests
    expect(second).toEqual({ ...first, max_tokens: 64_000 })
    expect(script.emitted("Tombstone")).toHaveLength(1)
    script.respond({ text: "whole" })
    expect(JSON.stringify(script.messages)).not.toContain("half")
    expect(script.result).toMatchObject({ text: "whole", numTurns: 1, isError: false })
  })

  it("is not tried when the user chose the limit", () => {
    const script = new Script({ config: { explicitOutputTokens: 4_000 } })
    script.begin()
    cut(script)
    expect(limits(script)).toEqual([4_000, 4_000])
    expect(turnOf(script.state)?.transition).toBe("max_output_tokens_recovery")
  })

  it("is not tried when the model cannot give more", () => {
    const script = new Script({ config: { model: "claude-opus-4-1" } })
    script.begin()
    cut(script)
    expect(limits(script)).toEqual([32_000, 32_000])
  })

  it("is not tried when the window has no room for more", () => {
    const script = new Script({ config: { windowTokens: 20_000 } })
    script.begin()
    cut(script)
    expect(script.emitted("Tombstone")).toEqual([])
    expect(turnOf(script.state)?.transition).toBe("max_output_tokens_recovery")
  })

  it("is not paid for twice over when the money is used up", () => {
    const script = new Script({ config: { model: "claude-opus-4-6", maxBudgetUsd: 0.01 } })
    script.begin()
    script.respond({ text: "half", stop: "max_tokens", usage: { input_tokens: 50_000 } })
    expect(script.requests).toHaveLength(1)
    expect(script.result.terminalReason).toBe("budget_exhausted")
  })

  it("counts as the same response for the turn budget", () => {
    const script = new Script({ config: { maxTurns: 1 } })
    script.begin()
    cut(script)
    script.respond({ text: "whole" })
    expect(script.result).toMatchObject({ terminalReason: "completed", numTurns: 1 })
  })
})

describe("going on bit by bit", () => {
  const begun = (): Script => {
    const script = new Script({ config: { explicitOutputTokens: 4_000 } })
    script.begin()
    return script
  }

  it("keeps what there is and asks for the rest in the user's place, marked as ours", () => {
    const script = begun()
    cut(script, "part one")
    const words = (script.requests[1]?.messages.at(-1)?.content ?? []).filter(isText)
    expect(words.some((block) => isProgramOpening(block.text))).toBe(true)
    expect(JSON.stringify(script.requests[1]?.messages.at(-2))).toContain("part one")
  })

  it("happens three times; then the error is told and the text stays", () => {
    const script = begun()
    for (const text of ["one", "two", "three", "four"]) cut(script, text)
    expect(script.requests).toHaveLength(4)
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: true, text: "four" })
    expect(script.messages.at(-1)).toMatchObject({ isApiErrorMessage: true, error: "max_output_tokens" })
  })

  it("ends as an error of the model when there was never any text", () => {
    const script = begun()
    for (let count = 0; count < 4; count++) script.respond({ think: "hm", stop: "max_tokens" })
    expect(script.result).toMatchObject({ terminalReason: "model_error", isError: true })
  })

  it("a text that was taken back does not count as an answer", () => {
    const script = new Script()
    script.begin()
    cut(script, "taken back")
    for (let count = 0; count < 4; count++) script.respond({ think: "hm", stop: "max_tokens" })
    expect(script.result).toMatchObject({ terminalReason: "model_error", isError: true })
    expect(script.result.text).not.toContain("taken back")
  })

  it("starts counting again after calls", () => {
    const script = begun()
    for (const text of ["one", "two", "three"]) cut(script, text)
    script.respond({ text: "and", calls: [read("a")], stop: "max_tokens" })
    expect(script.phase).toBe("Tools")
    script.runCalls("a")
    expect(lastWords(script.requests.at(-1))).toContain("tool_result")
    for (const text of ["four", "five", "six"]) cut(script, text)
    expect(script.phase).toBe("Requesting")
  })

  it("does not go past the turn budget", () => {
    const script = new Script({ config: { explicitOutputTokens: 4_000, maxTurns: 2 } })
    script.begin()
    cut(script, "one")
    cut(script, "two")
    expect(script.requests).toHaveLength(2)
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: true, numTurns: 2 })
  })

  it("a window that is full counts as a cut", () => {
    const script = begun()
    script.respond({ text: "one", stop: "model_context_window_exceeded" })
    expect(turnOf(script.state)?.transition).toBe("max_output_tokens_recovery")
  })
})

it("a failure after the larger limit does not bring the small one back", () => {
  const script = new Script()
  script.begin()
  cut(script)
  script.failAndWait(failure({ status: 500 }))
  expect(limits(script)).toEqual([32_000, 64_000, 64_000])
})
