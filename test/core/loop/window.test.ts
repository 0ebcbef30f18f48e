import { describe, expect, it } from "vitest"
import { estimateMessages } from "../../../src/core/model/tokens/estimate.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import { usedTokens } from "../../../src/core/loop/turn/send-request.ts"
import { loopState } from "../../support/loop-fixture.ts"
import { LONG } from "./arbitrary-event.ts"
import { returned, TOO_LONG } from "./response-plan.ts"
import { afterOneTurn, nearlyFull, Script } from "./script.ts"

/** How full the window is: live, after a compaction, and when a session is taken up again. */
describe("tokens in the window", () => {
  const answer = (uuid: string, input: number): Message => ({
    type: "assistant",
    uuid,
    timestamp: "",
    message: {
      id: `msg_${uuid}`,
      type: "message",
      role: "assistant",
      model: "offline",
      content: [{ type: "text", text: "answer" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { ...zeroUsage, input_tokens: input, output_tokens: 10 }
    }
  })
  const prompt = (uuid: string, text: string): Message => ({
    type: "user",
    uuid,
    timestamp: "",
    message: { role: "user", content: text }
  })
  const resumed = (messages: ReadonlyArray<Message>, replacements = new Map<string, string>()) =>
    loopState({
      restored: { messages, replacements, totals: { models: {}, costUsd: 0, apiMs: 0 }, tip: null, queue: [] }
    })

  it("are the endpoint's last count and an estimate of what came after it", () => {
    const after = prompt("p2", "x".repeat(400))
    expect(usedTokens(resumed([prompt("p1", "hello"), answer("a1", 5_000), after]))).toBe(5_010 + estimateMessages([after]))
  })

  it("without a count are an estimate of the whole request that errs on the safe side", () => {
    const empty = usedTokens(resumed([]))
    const message = prompt("p1", "x".repeat(4_000))
    expect(empty).toBeGreaterThan(1_000)
    expect(usedTokens(resumed([message])) - empty).toBeCloseTo((estimateMessages([message]) * 4) / 3, -1)
  })

  it("count only what the model still sees after a compaction, also when the session is taken up again", () => {
    const script = nearlyFull()
    const before = usedTokens(script.state)
    script.compacted()
    const live = usedTokens(script.state)
    expect(live).toBeLessThan(before * 0.8)
    expect(usedTokens(resumed(script.messages))).toBe(live)
    script.respond({ text: "fine", usage: { input_tokens: 3_000 } })
    expect(usedTokens(resumed(script.messages))).toBe(usedTokens(script.state))
  })

  it("count a shortened result as the model sees it; a compaction does not bring the long one back", () => {
    const script = afterOneTurn()
    script.begin()
    script.respond({ calls: ["a", "b", "c"].map((id) => ({ id, name: "Grep", input: { pattern: id } })) })
    for (const id of ["a", "b", "c"]) script.prepare(id)
    for (const id of ["a", "b", "c"]) script.settle(id, returned(LONG))
    expect(script.all("SpillResult").map(({ callId }) => callId)).toEqual(["a", "b"])
    const answers = script.requests
      .at(-1)
      ?.messages.at(-1)
      ?.content.map((block) => JSON.stringify(block).length)
    expect(usedTokens(script.state)).toBeLessThan(50_000)
    script.fail(TOO_LONG)
    script.compacted()
    const kept = script.requests
      .at(-1)
      ?.messages.at(-1)
      ?.content.map((block) => JSON.stringify(block).length)
    expect(kept).toEqual(answers)
    expect(usedTokens(script.state)).toBeLessThan(50_000)
  })

  it("leave the output no more room than there is", () => {
    const script = new Script({ config: { windowTokens: 20_000 } })
    script.begin()
    expect(script.requests[0]?.max_tokens).toBe(20_000 - usedTokens(script.state))
  })
})
