import { chmodSync, existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, run } from "../support/built-cli.ts"
import { serve } from "../support/e2e-world.ts"
import { text } from "../support/messages-reply.ts"
import { putFile } from "../support/temp-world.ts"

/** A key that is kept, used and removed; the canary must not turn up anywhere else. */
const KEY = "sk-test-canary-0123456789"

const fileOf = ({ config }: Place): string => join(config, "nacre-credentials.json")

const json = (stdout: string): unknown => JSON.parse(stdout)

/** An endpoint that only says whether it accepts a credential. */
const withEndpoint = async <A>(
  status: number,
  use: (url: string, seen: ReadonlyArray<unknown>) => Promise<A>
): Promise<A> => {
  const seen: Array<unknown> = []
  const server = createServer((request, response) => {
    seen.push([request.url, request.headers["x-api-key"], request.headers.authorization])
    response.writeHead(status).end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen)
  } finally {
    server.close()
  }
}

describe.concurrent("nacre login", () => {
  it("asks the endpoint, keeps the key for its owner alone, and the next run uses it there", async () => {
    const place = makePlace()
    await withEndpoint(200, async (url, seen) => {
      const { code, stdout, stderr } = await run(["login", "--api-key-stdin", "--base-url", url], {
        place,
        stdin: `${KEY}\n`
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toBe(`Stored in ${fileOf(place)}, for you alone.\n`)
      expect(seen).toEqual([["/v1/models?limit=1", KEY, undefined]])
    })
    expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600)
    const server = await serve([text("fine")])
    putFile(fileOf(place), readFileSync(fileOf(place), "utf8").replace(/http:[^"]*/, server.url), 0o600)
    const answer = await run(["-p", "hi", "--model", "claude-opus-4-6"], { place })
    expect(answer).toMatchObject({ code: 0, stdout: "fine\n" })
    expect(server.requests[0]?.headers["x-api-key"]).toBe(KEY)
  })

  it("keeps nothing that the endpoint refuses, and what it could not ask about", async () => {
    const place = makePlace()
    await withEndpoint(401, async (url) => {
      const { code, stderr } = await run(["auth", "login", "--auth-token-stdin", "--base-url", url], { place, stdin: KEY })
      expect(code).toBe(1)
      expect(stderr).toBe(`nacre: ${url} does not accept it (401); nothing was stored. Fix: check it, or add --no-verify\n`)
    })
    expect(existsSync(fileOf(place))).toBe(false)
    const kept = await run(["login", "--api-key-stdin", "--base-url", "http://127.0.0.1:9"], { place, stdin: KEY })
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining("could not be checked") as string })
  })

  it.each([
    [["login"], "", "nobody is there to paste it"],
    [["login", "--api-key-stdin"], "", "nothing was given"],
    [["login", "--api-key-stdin"], "two words", "it holds a blank"],
    [["login", "--api-key-stdin", "--auth-token-stdin"], KEY, "cannot be used with"],
    [["login", "--api-key-stdin", "--base-url", "nowhere"], KEY, "it is not a web address"],
    [["logout"], "", "there is nothing to remove"]
  ])("%j with %j is refused", async (args, stdin, why) => {
    const place = makePlace()
    const { code, stdout, stderr } = await run(args, { place, stdin })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain(why)
    expect(existsSync(fileOf(place))).toBe(false)
  })
})

describe.concurrent("nacre auth status", () => {
  const login = (place: Place) => run(["login", "--api-key-stdin", "--no-verify"], { place, stdin: KEY })

  it("names the credential that counts, without it, and says by its exit code whether there is one", async () => {
    const place = makePlace()
    const none = await run(["auth", "status"], { place })
    expect(none.code).toBe(1)
    expect(json(none.stdout)).toEqual({
      loggedIn: false,
      kind: "none",
      source: "none",
      baseUrl: "https://api.anthropic.com"
    })
    await login(place)
    const stored = await run(["auth", "status"], { place })
    expect(stored.code).toBe(0)
    expect(json(stored.stdout)).toMatchObject({ loggedIn: true, kind: "stored", source: fileOf(place), last4: "6789" })
    const both = await run(["auth", "status"], { place, env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" } })
    expect(json(both.stdout)).toMatchObject({ kind: "auth_token", source: "ANTHROPIC_AUTH_TOKEN" })
    expect(JSON.parse((await run(["auth", "status"], { place, env: { ANTHROPIC_API_KEY: "k" } })).stdout)).toMatchObject({
      kind: "api_key"
    })
    for (const args of [
      ["auth", "status"],
      ["auth", "status", "--text"],
      ["doctor"],
      ["config", "list"],
      ["-p", "hi", "--debug"]
    ]) {
      const { stdout, stderr } = await run(args, {
        place,
        env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAUDE_CODE_MAX_RETRIES: "0" }
      })
      expect(stdout + stderr, args.join(" ")).not.toContain("canary")
    }
  })

  it("closes a file that others could read, and takes no broken one", async () => {
    const place = makePlace()
    await login(place)
    chmodSync(fileOf(place), 0o644)
    expect((await run(["doctor"], { place })).stdout).toContain(fileOf(place))
    expect(statSync(fileOf(place)).mode & 0o777).toBe(0o644)
    expect((await run(["auth", "status"], { place })).stderr).toContain("could be read by others; it is private now")
    expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600)
    putFile(fileOf(place), '{"kind": "api_key"}', 0o600)
    const broken = await run(["-p", "hi"], { place })
    expect(broken.stderr).toContain(
      `${fileOf(place)} is not used: it holds no credential that can be used. Fix: nacre login`
    )
    expect(broken.stdout).toContain("offline model")
  })

  it("is as before after logout, which asks first", async () => {
    const place = makePlace()
    await login(place)
    expect((await run(["logout"], { place })).stderr).toContain("nobody is there to ask. Fix: nacre logout --yes")
    expect(existsSync(fileOf(place))).toBe(true)
    expect(await run(["logout", "-y"], { place })).toMatchObject({ code: 0, stdout: `Removed: ${fileOf(place)}\n` })
    expect((await run(["auth", "status"], { place })).code).toBe(1)
  })
})
