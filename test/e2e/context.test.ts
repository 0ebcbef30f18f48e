import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import { ask, endpointEnv, linesOf, object, serve } from "../support/e2e-world.ts"
import { text, toolUse } from "../support/messages-reply.ts"
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
