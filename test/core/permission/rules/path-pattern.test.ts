import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { escapePath } from "../../../../src/core/domain/path/glob.ts"
import { matchesPathPattern, parsePathPattern } from "../../../../src/core/permission/rules/path-pattern.ts"
import { isInside, isWithin, parentOf, resolvePath } from "../../../../src/core/domain/path/path-components.ts"

const ANCHORS = { root: "/", home: "/home/u", source: "/src", cwd: "/work" }

const matches = (pattern: string, path: string, behavior: "allow" | "deny"): boolean => {
  const parsed = parsePathPattern(pattern)
  if (Result.isFailure(parsed)) throw new Error(parsed.failure)
  return matchesPathPattern(parsed.success, { path, behavior, anchors: [ANCHORS[parsed.success.anchor]] })
}

describe("path patterns", () => {
  it.each([
    ["//etc/passwd", "/etc/passwd", true, true],
    ["//etc/**", "/etc/a/b", true, true],
    ["~/.ssh/**", "/home/u/.ssh/id", true, true],
    ["~", "/home/u", true, true],
    ["/p/*.ts", "/src/p/a.ts", true, true],
    ["/p/*.ts", "/src/p/q/a.ts", false, false],
    ["/p", "/work/p", false, false],
    [".env", "/work/.env", true, true],
    [".env", "/work/a/b/.env", true, true],
    [".env", "/other/.env", false, false],
    ["./.env", "/work/a/.env", false, false],
    ["./.env", "/work/.env", true, true],
    ["*.ts", "/work/a/b.ts", true, true],
    ["src/**", "/work/src/a/b", true, true],
    ["src/**", "/work/src", true, true],
    ["src/**", "/work/pkg/src/a", false, true],
    ["./src/**", "/work/pkg/src/a", false, false],
    ["a/**/b", "/work/a/b", true, true],
    ["a/**/b", "/work/a/x/y/b", true, true],
    ["a/**/b", "/work/a/x/bc", false, false],
    ["secrets", "/work/secrets/key", false, true],
    ["secrets/", "/work/secrets/key", false, true],
    ["secrets/", "/work/x/secrets", true, true],
    ["a?c", "/work/abc", true, true],
    ["a?c", "/work/a\u{1f600}c", true, true],
    ["a[b-d]c", "/work/acc", true, true],
    ["a[!b-d]c", "/work/acc", false, false],
    ["a[", "/work/a[", true, true],
    [String.raw`a\*`, "/work/a*", true, true],
    [String.raw`a\*`, "/work/ab", false, false],
    ["../lib/**", "/lib/x", true, true],
    ["a/../b", "/work/b", true, true],
    ["**", "/work/x/y", true, true],
    ["SRC/a", "/work/src/a", false, true],
    ["caf\u00e9", "/work/cafe\u0301", true, true],
    ["/a", "/src/a-evil", false, false],
    ["[[:digit:]].x", "/work/5.x", true, true],
    ["[[:digit:]].x", "/work/a.x", false, false],
    ["[[:alpha:]_].x", "/work/_.x", true, true],
    ["[![:digit:]a].x", "/work/b.x", true, true],
    ["[![:digit:]a].x", "/work/7.x", false, false],
    ["[[:nonsense:]].x", "/work/n].x", true, true],
    ["[]a].x", "/work/].x", true, true],
    ["[!]a].x", "/work/].x", false, false],
    ["[a-].x", "/work/-.x", true, true],
    [String.raw`[\]a].x`, "/work/].x", true, true],
    ["[!a].x", "/work/A.x", true, true],
    ["[[:upper:]].x", "/work/a.x", false, true],
    [".ssh/**", "/work/.\u017fsh/id", false, true],
    ["K.txt", "/work/\u212a.txt", true, true],
    ["stra\u00dfe", "/work/STRASSE", false, true],
    [".git/**", "/work/.g\u200cit/config", false, true],
    [String.raw`a\ b`, "/work/a b", true, true]
  ])("%s on %s: allow %s, deny %s", (pattern, path, allow, deny) => {
    expect(matches(pattern, path, "allow")).toBe(allow)
    expect(matches(pattern, path, "deny")).toBe(deny)
  })

  it.each(["!a", "a\nb", "*/../b"])("refuses %j", (pattern) => {
    expect(Result.isFailure(parsePathPattern(pattern))).toBe(true)
  })

  const name = fc.string({
    minLength: 1,
    maxLength: 6,
    unit: fc.constantFrom("a", "b", "*", "?", "[", "]", "\\", "!", "#", " ")
  })
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`)

  it("an escaped path matches itself and nothing beside it", () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        const pattern = `/${escapePath(one)}`
        expect(matches(pattern, one, "allow")).toBe(true)
        if (one !== other) expect(matches(pattern, other, "allow")).toBe(false)
      })
    )
  })

  it("deny covers at least what allow covers", () => {
    fc.assert(
      fc.property(path, path, (pattern, target) => {
        const text = pattern.slice(1)
        fc.pre(!text.startsWith("!"))
        if (matches(text, `/work${target}`, "allow")) expect(matches(text, `/work${target}`, "deny")).toBe(true)
      })
    )
  })

  it("is not led into endless work", () => {
    const stars = "*a".repeat(40)
    expect(matches(`**/${stars}b/**/${stars}c`, `/work/${"a".repeat(3_000)}/${"x/".repeat(500)}a`, "deny")).toBe(false)
  })
})

describe("path scope", () => {
  it("builds paths as they are spelled and compares them by their characters", () => {
    expect(resolvePath("/work", "cafe\u0301/../cafe\u0301")).toBe("/work/cafe\u0301")
    expect(parentOf("/cafe\u0301/x")).toBe("/cafe\u0301")
    expect(isInside("/caf\u00e9", "/cafe\u0301/x")).toBe(true)
  })

  it("compares components, not text", () => {
    expect(isInside("/a", "/a")).toBe(true)
    expect(isInside("/a", "/a/b")).toBe(true)
    expect(isInside("/a", "/a-evil/b")).toBe(false)
    expect(isInside("/", "/x")).toBe(true)
  })

  it("needs the link and its target inside", () => {
    const dirs = [{ path: "/work", realPath: "/work" }]
    expect(isWithin(dirs, { path: "/work/key", realPath: "/home/u/.ssh/id" })).toBe(false)
    expect(isWithin(dirs, { path: "/tmp/x", realPath: "/work/x" })).toBe(false)
    const linked = [{ path: "/link", realPath: "/real" }]
    expect(isWithin(linked, { path: "/link/a", realPath: "/real/a" })).toBe(true)
    expect(isWithin(linked, { path: "/real/a", realPath: "/real/a" })).toBe(true)
    expect(isWithin(linked, { path: "/link/a", realPath: "/link/a" })).toBe(false)
  })

  it("resolves once and for all", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", ".", "..", "")), (parts) => {
        const once = resolvePath("/work", parts.join("/"))
        expect(resolvePath("/", once)).toBe(once)
        expect(once.split("/")).not.toContain("..")
      })
    )
  })
})
