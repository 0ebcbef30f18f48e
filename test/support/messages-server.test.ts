import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { describe, expect, it } from "vitest"
import { text, toolUse } from "./messages-reply.ts"
import { startMessagesServer } from "./messages-server.ts"

const AUTH = { "x-api-key": "k", "anthropic-version": "2026-10-21" }
const ASKED = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "hi" }] }

const post = (url: string, body: unknown, headers: Record<string, string> = AUTH): Promise<Response> =>
  fetch(url, { method: "POST", headers, body: JSON.stringify(body) })

describe("the fake endpoint", () => {
  it("answers plain and streamed requests from its script and refuses more", async () => {
    const server = await startMessagesServer([text("one"), toolUse("Read", { a: 1 })])
    const plain = await post(`${server.url}/v1/messages`, ASKED)
    expect(await plain.json()).toMatchObject({ content: [{ type: "text", text: "one" }], stop_reason: "end_turn" })
    const streamed = await post(`${server.url}/v1/messages`, { ...ASKED, stream: true })
    expect(streamed.headers.get("content-type")).toContain("text/event-stream")
    expect(await streamed.text()).toContain('"stop_reason":"tool_use"')
    const over = await post(`${server.url}/v1/messages`, ASKED)
    expect(over.status).toBe(400)
    expect(await over.json()).toMatchObject({ error: { message: "the script has no reply for request 2" } })
    expect(server.requests.map(({ body }) => body["stream"])).toEqual([undefined, true, undefined])
    await server.close()
  })

  it("asks for a credential, a version and a sound body", async () => {
    const server = await startMessagesServer(() => text("one"))
    const nobody = await post(`${server.url}/v1/messages`, ASKED, {})
    const withBearer = { "anthropic-version": "2026-10-21", authorization: "Bearer k" }
    const bearer = await post(`${server.url}/v1/messages`, ASKED, withBearer)
    const unversioned = await post(`${server.url}/v1/messages`, ASKED, { "x-api-key": "k" })
    const broken = await post(`${server.url}/v1/messages`, { ...ASKED, messages: [] })
    expect([nobody, bearer, unversioned, broken].map(({ status }) => status)).toEqual([401, 200, 400, 400])
    expect(server.violations()).toHaveLength(2)
    await server.close()
  })

  it("counts tokens and lists models", async () => {
    const server = await startMessagesServer([])
    const counted = await post(`${server.url}/v1/messages/count_tokens`, { model: "m", messages: ASKED.messages })
    expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) as number })
    const models = await fetch(`${server.url}/v1/models`, { headers: AUTH })
    expect(await models.json()).toMatchObject({ has_more: false })
    const one = await fetch(`${server.url}/v1/models/claude-opus-5-5`, { headers: AUTH })
    expect(await one.json()).toMatchObject({ id: "claude-opus-5-5" })
    expect((await fetch(`${server.url}/v1/models/none`, { headers: AUTH })).status).toBe(404)
    expect((await fetch(`${server.url}/elsewhere`, { headers: AUTH })).status).toBe(404)
    await server.close()
  })

  it("runs as a program of its own after bundling", async () => {
    const dir = await mkdtemp(join(tmpdir(), "messages-server-"))
    const main = join(dir, "main.mjs")
    const bundle = await rolldown({
      input: fileURLToPath(new URL("./messages-server-main.ts", import.meta.url)),
      platform: "node"
    })
    await bundle.write({ file: main, format: "esm" })
    const replies = [{ text: "a" }, { toolUse: { name: "Read", input: {} } }, { status: 529 }]
    const script = JSON.stringify({ replies, cycle: true })
    const child = spawn(process.execPath, [main, script], { stdio: ["ignore", "pipe", "inherit"] })
    try {
      const port = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve))
      const statuses: Array<number> = []
      for (let turn = 0; turn < 4; turn++) {
        statuses.push((await post(`http://127.0.0.1:${port}/v1/messages`, ASKED)).status)
      }
      expect(statuses).toEqual([200, 200, 529, 200])
    } finally {
      child.kill()
      await rm(dir, { recursive: true, force: true })
    }
  })
})
