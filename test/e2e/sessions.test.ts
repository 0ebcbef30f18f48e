import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, run, start } from "../support/built-cli.ts"
import {
  ask,
  begin,
  conversation,
  endpointEnv,
  linesOf,
  messagesIn,
  readTranscript,
  sentBlocks,
  serve,
  sessionOf,
  STREAM,
  transcriptOf,
  transcriptsOf
} from "../support/e2e-world.ts"
import { silent } from "../support/messages-fault.ts"
import { text, thinking, toolUse } from "../support/messages-reply.ts"
import type { RecordedRequest } from "../support/messages-server.ts"
import { putFile } from "../support/temp-world.ts"

/** Conversations that go on in another process, branch off, and what they leave on disk. */
const UUID = "0f0e0d0c-0b0a-4908-8706-050403020100"
const OTHER_UUID = "1f0e0d0c-0b0a-4908-8706-050403020100"

describe.concurrent("--resume and --continue", () => {
  it("go on with everything said and done, under the same id, in the same file", async () => {
    const place = makePlace()
    const first = await ask([toolUse("Glob", { pattern: "*" }, "toolu_glob"), text("nothing there")], "look", { place })
    const before = transcriptOf(place).text
    const second = await ask([text("hello again")], "still there?", { place, args: ["--resume", sessionOf(first)] })
    const third = await ask([text("bye")], "and now?", { place, args: ["--continue"] })
    expect([sessionOf(second), sessionOf(third)]).toEqual([sessionOf(first), sessionOf(first)])
    expect(conversation(third.requests[0])).toEqual(["look", "nothing there", "still there?", "hello again", "and now?"])
    expect(sentBlocks(third.requests[0]).map((block) => block["type"])).toContain("tool_result")
    expect(transcriptOf(place).text.startsWith(before)).toBe(true)
  })

  it("keep the prefix of the earlier request, so that the cache is still good", async () => {
    const place = makePlace()
    const first = await ask([toolUse("Glob", { pattern: "*" }), text("nothing there")], "look", { place })
    const second = await ask([text("fine")], "go on", { place, args: ["--continue"] })
    const plain = (request: RecordedRequest | undefined): string =>
      JSON.stringify(messagesIn(request), (key, value: unknown) => (key === "cache_control" ? undefined : value))
    const earlier = plain(first.requests[1]).slice(0, -1)
    expect(plain(second.requests[0]).startsWith(earlier)).toBe(true)
    expect(second.requests[0]?.body["system"]).toEqual(first.requests[0]?.body["system"])
  })

  it("know the files that were read, and refuse to change one that is not as it was", async () => {
    const place = makePlace()
    const path = join(place.cwd, "notes.txt")
    putFile(path, "pearl\nshell\n")
    const first = await ask([toolUse("Read", { file_path: path }), text("read")], "read it", { place })
    const args = ["--resume", sessionOf(first), "--permission-mode", "acceptEdits"]
    const change = (from: string, to: string) => toolUse("Edit", { file_path: path, old_string: from, new_string: to })
    await ask([change("pearl", "opal"), text("done")], "change it", { place, args })
    expect(readFileSync(path, "utf8")).toBe("opal\nshell\n")
    putFile(path, "onyx\nsand\n")
    const third = await ask([change("opal", "jade"), text("refused")], "once more", { place, args })
    expect(JSON.stringify(third.requests[0]?.body)).toContain("was changed on disk after you wrote it")
    expect(JSON.stringify(third.requests[1]?.body)).toContain("NoMatch")
    expect(readFileSync(path, "utf8")).toBe("onyx\nsand\n")
  })

  it.each([
    ["acceptEdits", "acceptEdits"],
    ["plan", "dontAsk"]
  ])("go on in the mode they were in, unless that was for one run: %s, then %s", async (before, after) => {
    const place = makePlace()
    putFile(join(place.config, "settings.json"), JSON.stringify({ permissions: { defaultMode: "dontAsk" } }))
    const modeOf = async (...args: ReadonlyArray<string>) => {
      const { lines } = await run(["-p", "@say fine", "--model", "offline", ...STREAM, ...args], { place })
      return lines.find((line) => line["subtype"] === "init")?.["permissionMode"]
    }
    expect(await modeOf("--permission-mode", before)).toBe(before)
    expect(await modeOf("--continue")).toBe(after)
    expect(await modeOf("--continue", "--permission-mode", "default")).toBe("default")
  })

  it("add up cost and usage over the runs", async () => {
    const place = makePlace()
    const first = await ask([text("one")], "one", { place })
    const second = await ask([text("two")], "two", { place, args: ["--continue"] })
    expect(Number(second.result["total_cost_usd"])).toBeGreaterThan(Number(first.result["total_cost_usd"]))
    expect(second.result["num_turns"]).toBe(1)
  })

  it("--continue without a session starts one", async () => {
    const place = makePlace()
    const { code } = await ask([text("fine")], "hello", { place, args: ["--continue"] })
    expect(code).toBe(0)
    expect(transcriptsOf(place)).toHaveLength(1)
  })

  it("--continue takes the newest session of this directory only", async () => {
    const place = makePlace()
    const elsewhere = join(place.home, "elsewhere")
    mkdirSync(elsewhere)
    const here = await ask([text("here")], "here", { place })
    await ask([text("there")], "there", { place, cwd: elsewhere })
    const { requests, ...answer } = await ask([text("fine")], "go on", { place, args: ["--continue"] })
    expect(sessionOf(answer)).toBe(sessionOf(here))
    expect(conversation(requests[0])).toEqual(["here", "here", "go on"])
  })

  it("--resume finds a session by its name", async () => {
    const place = makePlace()
    const named = await ask([text("one")], "one", { place, args: ["--name", "pearl diving"] })
    await ask([text("two")], "two", { place })
    const { requests, ...answer } = await ask([text("fine")], "go on", { place, args: ["--resume", "pearl diving"] })
    expect(sessionOf(answer)).toBe(sessionOf(named))
    expect(conversation(requests[0])).toEqual(["one", "one", "go on"])
  })

  it("--resume of an unknown session says so and exits with 1", async () => {
    const { code, stdout, stderr } = await run(["-p", "x", "--resume", UUID])
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain(`No conversation found with session ID: ${UUID}`)
  })

  it("--resume-session-at branches off at a message, in the same file", async () => {
    const place = makePlace()
    const first = await ask([text("answer one")], "question one", { place })
    await ask([text("answer two")], "question two", { place, args: ["--continue"] })
    const at = String(linesOf(first.lines, "assistant")[0]?.["uuid"])
    const args = ["--resume", sessionOf(first), "--resume-session-at", at]
    const branch = await ask([text("answer three")], "question three", { place, args })
    expect(conversation(branch.requests[0])).toEqual(["question one", "answer one", "question three"])
    const next = await ask([text("fine")], "go on", { place, args: ["--continue"] })
    expect(conversation(next.requests[0])).toEqual(["question one", "answer one", "question three", "answer three", "go on"])
  })

  it("a session that another process has open is refused, a fork of it is not", async () => {
    const place = makePlace()
    const server = await serve([silent()])
    const holder = await begin(server, "hold", { place })
    await server.arrived(1)
    const sessionId = String((await holder.line((line) => line["subtype"] === "init"))["session_id"])
    const refused = await run(["-p", "x", "--resume", sessionId], { place, env: endpointEnv(server) })
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`${sessionId}.*${holder.pid}`))
    })
    const forked = await ask([text("fine")], "fork", { place, args: ["--resume", sessionId, "--fork-session"] })
    expect(sessionOf(forked)).not.toBe(sessionId)
    holder.signal("SIGTERM")
    await holder.ended
  })
})

