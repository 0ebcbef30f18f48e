import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { makePlace, type Place } from "../support/built-cli.ts"
import {
  ask,
  begin,
  blocksIn,
  conversation,
  linesOf,
  messagesIn,
  readTranscript,
  saidBy,
  sentBlocks,
  sentText,
  serve,
  sessionOf,
  transcriptOf
} from "../support/e2e-world.ts"
import { silent } from "../support/messages-fault.ts"
import { text, toolUse } from "../support/messages-reply.ts"

/** Sessions that ended badly, and sessions that another program wrote: what the model is told when they go on. */
const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures", "transcripts")

/** Puts a stored transcript where its own program would have left it; gives its session id. */
const install = (place: Place, name: string): string => {
  const source = join(FIXTURES, `${name}.jsonl`)
  const sessionId = /"sessionId":"([^"]+)"/.exec(readFileSync(source, "utf8"))?.[1] ?? ""
  const target = join(place.config, "projects", place.cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), `${sessionId}.jsonl`)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(source, target)
  return sessionId
}

describe.concurrent("a transcript that cannot be written", () => {
  it("is complained of once, and the work goes on", async () => {
    const place = makePlace()
    symlinkSync(place.home, join(place.config, "projects"))
    const calls = [1, 2, 3].map((count) => toolUse("Bash", { command: `echo ${count}` }))
    const { code, stderr, result } = await ask([...calls, text("done")], "go", { place, args: ["--allowedTools", "Bash"] })
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "done" })
    expect(stderr.match(/is not being saved/g)).toHaveLength(1)
  })
})

describe.concurrent("who started the program", () => {
  it("is named on every line", async () => {
    const place = makePlace()
    await ask([text("fine")], "hello", { place, env: { CLAUDE_CODE_ENTRYPOINT: "my-editor" } })
    const lines = transcriptOf(place).lines.filter((line) => line["type"] === "user")
    expect(lines.map((line) => line["entrypoint"])).toEqual(["my-editor"])
  })
})

describe.concurrent("a turn that was interrupted", () => {
  it("in a call: the call gets a result that says so, and the new prompt stands alone", async () => {
    const place = makePlace()
    const sessionId = install(place, "interrupted")
    const { code, requests } = await ask([text("fine")], "what happened?", { place, args: ["--resume", sessionId] })
    expect(code).toBe(0)
    const sent = sentBlocks(requests[0])
    const results = sent.filter((block) => block["type"] === "tool_result")
    expect(results.map((block) => [block["tool_use_id"], saidBy(block).slice(0, 30)])).toEqual([
      ["toolu_i1", "[Tool call interrupted: the se"],
      ["toolu_i2", "1\tvalve 3 open"]
    ])
    expect(conversation(requests[0])).toEqual([
      "Run the irrigation test.",
      "Running it and reading the log.",
      "Continue from where you left off.",
      "No response requested.",
      "what happened?"
    ])
  })

  it("before the answer: the old prompt is kept and the new one is another message", async () => {
    const place = makePlace()
    const server = await serve([silent()])
    const cli = await begin(server, "never answered", { place })
    await server.arrived(1)
    cli.signal("SIGKILL")
    await cli.ended
    const { requests } = await ask([text("fine")], "answered", { place, args: ["--continue"] })
    expect(conversation(requests[0])).toEqual(["never answered", "No response requested.", "answered"])
    expect(messagesIn(requests[0]).map((message) => message["role"])).toEqual(["user", "assistant", "user"])
  })
})

describe.concurrent("transcripts in the shape of Claude Code", () => {
  it.each([
    ["plain", ["How many pear trees are in rows.csv?", "There are 17 pear trees."]],
    ["parallel", ["I will read all three.", "Plums come first, then apples, then quinces."]],
    ["unknown-and-torn", []],
    ["broken-parent", []],
    ["branches", []],
    ["compacted", []],
    ["compacted-segment", []],
    ["old-progress-and-sidechain", []],
    ["unanswered", ["Hello?", "Hello.", "What is left to do?"]],
    ["bypass", []]
  ])("%s is resumed, and only added to", async (name, expected) => {
    const place = makePlace()
    const sessionId = install(place, name)
    const before = readFileSync(join(FIXTURES, `${name}.jsonl`), "utf8")
    const args = ["--resume", sessionId]
    const answer = await ask([toolUse("Glob", { pattern: "*" }), text("fine")], "go on", { place, args })
    expect({ code: answer.code, session: sessionOf(answer) }).toEqual({ code: 0, session: sessionId })
    const said = conversation(answer.requests[0])
    expect(said.at(-1)).toBe("go on")
    for (const part of expected) expect(said).toContain(part)
    expect(linesOf(answer.lines, "system/init")).toMatchObject([{ permissionMode: "default" }])
    const { text: after, torn } = transcriptOf(place)
    expect(after.startsWith(before)).toBe(true)
    expect(torn.length).toBeLessThanOrEqual(1)
    const again = await ask([text("bye")], "and again", { place, args })
    expect(conversation(again.requests[0]).slice(-3)).toEqual(["go on", "fine", "and again"])
  })

  it("parallel results are all sent, each once, with their calls", async () => {
    const place = makePlace()
    const { requests } = await ask([text("fine")], "go on", { place, args: ["--resume", install(place, "parallel")] })
    const results = sentBlocks(requests[0]).filter((block) => block["type"] === "tool_result")
    expect(results).toHaveLength(3)
    expect(new Set(results.map((block) => block["tool_use_id"]))).toEqual(new Set(["toolu_a", "toolu_b", "toolu_c"]))
    expect(sentText(requests[0])).toContain("quinces in October")
  })

  it("a compacted one sends its summary and what was kept, not what was summarised", async () => {
    const place = makePlace()
    const sessionId = install(place, "compacted")
    const boundary = readTranscript(join(FIXTURES, "compacted.jsonl")).lines
    const cut = boundary.findIndex((line) => line["subtype"] === "compact_boundary")
    const summary = boundary.find((line) => line["isCompactSummary"] === true)
    const { requests } = await ask([text("fine")], "go on", { place, args: ["--resume", sessionId] })
    expect(cut).toBeGreaterThan(0)
    expect(conversation(requests[0]).join("\n")).toContain(String(blocksIn(summary ?? {})[0]?.["text"]).slice(0, 40))
    expect(conversation(requests[0])).not.toContain(blocksIn(boundary[0] ?? {})[0]?.["text"])
  })
})
