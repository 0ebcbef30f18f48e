import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import {
  ask,
  begin,
  blocksIn,
  endpointEnv,
  linesOf,
  object,
  saidBy,
  sentBlocks,
  sentResults,
  sentText,
  serve,
  textOf
} from "../support/e2e-world.ts"
import {
  cutAfter,
  cutInside,
  duplicated,
  endAfter,
  garbageAfter,
  pinged,
  stallAfter,
  trickled
} from "../support/messages-fault.ts"
import { blocks, type Reply, text } from "../support/messages-reply.ts"
import type { Script } from "../support/messages-server.ts"
import { putFile } from "../support/temp-world.ts"

/** Responses that break off, come twice, come in crumbs or not at all. Every one of them must end with a result. */
const THOUGHT = "where is it"
const SAID = "I read the file and then I tell you about it."

const reading = (file: string): Reply =>
  blocks(
    [
      { type: "thinking", thinking: THOUGHT },
      { type: "text", text: SAID },
      { type: "tool_use", name: "Read", input: { file_path: file }, id: "toolu_read" },
      { type: "tool_use", name: "Glob", input: { pattern: "*" }, id: "toolu_glob" }
    ],
    { deltaChars: 30 }
  )

const TWO_TEXTS = blocks(
  [
    { type: "text", text: "first." },
    { type: "text", text: "second, which is cut" }
  ],
  { deltaChars: 7 }
)

const countEvents = (reply: Reply): number => reply({ index: 0, model: "m", inputTokens: 1 }).steps.length

/** The broken reply first; whoever asks again gets the whole one, whoever has results gets the end. */
const brokenOnce =
  (broken: Reply, whole: Reply): Script =>
  (body, index) => {
    if (index === 0) return broken
    return JSON.stringify(body).includes('"tool_result"') ? text("done") : whole
  }

const place = () => {
  const made = makePlace()
  putFile(`${made.cwd}/a.txt`, "alpha\n")
  return { made, file: `${made.cwd}/a.txt` }
}

