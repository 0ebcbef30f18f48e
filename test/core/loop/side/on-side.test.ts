import { describe, expect, it } from "vitest"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"
import type { ConfigPatch } from "../../../support/loop-fixture.ts"
import { Script } from "../script.ts"

/** Side tasks in a conversation: when they begin, what comes of them, what they cost. */
const on = (patch: ConfigPatch = {}): Script =>
  new Script({ config: { side: { kinds: ["title"], smallModel: "small" }, ...patch } })

const SPENT = [{ model: "claude-opus-4-6", usage: { ...zeroUsage, input_tokens: 1_000_000 } }]

const begun = (script: Script): string => {
  script.begin("fix the parser")
  return script.newest("StartSide").sideId
}

describe("a side task", () => {
  it("begins behind the conversation's own request and delays nothing", () => {
    const script = on()
    script.begin("fix the parser")
    const tags = script.last.map(({ _tag }) => _tag)
    expect(tags.slice(-2)).toEqual(["StartRequest", "StartSide"])
    const { work, kind } = script.newest("StartSide")
    const request = work._tag === "Ask" ? work.request : script.newest("StartRequest").request
    expect([kind, request.source, request.model, request.tools]).toEqual(["title", "title", "small", []])
    expect(JSON.stringify(request.messages)).toContain("fix the parser")
    script.respond({ text: "done" })
    expect(script.result.subtype).toBe("success")
  })

  it("begins once, also when the request is tried again and a second prompt comes", () => {
    const script = on()
    script.begin("fix the parser")
    script.respond({ text: "done" })
    script.begin("and the lexer")
    script.respond({ text: "done" })
    expect(script.all("StartSide")).toHaveLength(1)
  })

  it("says what came of it, and what is no title is dropped without a word", () => {
    const script = on()
    const sideId = begun(script)
    script.feed({ _tag: "SideSettled", sideId, answer: { text: '  "Parser repair."\n' }, spent: [] })
    expect(script.emitted("SideReported").map(({ result }) => result)).toEqual([{ _tag: "Titled", title: "Parser repair" }])
    expect(script.all("Note").map(({ record }) => record)).toContainEqual({ type: "ai-title", aiTitle: "Parser repair" })
    const silent = on()
    silent.feed({ _tag: "SideSettled", sideId: begun(silent), answer: { text: " ** \n" }, spent: [] })
    expect(silent.emitted("SideReported")).toEqual([])
  })

  it("costs once, whether it answers, fails, or reports twice", () => {
    for (const end of [
      { _tag: "SideSettled" as const, answer: { text: "Parser" } },
      { _tag: "SideFailed" as const, cause: "cut" }
    ]) {
      const script = on()
      const sideId = begun(script)
      script.feed({ ...end, sideId, spent: SPENT })
      const once = script.state.totals
      expect(once.models["claude-opus-4-6"]?.usage.input_tokens).toBe(1_000_000)
      script.feed({ ...end, sideId, spent: SPENT })
      expect(script.state.totals).toBe(once)
    }
  })

  it("goes on with the conversation byte for byte where it sees all of it", () => {
    const script = on({ side: { kinds: ["prompt_suggestion"], smallModel: "small" } })
    for (const prompt of ["fix the parser", "and the lexer"]) {
      script.begin(prompt)
      script.respond({ text: "done" })
    }
    const { work } = script.newest("StartSide")
    if (work._tag !== "Ask") throw new Error("it asks")
    const main = script.newest("StartRequest").request
    const bytes = (value: unknown): string =>
      JSON.stringify(value, (key, field: unknown) => (key === "cache_control" ? undefined : field))
    const { messages, source, ...fork } = work.request
    const { messages: shared, source: _main, ...rest } = main
    expect(source).toBe("prompt_suggestion")
    expect(bytes(fork)).toBe(bytes(rest))
    expect(bytes(messages).startsWith(bytes(shared).slice(0, -1))).toBe(true)
    expect(messages.slice(shared.length).map(({ role }) => role)).toEqual(["assistant", "user"])
  })

  it("makes way for another run of its kind, and for the next prompt", () => {
    const script = on({ side: { kinds: ["prompt_suggestion", "away_summary"], smallModel: "small" } })
    script.begin("fix the parser")
    script.respond({ text: "done" })
    script.feed({ _tag: "SideAsked", kind: "away_summary" })
    script.feed({ _tag: "SideAsked", kind: "away_summary" })
    const [first, second] = script.all("StartSide").map(({ sideId }) => sideId)
    expect(script.all("AbortSide").map(({ sideId }) => sideId)).toEqual([first])
    script.feed({ _tag: "SideFailed", sideId: first ?? "", cause: "stopped", spent: SPENT })
    expect(script.state.totals.models["claude-opus-4-6"]?.usage.input_tokens).toBe(1_000_000)
    script.begin("something else")
    expect(script.all("AbortSide").map(({ sideId }) => sideId)).toEqual([first, second])
    script.feed({ _tag: "SideSettled", sideId: second ?? "", answer: { text: "late" }, spent: [] })
    expect(script.emitted("SideReported")).toEqual([])
  })

  it("is not begun without money, in a session that was taken up again, or by an agent that asks for none", () => {
    const poor = on({ maxBudgetUsd: 1 })
    poor.feed({ _tag: "SpentBeside", spent: SPENT })
    poor.begin("fix the parser")
    expect(poor.all("StartSide")).toEqual([])
    const restored = { messages: [], replacements: new Map(), totals: poor.state.totals, tip: "t", queue: [] }
    const resumed = new Script({ config: { side: { kinds: ["title"], smallModel: "small" } }, restored })
    resumed.begin("fix the parser")
    expect(resumed.all("StartSide")).toEqual([])
    const plain = new Script()
    plain.begin("fix the parser")
    expect(plain.all("StartSide")).toEqual([])
  })
})
