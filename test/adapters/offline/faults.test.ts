import { describe, expect, it } from "vitest"
import type { ApiMessage } from "../../../src/core/model/request/model-request.ts"
import { type Outcome, respond } from "../../../src/adapters/offline/respond.ts"
import { asking, asMessage, assistant, OPTIONS, request, result, saidIn, text, user } from "./world.ts"
import type { RequestParts } from "./world.ts"

const hit = (prompt: string, attempt = 0, parts: RequestParts = {}): Outcome =>
  respond(asking(prompt, parts), { ...OPTIONS, attempt })

const failureOf = ({ end }: Outcome) => (end._tag === "Fail" ? end.failure : undefined)

const LAST = (outcome: Outcome) => outcome.events.at(-1)?.type

describe("faults that refuse the request", () => {
  it.each([
    ["overloaded", 529, "overloaded_error", /overloaded/i],
    ["server_error", 500, "api_error", /internal server error/i],
    ["auth", 401, "authentication_error", /x-api-key/],
    ["prompt_too_long", 400, "invalid_request_error", /^prompt is too long: 210000 tokens > 200000 maximum$/],
    ["image_too_large", 400, "invalid_request_error", /image exceeds 5 MB maximum/]
  ])("%s", (kind, status, errorType, message) => {
    const outcome = hit(`@fault ${kind}\n@say fine`)
    expect(outcome.events).toEqual([])
    expect(failureOf(outcome)).toMatchObject({ kind: "http", status, errorType })
    expect(failureOf(outcome)?.message).toMatch(message)
    expect(saidIn(hit(`@fault ${kind}\n@say fine`, 1).events).text).toBe("fine")
  })

  it("rate_limit says when to come back", () => {
    expect(failureOf(hit("@fault rate_limit"))).toMatchObject({
      status: 429,
      errorType: "rate_limit_error",
      retryAfterMs: 1_000
    })
    expect(failureOf(hit("@fault rate_limit:2.5"))).toMatchObject({ retryAfterMs: 2_500 })
  })

  it("disconnect:before never opens the connection", () => {
    const outcome = hit("@fault disconnect:before")
    expect(outcome.events).toEqual([])
    expect(failureOf(outcome)).toMatchObject({ kind: "network", code: "ECONNRESET" })
  })
})

describe("the count of a fault", () => {
  it("is the number of requests it hits, in the order of the faults", () => {
    const prompt = "@fault overloaded 2\n@fault auth\n@say fine"
    const seen = [0, 1, 2, 3].map((attempt) => failureOf(hit(prompt, attempt))?.status)
    expect(seen).toEqual([529, 529, 401, undefined])
  })

  it("leaves the normal answer in place", () => {
    expect(saidIn(hit("run `ls`\n@fault overloaded 2", 2).events).calls[0]?.input).toEqual({ command: "ls" })
  })

  it("spares other models unless they are named", () => {
    const standIn = { model: "offline-b" }
    expect(failureOf(hit("@fault overloaded 9\n@say fine", 0, standIn))).toBeUndefined()
    expect(failureOf(hit("@fault overloaded 1 offline-b\n@say fine", 0, standIn))?.status).toBe(529)
    expect(failureOf(hit("@fault overloaded 1 offline-b\n@say fine"))).toBeUndefined()
  })

  it("belongs to the response that is open", () => {
    const prompt = '@tool Read {"file_path": "a"}\n@next\n@fault overloaded\n@say end'
    const first = saidIn(hit(prompt).events)
    const messages = [user(text(prompt)), asMessage(first), user(result(first.calls[0]?.id ?? "", "ok"))]
    expect(first.calls).toHaveLength(1)
    expect(failureOf(respond(request(messages), OPTIONS))?.status).toBe(529)
  })
})

describe("faults that cut the connection", () => {
  const WORDS = "some words that are long enough to be cut"
  const READ = '@tool Read {"file_path": "a"}'
  const GREP = '@tool Grep {"pattern": "some long pattern"}'
  const cut = (point: string): Outcome => hit(`@fault disconnect:${point}\n@think a thought\n@say ${WORDS}\n${READ}`)
  const pair = (point: string): Outcome => hit(`@fault disconnect:${point}\n@parallel\n${READ}\n${GREP}`)

  it("thinking: after the thought is complete", () => {
    expect(LAST(cut("thinking"))).toBe("content_block_stop")
    expect(saidIn(cut("thinking").events)).toMatchObject({ think: "a thought", text: "", calls: [] })
    expect(saidIn(hit("@fault disconnect:thinking\n@say x").events).think).not.toBe("")
  })

  it("text: in the middle of the words", () => {
    const said = saidIn(cut("text").events)
    expect(WORDS.startsWith(said.text)).toBe(true)
    expect(said.text.length).toBeGreaterThan(0)
    expect(LAST(cut("text"))).toBe("content_block_delta")
    expect(said.calls).toEqual([])
  })

  it("tool: after the first call is complete, in the middle of the next block", () => {
    const outcome = pair("tool")
    const stops = outcome.events.filter((event) => event.type === "content_block_stop")
    expect(stops).toEqual([{ type: "content_block_stop", index: 0 }])
    expect(LAST(outcome)).toBe("content_block_delta")
    expect(saidIn(outcome.events).calls.map((call) => call.name)).toEqual(["Read", "Grep"])
    expect(LAST(cut("tool"))).toBe("content_block_stop")
  })

  it("all of them break the network", () => {
    for (const point of ["thinking", "text", "tool"]) {
      expect(failureOf(cut(point))).toMatchObject({ kind: "network", status: null })
    }
  })

  it("a call that came through is not made again", () => {
    const prompt = `@fault disconnect:tool\n@parallel\n${READ}\n${GREP}\n@next\n@say end`
    const [read] = saidIn(hit(prompt).events).calls
    const kept = assistant(...(read === undefined ? [] : [read]))
    const messages = [user(text(prompt)), kept, user(result(read?.id ?? "", "ok"))]
    expect(saidIn(respond(request(messages), OPTIONS).events).text).toBe("end")
  })

  it("stall begins and never ends", () => {
    const outcome = hit("@fault stall\n@say hello")
    expect(outcome.end._tag).toBe("Stall")
    const types = outcome.events.map((event) => event.type)
    expect(types).toEqual(["message_start", "content_block_start", "content_block_delta"])
  })
})

