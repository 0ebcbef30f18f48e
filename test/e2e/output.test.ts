import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makePlace, run, start } from "../support/built-cli.ts"
import {
  ask,
  blocksIn,
  endpointEnv,
  linesOf,
  object,
  sentText,
  serve,
  STREAM,
  textOf,
  transcriptOf
} from "../support/e2e-world.ts"
import { blocks, text, thinking, toolUse } from "../support/messages-reply.ts"
import { shortest } from "../support/shortest.ts"
import { kindOf, lineProblem, streamProblems } from "../support/stream-json-schema.ts"
import { putFile } from "../support/temp-world.ts"

/** What a run prints, in each of the three formats. */
const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
const { version } = JSON.parse(manifest) as { version: string }

describe.concurrent("text output", () => {
  it("is the last text block of the last message and a line break", async () => {
    const server = await serve([
      blocks([
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "first part" },
        { type: "text", text: "the answer" }
      ])
    ])
    const { code, stdout, stderr } = await run(["-p", "hello"], { env: endpointEnv(server) })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "the answer\n", stderr: "" })
  })

  it("says why a turn failed, on stdout, with exit code 1", async () => {
    const server = await serve([toolUse("Glob", { pattern: "*" })])
    const { code, stdout } = await run(["-p", "hello", "--max-turns", "1"], { env: endpointEnv(server) })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "Reached maximum number of turns (1)\n" })
  })

  it("names the offline model on stderr when no credential is there", async () => {
    const { code, stdout, stderr } = await run(["-p", "@say ready"])
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ready\n" })
    expect(stderr).toMatch(/^nacre: offline model \(scripted, not an LLM\).*\n$/)
  })

  it("refuses to go offline when a credential is required", async () => {
    const { code, lines } = await run(["-p", "@say ready", ...STREAM, "--require-credential"])
    expect(code).toBe(1)
    expect(linesOf(lines, "assistant")).toMatchObject([{ error: "authentication_failed" }])
    expect(linesOf(lines, "result")).toMatchObject([{ is_error: true, terminal_reason: "api_error" }])
  })
})

describe.concurrent("json output", () => {
  it("is the result object on one line", async () => {
    const server = await serve([text("fine")])
    const { code, stdout } = await run(["-p", "hello", "--output-format", "json"], { env: endpointEnv(server) })
    expect(code).toBe(0)
    expect(stdout.match(/\n/g)).toHaveLength(1)
    const result = object(JSON.parse(stdout))
    expect(lineProblem(result)).toBeUndefined()
    expect(result).toMatchObject({ type: "result", subtype: "success", result: "fine", is_error: false, num_turns: 1 })
  })

  it("is an array of all messages with --verbose", async () => {
    const server = await serve([text("fine")])
    const { stdout } = await run(["-p", "hello", "--output-format", "json", "--verbose"], { env: endpointEnv(server) })
    const messages = JSON.parse(stdout) as ReadonlyArray<Record<string, unknown>>
    expect(messages.map(kindOf)).toEqual(["system/init", "assistant", "result"])
    expect(messages.flatMap((message) => lineProblem(message) ?? [])).toEqual([])
  })

  it("works offline with a pipe, as in the specification's first scenario", async () => {
    const args = ["-p", "sum", "--output-format", "json", "--model", "offline"]
    const { code, stdout } = await run(args, { stdin: "data\n" })
    expect(code).toBe(0)
    expect(object(JSON.parse(stdout))).toMatchObject({ type: "result", subtype: "success", is_error: false })
  })
})