const inTurns = async <A>(items: ReadonlyArray<A>, workers: number, work: (item: A) => Promise<void>): Promise<void> => {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

const WAYS: ReadonlyArray<readonly [string, (count: number, reply: Reply) => Reply]> = [
  ["cut between events", cutAfter],
  ["cut inside an event", cutInside],
  ["ended in good order too early", endAfter]
]

describe.concurrent.each(WAYS)("a response %s", (_, broken) => {
  it("ends with one result wherever it breaks", { timeout: 120_000 }, async () => {
    const events = countEvents(reading("/x"))
    await inTurns(
      Array.from({ length: events }, (_event, index) => index),
      3,
      async (index) => {
        const { made, file } = place()
        const whole = reading(file)
        const script = brokenOnce(broken(index, whole), whole)
        const { code, lines, requests, result } = await ask(script, "go", { place: made })
        const withdrawn = new Set(linesOf(lines, "system/tombstone").map((line) => line["message_uuid"]))
        const said = linesOf(lines, "assistant")
          .filter((line) => !withdrawn.has(line["uuid"]))
          .flatMap(blocksIn)
          .filter((block) => block["type"] !== "thinking")
        const notices = linesOf(lines, "system/informational")
        expect({ index, code, last: said.at(-1)?.["text"] ?? "" }).toEqual({ index, code: 0, last: result["result"] })
        if (result["result"] !== "done") {
          // The text had begun after a thought: what is there is the answer, and that it is cut is told.
          expect({ index, begun: SAID.startsWith(String(result["result"])), notices: notices.length }).toEqual({
            index,
            begun: true,
            notices: 1
          })
          return
        }
        // Whatever was announced and not taken back is what the model is told it said.
        const told = sentBlocks(requests.at(-1)).filter((block) => ["text", "tool_use"].includes(String(block["type"])))
        expect(told.slice(-said.length + 1)).toMatchObject(said.slice(0, -1))
      }
    )
  })
})

describe.concurrent("what is kept of a broken response", () => {
  it("completed calls are run, the half one is dropped, and nothing is asked twice", async () => {
    const { made, file } = place()
    const whole = reading(file)
    const insideGlob = countEvents(whole) - 4
    const { lines, requests } = await ask(brokenOnce(cutAfter(insideGlob, whole), whole), "go", { place: made })
    expect(requests).toHaveLength(2)
    expect(sentResults(requests[1]).map((result) => result["tool_use_id"])).toEqual(["toolu_read"])
    expect(saidBy(sentResults(requests[1])[0])).toContain("alpha")
    expect(linesOf(lines, "system/informational").map((line) => line["content"])).toEqual([
      expect.stringMatching(/may be incomplete/)
    ])
  })

  it("a cut answer is told on stderr where only the text is printed", async () => {
    const server = await serve([cutAfter(6, TWO_TEXTS)])
    const { code, stdout, stderr } = await run(["-p", "go"], { env: endpointEnv(server) })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "second,\n" })
    expect(stderr).toMatch(/may be incomplete/)
  })

  it("half a text without a call is the answer, with a notice", async () => {
    const { code, result, lines, requests } = await ask([cutAfter(6, TWO_TEXTS)], "go")
    expect(requests).toHaveLength(1)
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "second," })
    expect(linesOf(lines, "system/informational")).toHaveLength(1)
  })

  it("nothing is kept when no block was complete: the request is made again", async () => {
    const { lines, requests, result } = await ask([cutAfter(4, text(SAID, { deltaChars: 5 })), text("whole")], "go")
    expect(requests).toHaveLength(2)
    expect(result["result"]).toBe("whole")
    expect(linesOf(lines, "assistant").map(textOf)).toEqual(["whole"])
    expect(sentText(requests[1])).toBe(sentText(requests[0]))
  })

  it("a cut after the stop reason loses nothing and is not told", async () => {
    const reply = text("complete")
    const { lines, requests, result } = await ask([cutAfter(countEvents(reply) - 1, reply)], "go")
    expect(requests).toHaveLength(1)
    expect(result["result"]).toBe("complete")
    expect(linesOf(lines, "system/informational")).toEqual([])
  })
})

describe.concurrent("odd but whole responses", () => {
  it.each([
    ["byte by byte", (reply: Reply) => trickled(reply, 1)],
    ["with a ping before every event", pinged],
    ["with rubbish behind the end", (reply: Reply) => garbageAfter(countEvents(reply), reply, "data: {oops\n\n")]
  ])("%s are read as they were meant", async (_, manner) => {
    const { made, file } = place()
    const { code, result, requests } = await ask([manner(reading(file)), text("done")], "go", { place: made })
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "done" })
    expect(sentResults(requests[1])).toHaveLength(2)
  })

  it("every event twice still ends with one result and well-formed requests", async () => {
    const { made, file } = place()
    const whole = reading(file)
    const { result } = await ask(brokenOnce(duplicated(whole), whole), "go", { place: made })
    expect(result["result"]).toBe("done")
  })
})

describe.concurrent("a response that stalls", () => {
  it.each([
    ["in the middle of a text", 10, "aborted_streaming"],
    ["before its first event", 0, "aborted_streaming"]
  ])("%s ends with the interrupt, and what was said is kept", async (_, events, reason) => {
    const server = await serve([stallAfter(events, text(SAID, { deltaChars: 4 }))])
    const cli = await begin(server, "go", { args: ["--include-partial-messages"] })
    if (events === 0) await server.arrived(1)
    else await cli.line((line) => object(object(line["event"])["delta"])["text"] === SAID.slice(28, 32))
    cli.signal("SIGINT")
    const { code, lines } = await cli.ended
    expect(code).toBe(130)
    expect(linesOf(lines, "result")).toMatchObject([{ terminal_reason: reason, subtype: "error_during_execution" }])
    const kept = linesOf(lines, "assistant")
    expect(kept.map(textOf)).toEqual(events === 0 ? [] : [SAID.slice(0, 32)])
    expect(kept.every((line) => line["aborted"] === true)).toBe(true)
  })
})
