import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isSpecialPath,
  isWithin,
  normalise,
  parentOf,
  pathProblem,
  resolveFrom
} from "../../../../src/core/domain/path/path-text.ts"

describe("paths as text", () => {
  it.each([
    ["/a/./b/../b/x", "/a/b/x"],
    ["a/./b/../b/x", "a/b/x"],
    ["/../..", "/"],
    ["//a///b/", "/a/b"],
    ["../x", "../x"],
    ["", "."]
  ])("%s becomes %s", (given, expected) => {
    expect(normalise(given)).toBe(expected)
  })

  it("is settled after once, and does not depend on detours", () => {
    const part = fc.constantFrom("a", "b", "..", ".", "", "c d")
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (left, right) => {
        const path = `/${[...left, ...right].join("/")}`
        const detour = `/${[...left, "detour", "..", ...right].join("/")}`
        expect(normalise(normalise(path))).toBe(normalise(path))
        expect(normalise(detour)).toBe(normalise(path))
      })
    )
  })

  it("resolves against a directory and climbs", () => {
    expect(resolveFrom("/w/x", "../y")).toBe("/w/y")
    expect(resolveFrom("/w/x", "/abs")).toBe("/abs")
    expect([parentOf("/a"), parentOf("/a/b")]).toEqual(["/", "/a"])
  })

  it("compares by components", () => {
    expect(isWithin("/work/a", "/work")).toBe(true)
    expect(isWithin("/workshop", "/work")).toBe(false)
    expect(isWithin("/anything", "/")).toBe(true)
  })

  it("refuses paths that cannot be meant", () => {
    for (const path of ["", "/a\0b", "/a ", "/a\n", "~/x", "~"]) expect(pathProblem(path)).toMatch(/^InvalidPath: /)
    expect(pathProblem("/a b/c")).toBeUndefined()
    expect(pathProblem("./~x")).toBeUndefined()
  })

  it("knows devices and descriptors by name", () => {
    const special = ["/dev/zero", "/dev/fd/3", "/proc/self/fd/0", "/proc/1/task/2/fd/9"]
    const ordinary = ["/dev/shm/file", "/proc/cpuinfo", "/home/dev/zero"]
    expect([...special, ...ordinary].filter(isSpecialPath)).toEqual(special)
  })
})
