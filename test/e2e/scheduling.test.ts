import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, type RunningCli, start } from "../support/built-cli.ts"
import { endpointEnv, list, messagesIn, object, saidBy, sentResults, serve, STREAM } from "../support/e2e-world.ts"
import { gatedAt } from "../support/messages-fault.ts"
import { blocks, gate, type ScriptedBlock, text } from "../support/messages-reply.ts"
import { isObject, type Json } from "../support/messages-validate.ts"
import { idsOf } from "../support/stream-json-schema.ts"
import { putFile } from "../support/temp-world.ts"

/**
 * Which calls of one response run together. The proof needs no clock: a host with a PostToolUse hook holds a finished
 * call back, and the next call either comes to its own hook meanwhile or does not.
 */
const call = (id: string, name: string, input: unknown): ScriptedBlock => ({ type: "tool_use", id, name, input })

const requestLine = (id: string, request: Json): string =>
  `${JSON.stringify({ type: "control_request", request_id: id, request })}\n`

const INITIALIZE = requestLine("init", {
  subtype: "initialize",
  hooks: { PostToolUse: [{ matcher: "*", hookCallbackIds: ["post"] }] }
})

const PROMPT = `${JSON.stringify({ type: "user", message: { role: "user", content: "go" } })}\n`

const isHookFor =
  (id: string) =>
  (line: Json): boolean =>
    line["type"] === "control_request" && object(line["request"])["tool_use_id"] === id

class Host {
  private readonly cli: RunningCli

  constructor(cli: RunningCli) {
    this.cli = cli
  }

  /** The call has run; its hook asks what to do with the result. */
  finished(id: string): Promise<Json> {
    return this.cli.line(isHookFor(id), `the hook of ${id}`)
  }

  async release(id: string): Promise<void> {
    const { request_id: requestId } = await this.finished(id)
    const response = { subtype: "success", request_id: requestId, response: {} }
    this.cli.write(`${JSON.stringify({ type: "control_response", response })}\n`)
  }

  /** Gives the program so many turns of its loop that whatever may begin has begun. */
  async idle(turns = 150): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.cli.write(requestLine(`idle-${turn}`, { subtype: "list_models" }))
      await this.cli.line((line) => object(line["response"])["request_id"] === `idle-${turn}`)
    }
  }

  /** Ids of results and of hook questions in the order they were printed. */
  order(): ReadonlyArray<string> {
    return this.cli.lines().flatMap((line) => {
      const request = line["type"] === "control_request" && isObject(line["request"]) ? line["request"] : undefined
      if (request !== undefined) return [`hook ${String(request["tool_use_id"])}`]
      return idsOf(line, "tool_result", "tool_use_id").map((id) => `result ${id}`)
    })
  }

  async end(): Promise<void> {
    await this.cli.line((line) => line["type"] === "result")
    this.cli.closeStdin()
    expect((await this.cli.ended).code).toBe(0)
  }
}

const hosted = async (calls: ReadonlyArray<ScriptedBlock>, place: Place, args: ReadonlyArray<string> = []) => {
  const server = await serve([blocks(calls), text("done")])
  const flags = [...STREAM, "--input-format", "stream-json", ...args]
  const cli = await start(flags, { place, env: endpointEnv(server), stdin: null })
  cli.write(INITIALIZE + PROMPT)
  return { server, host: new Host(cli) }
}

const withFiles = (...names: ReadonlyArray<string>): Place => {
  const place = makePlace()
  for (const name of names) putFile(`${place.cwd}/${name}`, `this is ${name}\n`)
  return place
}

