import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import { Records } from "../../../src/core/ports/Records.ts"
import { forkRewriter } from "../../../src/core/session/fork.ts"
import { loadSession } from "../../../src/shell/session/load-session.ts"
import { fixtureNames, fixtureText } from "../../support/session/fixtures.ts"
import { makeHome } from "../../support/session/disk.ts"

const TO = "f0f0f0f0-0000-4000-8000-00000000f0f0"

const setUp = (name: string) => {
  const { home, file } = makeHome()
  const from = /"sessionId":"([^"]+)"/.exec(fixtureText(name))?.[1] ?? ""
  const place = file(from)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, fixtureText(name))
  const run = <A, E>(program: Effect.Effect<A, E, Records>): Promise<A> =>
    Effect.runPromise(program.pipe(Effect.provide(layer({ home }))))
  const fork = (options: { readonly name?: string; readonly at?: string } = {}) =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        const source = yield* records.fileAt(place)
        const rewriter = forkRewriter({ from, sessionId: TO, ...options })
        return yield* records.fork({ source, sessionId: TO, cwd: "/home/ada/orchard", ...rewriter })
      })
    )
  return { home, from, place, run, fork }
}

const linesOf = (place: string): ReadonlyArray<string> =>
  readFileSync(place, "utf8")
    .split("\n")
    .filter((line) => line !== "")

describe("a fork", () => {
  it("leaves the original byte for byte and loads to the same conversation", async () => {
    for (const name of fixtureNames) {
      const { place, run, fork } = setUp(name)
      const copy = await fork()
      expect(readFileSync(place, "utf8")).toBe(fixtureText(name))
      const [before, after] = await run(Effect.all([loadSession(place), loadSession(copy.path)]))
      expect(after.messages).toEqual(before.messages)
      expect(after.interruption).toBe(before.interruption)
      expect(statSync(copy.path).mode & 0o777).toBe(0o600)
    }
  })

  it("says where each message came from and has a name of its own", async () => {
    const { from, fork, run } = setUp("plain")
    const copy = await fork()
    const parsed = linesOf(copy.path).map((line) => JSON.parse(line))
    for (const line of parsed.filter((value) => "uuid" in value)) {
      expect(line).toMatchObject({ sessionId: TO, forkedFrom: { sessionId: from, messageUuid: line.uuid } })
    }
    expect(parsed.some((line) => line.type === "ai-title")).toBe(false)
    expect(parsed.find((line) => line.type === "cost-state")).toMatchObject({ sessionId: TO })
    const loaded = await run(loadSession(copy.path))
    expect(loaded.title).toBe("How many pear trees are in rows.csv? (branch)")
  })

  it("copies lines it does not understand byte for byte", async () => {
    const { place, fork } = setUp("unknown-and-torn")
    const copied = new Set(linesOf((await fork({ name: "Mine" })).path))
    const unknown = /atis-latch|api-request-start|tools-used|future-thing|"conte$/
    const strange = linesOf(place).filter((line) => unknown.test(line))
    expect(strange.length).toBe(5)
    expect(strange.filter((line) => !copied.has(line))).toEqual([])
  })

  it("can start from an earlier message", async () => {
    const { run, fork, place } = setUp("branches")
    const whole = await run(loadSession(place))
    const at = whole.messages[1]?.uuid ?? ""
    const copy = await run(loadSession((await fork({ at })).path))
    expect(copy.messages).toEqual(whole.messages.slice(0, 2))
    expect(copy.chain.tip).toBe(at)
  })

  it("shares spilled results and is refused over an existing session", async () => {
    const { home, from, place, fork } = setUp("plain")
    const results = path.join(path.dirname(place), from, "tool-results")
    const history = path.join(home, "file-history", from)
    for (const directory of [results, history]) {
      mkdirSync(directory, { recursive: true })
      writeFileSync(path.join(directory, "item"), "content")
    }
    const copy = await fork()
    const copies = [path.join(path.dirname(copy.path), TO, "tool-results"), path.join(home, "file-history", TO)]
    for (const directory of copies) {
      expect(readFileSync(path.join(directory, "item"), "utf8")).toBe("content")
    }
    await expect(fork()).rejects.toMatchObject({ code: "EXISTS" })
  })
})
