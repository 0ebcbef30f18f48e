import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { emptyCache, recordEntry } from "../../../../src/core/tools/files/file-cache.ts"
import { FileState, layer, makeFileState } from "../../../../src/shell/tools/services/file-state.ts"

const entry = { path: "/a/./b", content: "x", mtimeMs: 1, size: 1, hash: "h", partial: false, source: "read" } as const

describe("what an agent knows about files", () => {
  it("is recorded, forgotten, cleared and handed on", async () => {
    const program = Effect.gen(function* () {
      const state = yield* FileState
      yield* state.record(entry)
      const known = yield* state.get("/a/b")
      const copy = yield* state.snapshot
      yield* state.forget("/a/b")
      const forgotten = yield* state.get("/a/b")
      const fork = yield* makeFileState({ initial: () => copy, policy: "relaxed" })
      yield* state.merge(copy)
      yield* state.clear
      const forked = yield* fork.get("/a/b")
      const cleared = yield* state.get("/a/b")
      return { known: known?.path, forgotten, forked: forked?.hash, cleared, policies: [state.policy, fork.policy] }
    })
    expect(await Effect.runPromise(Effect.provide(program, layer()))).toEqual({
      known: "/a/b",
      forgotten: undefined,
      forked: "h",
      cleared: undefined,
      policies: ["strict", "relaxed"]
    })
  })

  it("is recalled once, whoever asks first, and not at all after it was cleared", async () => {
    const asked: Array<string> = []
    const recalling = (name: string) => ({
      initial: () => {
        asked.push(name)
        return recordEntry(emptyCache, entry)
      }
    })
    const program = Effect.gen(function* () {
      const seen = yield* makeFileState(recalling("seen"))
      const cleared = yield* makeFileState(recalling("cleared"))
      yield* cleared.clear
      yield* seen.snapshot
      const known = yield* seen.get("/a/b")
      return { hash: known?.hash, gone: yield* cleared.get("/a/b") }
    })
    expect(await Effect.runPromise(program)).toMatchObject({ hash: "h", gone: undefined })
    expect(asked).toEqual(["seen"])
  })
})
