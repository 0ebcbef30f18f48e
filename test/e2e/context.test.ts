import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type CliOptions, makePlace, run } from "../support/built-cli.ts"
import { ask, endpointEnv, linesOf, MODEL, object, serve, transcriptsOf } from "../support/e2e-world.ts"
import { text, toolUse } from "../support/messages-reply.ts"
import type { MessagesServer } from "../support/messages-server.ts"
import type { Json } from "../support/messages-validate.ts"
import { putFile } from "../support/temp-world.ts"

/** What fills the window, asked of the built program. */

describe.concurrent("/context in print mode", () => {
  it("is answered without a request, as one assistant line and a result of no turns", async () => {
    const server = await serve([])
    const { code, lines, result } = await ask(server, "/context")
    expect(code).toBe(0)
    expect(server.requests).toEqual([])
    const [line, ...others] = linesOf(lines, "assistant")
    expect(others).toEqual([])
    expect(object(line?.["message"])).toMatchObject({ model: "<synthetic>" })
    expect(result).toMatchObject({ subtype: "success", num_turns: 0, total_cost_usd: 0 })
    expect(result["result"]).toContain("System prompt")
  })

  it("is plain text for a reader, and nothing stands on stderr", async () => {
    const server = await serve([])
    const { code, stdout, stderr } = await run(["-p", "/context"], { env: endpointEnv(server) })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/of (?:1M|200k) tokens/)
  })

  it("tells of the session that is continued, and changes nothing of it", async () => {
    const place = makePlace()
    putFile(`${place.cwd}/notes.txt`, "many words\n".repeat(2_000))
    const server = await serve([toolUse("Read", { file_path: `${place.cwd}/notes.txt` }), text("I read it."), text("again")])
    await ask(server, "read notes.txt", { place })
    const { result } = await ask(server, "/context all", { place, args: ["--continue"] })
    expect(String(result["result"])).toContain(`Read ${place.cwd}/notes.txt`.slice(0, 40))
    await ask(server, "and now", { place, args: ["--continue"] })
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("/context")
  })
})

