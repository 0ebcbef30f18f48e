import { describe, expect, it } from "vitest"
import { estimateJson } from "../../../../src/core/model/tokens/estimate.ts"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"
import type { ConfigPatch } from "../../../support/loop-fixture.ts"
import { Maker } from "../../../support/session/build.ts"
import { LONG } from "../arbitrary-event.ts"
import { failure, read, RESET, returned, TOO_LONG } from "../response-plan.ts"
import { afterOneTurn, lastWords, LONG_ANSWER, nearlyFull, Script } from "../script.ts"
import { turnOf } from "../../../../src/core/loop/machine/transition.ts"

/** A full window: when a summary takes the place of the older part, and what happens when that does not help. */
const IMAGE_REFUSED = failure({ status: 400, message: "image exceeds 5 MB maximum" })

const readLong = (script: Script, id: string): void => {
  script.respond({ calls: [read(id)] })
  script.prepare(id)
  script.settle(id, returned(LONG))
}

/** A response with a call that fills the window again. */
const compactAgain = (script: Script, id: string): void => {
  script.respond({ text: LONG_ANSWER, calls: [read(id)], usage: { input_tokens: 41_000 } })
  script.runCalls(id)
}

const statuses = (script: Script) => script.emitted("StatusChanged").map(({ status }) => status)

/** So many turns with a call and a long result each, taken up again with one more prompt. */
const afterTurns = (turns: number, config: ConfigPatch): Script => {
  const maker = new Maker()
  const messages = Array.from({ length: turns }, (_, turn) => {
    const call = maker.calls(`m${turn}`, `c${turn}`)
    return [
      maker.prompt(`prompt ${turn}!`),
      call,
      maker.result(call, `c${turn}`, "x ".repeat(30_000)),
      maker.says(`e${turn}`, "y ".repeat(30_000))
    ]
  }).flat()
  const totals = { models: {}, costUsd: 0, apiMs: 0 }
  const script = new Script({
    config,
    restored: { messages, replacements: new Map(), totals, tip: messages.at(-1)?.uuid ?? null, queue: [] }
  })
  script.begin("go on")
  return script
}

