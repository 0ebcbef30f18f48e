import { describe, expect, it } from "vitest"
import { isToolResult } from "../../../src/core/domain/block.ts"
import { permissions, toolsFor } from "../../support/loop-fixture.ts"
import { bash, callBlock, grep, OVERLOADED, read, RESET, returned, TOO_LONG } from "./response-plan.ts"
import { afterOneTurn, isApiError, lastWords, Script } from "./script.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

/** The acceptance scenarios of the loop (01 §6) as far as the core alone decides them. */
const ALLOWED = permissions({ mode: "bypassPermissions" })

const editCall = {
  id: "edit",
  name: "Edit",
  input: { file_path: "/project/a.txt", old_string: "a", new_string: "b" }
}

it("AL1: searches overlap, the edit waits for both, the results keep the order of the calls", () => {
  const script = new Script({ permission: ALLOWED })
  script.begin()
  script.respond({ calls: [grep("grep"), { id: "glob", name: "Glob", input: { pattern: "*" } }, editCall] })
  expect(script.all("PrepareCall").map(({ callId }) => callId)).toEqual(["grep", "glob"])
  script.prepare("grep")
  script.prepare("glob")
  script.settle("glob", returned("glob result"))
  expect(script.all("StartCall").map(({ callId }) => callId)).toEqual(["grep", "glob"])
  expect(script.all("PrepareCall")).toHaveLength(2)
  script.settle("grep", returned("grep result"))
  expect(script.all("PrepareCall").at(-1)?.callId).toBe("edit")
  script.runCalls("edit")
  const answers = script.requests[1]?.messages.at(-1)?.content.filter(isToolResult)
  expect(answers?.map((block) => block.tool_use_id)).toEqual(["grep", "glob", "edit"])
})

it("AL2: two overloads are waited out, longer the second time, and cost nothing", () => {
  const script = new Script()
  script.begin()
  script.failAndWait(OVERLOADED)
  script.failAndWait(OVERLOADED)
  script.respond({ text: "fine" })
  const retries = script.emitted("RetryScheduled")
  expect(retries.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
    [1, 500],
    [2, 1_000]
  ])
  expect(script.result).toMatchObject({
    subtype: "success",
    isError: false,
    text: "fine",
    totalCostUsd: 0,
    numTurns: 1
  })
})

it("AL3: after three overloads the second model answers, for this turn", () => {
  const script = new Script({ config: { fallbackModels: ["offline-b"] } })
  script.begin()
  for (let count = 0; count < 2; count++) script.failAndWait(OVERLOADED)
  script.startResponse()
  script.say(
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half of" } }
  )
  script.fail(OVERLOADED)
  expect(script.emitted("PartialDiscarded")).toHaveLength(1)
  expect(script.requests.map(({ model }) => model)).toEqual(["offline", "offline", "offline", "offline-b"])
  expect(script.messages.filter((message) => message.type === "system")).toMatchObject([
    { subtype: "informational", level: "warning", content: expect.stringMatching(/offline .*offline-b/) }
  ])
  script.respond({ text: "from b" })
  expect(script.result.text).toBe("from b")
  script.begin("again")
  expect(script.requests.at(-1)?.model).toBe("offline")
})

it("AL4: the connection breaks after a finished call; it runs, and the loop goes on from its result", () => {
  const script = new Script()
  script.begin()
  script.startResponse()
  script.say(...callBlock(0, read("a")), {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "b", name: "Read", input: {} }
  })
  script.fail(RESET)
  script.runCalls("a")
  expect(script.all("StartCall").map(({ callId }) => callId)).toEqual(["a"])
  expect(JSON.stringify(script.messages)).toContain("may be incomplete")
  expect(script.requests).toHaveLength(2)
  expect(lastWords(script.requests[1])).toContain('"tool_use_id":"a"')
  script.respond({ text: "done" })
  expect(script.result).toMatchObject({ terminalReason: "completed", numTurns: 2 })
})

describe("AL5: an answer that is cut again and again", () => {
  const script = new Script()
  script.begin()
  for (let count = 0; count < 5; count++) script.respond({ text: `part ${count}`, stop: "max_tokens" })

  it("gets a larger limit once, goes on three times, then ends with the error", () => {
    expect(script.requests.map(({ max_tokens }) => max_tokens)).toEqual([32_000, 64_000, 64_000, 64_000, 64_000])
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: true, text: "part 4", numTurns: 4 })
  })

  it("keeps every part but the one that was repeated, with a note to go on behind each", () => {
    expect(script.said).toEqual(["part 1", "part 2", "part 3", "part 4"])
    expect(script.messages.filter((message) => message.type === "user" && message.isMeta === true)).toHaveLength(3)
    expect(script.emitted("Tombstone")).toHaveLength(1)
  })
})

