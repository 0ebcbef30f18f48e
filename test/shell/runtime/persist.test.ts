import { existsSync, readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { layer as recordsLayer } from "../../../src/adapters/records/node.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import { Records, type RecordsWriter, type WriteStatus } from "../../../src/core/ports/Records.ts"
import { disabled, layer, Persist, type PersistedSession } from "../../../src/shell/runtime/persist.ts"
import { loadSession } from "../../../src/shell/session/load-session.ts"
import { Recorder } from "../../../src/shell/runtime/transcript-recorder.ts"
import { context, Maker, SESSION, uuidsOf } from "../../support/session/build.ts"
import { makeHome } from "../../support/session/disk.ts"
import { histories, play } from "../../support/session/histories.ts"

const setUp = () => {
  const { home, file } = makeHome()
  const session: PersistedSession = { path: file(SESSION), context }
  const records = recordsLayer({ home })
  const run = <A, E>(program: Effect.Effect<A, E, Persist | Records>, persisted = session): Promise<A> =>
    Effect.runPromise(program.pipe(Effect.provide(Layer.provideMerge(layer(persisted, { secrets: [] }), records))))
  const load = (path = session.path) => Effect.runPromise(loadSession(path).pipe(Effect.provide(records)))
  return { home, file, session, run, load }
}

const linesAt = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("persisting a conversation", () => {
  it("leaves no file until somebody speaks, then everything in order", async () => {
    const { session, run } = setUp()
    const maker = new Maker()
    await run(
      Effect.gen(function* () {
        const persist = yield* Persist
        persist.note({ type: "mode", mode: "normal" })
        persist.record([maker.attachment("hook_success")])
        yield* persist.durable
        expect(existsSync(session.path)).toBe(false)
        persist.record([maker.prompt("hello")])
        expect(linesAt(session.path).map((line) => line.type)).toEqual(["mode", "attachment", "user"])
      })
    )
  })

  it("goes on before a prompt that was taken back, also when the program ends right then", async () => {
    const { run, load } = setUp()
    const maker = new Maker()
    const [first, answer, second] = [maker.prompt("one"), maker.says("msg_1", "two"), maker.prompt("three")]
    await run(
      Effect.gen(function* () {
        const persist = yield* Persist
        persist.record([first, answer, second])
        persist.note({ type: "last-prompt", leafUuid: answer.uuid })
        yield* persist.durable
      })
    )
    expect(uuidsOf((await load()).messages)).toEqual([first.uuid, answer.uuid])
  })

  it("has written a line when recording returns, and a crash then loses nothing", async () => {
    const { session, run } = setUp()
    const maker = new Maker()
    await run(
      Effect.gen(function* () {
        const persist = yield* Persist
        for (const words of ["one", "two", "three"]) {
          const message = maker.prompt(words)
          persist.record([message])
          const { uuid } = message
          expect(linesAt(session.path).at(-1)).toMatchObject({ uuid, sessionId: SESSION, producer: "nacre" })
        }
        yield* persist.durable
      })
    )
  })

  it("continues what was loaded, in the same file, as one conversation", async () => {
    const { session, run, load } = setUp()
    const maker = new Maker()
    const first = [maker.prompt("one"), maker.says("m1", "two")]
    await run(Effect.map(Persist, (persist) => persist.record(first)))
    const before = readFileSync(session.path, "utf8")
    const loaded = await load()
    const second = [maker.prompt("three"), maker.says("m2", "four")]
    await run(
      Effect.map(Persist, (persist) => persist.record([...loaded.messages, ...second])),
      { ...session, continued: loaded }
    )
    expect(readFileSync(session.path, "utf8").startsWith(before)).toBe(true)
    const again = await load()
    expect(again.messages).toEqual([...first, ...second])
    expect(again.notices).toEqual([])
  })

  it("goes on from the parent it is given, from the tip when that is not in the file, or from nothing", async () => {
    const { session, run } = setUp()
    const maker = new Maker()
    const [one, two, three, four] = [maker.prompt("1"), maker.prompt("2"), maker.prompt("3"), maker.prompt("4")]
    await run(
      Effect.map(Persist, (persist) => {
        persist.record([one], null)
        persist.record([two], "never-written")
        persist.record([three], one.uuid)
        persist.record([four], null)
        persist.record([four, one], null)
      })
    )
    expect(linesAt(session.path).map((line) => line.parentUuid)).toEqual([null, one.uuid, one.uuid, null])
  })

  it("keeps names and the tip at the end of the file", async () => {
    const { session, run, load } = setUp()
    const maker = new Maker()
    const last = maker.says("m", "end")
    await run(
      Effect.map(Persist, (persist) => {
        persist.record([maker.prompt("one")])
        persist.note({ type: "custom-title", customTitle: "Pears" })
        persist.note({ type: "last-prompt", lastPrompt: "one", leafUuid: "long ago" })
        persist.record([maker.says("m0", "x".repeat(70_000))])
        persist.record([last])
      })
    )
    const lines = linesAt(session.path)
    expect(lines.filter((line) => line.type === "custom-title").length).toBe(3)
    expect(lines.slice(-2)).toMatchObject([
      { customTitle: "Pears", sessionId: SESSION },
      { lastPrompt: "one", leafUuid: last.uuid }
    ])
    expect((await load()).title).toBe("Pears")
  })

  it("redacts tool results in the file only", async () => {
    const { session, run } = setUp()
    const maker = new Maker()
    const secret = `ghp_${"a1B2".repeat(9)}`
    const caller = maker.calls("m", "c")
    const result = maker.result(caller, "c", secret)
    await run(Effect.map(Persist, (persist) => persist.record([maker.prompt(secret), caller, result])))
    const [prompt, , written] = linesAt(session.path)
    expect(JSON.stringify(written)).not.toContain(secret)
    expect(prompt.message.content).toBe(secret)
    expect(result.toolUseResult).toEqual({ content: secret })
  })

  it("writes later lines with the directory of then", async () => {
    const { session, run } = setUp()
    const maker = new Maker()
    await run(
      Effect.map(Persist, (persist) => {
        persist.record([maker.prompt("one")])
        persist.setContext({ cwd: "/elsewhere", gitBranch: "topic" })
        persist.record([maker.prompt("two")])
      })
    )
    expect(linesAt(session.path).map((line) => line.cwd)).toEqual([context.cwd, "/elsewhere"])
  })

  it("moves to another file when the session changes", async () => {
    const { file, session, run } = setUp()
    const maker = new Maker()
    const next = { path: file("00000000-0000-4000-8000-000000000002"), context: { ...context, sessionId: "s2" } }
    await run(
      Effect.gen(function* () {
        const persist = yield* Persist
        persist.record([maker.prompt("one")])
        yield* persist.switchTo(next)
        persist.record([maker.prompt("two")])
        expect(persist.path()).toBe(next.path)
      })
    )
    expect(linesAt(session.path).length).toBe(1)
    expect(linesAt(next.path)).toMatchObject([{ parentUuid: null, sessionId: "s2" }])
  })

  it("writes nothing at all when it is turned off", async () => {
    const { home } = setUp()
    await Effect.runPromise(
      Effect.gen(function* () {
        const persist = yield* Persist
        persist.record([new Maker().prompt("secret")])
        persist.note({ type: "tag", tag: "x" })
        yield* persist.durable
        yield* persist.close
        expect([persist.enabled, persist.path()]).toEqual([false, null])
      }).pipe(Effect.provide(disabled))
    )
    expect(existsSync(`${home}/projects`)).toBe(false)
  })

  it("passes the writer's trouble on", async () => {
    let tell: (status: WriteStatus) => void = () => {}
    const counts = { sinceMs: 0, waitingBytes: 1, lostLines: 0 }
    const failing: WriteStatus = { _tag: "Failing", code: "ENOSPC", message: "full", ...counts }
    const writer: RecordsWriter = {
      path: "/x",
      append: () => tell(failing),
      sync: Effect.void,
      status: () => failing,
      watch: (listener) => {
        tell = listener
        return () => {}
      },
      close: Effect.void
    }
    const records = Layer.mock(Records)({ pathFor: () => "/x", open: () => Effect.succeed(writer) })
    const seen: Array<string> = []
    await Effect.runPromise(
      Effect.map(Persist, (persist) => {
        persist.watch((status) => seen.push(status._tag))
        persist.record([new Maker().prompt("one")])
        expect(persist.status()).toBe(failing)
      }).pipe(Effect.provide(layer({ path: "/x", context }, null).pipe(Layer.provide(records))))
    )
    expect(seen).toContain("Failing")
  })
})

describe("any conversation", () => {
  it("is the same after writing, closing and loading", async () => {
    const { run, load, session } = setUp()
    await fc.assert(
      fc.asyncProperty(histories({ branches: false }), async (history) => {
        const { messages } = play({ ...history, acts: history.acts.filter((act) => act._tag === "Turn") })
        const batches: Array<ReadonlyArray<Message>> = messages.map((_, index) => messages.slice(0, index + 1))
        const path = `${session.path.slice(0, -6)}.${Math.random()}.jsonl`
        await run(
          Effect.map(Persist, (persist) => {
            for (const batch of batches) persist.record(batch)
          }),
          { ...session, path }
        )
        const loaded = await load(path)
        expect(uuidsOf(loaded.messages).slice(0, messages.length)).toEqual(uuidsOf(messages))
      }),
      { numRuns: 30 }
    )
    await expect(load()).rejects.toMatchObject({ code: "ENOENT" })
  })
})

describe("loading", () => {
  it("reaches back behind a compaction when asked, and by default only from it on", async () => {
    const { run, load, session } = setUp()
    const maker = new Maker()
    const old = [maker.prompt("old"), maker.says("m0", "answer")]
    const boundary = maker.system("compact_boundary", { compactMetadata: { trigger: "manual", preTokens: 1 } })
    const recent = [boundary, maker.prompt("Summary.", { isCompactSummary: true }), maker.prompt("new")]
    await run(
      Effect.map(Persist, (persist) => {
        persist.record(old)
        persist.record(recent)
      })
    )
    const loaded = await load()
    expect(uuidsOf(loaded.messages)).toEqual(uuidsOf(recent))
    expect(loaded.title).toBe("old")
    const run2 = Effect.provide(recordsLayer({ home: session.path }))
    const before = await Effect.runPromise(loadSession(session.path, { at: old[1]?.uuid ?? "" }).pipe(run2))
    expect(before.messages).toEqual(old)
    const unknown = loadSession(session.path, { at: "none" }).pipe(run2)
    await expect(Effect.runPromise(unknown)).rejects.toMatchObject({ _tag: "MessageNotFound" })
  })
})

describe("an agent's own recorder", () => {
  it("starts its own chain and says whose it is", () => {
    const lines: Array<string> = []
    const maker = new Maker()
    const recorder = new Recorder({
      writer: { append: (news) => void lines.push(...news) },
      context: { ...context, isSidechain: true, agentId: "a1" },
      redaction: null,
      now: () => "2026-01-01T00:00:00.000Z"
    })
    recorder.record([maker.prompt("look"), maker.says("m", "seen")])
    recorder.note({ type: "queue-operation", operation: "enqueue", content: "x" })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { parentUuid: null, isSidechain: true, agentId: "a1" },
      { parentUuid: recorder.tip === null ? "" : expect.any(String) },
      { type: "queue-operation", timestamp: "2026-01-01T00:00:00.000Z", sessionId: SESSION }
    ])
  })
})