describe("automatic compaction", () => {
  it("comes before the request and takes the older part's place", () => {
    const script = nearlyFull()
    expect([script.phase, script.requests.length]).toEqual(["Compacting", 2])
    script.compacted()
    expect(script.phase).toBe("Requesting")
    const [first] = script.requests.at(-1)?.messages ?? []
    expect(JSON.stringify(first)).toContain("what happened so far")
    expect(JSON.stringify(script.requests.at(-1)?.messages)).toContain("third")
    expect(statuses(script)).toEqual(["compacting", null])
  })

  it("writes a boundary that names what stays, and goes on from the summary", () => {
    const script = nearlyFull()
    const tip = script.state.conversation.tip
    const kept = script.messages.slice(-2).map(({ uuid }) => uuid)
    script.compacted()
    const written = script.newest("Persist")
    expect(written).toMatchObject({
      parentUuid: null,
      messages: [
        { subtype: "compact_boundary", logicalParentUuid: tip, compactMetadata: { preservedMessages: { uuids: kept } } },
        { isCompactSummary: true }
      ]
    })
    expect(script.state.conversation.tip).toBe(written.messages[1]?.uuid)
  })

  it("lets go of what the summary stands for, however often the window fills", () => {
    const script = nearlyFull()
    const sizes = Array.from({ length: 12 }, (_, round) => {
      expect(script.phase).toBe("Compacting")
      script.compacted()
      expect(script.messages[0]).toMatchObject({ subtype: "compact_boundary" })
      const size = script.messages.length
      for (let turn = 1; turn <= 8; turn++) {
        script.respond({ text: LONG_ANSWER, usage: { input_tokens: turn === 8 ? 41_000 : 20_000 } })
        script.begin(`prompt ${turn} of round ${round}`)
      }
      return size
    })
    expect(Math.max(...sizes)).toBeLessThan(8)
  })

  it("keeps the reason why the request is made", () => {
    const script = nearlyFull()
    script.compacted()
    compactAgain(script, "a")
    expect(script.phase).toBe("Compacting")
    script.compacted()
    expect(turnOf(script.state)?.transition).toBe("next_turn")
  })

  it("that fails is told, and the turn goes on without it", () => {
    const script = nearlyFull()
    script.compactionFailed("away")
    expect(script.phase).toBe("Requesting")
    expect(script.emitted("Notice").at(-1)?.text).toContain("away")
    expect(statuses(script)).toEqual(["compacting", null])
  })

  it("with an empty summary counts as failed: nothing is thrown away", () => {
    const script = nearlyFull()
    const messages = script.messages
    script.compacted("   ")
    expect(script.messages).toEqual(messages)
    expect(script.state.conversation.compaction.failures).toBe(1)
    expect(script.phase).toBe("Requesting")
  })

  it("ends the turn instead when nothing more fits", () => {
    const script = new Script({ config: { windowTokens: 30_000 } })
    script.begin()
    readLong(script, "a")
    expect(script.phase).toBe("Compacting")
    script.compactionFailed("away")
    expect(script.result.terminalReason).toBe("blocking_limit")
    expect(script.requests).toHaveLength(1)
  })

  it("gives up the newest rounds too when nothing can be sent otherwise", () => {
    const script = new Script({ config: { windowTokens: 30_000 } })
    script.begin("read that long file")
    readLong(script, "a")
    script.compacted()
    expect(script.phase).toBe("Requesting")
    const sent = JSON.stringify(script.requests.at(-1)?.messages)
    expect(sent).toContain("read that long file")
    expect(sent.length).toBeLessThan(LONG.length)
  })

  it("is tried three times in a row, then no more; the third failure says so", () => {
    const script = nearlyFull()
    script.compactionFailed()
    for (let count = 0; count < 2; count++) {
      script.respond({ calls: [read(`a${count}`)], usage: { input_tokens: 41_000 } })
      script.runCalls(`a${count}`)
      expect(script.phase).toBe("Compacting")
      script.compactionFailed()
    }
    expect(script.emitted("Notice").at(-1)?.text).toMatch(/3 times in a row.*no longer/)
    script.respond({ calls: [read("b")], usage: { input_tokens: 41_000 } })
    script.runCalls("b")
    expect(script.phase).toBe("Requesting")
  })

  it("that works closes the count of failures", () => {
    const script = nearlyFull()
    script.compactionFailed()
    script.respond({ calls: [read("a")], usage: { input_tokens: 41_000 } })
    script.runCalls("a")
    script.compacted()
    expect(script.state.conversation.compaction.failures).toBe(0)
  })

  it("does not happen when it is turned off", () => {
    const script = nearlyFull({ autoCompact: false })
    expect(script.phase).toBe("Requesting")
  })

  it("costs money, and no request follows when it was the last of it", () => {
    const script = nearlyFull({ model: "claude-opus-4-6", maxBudgetUsd: 0.4 })
    const { compactionId } = script.newest("Compact")
    const usage = { ...zeroUsage, input_tokens: 60_000 }
    script.feed({ _tag: "CompactionSettled", compactionId, summary: "s", model: "claude-opus-4-6", usage })
    expect(script.requests).toHaveLength(2)
    expect(script.result.terminalReason).toBe("budget_exhausted")
  })
})

describe("a window that is full again at once", () => {
  it("three times in a row ends the turn and names what is large", () => {
    const script = nearlyFull()
    for (const id of ["a", "b", "c"]) {
      expect(script.phase).toBe("Compacting")
      script.compacted()
      compactAgain(script, id)
    }
    expect(script.result.terminalReason).toBe("rapid_refill_breaker")
    expect(script.all("Compact")).toHaveLength(3)
    expect(script.result.errors.join()).toMatch(/an answer \(about \d+ tokens\)/)
  })

  it("after a while is an ordinary full window, however often it happens", () => {
    const script = nearlyFull()
    for (let count = 0; count < 6; count++) {
      expect(script.phase).toBe("Compacting")
      script.compacted()
      for (let quiet = 0; quiet < 3; quiet++) {
        script.respond({ calls: [read(`q${count}-${quiet}`)] })
        script.runCalls(`q${count}-${quiet}`)
      }
      compactAgain(script, `full${count}`)
    }
    expect(script.all("Compact")).toHaveLength(7)
  })
})

