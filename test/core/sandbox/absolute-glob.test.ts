import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { componentsOf, isInside } from "../../../src/core/domain/path/path-components.ts"
import { baseOf, literalPath, matchesGlob } from "../../../src/core/sandbox/absolute-glob.ts"

const name = fc.constantFrom("a", "b", "ab", ".env", "x.env", "A")
const part = fc.oneof(name, fc.constantFrom("*", "**", "*.env", "a*", ".e?v", "[ab]", "{a,b}"))
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join("/")}`)
const glob = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) => `/${parts.join("/")}`)
  .filter((text) => literalPath(text) === undefined)

/** The same as an expression. What is in brackets and braces stands for anything, to be on the safe side. */
const expressionOf = (pattern: string): RegExp => {
  const parts = componentsOf(pattern).map((component) =>
    component === "**"
      ? "(?:/[^/]+)*"
      : `/${component
          .replaceAll(/[[{].*[\]}]|\?/g, "*")
          .replaceAll(".", "\\.")
          .replaceAll("*", "[^/]*")}`
  )
  return new RegExp(`^${parts.join("")}(?:/.*)?$`, "i")
}

describe("an absolute glob", () => {
  it("matches what its expression does, and everything below it", () => {
    fc.assert(
      fc.property(glob, path, (pattern, where) => {
        expect(matchesGlob(pattern, where)).toBe(expressionOf(pattern).test(where))
      }),
      { numRuns: 1_000 }
    )
  })

  it("has a base above everything it matches", () => {
    fc.assert(
      fc.property(glob, path, (pattern, where) => {
        if (matchesGlob(pattern, where)) expect(isInside(baseOf(pattern), where, true)).toBe(true)
      })
    )
  })

  it.each([
    ["/work/app/**/.env", "/work/app"],
    ["/work/app/*.pem", "/work/app"],
    ["/**/*.pem", "/"],
    ["/work/a[1]/x", "/work"],
    [String.raw`/work/a\[1\] \{x\}\!/**/.env`, "/work/a[1] {x}!"]
  ])("%s begins in %s", (pattern, base) => {
    expect(baseOf(pattern)).toBe(base)
  })

  it.each(["[[:digit:]].key", "[]5].key", "[!]a].key", "{5,6}.key", "{{5},6}.key", "[5"])(
    "%s closes 5.key or more",
    (pattern) => {
      expect(matchesGlob(`/work/${pattern}`, pattern === "[5" ? "/work/[5" : "/work/5.key")).toBe(true)
    }
  )

  it("is a path where every mark is escaped", () => {
    expect(literalPath(String.raw`/work/a\[1\]/\*\!x`)).toBe("/work/a[1]/*!x")
    expect(matchesGlob(String.raw`/work/a\[1\]/**/.env`, "/work/a[1]/b/.env")).toBe(true)
    expect(matchesGlob(String.raw`/work/a\[1\]/**/.env`, "/work/a1/b/.env")).toBe(false)
  })
})