describe.concurrent("stream-json output", () => {
  it("begins with init, has a line per block and ends with the result", async () => {
    const place = makePlace()
    putFile(`${place.cwd}/a.txt`, "alpha\n")
    const { code, lines, stderr, result } = await ask(
      [
        blocks([
          { type: "thinking", thinking: "look first" },
          { type: "text", text: "I look." },
          { type: "tool_use", name: "Read", input: { file_path: `${place.cwd}/a.txt` }, id: "toolu_read" }
        ]),
        text("It says alpha.")
      ],
      "what is in a.txt?",
      { place }
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(lines.map(kindOf)).toEqual(["system/init", "assistant", "assistant", "assistant", "user", "assistant", "result"])
    const [first, second, third, last] = linesOf(lines, "assistant").map((line) => object(line["message"])["id"])
    expect([second, third]).toEqual([first, first])
    expect(last).not.toBe(first)
    expect(lines[0]).toMatchObject({ cwd: place.cwd, apiKeySource: "ANTHROPIC_API_KEY", nacre_version: version })
    expect(lines[4]?.["tool_use_result"]).toMatchObject({ type: "text", file: { filePath: `${place.cwd}/a.txt` } })
    expect(result).toMatchObject({ result: "It says alpha.", num_turns: 2, stop_reason: "end_turn" })
  })

  it("counts the usage of every response once", async () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 40, output_tokens: 7 }
    const { result, lines } = await ask(
      [
        blocks([{ type: "tool_use", name: "Glob", input: { pattern: "*" } }], { usage }),
        blocks(
          [
            { type: "text", text: "a" },
            { type: "text", text: "b" }
          ],
          { usage }
        )
      ],
      "hello"
    )
    expect(result["usage"]).toMatchObject({ input_tokens: 200, cache_read_input_tokens: 80, output_tokens: 14 })
    const model = String(linesOf(lines, "system/init")[0]?.["model"])
    expect(object(result["modelUsage"])[model]).toMatchObject({ inputTokens: 200, outputTokens: 14 })
    const costs = Object.values(object(result["modelUsage"])).map((entry) => Number(object(entry)["costUSD"]))
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(Number(result["total_cost_usd"]), 12)
  })

  it("has no partial messages unless asked", async () => {
    const { lines } = await ask([thinking("hm", "fine")], "hello")
    expect(linesOf(lines, "stream_event")).toEqual([])
  })

  it("hands the model's events on unchanged with --include-partial-messages", async () => {
    const reply = thinking("hm", "a somewhat longer answer in pieces", { deltaChars: 5 })
    const { lines } = await ask([reply], "hello", { args: ["--include-partial-messages"] })
    const sent = reply({ index: 0, model: "m", inputTokens: 1 }).steps.length
    const events = linesOf(lines, "stream_event").map((line) => object(line["event"]))
    expect(events).toHaveLength(sent)
    const deltas = events.map((event) => object(event["delta"])["text"]).filter((part) => typeof part === "string")
    expect(deltas.join("")).toBe("a somewhat longer answer in pieces")
    // A block is announced whole only after its last event.
    const kinds = lines.map((line) => object(line["event"])["type"] ?? kindOf(line))
    expect(kinds.indexOf("assistant")).toBeGreaterThan(kinds.indexOf("content_block_stop"))
    expect(kinds.slice(-3)).toEqual(["assistant", "message_stop", "result"])
  })

  it("uses the same uuid for a line and its place in the transcript", async () => {
    const { lines, place } = await ask([toolUse("Glob", { pattern: "*" }), text("done")], "hello")
    const printed = lines.filter((line) => ["assistant", "user"].includes(kindOf(line)))
    const written = transcriptOf(place).lines
    for (const line of printed) {
      const twin = written.find(({ uuid }) => uuid === line["uuid"])
      expect(twin === undefined ? undefined : blocksIn(twin)).toEqual(blocksIn(line))
    }
    expect(printed).toHaveLength(3)
  })

  it("keeps one line per object whatever the model says", async () => {
    const said = 'line\nbreak \u2028 quote " back\\slash \u0000 \u{1f980} \ud83d'
    const { lines } = await ask([text(said.slice(0, -1))], "hello")
    expect(textOf(linesOf(lines, "assistant")[0] ?? {})).toBe(said.slice(0, -1))
  })
})