describe("a request that is too long", () => {
  it("is not repaired when there is nothing to summarise", () => {
    const script = new Script()
    script.begin()
    script.fail(TOO_LONG)
    expect(script.all("Compact")).toEqual([])
    expect(script.result).toMatchObject({ terminalReason: "prompt_too_long", text: "Prompt is too long" })
  })

  it("names the cause when the summary could not be made", () => {
    const script = afterOneTurn()
    script.begin()
    script.fail(failure({ status: 413, message: "request too large" }))
    script.compactionFailed("no answer")
    expect(script.result).toMatchObject({
      terminalReason: "prompt_too_long",
      apiErrorStatus: 413,
      text: "Prompt is too long · automatic compaction failed: no answer"
    })
  })

  it("is repaired once per turn, and once again in the next", () => {
    const script = afterOneTurn()
    for (const prompt of ["second", "third"]) {
      script.begin(prompt)
      script.fail(TOO_LONG)
      script.compacted()
      script.respond({ text: "fine" })
      expect(script.result.terminalReason).toBe("completed")
    }
    expect(script.all("Compact")).toHaveLength(2)
  })

  it("is never seen by anybody when it could be repaired", () => {
    const script = afterOneTurn()
    script.begin()
    script.fail(TOO_LONG)
    script.compacted()
    script.respond({ text: "fine" })
    expect(JSON.stringify(script.all("Emit"))).not.toMatch(/too long/i)
  })

  it("is repaired although automatic compaction is off or has failed too often", () => {
    const script = afterOneTurn({ config: { autoCompact: false } })
    script.begin()
    script.fail(TOO_LONG)
    expect(script.phase).toBe("Compacting")
  })

  it("a failure in between does not open the way to a second summary", () => {
    const script = afterOneTurn()
    script.begin()
    script.fail(TOO_LONG)
    script.compacted()
    script.failAndWait(RESET)
    script.fail(TOO_LONG)
    expect(script.result.terminalReason).toBe("prompt_too_long")
  })
})

describe("media the endpoint does not take", () => {
  const image = { type: "image" as const, source: { type: "base64", media_type: "image/png", data: "AAAA" } }
  const withImage = (): Script => {
    const script = afterOneTurn()
    script.feed({
      _tag: "PromptSubmitted",
      uuid: "with-image",
      content: [{ type: "text", text: "look" }, image],
      priority: "next",
      origin: "human",
      appendOnly: false
    })
    script.persisted()
    return script
  }

  it("is replaced by words, at once and from then on", () => {
    const script = withImage()
    script.fail(IMAGE_REFUSED)
    expect(turnOf(script.state)?.transition).toBe("media_strip_retry")
    expect(JSON.stringify(script.requests[1])).toContain('"image"')
    expect(JSON.stringify(script.requests[2]?.messages)).toMatch(/image left out/)
    script.respond({ text: "fine" })
    script.begin("next")
    expect(JSON.stringify(script.requests.at(-1)?.messages)).not.toContain('"type":"image"')
    expect(script.emitted("Notice").map(({ text }) => text)).toEqual([expect.stringMatching(/^An image was left out/)])
  })

  it("then the conversation is compacted, then the error is told", () => {
    const script = withImage()
    script.fail(IMAGE_REFUSED)
    script.fail(IMAGE_REFUSED)
    expect(script.phase).toBe("Compacting")
    script.compacted()
    script.fail(IMAGE_REFUSED)
    expect(script.result).toMatchObject({ terminalReason: "image_error", isError: true, apiErrorStatus: 400 })
  })

  it("and a summary that fails says so", () => {
    const script = withImage()
    script.fail(IMAGE_REFUSED)
    script.fail(IMAGE_REFUSED)
    script.compactionFailed("away")
    expect(script.result).toMatchObject({
      terminalReason: "image_error",
      text: expect.stringContaining("compaction failed: away")
    })
  })
})

describe("a smaller window to compact in", () => {
  it("brings the compaction forward", () => {
    const plain = afterTurns(3, { windowTokens: 1_000_000 })
    expect(plain.phase).toBe("Requesting")
    const early = afterTurns(3, { windowTokens: 1_000_000, autoWindowTokens: 100_000 })
    expect(early.phase).toBe("Compacting")
  })
})

describe("a conversation that is too long even for its summary", () => {
  const asked = (script: Script): string => JSON.stringify(script.newest("Compact").request.messages)

  /** Prompts that the request for the summary holds. */
  const heldPrompts = (script: Script): ReadonlyArray<string> =>
    [...asked(script).matchAll(/prompt (\d+)!/g)].map(([, number]) => number ?? "")

  const wholeRounds = (script: Script): boolean => {
    const calls = [...asked(script).matchAll(/"type":"tool_use","id":"(\w+)"/g)].map(([, id]) => id)
    const results = [...asked(script).matchAll(/"tool_use_id":"(\w+)"/g)].map(([, id]) => id)
    return calls.length > 0 && JSON.stringify(calls) === JSON.stringify(results)
  }

  it("is asked for with its newest rounds only, none of them torn, and then goes on", () => {
    const script = afterTurns(40, { windowTokens: 200_000 })
    expect(script.phase).toBe("Compacting")
    const held = heldPrompts(script)
    expect(held.length).toBeGreaterThan(2)
    expect(held.length).toBeLessThan(30)
    expect(held.at(-1)).toBe("39")
    expect(asked(script)).toContain("did not fit and are left out here")
    expect(wholeRounds(script)).toBe(true)
    expect(estimateJson(script.newest("Compact").request.messages)).toBeLessThan(200_000)
    script.compacted()
    expect(script.phase).toBe("Requesting")
    expect(JSON.stringify(script.requests.at(-1)?.messages)).toContain("prompt 0!")
  })

  it("is asked for whole while it fits", () => {
    const script = nearlyFull()
    expect(asked(script)).not.toContain("left out here")
  })

  it("gives up more of the oldest rounds when the endpoint still finds it too long, at most three times", () => {
    const script = afterTurns(12, { windowTokens: 200_000 })
    const before = heldPrompts(script).length
    const over = failure({ status: 400, message: "prompt is too long: 225000 tokens > 200000 maximum" })
    script.compactionFailed("too long", over)
    expect(script.phase).toBe("Compacting")
    const after = heldPrompts(script).length
    expect(after).toBeLessThan(before)
    expect(wholeRounds(script)).toBe(true)
    script.compactionFailed("too long", TOO_LONG)
    script.compactionFailed("too long", TOO_LONG)
    expect([script.phase, script.all("Compact").length]).toEqual(["Compacting", 4])
    script.compactionFailed("too long", TOO_LONG)
    expect([script.phase, script.all("Compact").length]).not.toEqual(["Compacting", 5])
    expect(script.state.conversation.compaction.failures).toBe(1)
  })

  it("any other failure is not asked again with less", () => {
    const script = afterTurns(12, { windowTokens: 200_000 })
    script.compactionFailed("away", RESET)
    expect(script.all("Compact")).toHaveLength(1)
  })
})