describe("AL6: the prompt is too long", () => {
  it("is compacted once and then answered", () => {
    const script = afterOneTurn()
    script.begin("second")
    script.fail(TOO_LONG)
    expect(script.phase).toBe("Compacting")
    script.compacted()
    expect(turnOf(script.state)?.transition).toBe("reactive_compact_retry")
    script.respond({ text: "fine" })
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: false, text: "fine" })
    expect(script.emitted("MessageAdded").some(({ message }) => isApiError(message))).toBe(false)
  })

  it("ends the turn when it is still too long, without another compaction", () => {
    const script = afterOneTurn()
    script.begin("second")
    script.fail(TOO_LONG)
    script.compacted()
    script.fail(TOO_LONG)
    expect(script.result).toMatchObject({
      terminalReason: "prompt_too_long",
      subtype: "success",
      isError: true,
      apiErrorStatus: 400,
      text: "Prompt is too long"
    })
    expect(script.all("Compact")).toHaveLength(1)
  })
})

it("AL7: an interrupt stops a running command, keeps its output, and the conversation can go on", () => {
  const script = new Script({ permission: ALLOWED })
  script.begin()
  script.respond({ calls: [bash("sleep", "sleep 100 && true")] })
  script.prepare("sleep")
  script.interrupt()
  expect(script.all("CancelCall").map(({ callId }) => callId)).toEqual(["sleep"])
  expect(script.phase).toBe("Settling")
  script.settle("sleep", { _tag: "Cancelled", content: "so far", data: {} })
  expect(script.result).toMatchObject({
    terminalReason: "aborted_tools",
    subtype: "error_during_execution",
    isError: true
  })
  script.begin("go on")
  expect(lastWords(script.requests.at(-1))).toMatch(/so far[\s\S]*interrupted by user for tool use[\s\S]*go on/)
})

it("AL8: a prompt typed while tools run joins the same turn behind the results", () => {
  const script = new Script()
  script.begin()
  script.respond({ calls: [read("a")] })
  script.prompt("and also this")
  script.runCalls("a")
  expect(lastWords(script.requests[1])).toMatch(/tool_result[\s\S]*and also this/)
  script.respond({ text: "both done" })
  expect(script.results).toHaveLength(1)
})

it("AL10: with one turn the call runs and nothing more is sent", () => {
  const script = new Script({ config: { maxTurns: 1 } })
  script.begin()
  script.respond({ calls: [read("a")] })
  script.runCalls("a")
  expect(script.all("StartCall")).toHaveLength(1)
  expect(script.requests).toHaveLength(1)
  expect(script.result).toMatchObject({
    subtype: "error_max_turns",
    isError: true,
    numTurns: 2,
    errors: ["Reached maximum number of turns (1)"]
  })
})

it("AL11: structured output that never fits ends the run after the fifth invalid call", () => {
  const schema = { type: "object", properties: { n: { type: "number" } } }
  const tools = toolsFor({ schema, interactive: false })
  const script = new Script({ config: { jsonSchema: schema }, tools })
  script.begin()
  for (let count = 0; count < 5; count++) {
    script.respond({ calls: [{ id: `out${count}`, name: "StructuredOutput", input: { n: "no number" } }] })
    script.prepare(`out${count}`)
    script.settle(`out${count}`, { _tag: "Failed", message: "n: must be a number" })
  }
  expect(script.requests).toHaveLength(5)
  expect(script.result).toMatchObject({ subtype: "error_max_structured_output_retries", isError: true })
  expect(script.result.errors).toHaveLength(1)
})

it("AL12: a Stop hook that always blocks is heard eight times, then the turn ends and says why", () => {
  const script = new Script({ config: { hookEvents: ["Stop"] } })
  script.begin()
  for (let round = 0; turnOf(script.state) !== undefined && round < 20; round++) {
    script.respond({ text: `answer ${round}` })
    script.hooks({ block: "not good enough" })
  }
  expect(script.requests).toHaveLength(9)
  expect(script.result).toMatchObject({ terminalReason: "completed", subtype: "success", isError: false, text: "" })
  const said = script.emitted("MessageAdded").flatMap(({ message }) => (message.type === "system" ? [message.content] : []))
  expect(said).toEqual([expect.stringContaining("8 times in a row")])
})