describe.concurrent("--fork-session", () => {
  it("leaves the original as it was, byte for byte, and goes on in a new file", async () => {
    const place = makePlace()
    const first = await ask([toolUse("Glob", { pattern: "*" }), text("nothing")], "look", { place })
    const [original = ""] = transcriptsOf(place)
    const before = readFileSync(original)
    const args = ["--resume", sessionOf(first), "--fork-session"]
    const fork = await ask([text("forked")], "another way", { place, args })
    expect(sessionOf(fork)).not.toBe(sessionOf(first))
    expect(readFileSync(original).equals(before)).toBe(true)
    expect(conversation(fork.requests[0])).toEqual(["look", "nothing", "another way"])
    const copy = transcriptsOf(place).find((path) => path.includes(sessionOf(fork))) ?? ""
    const { lines } = readTranscript(copy)
    const chained = lines.filter((line) => typeof line["uuid"] === "string")
    expect(new Set(chained.map((line) => line["sessionId"]))).toEqual(new Set([sessionOf(fork)]))
    expect(lines.some((line) => line["forkedFrom"] !== undefined)).toBe(true)
  })

  it("takes the id it is given", async () => {
    const place = makePlace()
    const first = await ask([text("one")], "one", { place })
    const args = ["--resume", sessionOf(first), "--fork-session", "--session-id", UUID]
    expect(sessionOf(await ask([text("two")], "two", { place, args }))).toBe(UUID)
  })

  it("a transcript file is forked, never written", async () => {
    const place = makePlace()
    await ask([text("one")], "one", { place })
    const [original = ""] = transcriptsOf(place)
    const before = readFileSync(original)
    const { requests } = await ask([text("two")], "two", { place, args: ["--resume", original] })
    expect(conversation(requests[0])).toEqual(["one", "one", "two"])
    expect(readFileSync(original).equals(before)).toBe(true)
    expect(transcriptsOf(place)).toHaveLength(2)
  })
})

