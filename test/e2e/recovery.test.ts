import { describe, expect, it } from "vitest"
import { makePlace } from "../support/built-cli.ts"
import {
  ask,
  linesOf,
  list,
  messagesIn,
  readTranscript,
  sentBlocks,
  sentText,
  textOf,
  transcriptsOf
} from "../support/e2e-world.ts"
import { blocks, empty, refusal, type Reply, status, text, toolUse } from "../support/messages-reply.ts"
import type { Json } from "../support/messages-validate.ts"

/** Answers that are too long, too short or refused, and a context that is too long. */
const cut = (value: string): Reply => text(value, { stopReason: "max_tokens" })

const TOO_LONG = status(400, { message: "prompt is too long: 250000 tokens > 200000 maximum" })

describe.concurrent("an answer cut by the output limit", () => {
  it("is asked for again with a larger limit, and the first try is taken back", async () => {
    const { requests, lines, result } = await ask([cut("cut-answer"), text("whole")], "go")
    const [first, second] = requests.map((request) => Number(request.body["max_tokens"]))
    expect([first, second]).toEqual([32_000, 64_000])
    expect(sentText(requests[1])).not.toContain("cut-answer")
    const [half] = linesOf(lines, "assistant")
    expect(linesOf(lines, "system/tombstone").map((line) => line["message_uuid"])).toEqual([half?.["uuid"]])
    expect(result).toMatchObject({ result: "whole", num_turns: 1 })
  })

  it("is then continued three times, and told when that does not help", async () => {
    const { requests, lines, result, code, place } = await ask(
      [cut("lost"), cut("one"), cut("two"), cut("three"), cut("four")],
      "go"
    )
    expect(requests).toHaveLength(5)
    expect(messagesIn(requests[4]).map((message) => message["role"])).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
      "user"
    ])
    const said = sentBlocks(requests[4]).map((block) => block["text"])
    expect(said).toEqual(expect.arrayContaining(["one", "two", "three"]))
    expect(linesOf(lines, "user").every((line) => line["isSynthetic"] === true)).toBe(true)
    expect(linesOf(lines, "user")).toHaveLength(3)
    expect(linesOf(lines, "assistant").at(-1)).toMatchObject({ error: "max_output_tokens" })
    expect({ code, is_error: result["is_error"] }).toEqual({ code: 1, is_error: true })
    const written = readTranscript(transcriptsOf(place)[0] ?? "").lines
    expect(written.filter((line) => line["isMeta"] === true)).toHaveLength(3)
  })

  it("is not asked for again when the user set the limit", async () => {
    const { requests, result } = await ask([cut("half"), text("rest")], "go", {
      env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "5000" }
    })
    expect(requests.map((request) => request.body["max_tokens"])).toEqual([5_000, 5_000])
    expect(sentText(requests[1])).toContain("half")
    expect(result).toMatchObject({ result: "rest", num_turns: 2 })
  })

  it("with complete calls in it goes on with their results", async () => {
    const reply = blocks([{ type: "tool_use", name: "Glob", input: { pattern: "*" } }], { stopReason: "max_tokens" })
    const { requests, result } = await ask([reply, text("done")], "go")
    expect(requests).toHaveLength(2)
    expect(result["result"]).toBe("done")
  })

  it("drops a call that was cut in the middle of its input", async () => {
    const half = blocks([{ type: "tool_use", name: "Write", rawJson: '{"file_path": "/x", "content": "abc' }], {
      stopReason: "max_tokens"
    })
    const { requests, result, lines } = await ask([half, text("whole")], "go")
    expect(result["result"]).toBe("whole")
    expect(sentText(requests[1])).not.toContain("tool_result")
    expect(linesOf(lines, "user")).toEqual([])
  })
})

