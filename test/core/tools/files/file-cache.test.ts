import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../../../../src/core/domain/limits.ts"
import {
  emptyCache,
  entriesOf,
  entryBytes,
  type FileCache,
  type FileEntry,
  forgetEntry,
  mergeCaches,
  peekEntry,
  recordEntry,
  touchEntry
} from "../../../../src/core/tools/files/file-cache.ts"
import { writeFreshness } from "../../../../src/core/tools/files/freshness.ts"
import { afterChanges, afterRead, hasSeen, joinRanges } from "../../../../src/core/tools/files/read-coverage.ts"

const entryFor = (path: string, change: Partial<FileEntry> = {}): FileEntry => ({
  path,
  content: "text",
  mtimeMs: 1,
  size: 4,
  hash: "h",
  partial: false,
  source: "read",
  ...change
})

const bytesOf = (cache: FileCache): number => entriesOf(cache).reduce((sum, entry) => sum + entryBytes(entry), 0)

describe("cache of known files", () => {
  const megabytes = "x".repeat(6 * 1024 * 1024)
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("record" as const),
      n: fc.nat(150),
      size: fc.constantFrom(0, 1, 100, megabytes.length)
    }),
    fc.record({ kind: fc.constantFrom("touch" as const, "forget" as const), n: fc.nat(150), size: fc.constant(0) })
  )

  it("keeps its bounds and its sum after any sequence", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        let cache = emptyCache
        for (const { kind, n, size } of steps) {
          const path = `/files/${n}`
          if (kind === "record") cache = recordEntry(cache, entryFor(path, { content: megabytes.slice(0, size) }))
          else cache = kind === "touch" ? touchEntry(cache, path) : forgetEntry(cache, path)
        }
        expect(cache.slots.size).toBeLessThanOrEqual(LIMITS.fileCacheEntries)
        expect(cache.bytes).toBeLessThanOrEqual(LIMITS.fileCacheBytes)
        expect(cache.bytes).toBe(bytesOf(cache))
      }),
      { numRuns: 12 }
    )
  })

  it("knows a file by one path however it is written", () => {
    const cache = recordEntry(emptyCache, entryFor("/a/./b/../b/x"))
    expect(peekEntry(cache, "/a/b/x")?.path).toBe("/a/b/x")
    expect(peekEntry(forgetEntry(cache, "/a//b/x"), "/a/b/x")).toBeUndefined()
  })

  it("forgets the least recently used first", () => {
    let cache = emptyCache
    for (let n = 0; n < LIMITS.fileCacheEntries; n++) cache = recordEntry(cache, entryFor(`/${n}`))
    cache = recordEntry(touchEntry(cache, "/0"), entryFor("/new"))
    expect(peekEntry(cache, "/0")).toBeDefined()
    expect(peekEntry(cache, "/1")).toBeUndefined()
  })

  it("counts an empty entry as one byte and keeps lines of a text that is too large", () => {
    expect(entryBytes(entryFor("/e", { content: "" }))).toBe(1)
    expect(entryBytes(entryFor("/e", { content: "aé漢😀" }))).toBe(10)
    const cache = recordEntry(emptyCache, entryFor("/large", { content: "x".repeat(LIMITS.fileCacheBytes + 1) }))
    const kept = peekEntry(cache, "/large")
    expect(kept).toMatchObject({ content: "", partial: true })
    expect(kept === undefined ? false : hasSeen(kept, { first: 7, last: 900 })).toBe(true)
  })

  it("older versions stay what they were", () => {
    const before = recordEntry(emptyCache, entryFor("/a"))
    recordEntry(before, entryFor("/a", { hash: "other" }))
    expect(peekEntry(before, "/a")?.hash).toBe("h")
  })

  it("merging keeps the strictly newer entry", () => {
    const mine = recordEntry(emptyCache, entryFor("/a", { hash: "mine", mtimeMs: 5 }))
    const same = recordEntry(emptyCache, entryFor("/a", { hash: "theirs", mtimeMs: 5 }))
    const newer = recordEntry(emptyCache, entryFor("/a", { hash: "theirs", mtimeMs: 6 }))
    expect(peekEntry(mergeCaches(mine, same), "/a")?.hash).toBe("mine")
    expect(peekEntry(mergeCaches(mine, newer), "/a")?.hash).toBe("theirs")
  })
})

describe("what was seen", () => {
  it("a partial view never permits to write the whole file", () => {
    const range = fc.record({ first: fc.integer({ min: 1, max: 9 }), last: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(fc.array(range), fc.constantFrom("read", "seeded", "bash", "edit"), (seen, source) => {
        expect(writeFreshness(entryFor("/a", { partial: true, seen, source }), "h")).toBe("unseen")
      })
    )
    expect(writeFreshness(entryFor("/a"), "h")).toBe("fresh")
    expect(writeFreshness(entryFor("/a"), "changed")).toBe("stale")
    expect(writeFreshness(undefined, "h")).toBe("unread")
  })

  it("pages read in order grow into the whole file; others only add lines", () => {
    const page = (first: number, last: number, content: string): FileEntry =>
      entryFor("/a", { content, partial: true, seen: [{ first, last }], offset: first })
    const two = afterRead(page(1, 2, "1\n2\n"), page(3, 4, "3\n4\n"), true)
    expect(two).toMatchObject({ content: "1\n2\n3\n4\n", partial: false, offset: 3 })
    const gap = afterRead(page(1, 2, "1\n2\n"), page(4, 4, "4\n"), true)
    expect(gap).toMatchObject({
      partial: true,
      seen: [
        { first: 1, last: 2 },
        { first: 4, last: 4 }
      ]
    })
    expect(afterRead(entryFor("/a"), page(2, 2, "2\n"), false)).toMatchObject({ content: "text", partial: false })
    expect(afterRead(entryFor("/a", { hash: "other" }), page(2, 2, "2\n"), false)).toMatchObject({ partial: true })
  })

  it("lines move with the edits above them", () => {
    const seen = [
      { first: 1, last: 5 },
      { first: 20, last: 30 }
    ]
    const changes = [
      { lines: { first: 2, last: 3 }, growth: 4 },
      { lines: { first: 25, last: 25 }, growth: -1 }
    ]
    expect(afterChanges(seen, changes)).toEqual([
      { first: 1, last: 9 },
      { first: 24, last: 33 }
    ])
    expect(
      joinRanges([
        { first: 5, last: 6 },
        { first: 1, last: 4 }
      ])
    ).toEqual([{ first: 1, last: 6 }])
  })
})
