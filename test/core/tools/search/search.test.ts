import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { displayPath } from "../../../../src/core/tools/search/display.ts"
import { escapeGlob, globTarget, rootGlob, splitGlobList } from "../../../../src/core/domain/path/glob-pattern.ts"
import { comparePaths, newestFirst } from "../../../../src/core/tools/search/order.ts"
import { entriesNeeded, pageOf } from "../../../../src/core/tools/search/page.ts"

describe("globTarget", () => {
  it.each([
    ["**/*.ts", "/w", "**/*.ts"],
    ["*.ts", "/w", "*.ts"],
    ["src/**/*.ts", "/w/src", "/**/*.ts"],
    ["src/*.ts", "/w/src", "/*.ts"],
    ["src/main.ts", "/w/src", "/main.ts"],
    ["../other/*.ts", "/other", "/*.ts"],
    ["./**/a", "/w", "/**/a"],
    ["/abs/dir/**", "/abs/dir", "/**"],
    ["/*.ts", "/", "/*.ts"],
    ["/abs/../etc/x", "/etc", "/x"],
    ["{src,test}/a.ts", "/w", "{src,test}/a.ts"],
    ["a\\*/b", "/w", "a\\*/b"]
  ])("%s from /w", (pattern, root, rest) => {
    expect(globTarget(pattern, "/w")).toEqual({ root, pattern: rest })
  })
})

describe("globs as text", () => {
  it("are anchored at a root whose name may look like a glob", () => {
    expect(rootGlob("src/*.ts", "/a[b]")).toBe("/a\\[b\\]/src/*.ts")
    expect(rootGlob("!/x/", "/w")).toBe("!/w/x/")
    expect(rootGlob("*.ts", "/w")).toBe("*.ts")
    expect(rootGlob("/x", "/")).toBe("/x")
    expect(escapeGlob("/a{1}*?")).toBe("/a\\{1\\}\\*\\?")
  })

  it("come as lists separated by blanks or commas outside braces", () => {
    expect(splitGlobList("*.ts,*.tsx  !*.test.ts")).toEqual(["*.ts", "*.tsx", "!*.test.ts"])
    expect(splitGlobList("*.{ts,tsx}, a")).toEqual(["*.{ts,tsx}", "a"])
    expect(splitGlobList("")).toEqual([])
  })
})

describe("order", () => {
  it("is by components: a directory's files stay together", () => {
    expect(["src.ts", "src/b", "src/a/z", "src-x"].toSorted(comparePaths)).toEqual(["src/a/z", "src/b", "src-x", "src.ts"])
  })

  it("is newest first, ties by path, whatever order the files came in", () => {
    const files = fc.uniqueArray(
      fc.record({ path: fc.stringMatching(/^\/[a-c]{1,3}(\/[a-c]{1,2})?$/), mtimeMs: fc.nat(2) }),
      { selector: (file) => file.path }
    )
    fc.assert(
      fc.property(files, (list) => {
        const sorted = newestFirst(list)
        expect(newestFirst(list.toReversed())).toEqual(sorted)
        const times = sorted.map((path) => list.find((file) => file.path === path)?.mtimeMs ?? -1)
        expect(times).toEqual(times.toSorted((left, right) => right - left))
      })
    )
  })
})

describe("pages", () => {
  it("put together are the list, and only the last one has no limit applied", () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 7 }), (all, limit) => {
        const pages: Array<ReadonlyArray<number>> = []
        for (let offset = 0; ; offset += limit) {
          // An engine that stops early knows no more than this, and the page must come out the same.
          const known = all.slice(0, entriesNeeded({ offset, limit }))
          const page = pageOf(known, { offset, limit })
          expect(page).toEqual(pageOf(all, { offset, limit }))
          pages.push(page.entries)
          expect(page.appliedLimit !== undefined).toBe(offset + limit < all.length)
          if (page.appliedLimit === undefined) break
        }
        expect(pages.flat()).toEqual(all)
      })
    )
  })

  it("tell an offset past the end from an empty list", () => {
    expect(pageOf([1, 2], { offset: 2, limit: 5 })).toEqual({ entries: [], appliedOffset: 2, pastEnd: true })
    expect(pageOf([], { offset: 2, limit: 5 }).pastEnd).toBe(false)
    expect(pageOf([1, 2, 3], { offset: 1, limit: 0 })).toEqual({ entries: [2, 3], appliedOffset: 1, pastEnd: false })
  })
})

describe("displayPath", () => {
  it("is relative only below the current directory", () => {
    expect(displayPath("/w/a/b", "/w")).toBe("a/b")
    expect(displayPath("/wide/a", "/w")).toBe("/wide/a")
    expect(displayPath("/w", "/w")).toBe("/w")
    expect(displayPath("/x", "/")).toBe("x")
  })
})