describe.concurrent("a context that is too long", () => {
  const LONG = "a rather long story about pearls and the sea. ".repeat(1_200)

  /** A session with history, so that there is something to compact. */
  const withHistory = async () => {
    const place = makePlace()
    const first = await ask([text(`first tale ${LONG}`)], "tell me a story", { place })
    const second = await ask([text(`second tale ${LONG}`)], "and another", { place, args: ["--continue"] })
    expect([first.code, second.code]).toEqual([0, 0])
    return place
  }

  const isCompaction = (body: Json): boolean => !JSON.stringify(list(body["messages"]).at(-1)).includes("the last question")

  it("is compacted, and the turn goes on with the summary", async () => {
    const place = await withHistory()
    const { code, requests, lines, result } = await ask(
      (body, index) => {
        if (index === 0) return TOO_LONG
        return isCompaction(body) ? text("<summary>pearls were told of</summary>") : text("answered")
      },
      "the last question",
      { place, args: ["--continue"] }
    )
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "answered" })
    expect(requests).toHaveLength(3)
    expect(sentText(requests[2])).toContain("pearls were told of")
    expect(sentText(requests[2]).length).toBeLessThan(sentText(requests[0]).length)
    expect(sentText(requests[2])).toContain("the last question")
    expect(linesOf(lines, "system/status").map((line) => line["status"])).toEqual(["compacting", null])
    expect(linesOf(lines, "system/compact_boundary")).toMatchObject([{ compact_metadata: { trigger: "auto" } }])
    expect(linesOf(lines, "assistant")).toHaveLength(1)

    const after = await ask([text("still here")], "and now?", { place, args: ["--continue"] })
    expect(sentText(after.requests[0])).toContain("pearls were told of")
    expect(sentText(after.requests[0])).toContain("the last question")
    expect(sentText(after.requests[0])).not.toContain("first tale")
  })

  it("is compacted once only", async () => {
    const place = await withHistory()
    const { code, requests, result, lines } = await ask(
      (body, index) => (index > 0 && isCompaction(body) ? text("<summary>pearls</summary>") : TOO_LONG),
      "the last question",
      { place, args: ["--continue"] }
    )
    expect(requests).toHaveLength(3)
    expect({ code, reason: result["terminal_reason"] }).toEqual({ code: 1, reason: "prompt_too_long" })
    expect(String(result["result"])).toMatch(/^Prompt is too long/)
    expect(linesOf(lines, "assistant")).toMatchObject([{ error: "invalid_request", message: { model: "<synthetic>" } }])
  })

  it("of a single exchange is told at once", async () => {
    const { code, requests, result } = await ask(() => TOO_LONG, "go")
    expect(requests).toHaveLength(1)
    expect({ code, reason: result["terminal_reason"], subtype: result["subtype"] }).toEqual({
      code: 1,
      reason: "prompt_too_long",
      subtype: "success"
    })
  })

  it("gets a smaller output limit when only input and output together are too much", async () => {
    const message = "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000"
    const { requests, result } = await ask([status(400, { message }), text("fine")], "go")
    expect(result["result"]).toBe("fine")
    expect(requests[1]?.body["max_tokens"]).toBe(19_000)
  })
})

describe.concurrent("a response without an answer", () => {
  it("that is empty is asked for again once", async () => {
    const { requests, result, code } = await ask([empty(), text("sorry, here it is")], "go")
    expect(requests).toHaveLength(2)
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "sorry, here it is" })
  })

  it("that stays empty ends the turn with an empty result", async () => {
    const { requests, result, code } = await ask(() => empty(), "go")
    expect(requests).toHaveLength(2)
    expect({ code, result: result["result"], reason: result["terminal_reason"] }).toEqual({
      code: 0,
      result: "",
      reason: "completed"
    })
  })

  it("that is empty after tool results is asked for again with the results", async () => {
    const { requests, result } = await ask([toolUse("Glob", { pattern: "*" }), empty(), text("done")], "go")
    expect(result["result"]).toBe("done")
    expect(sentText(requests[2])).toContain("No files found")
    expect(sentText(requests[2])).toContain("nothing that the user can see")
  })

  it("that is a refusal is answered once, and what follows counts", async () => {
    const { requests, result, code } = await ask([refusal("I would rather not."), text("the other half")], "go")
    expect(requests).toHaveLength(2)
    expect(sentText(requests[1])).toContain("I would rather not.")
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "the other half" })
  })

  it("that stays a refusal is told as one, and what was said is kept", async () => {
    const { requests, lines, result, code } = await ask([refusal("I would rather not."), refusal()], "go")
    expect(requests).toHaveLength(2)
    expect({ code, is_error: result["is_error"], reason: result["terminal_reason"] }).toEqual({
      code: 1,
      is_error: true,
      reason: "model_error"
    })
    const said = linesOf(lines, "assistant")
    expect(textOf(said[0] ?? {})).toBe("I would rather not.")
    expect(textOf(said[1] ?? {})).toMatch(/declined/)
  })
})
