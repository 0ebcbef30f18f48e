import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, run } from "../support/built-cli.ts"
import { ask, begin, object, serve, transcriptsOf } from "../support/e2e-world.ts"
import { cutAfter, stallAfter } from "../support/messages-fault.ts"
import { blocks, status, text, toolUse } from "../support/messages-reply.ts"
import type { Script } from "../support/messages-server.ts"
import type { Json } from "../support/messages-validate.ts"

/** Recordings: every run can be replayed without any effect, and no changed byte goes unnoticed. */
const recordTo = (place: Place): string => join(place.home, "recording.jsonl")

const BUSY: Script = [
  status(429, { retryAfter: 0 }),
  blocks([
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "looking around" },
    { type: "tool_use", name: "Glob", input: { pattern: "*" } },
    { type: "tool_use", name: "Bash", input: { command: "echo hello" } }
  ]),
  toolUse("Write", { file_path: "/nowhere", content: "x" }),
  text("all done")
]

const recorded = async (place: Place, script: Script = BUSY, args: ReadonlyArray<string> = []): Promise<string> => {
  const file = recordTo(place)
  await ask(script, "go", { place, args: ["--record", file, "--allowedTools", "Bash", ...args] })
  return file
}

const replay = (file: string) => run(["replay", file])

const linesOf = (file: string): ReadonlyArray<string> => readFileSync(file, "utf8").trimEnd().split("\n")

