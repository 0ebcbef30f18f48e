import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/memory/node.ts"
import { Memory, type MemoryError, type MemoryStore } from "../../../src/core/ports/Memory.ts"

const fresh = (): string => realpathSync(mkdtempSync(join(tmpdir(), "nacre-memory-")))

const storeAt = (directory: string): MemoryStore =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Memory, (memory) => memory.at(directory)),
      layer
    )
  )

const run = <A>(effect: Effect.Effect<A, MemoryError>): A => Effect.runSync(effect)

const failure = <A>(effect: Effect.Effect<A, MemoryError>): string => {
  const result = Effect.runSync(Effect.result(effect))
  return Result.isFailure(result) ? result.failure.kind : "none"
}

describe("the files of a memory", () => {
  it("are none before anything is written, and private afterwards", () => {
    const directory = join(fresh(), "projects", "p", "memory")
    const store = storeAt(directory)
    expect(run(store.entries)).toEqual([])
    expect(run(store.read("MEMORY.md"))).toBeUndefined()
    run(store.write("a.md", "one\n", null))
    expect(run(store.read("a.md"))).toMatchObject({ name: "a.md", text: "one\n" })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, "a.md")).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(["a.md"])
  })

  it("are replaced only where they are what was read", () => {
    const directory = fresh()
    const store = storeAt(directory)
    run(store.write("a.md", "one", null))
    const read = run(store.read("a.md"))
    writeFileSync(join(directory, "a.md"), "by hand")
    expect(failure(store.write("a.md", "two", read?.hash ?? null))).toBe("stale")
    expect(failure(store.write("a.md", "two", null))).toBe("stale")
    expect(readFileSync(join(directory, "a.md"), "utf8")).toBe("by hand")
  })

  it("are edited on top of what another writer wrote meanwhile", () => {
    const directory = fresh()
    const store = storeAt(directory)
    let isFirst = true
    const edit = (text: string): string => {
      if (isFirst) writeFileSync(join(directory, "MEMORY.md"), "- theirs\n")
      isFirst = false
      return `${text}- ours\n`
    }
    run(store.change("MEMORY.md", edit))
    expect(readFileSync(join(directory, "MEMORY.md"), "utf8")).toBe("- theirs\n- ours\n")
  })

  it("are never links, nor outside of the directory", () => {
    const outside = fresh()
    writeFileSync(join(outside, "secret.md"), "secret")
    const directory = fresh()
    symlinkSync(join(outside, "secret.md"), join(directory, "link.md"))
    const store = storeAt(directory)
    expect(run(store.entries)).toEqual([])
    expect(failure(store.read("link.md"))).toBe("refused")
    expect(failure(store.write("link.md", "x", null))).toBe("refused")
    expect(failure(store.read("../secret.md"))).toBe("refused")
    const linked = join(fresh(), "memory")
    symlinkSync(outside, linked)
    expect(failure(storeAt(linked).write("x.md", "x", null))).toBe("refused")
    expect(readdirSync(outside)).toEqual(["secret.md"])
  })

  it("come back from the trash", () => {
    const directory = fresh()
    const store = storeAt(directory)
    run(store.write("a.md", "one", null))
    const id = run(store.trash("a.md")) ?? ""
    expect(run(store.entries)).toEqual([])
    expect(run(store.trash("a.md"))).toBeUndefined()
    expect(run(store.restore(id))).toBe("a.md")
    expect(run(store.read("a.md"))?.text).toBe("one")
    expect(failure(store.restore(id))).toBe("refused")
    expect(failure(store.restore("1-00000000-../../x.md"))).toBe("refused")
  })

  it("leave the trash after thirty days", () => {
    const directory = fresh()
    mkdirSync(join(directory, ".trash"))
    writeFileSync(join(directory, ".trash", "1000-00000000-old.md"), "old")
    writeFileSync(join(directory, ".trash", "kept"), "not ours")
    const store = storeAt(directory)
    run(store.write("a.md", "one", null))
    run(store.trash("a.md"))
    expect(readdirSync(join(directory, ".trash")).filter((name) => name.endsWith("old.md"))).toEqual([])
    expect(readdirSync(join(directory, ".trash"))).toContain("kept")
  })
})
