import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { searchPathOutside, isForeignDirectory } from "../../../../src/core/domain/path/search-path.ts"

describe("where our own helpers are looked for", () => {
  it.each([
    ["/usr/bin", true],
    ["/work/app-tools/bin", true],
    ["/work/app", false],
    ["/work/app/bin", false],
    ["/work/app/../app/bin", false],
    ["/work/node_modules/.bin", false],
    ["/home/me/.npm/node_modules/npm/bin", false],
    ["node_modules/.bin", false],
    [".", false],
    ["", false]
  ])("%j counts: %s", (directory, wanted) => {
    expect(isForeignDirectory(directory, ["/work/app"])).toBe(wanted)
  })

  it("keeps the order, and is never empty", () => {
    expect(searchPathOutside("/work/app/bin:/opt/bin::.:/usr/bin", ["/work/app"])).toBe("/opt/bin:/usr/bin")
    expect(searchPathOutside("/work/app/bin", ["/work/app"])).toBe("/usr/bin:/bin")
    expect(searchPathOutside(undefined, [])).toBe("/usr/bin:/bin")
  })

  it("has no entry of a project, whatever PATH holds", () => {
    const entry = fc.constantFrom("/work/app", "/work/app/x", "/work/app/./y", "/usr/bin", "", ".", "/a/node_modules/.bin")
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        for (const one of searchPathOutside(entries.join(":"), ["/work/app"]).split(":"))
          expect(one).toMatch(/^\/(?:usr\/)?bin$/)
      })
    )
  })
})