describe.concurrent("calls of one response", () => {
  it("reads run together and their results keep the order of the calls", async () => {
    const place = withFiles("a", "b", "c")
    const read = (name: string): ScriptedBlock => call(name, "Read", { file_path: `${place.cwd}/${name}` })
    const { host, server } = await hosted([read("a"), read("b"), read("c")], place)
    await Promise.all([host.finished("a"), host.finished("b"), host.finished("c")])
    await host.release("c")
    await host.release("b")
    await host.release("a")
    await host.end()
    const results = sentResults(server.requests[1])
    expect(results.map((result) => result["tool_use_id"])).toEqual(["a", "b", "c"])
    expect(results.map(saidBy).map((said) => /this is (\w)/.exec(said)?.[1])).toEqual(["a", "b", "c"])
    expect(host.order().filter((entry) => entry.startsWith("result"))).toEqual(["result a", "result b", "result c"])
  })

  it("shell commands that only read run together, and one that fails hides no other", async () => {
    const place = withFiles("a", "b")
    const { host, server } = await hosted(
      [
        call("one", "Bash", { command: "cat a | head -1" }),
        call("two", "Bash", { command: "cat missing" }),
        call("three", "Bash", { command: "cat b" })
      ],
      place
    )
    await Promise.all([host.finished("one"), host.finished("three")])
    await host.release("three")
    await host.release("one")
    await host.end()
    const results = sentResults(server.requests[1])
    expect(results.map((result) => result["tool_use_id"])).toEqual(["one", "two", "three"])
    expect(results.map(saidBy).map((said) => /this is \w|No such file/.exec(said)?.[0])).toEqual([
      "this is a",
      "No such file",
      "this is b"
    ])
  })

  it("shell commands that change something run alone", async () => {
    const place = makePlace()
    const { host } = await hosted(
      [
        call("one", "Bash", { command: "touch begun-1; touch ended-1" }),
        call("two", "Bash", { command: "test -e ended-1 && echo in-order" })
      ],
      place,
      ["--allowedTools", "Bash"]
    )
    await host.finished("one")
    await host.idle()
    expect(host.order()).toEqual(["hook one"])
    await host.release("one")
    await host.release("two")
    await host.end()
    expect(host.order()).toEqual(["hook one", "result one", "hook two", "result two"])
  })

  it("an edit waits for the searches before it, and they run together", async () => {
    const place = withFiles("a.txt")
    const { host, server } = await hosted(
      [
        call("grep", "Grep", { pattern: "this", path: place.cwd, output_mode: "files_with_matches" }),
        call("glob", "Glob", { pattern: "*.txt" }),
        call("write", "Write", { file_path: `${place.cwd}/new.txt`, content: "new\n" })
      ],
      place,
      ["--permission-mode", "acceptEdits"]
    )
    await Promise.all([host.finished("grep"), host.finished("glob")])
    await host.idle()
    expect(new Set(host.order())).toEqual(new Set(["hook grep", "hook glob"]))
    expect(existsSync(`${place.cwd}/new.txt`)).toBe(false)
    await host.release("glob")
    await host.release("grep")
    await host.release("write")
    await host.end()
    const order = host.order()
    expect(order.indexOf("hook write")).toBeGreaterThan(order.indexOf("result glob"))
    expect(sentResults(server.requests[1]).map((result) => result["tool_use_id"])).toEqual(["grep", "glob", "write"])
  })

  it("a call behind an exclusive one does not overtake it", async () => {
    const place = withFiles("a.txt")
    const { host } = await hosted(
      [call("one", "Bash", { command: "touch one" }), call("read", "Read", { file_path: `${place.cwd}/a.txt` })],
      place,
      ["--allowedTools", "Bash"]
    )
    await host.finished("one")
    await host.idle()
    expect(host.order()).toEqual(["hook one"])
    await host.release("one")
    await host.release("read")
    await host.end()
    expect(host.order()).toEqual(["hook one", "result one", "hook read", "result read"])
  })
})

describe.concurrent("a call whose block is complete", () => {
  it("runs while the rest of the response still arrives", async () => {
    const place = withFiles("a")
    const held = gate()
    const calls = [call("a", "Read", { file_path: `${place.cwd}/a` }), { type: "text", text: "and now words" } as const]
    const reply = blocks(calls, { deltaChars: 10_000 })
    const textBegins = 4
    const server = await serve([gatedAt(textBegins, held.opened, reply), text("done")])
    const cli = await start(["-p", "go", ...STREAM], { place, env: endpointEnv(server) })
    await cli.line((line) => idsOf(line, "tool_result", "tool_use_id").includes("a"), "the result of a")
    expect(server.requests[0]?.closedAtMs).toBeUndefined()
    held.open()
    expect((await cli.ended).code).toBe(0)
    const [, assistant, results] = messagesIn(server.requests[1])
    expect(list(assistant?.["content"]).map((block) => block["type"])).toEqual(["tool_use", "text"])
    expect(list(results?.["content"]).map((block) => block["type"])).toEqual(["tool_result"])
  })
})
