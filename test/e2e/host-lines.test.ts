import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import { endpointEnv, linesOf, serve, STREAM, transcriptOf } from "../support/e2e-world.ts"
import { text } from "../support/messages-reply.ts"
import type { Json } from "../support/messages-validate.ts"

/** What a host may write on stdin, good and bad, without an SDK between: every line is answered or passed over. */
const HOSTED = [...STREAM, "--input-format", "stream-json"]

const prompt = (content: unknown, fields: Json = {}): Json => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id: null,
  session_id: "",
  ...fields
})

const host = async (lines: ReadonlyArray<unknown>, args: ReadonlyArray<string> = []) => {
  const server = await serve((_body, index) => text(`answer ${index}`))
  const place = makePlace()
  const stdin = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")
  const ended = await run([...HOSTED, ...args], { place, stdin, env: endpointEnv(server) })
  const results = linesOf(ended.lines, "result").map((line) => line["result"])
  return { ...ended, place, requests: server.requests, results }
}

describe.concurrent("a prompt from a host", () => {
  it.each(["", "   ", "\n\t "])(
    "that is blank (%j) gets a word and a result, and nothing is sent or kept",
    async (blank) => {
      const { code, results, requests, place, stderr } = await host([prompt(blank), prompt("now really")])
      expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 1 })
      expect(results).toEqual([expect.stringContaining("nothing but blanks"), "answer 0"])
      expect(stderr).toContain("nothing but blanks")
      expect(transcriptOf(place).lines.filter((line) => line["type"] === "user")).toHaveLength(1)
    }
  )

  it("that comes twice is answered once and acknowledged twice", async () => {
    const uuid = "11111111-1111-4111-8111-111111111111"
    const { results, lines } = await host([prompt("a", { uuid }), prompt("a", { uuid })], ["--replay-user-messages"])
    const replayed = lines.filter((line) => line["isReplay"] === true)
    expect(replayed.map((line) => line["uuid"])).toEqual([uuid, uuid])
    expect(results).toEqual(["answer 0"])
  })

  it.each([
    ["without a message", { type: "user" }],
    ["in another's name", { type: "user", message: { role: "assistant", content: "x" } }],
    ["with content of no kind", prompt(5)],
    ["of a kind nobody knows", { type: "martian" }],
    ["that is not JSON", "oops"]
  ])("after a line %s is answered all the same", async (_what, line) => {
    const { code, results } = await host([prompt("a"), line, prompt("b")])
    expect({ code, results }).toEqual({ code: 0, results: ["answer 0", "answer 1"] })
  })
})

describe.concurrent("a control request", () => {
  it.each([
    ["without a request", { type: "control_request", request_id: "r" }],
    ["whose request is a list", { type: "control_request", request_id: "r", request: [] }],
    ["without a subtype", { type: "control_request", request_id: "r", request: {} }],
    ["of a kind nobody knows", { type: "control_request", request_id: "r", request: { subtype: "fly" } }],
    ["named like a part of every object", { type: "control_request", request_id: "r", request: { subtype: "constructor" } }]
  ])("%s gets exactly one error", async (_what, request) => {
    const { lines, results } = await host([request, prompt("a")])
    expect(linesOf(lines, "control_response").map((line) => line["response"])).toEqual([
      expect.objectContaining({ subtype: "error", request_id: "r", error: expect.any(String) })
    ])
    expect(results).toEqual(["answer 0"])
  })

  it("without an id is passed over", async () => {
    const { lines, results } = await host([{ type: "control_request", request: { subtype: "interrupt" } }, prompt("a")])
    expect(linesOf(lines, "control_response")).toEqual([])
    expect(results).toEqual(["answer 0"])
  })
})