describe("faults that spoil the response", () => {
  it("refusal and empty", () => {
    expect(saidIn(hit("@fault refusal\n@say x").events)).toMatchObject({ stop: "refusal", calls: [] })
    const types = hit("@fault empty\n@say x").events.map((event) => event.type)
    expect(types).toEqual(["message_start", "message_delta", "message_stop"])
  })

  it("after a refusal that stayed in the history the answer is still due", () => {
    const prompt = "@fault refusal\n@say fine"
    const refusal = asMessage(saidIn(hit(prompt).events))
    const messages = [user(text(prompt)), refusal, user(text("Continue from where you left off."))]
    expect(saidIn(respond(request(messages), OPTIONS).events).text).toBe("fine")
  })

  it("bad_json is never JSON, and the call is still due", () => {
    const prompt = '@fault bad_json 2\n@tool Read {"file_path": "a"}\n@say end'
    let messages: ReadonlyArray<ApiMessage> = [user(text(prompt))]
    const inputs: Array<string> = []
    for (let round = 0; round < 3; round++) {
      const said = saidIn(respond(request(messages), OPTIONS).events)
      inputs.push(said.json[0] ?? "")
      messages = [...messages, asMessage(said), user(result(said.calls[0]?.id ?? "", "InputValidationError", true))]
    }
    expect(inputs.slice(0, 2).every((json) => json !== "" && !json.endsWith("}"))).toBe(true)
    expect(inputs[2]).toBe('{"file_path":"a"}')
    expect(saidIn(respond(request(messages), OPTIONS).events).text).toBe("end")
    expect(saidIn(hit("@fault bad_json\n@say x").events).json).toEqual(["{"])
  })
})

describe("max_tokens", () => {
  const ANSWER = "The quick brown fox jumps over the lazy dog."
  const CUT_NOTE = "Your last message was cut off by the output limit. Go on."

  it("with a larger limit the same request is answered in full", () => {
    const prompt = `@fault max_tokens\n@say ${ANSWER}`
    expect(saidIn(hit(prompt).events)).toMatchObject({ stop: "max_tokens", text: ANSWER.slice(0, 22) })
    expect(saidIn(hit(prompt, 1).events)).toMatchObject({ stop: "end_turn", text: ANSWER })
  })

  it("four times: one escalation, three continuations, and still cut (AL5)", () => {
    const prompt = `@fault max_tokens 4\n@say ${ANSWER}`
    let messages: ReadonlyArray<ApiMessage> = [user(text(prompt))]
    expect(saidIn(hit(prompt, 1).events).stop).toBe("max_tokens")
    const pieces: Array<string> = []
    for (let round = 0; round < 5; round++) {
      const said = saidIn(respond(request(messages), OPTIONS).events)
      expect(said.stop).toBe(round < 4 ? "max_tokens" : "end_turn")
      pieces.push(said.text)
      messages = [...messages, asMessage(said), user(text(CUT_NOTE))]
    }
    expect(pieces.join("")).toBe(ANSWER)
  })

  it("cuts an answer too short to be cut in words of its own", () => {
    const said = saidIn(hit("@fault max_tokens 3\n@say x").events)
    expect(said.stop).toBe("max_tokens")
    expect(said.text).toContain("cut by the output limit")
    expect(saidIn(hit("@fault max_tokens 1\n@tool Read {}").events)).toMatchObject({ stop: "max_tokens", calls: [] })
  })
})

describe("the window", () => {
  it("is enforced with the counted tokens", () => {
    const outcome = respond(asking("x".repeat(8_000), { tools: [] }), { ...OPTIONS, windowTokens: 1_000 })
    expect(failureOf(outcome)?.message).toMatch(/^prompt is too long: 20\d\d tokens > 1000 maximum$/)
    expect(outcome.faulted).toBe(false)
  })
})