const context = async (args: ReadonlyArray<string>, options: CliOptions): Promise<Json> => {
  const { code, stdout, stderr } = await run(["context", "--json", ...args], options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return JSON.parse(stdout) as Json
}

interface Category {
  readonly id: string
  readonly tokens: number
  readonly items: ReadonlyArray<{ readonly label: string; readonly tokens: number; readonly turn?: number }>
}

const categoriesOf = (json: Json): ReadonlyArray<Category> => json["categories"] as ReadonlyArray<Category>

const sum = (parts: ReadonlyArray<{ readonly tokens: number }>): number => parts.reduce((all, { tokens }) => all + tokens, 0)

/** By how much two figures differ, as a share of the second. */
const error = (figure: unknown, truth: number): number => Math.abs(Number(figure) - truth) / truth

/** What the fake endpoint counted for its newest request. */
const newestCount = (server: MessagesServer): number => Math.ceil((server.requests.at(-1)?.rawBody.length ?? 0) / 4)

const READING = "many words of a file that is read\n".repeat(1_500)

/** A session of three prompts, in which a file is read. */
const storedSession = async () => {
  const place = makePlace()
  putFile(`${place.cwd}/notes.txt`, READING)
  const server = await serve([
    toolUse("Read", { file_path: `${place.cwd}/notes.txt` }),
    text("I read it."),
    text("It is about words."),
    text("You are welcome.")
  ])
  await ask(server, "read notes.txt", { place })
  await ask(server, "what is it about?", { place, args: ["--continue"] })
  await ask(server, "thank you", { place, args: ["--continue"] })
  return { place, server, options: { place, env: endpointEnv(server) } }
}

describe.concurrent("nacre context", () => {
  it("works without a session, a credential and a network, and leaves nothing on the disk", async () => {
    const place = makePlace()
    const before = readdirSync(place.home, { recursive: true })
    const json = await context([], { place })
    expect(json).toMatchObject({
      version: 1,
      session: null,
      model: "offline",
      window: 200_000,
      estimated: true,
      state: "ok"
    })
    expect(sum(categoriesOf(json))).toBe(200_000)
    for (const { tokens, items } of categoriesOf(json)) if (items.length > 0) expect(sum(items)).toBe(tokens)
    expect(readdirSync(place.home, { recursive: true })).toEqual(before)
  })

  it("is within 5 % of what the endpoint counts, and changes nothing of a stored session", async () => {
    const { place, server, options } = await storedSession()
    const [path = ""] = transcriptsOf(place)
    const stored = readFileSync(path, "utf8")
    const json = await context(["--continue"], options)
    expect(json).toMatchObject({ estimated: false, model: MODEL, findings: [] })
    expect(readFileSync(path, "utf8")).toBe(stored)
    const next = await serve([text("yes")])
    await ask(next, "one more", { place, args: ["--continue"] })
    expect(error(json["used"], newestCount(next))).toBeLessThan(0.05)
    expect(server.violations()).toEqual([])
    const results = categoriesOf(json).find(({ id }) => id === "tool_results")
    expect(results?.items).toMatchObject([{ label: expect.stringContaining("Read "), turn: 1 }])
    expect(sum(categoriesOf(json))).toBe(json["window"])
  })

  it("says of a conversation that nobody has counted how far off it may be, and is not further off", async () => {
    const place = makePlace()
    const { stdout } = await run(["context"], { place, env: { ANTHROPIC_API_KEY: "x", ANTHROPIC_MODEL: MODEL } })
    expect(stdout).toContain("These are estimates; it may be a third more.")
    const server = await serve([text("hello")])
    const json = await context([], { place, env: endpointEnv(server) })
    await ask(server, "hello", { place })
    expect(error(json["used"], newestCount(server))).toBeLessThan(1 / 3)
  })

  it("lets the endpoint count when asked to, and says so where nobody does", async () => {
    const { place, server, options } = await storedSession()
    const exact = await context(["--continue", "--exact"], options)
    expect(exact["estimated"]).toBe(false)
    const { stdout } = await run(["context", "--continue", "--dump-prompt"], options)
    const body = JSON.parse(stdout) as Json
    expect(error(exact["used"], JSON.stringify(body).length / 4)).toBeLessThan(0.02)
    expect(server.requests.every(({ path }) => path === "/v1/messages")).toBe(true)
    const offline = await run(["context", "--exact"], { place: makePlace() })
    expect(offline.stderr).toContain("nobody counts for offline; these are estimates")
    expect(offline.code).toBe(0)
    expect(place.home).not.toBe("")
  })

  it("prints the next request as it would be sent", async () => {
    const { place, server, options } = await storedSession()
    const dumped = await run(["context", "--continue", "--dump-prompt"], options)
    const { requests } = await ask(await serve([text("yes")]), "(your prompt)", { place, args: ["--continue"] })
    const dumpedBody = JSON.parse(dumped.stdout) as Json
    const sent = requests[0]?.body ?? {}
    expect(Object.keys(dumpedBody)).toEqual(Object.keys(sent))
    expect(dumpedBody["messages"]).toEqual(sent["messages"])
    // The session that is looked at is one of the interface: its model may ask the user.
    const names = (body: Json) => (body["tools"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
    expect(names(dumpedBody).filter((name) => name !== "AskUserQuestion")).toEqual(names(sent))
    expect(server.violations()).toEqual([])
  })

  it("names every instruction file once, and says why one is or is not there", async () => {
    const place = makePlace()
    putFile(`${place.cwd}/CLAUDE.md`, "# Rules\nUse pnpm.\n@more.md\n")
    putFile(`${place.cwd}/more.md`, "And tabs.\n")
    putFile(`${place.cwd}/.claude/rules/api.md`, "---\npaths: src/api/**\n---\nNo any.\n")
    const options = { place, env: { NACRE_TRUST: "1" } }
    const json = await context([], options)
    const instructions = json["instructions"] as ReadonlyArray<Json>
    const told = instructions.map(({ path, kind, loaded }) => [String(path).slice(place.cwd.length + 1), kind, loaded])
    expect(told).toEqual([
      ["CLAUDE.md", "project", true],
      ["more.md", "project", true],
      [".claude/rules/api.md", "project", false]
    ])
    const { stdout } = await run(["context", "--dump-prompt"], options)
    expect(stdout.split("Use pnpm.")).toHaveLength(2)
    expect(stdout.split("And tabs.")).toHaveLength(2)
    const why = async (path: string) => (await run(["context", "--why", path], options)).stdout
    expect(await why("more.md")).toContain("more.md is read with the first prompt")
    expect(await why(".claude/rules/api.md")).toContain("is read with files that match src/api/**")
    expect(await why("README.md")).toContain("README.md is not read: ")
  })

  it("compares the windows of two turns", async () => {
    const { options } = await storedSession()
    const { stdout, code } = await run(["context", "--continue", "--diff", "1", "3"], options)
    expect(code).toBe(0)
    expect(stdout).toContain("+ thank you")
    expect(stdout).not.toContain("Read ")
    const wrong = await run(["context", "--continue", "--diff", "1", "9"], options)
    expect({ code: wrong.code, stderr: wrong.stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("1 to 3") })
  })

  it("refuses sessions that are not there, and flags that do not go together", async () => {
    const place = makePlace()
    const code = async (...args: ReadonlyArray<string>) => (await run(["context", ...args], { place })).code
    expect(await Promise.all([code("--session", "nobody"), code("--continue"), code("--diff", "1"), code("7")])).toEqual([
      1, 1, 1, 1
    ])
  })
})

describe.concurrent("--dump-system-prompt", () => {
  it("is the system prompt of the session that would start, as text", async () => {
    const place = makePlace()
    const server = await serve([text("hello")])
    const env = endpointEnv(server)
    const { code, stdout, stderr } = await run(["--dump-system-prompt", "--append-system-prompt", "Be kind."], {
      place,
      env
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(server.requests).toEqual([])
    await ask(server, "hello", { place, args: ["--append-system-prompt", "Be kind."] })
    const system = server.requests[0]?.body["system"] as ReadonlyArray<{ readonly text: string }>
    expect(system.at(-1)?.text).toContain("Be kind.")
    expect(stdout.split("\n\n").at(-1)).toBe("Be kind.\n")
  })

  it("needs no credential and writes nothing", async () => {
    const place = makePlace()
    const before = readdirSync(place.home, { recursive: true })
    expect((await run(["--dump-system-prompt", "--model", "opus"], { place })).code).toBe(0)
    expect(readdirSync(place.home, { recursive: true })).toEqual(before)
  })
})