describe("compaction that somebody asked for", () => {
  const ask = (script: Script, focus = ""): void => {
    script.feed({ _tag: "CompactionRequested", focus })
  }
  const notices = (script: Script) => script.emitted("Notice").map(({ text }) => text)

  it("summarises all but the last answer, with what it is to care about, and ends its turn without another request", () => {
    const script = afterOneTurn()
    const sent = script.requests.length
    ask(script, "the parser")
    expect([script.phase, statuses(script)]).toEqual(["Compacting", ["compacting"]])
    expect(JSON.stringify(script.newest("Compact").request.messages)).toContain("the parser")
    script.compacted()
    expect([script.phase, script.requests.length, statuses(script)]).toEqual(["Done", sent, ["compacting", null]])
    expect(script.newest("Persist").messages).toMatchObject([
      { subtype: "compact_boundary", compactMetadata: { trigger: "manual" } },
      { isCompactSummary: true }
    ])
    expect(script.results.at(-1)).toMatchObject({ subtype: "success", isError: false, text: "", numTurns: 0 })
    script.begin("and now")
    expect(JSON.stringify(script.requests.at(-1)?.messages)).toContain("what happened so far")
    expect(lastWords(script.requests.at(-1))).toContain("and now")
    expect(script.requests.at(-1)?.messages.at(-2)?.content).toEqual([{ type: "text", text: "an answer" }])
  })

  it("waits for the end of a turn that runs", () => {
    const running = new Script()
    running.begin("first")
    ask(running)
    expect([running.phase, notices(running)]).toEqual(["Requesting", []])
    running.respond({ text: "an answer" })
    expect([running.phase, running.results.length]).toEqual(["Compacting", 1])
    running.compacted()
    expect(running.phase).toBe("Done")
  })

  it("is refused in words where there is nothing, and where it is switched off", () => {
    const empty = new Script()
    ask(empty)
    expect(empty.result).toMatchObject({ text: "Compaction failed: there is nothing to summarise", numTurns: 0 })
    const off = afterOneTurn({ config: { compactionDisabled: true } })
    ask(off)
    expect([off.all("Compact"), notices(off)]).toEqual([[], [expect.stringContaining("DISABLE_COMPACT")]])
  })

  it("leaves everything as it was when it is interrupted or fails", () => {
    for (const end of ["interrupt", "fail"] as const) {
      const script = afterOneTurn()
      const { messages, tip } = script.state.conversation
      ask(script)
      if (end === "interrupt") script.interrupt()
      else script.compactionFailed("away")
      expect([script.phase, script.state.conversation.messages === messages, script.state.conversation.tip]).toEqual([
        "Done",
        true,
        tip
      ])
      expect(statuses(script)).toEqual(["compacting", null])
    }
  })

  it("lets prompts wait and answers them after it", () => {
    const script = afterOneTurn()
    ask(script)
    script.prompt("second")
    expect(script.state.queue).toHaveLength(1)
    script.compacted()
    expect(script.phase).toBe("Preparing")
  })

  it("closes the breaker that failures opened", () => {
    const script = afterOneTurn()
    ask(script)
    script.compactionFailed("away")
    expect(script.state.conversation.compaction.failures).toBe(1)
    ask(script)
    script.compacted()
    expect(script.state.conversation.compaction.failures).toBe(0)
  })
})