describe.concurrent("lines that come only sometimes", () => {
  it("a command that goes on printing is reported while it runs", async () => {
    const place = makePlace()
    const command = "for i in 1 2 3; do echo tick; done; until test -e stop; do sleep 0.05; done"
    const server = await serve([toolUse("Bash", { command }, "toolu_slow"), text("done")])
    const args = ["-p", "go", ...STREAM, "--allowedTools", "Bash"]
    const cli = await start(args, { place, env: endpointEnv(server) })
    const progress = await cli.line((line) => line["type"] === "tool_progress", "progress")
    putFile(`${place.cwd}/stop`, "")
    const { code, stdout } = await cli.ended
    expect({ code, problems: streamProblems(stdout) }).toEqual({ code: 0, problems: [] })
    expect(progress).toMatchObject({ tool_use_id: "toolu_slow", tool_name: "Bash" })
  })

  it("the user's own messages come back when the host wants them, folded ones at their place", async () => {
    const place = makePlace()
    const waiting = toolUse("Bash", { command: "until test -e stop; do sleep 0.05; done" })
    const server = await serve([waiting, text("fine")])
    const args = [...STREAM, "--input-format", "stream-json", "--replay-user-messages", "--allowedTools=Bash"]
    const cli = await start(args, { place, env: endpointEnv(server), stdin: null })
    const prompt = (content: string, uuid: string): string =>
      `${JSON.stringify({ type: "user", uuid, message: { role: "user", content }, parent_tool_use_id: null })}\n`
    const [first, second] = ["11111111-2222-4333-8444-555555555555", "21111111-2222-4333-8444-555555555555"] as const
    cli.write(prompt("hello", first))
    await cli.line((line) => line["type"] === "assistant")
    cli.write(prompt("and this", second))
    // A request behind the prompt is answered when the prompt has been taken.
    cli.write(`${JSON.stringify({ type: "control_request", request_id: "1", request: { subtype: "list_models" } })}\n`)
    await cli.line((line) => line["type"] === "control_response")
    putFile(`${place.cwd}/stop`, "")
    await cli.line((line) => line["type"] === "result")
    cli.closeStdin()
    const { code, lines } = await cli.ended
    const said = lines.filter((line) => line["type"] !== "control_response" && line["type"] !== "tool_progress")
    expect({ code, problems: streamProblems(said.map((line) => `${JSON.stringify(line)}\n`).join("")) }).toEqual({
      code: 0,
      problems: []
    })
    expect(said.map(kindOf)).toEqual(["system/init", "user", "assistant", "user", "user", "assistant", "result"])
    expect(said.filter((line) => line["isReplay"] === true)).toMatchObject([
      { uuid: first, message: { content: "hello" } },
      { uuid: second, message: { content: "and this" } }
    ])
    expect(sentText(server.requests[1])).toContain("and this")
  })

  it("nothing lingers: the program ends right after its result", async () => {
    const leaving = async (): Promise<number> => {
      const server = await serve([toolUse("Glob", { pattern: "*" }), text("done")])
      const cli = await start(["-p", "go", ...STREAM], { env: endpointEnv(server) })
      await cli.line((line) => line["type"] === "result")
      const from = performance.now()
      await cli.ended
      return performance.now() - from
    }
    expect(await shortest(1_000, leaving)).toBeLessThan(1_000)
  })
})

describe.concurrent("the offline model", () => {
  it("prints the same kinds of lines as a real one", async () => {
    const prompt = '@think hm\n@say reading\n@tool Glob {"pattern":"*"}\n@next\n@say done'
    const { code, stdout, lines } = await run(["-p", prompt, ...STREAM])
    expect(streamProblems(stdout)).toEqual([])
    expect(lines[0]).toMatchObject({ model: "offline", apiKeySource: "none" })
    expect({ code, last: lines.at(-1)?.["result"] }).toEqual({ code: 0, last: "done" })
  })
})
