import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, run } from "../support/built-cli.ts"
import { serve } from "../support/e2e-world.ts"
import { status, text, toolUse } from "../support/messages-reply.ts"
import type { MessagesServer } from "../support/messages-server.ts"
import { putFile } from "../support/temp-world.ts"

/** A command that prints the key: run when one is needed, and not before. */
const runsOf = ({ home }: Place): number => {
  const log = join(home, "runs")
  return existsSync(log) ? readFileSync(log, "utf8").length : 0
}

/** Prints `key-1`, `key-2` and so on, one per run. */
const counting = ({ home }: Place): string => `printf x >> '${home}/runs'; echo "key-$(wc -c < '${home}/runs' | tr -d ' ')"`

const withHelper = (place: Place, command: string): void =>
  putFile(join(place.config, "settings.json"), JSON.stringify({ apiKeyHelper: command }))

const ask = (place: Place, server: MessagesServer, args: ReadonlyArray<string> = []) =>
  run(["-p", "hi", "--model", "claude-opus-4-6", ...args], { place, env: { ANTHROPIC_BASE_URL: server.url } })

const keysSeen = ({ requests }: MessagesServer): ReadonlyArray<unknown> =>
  requests.map(({ headers }) => headers["x-api-key"])

describe.concurrent("apiKeyHelper", () => {
  it("gives its key to every request, and runs once for many", async () => {
    const place = makePlace()
    withHelper(place, counting(place))
    const server = await serve([toolUse("Bash", { command: "true" }), text("fine")])
    expect(await ask(place, server)).toMatchObject({ code: 0, stdout: "fine\n" })
    expect(keysSeen(server)).toEqual(["key-1", "key-1"])
    expect(runsOf(place)).toBe(1)
  })

  it("is asked again when its key is refused", async () => {
    const place = makePlace()
    withHelper(place, counting(place))
    const server = await serve([status(401), text("fine")])
    expect(await ask(place, server)).toMatchObject({ code: 0, stdout: "fine\n" })
    expect(keysSeen(server)).toEqual(["key-1", "key-2"])
  })

  it.each([
    ["echo 'no access today' >&2; exit 3", "no access today"],
    ["true", "it printed nothing"],
    ["echo two words", "it holds a blank"]
  ])("that fails (%s) is tried three times, and its first line told", async (command, why) => {
    const place = makePlace()
    withHelper(place, `printf x >> '${place.home}/runs'; ${command}`)
    const server = await serve([text("never sent")])
    const { code, stdout } = await ask(place, server)
    expect(code).toBe(1)
    expect(stdout).toContain(`apiKeyHelper is failing: ${why}`)
    expect(server.requests).toHaveLength(0)
    expect(runsOf(place)).toBe(3)
  })

  it("gives way to a key in the environment, and is named by auth status without being run", async () => {
    const place = makePlace()
    withHelper(place, counting(place))
    const server = await serve([text("fine")])
    await run(["-p", "hi"], { place, env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "mine" } })
    expect(keysSeen(server)).toEqual(["mine"])
    expect(JSON.parse((await run(["auth", "status"], { place })).stdout)).toMatchObject({
      kind: "helper",
      source: "apiKeyHelper"
    })
    await run(["doctor"], { place })
    expect(runsOf(place)).toBe(0)
  })

  it("of a project is not run before the folder is trusted", async () => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ apiKeyHelper: counting(place) }))
    const server = await serve([text("fine")])
    expect((await ask(place, server)).stdout).toContain("no API key or auth token is set")
    expect({ runs: runsOf(place), requests: server.requests.length }).toEqual({ runs: 0, requests: 0 })
    expect(await ask(place, server, ["--trust"])).toMatchObject({ code: 0, stdout: "fine\n" })
    expect(runsOf(place)).toBe(1)
  })
})