describe.concurrent("what is on disk", () => {
  it("--session-id names the session and its file, and is refused the second time", async () => {
    const place = makePlace()
    const answer = await ask([text("fine")], "hello", { place, args: ["--session-id", UUID] })
    expect(sessionOf(answer)).toBe(UUID)
    expect(transcriptsOf(place)[0]).toMatch(new RegExp(`/${UUID}\\.jsonl$`))
    const again = await run(["-p", "x", "--session-id", UUID], { place })
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 1, stdout: "" })
    expect(again.stderr).toContain(UUID)
  })

  it("is private, whole, and chained from the prompt on", async () => {
    const place = makePlace()
    await ask([toolUse("Glob", { pattern: "*" }), thinking("hm", "nothing")], "hello", { place })
    const { lines, torn, path } = transcriptOf(place)
    expect(torn).toEqual([])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    const chained = lines.filter((line) => typeof line["uuid"] === "string")
    chained.forEach((line, index) => expect(line["parentUuid"]).toBe(chained[index - 1]?.["uuid"] ?? null))
    expect(chained[0]).toMatchObject({ type: "user", cwd: place.cwd, version: expect.stringMatching(/^\d/) as unknown })
  })

  it("is nothing with --no-session-persistence", async () => {
    const place = makePlace()
    const args = ["--no-session-persistence"]
    const { code } = await ask([toolUse("Glob", { pattern: "*" }), text("fine")], "hello", { place, args })
    expect(code).toBe(0)
    expect(transcriptsOf(place)).toEqual([])
    expect(existsSync(join(place.config, "projects"))).toBe(false)
  })

  it("a config directory that cannot be written costs the transcript, not the answer", async () => {
    const place = makePlace()
    putFile(`${place.home}/occupied`, "not a directory\n")
    const env = { NACRE_CONFIG_DIR: `${place.home}/occupied/config` }
    const { code, stdout, stderr } = await run(["-p", "@say fine"], { place, env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "fine\n" })
    expect(stderr).toMatch(/not saved.*ENOTDIR/)
  })

  it("holds no secret that a tool printed", async () => {
    const place = makePlace()
    const secret = `sk-ant-api03-${"x1Y2".repeat(24)}`
    await ask([toolUse("Bash", { command: `echo ${secret.slice(0, 20)}""${secret.slice(20)}` }), text("fine")], "go", {
      place,
      args: ["--allowedTools", "Bash"]
    })
    expect(transcriptOf(place).text).not.toContain(secret)
  })
})

describe.concurrent("a host that sends several prompts", () => {
  it("gets a result for each, in one session", async () => {
    const place = makePlace()
    const server = await serve([text("one"), text("two")])
    const cli = await start([...STREAM, "--input-format", "stream-json", "--session-id", OTHER_UUID], {
      place,
      env: endpointEnv(server),
      stdin: null
    })
    const prompt = (content: string): string => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`
    cli.write(prompt("first"))
    await cli.line((line) => line["result"] === "one")
    cli.write(prompt("second"))
    await cli.line((line) => line["result"] === "two")
    cli.closeStdin()
    const { code, lines } = await cli.ended
    expect(code).toBe(0)
    expect(linesOf(lines, "system/init")).toHaveLength(2)
    expect(conversation(server.requests[1])).toEqual(["first", "one", "second"])
    expect(transcriptsOf(place)[0]).toContain(OTHER_UUID)
  })
})