describe.concurrent("a recording", () => {
  it("replays, twice with the same words", async () => {
    const file = await recorded(makePlace())
    const [first, second] = [await replay(file), await replay(file)]
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" })
    expect(first.stdout).toMatch(new RegExp(`${linesOf(file).length - 1} events replayed`))
    expect(second.stdout).toBe(first.stdout)
  })

  it("is private, holds no credential, and goes into a directory under the session's id", async () => {
    const place = makePlace()
    const directory = join(place.home, "recordings")
    mkdirSync(directory)
    const { result } = await ask([text("fine")], "go", {
      place,
      args: ["--record", directory],
      env: { ANTHROPIC_API_KEY: "sk-ant-very-secret" }
    })
    expect(readdirSync(directory)).toEqual([`${String(result["session_id"])}.jsonl`])
    const file = join(directory, `${String(result["session_id"])}.jsonl`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, "utf8")).not.toContain("sk-ant-very-secret")
    expect((await replay(file)).code).toBe(0)
  })

  it("makes the directory it goes into, from the environment too, and replays by the directory's name", async () => {
    const place = makePlace()
    const flag = join(place.home, "by-flag")
    const variable = join(place.home, "by-variable")
    await ask([text("fine")], "go", { place, args: ["--record", flag] })
    await ask([text("fine")], "go", { place, env: { NACRE_RECORD: variable } })
    for (const directory of [flag, variable]) {
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      expect((await replay(directory)).code).toBe(0)
    }
    await ask([text("fine")], "go", { place, args: ["--record", flag] })
    expect(await replay(flag)).toMatchObject({ code: 1, stderr: expect.stringContaining("2 recordings") })
  })

  it("can be replayed in part, before a line that was changed", async () => {
    const file = await recorded(makePlace())
    const lines = linesOf(file)
    writeFileSync(file, [...lines.slice(0, 6), "broken", ...lines.slice(7)].join("\n"))
    const part = await run(["replay", file, "--until", "4"])
    expect({ code: part.code, said: /4 events replayed/.test(part.stdout) }).toEqual({ code: 0, said: true })
    expect((await replay(file)).code).toBe(1)
  })

  it("never overwrites another one", async () => {
    const place = makePlace()
    const file = await recorded(place)
    const before = readFileSync(file)
    const { code, stderr, stdout } = await run(["-p", "@say hi", "--record", file], { place })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(/^nacre: --record .* cannot be written \(EEXIST.*\n$/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it("to a place that cannot be written is refused before anything runs", async () => {
    const place = makePlace()
    const { code, stdout, stderr } = await run(["-p", "@say fine", "--record", "/no/such/directory/x"], { place })
    expect({ code, stdout, transcripts: transcriptsOf(place) }).toEqual({ code: 1, stdout: "", transcripts: [] })
    expect(stderr).toMatch(/^nacre: --record \/no\/such\/directory\/x cannot be written .*\n$/)
  })

  it.each([
    ["that was resumed", [text("again")], ["--continue"]],
    ["with a broken stream", [cutAfter(3, text("whole")), text("whole")], []],
    ["that failed", [status(400)], []]
  ])("of a run %s replays", async (_, script, args) => {
    const place = makePlace()
    await ask([toolUse("Glob", { pattern: "*" }), text("before")], "first", { place })
    const file = await recorded(place, script, args)
    const { code, stderr } = await replay(file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  })

  it("of an interrupted run replays", async () => {
    const place = makePlace()
    const server = await serve([stallAfter(4, text("a long story", { deltaChars: 3 }))])
    const args = ["--record", recordTo(place), "--include-partial-messages"]
    const cli = await begin(server, "go", { place, args })
    await cli.line((line) => object(line["event"])["type"] === "content_block_delta")
    cli.signal("SIGINT")
    expect((await cli.ended).code).toBe(130)
    expect(await replay(recordTo(place))).toMatchObject({ code: 0, stderr: "" })
  })

  it("of a compaction replays", async () => {
    const place = makePlace()
    const file = recordTo(place)
    for (const said of ["one", "two"]) await run(["-c", "-p", `@say ${said}`], { place })
    expect((await run(["-c", "-p", "/compact the plan", "--record", file], { place })).code).toBe(0)
    expect(readFileSync(file, "utf8")).toContain('"CompactionSettled"')
    expect(await replay(file)).toMatchObject({ code: 0, stderr: "" })
  })

  it("of the offline model replays", async () => {
    const place = makePlace()
    const file = recordTo(place)
    const prompt = '@fault overloaded 1\n@say looking\n@tool Glob {"pattern":"*"}\n@next\n@say done'
    expect((await run(["-p", prompt, "--record", file], { place })).code).toBe(0)
    expect(await replay(file)).toMatchObject({ code: 0, stderr: "" })
  })
})

type Change = (line: Json) => Json

const tagOf = (line: Json): unknown => object(line["event"])["_tag"]

const is =
  (tag: string) =>
  (line: Json): boolean =>
    tagOf(line) === tag

const later: Change = (line) => {
  const event = object(line["event"])
  return { ...line, event: { ...event, at: Number(event["at"]) + 1 } }
}

const misspelt =
  (from: string, to: string): Change =>
  (line) =>
    JSON.parse(JSON.stringify(line).replace(from, to)) as Json

const CHANGES: ReadonlyArray<readonly [string, (line: Json) => boolean, Change]> = [
  ["a text delta", is("ModelSaid"), misspelt("looking", "looting")],
  ["a timestamp", is("TimerFired"), later],
  ["the time of the prompt", is("PromptSubmitted"), later],
  ["a tool result", is("CallSettled"), misspelt("hello", "hullo")],
  ["the digest of the commands", is("StreamOpened"), (line) => ({ ...line, commandsDigest: "0".repeat(16) })],
  ["the digest of the state", is("CallPrepared"), (line) => ({ ...line, state: "0".repeat(16) })],
  ["the seal", is("Persisted"), (line) => ({ ...line, chain: "0".repeat(32) })]
]

describe.concurrent("a changed recording", () => {
  it.each(CHANGES)("%s: replay names the line and exits with 1", async (_, fits, change) => {
    const file = await recorded(makePlace())
    const lines = linesOf(file)
    const changes = (text: string): boolean => {
      const line = object(JSON.parse(text))
      return fits(line) && JSON.stringify(change(line)) !== text
    }
    const at = lines.findIndex((line, index) => index > 0 && changes(line))
    expect(at).toBeGreaterThan(0)
    const changed = lines.with(at, JSON.stringify(change(object(JSON.parse(lines[at] ?? "")))))
    writeFileSync(file, `${changed.join("\n")}\n`)
    const { code, stdout, stderr } = await replay(file)
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain(`${file}:${at + 1}: `)
  })

  it("a line that was taken out or doubled is found", async () => {
    const file = await recorded(makePlace())
    const lines = linesOf(file)
    const middle = Math.floor(lines.length / 2)
    for (const changed of [lines.toSpliced(middle, 1), lines.toSpliced(middle, 0, lines[middle] ?? "")]) {
      writeFileSync(file, `${changed.join("\n")}\n`)
      const { code, stderr } = await replay(file)
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`:(${middle + 1}|${middle + 2}): `))
    }
  })

  it.each([
    ["an empty file", ""],
    ["something else", "{}\n"],
    ["no JSON", "hello\n"]
  ])("%s is refused", async (_, content) => {
    const file = recordTo(makePlace())
    writeFileSync(file, content)
    expect(await replay(file)).toMatchObject({ code: 1, stdout: "" })
  })

  it("a missing file is refused with its name", async () => {
    const { code, stderr } = await replay("/no/such/recording")
    expect(code).toBe(1)
    expect(stderr).toMatch(/\/no\/such\/recording/)
  })
})
