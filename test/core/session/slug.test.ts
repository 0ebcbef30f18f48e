import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isProjectDirName, isSessionId, mayHold, projectSlug } from "../../../src/core/session/slug.ts"
import { anyText } from "../../support/session/histories.ts"

describe("a project's directory name", () => {
  it("replaces everything but letters and digits", () => {
    expect(projectSlug("/home/ada/my.orchard_2")).toBe("-home-ada-my-orchard-2")
    expect(projectSlug("/home/ada/obstgärten")).toBe("-home-ada-obstg-rten")
  })

  it("cuts long names and tells them apart by a hash", () => {
    const [left, right] = [`/${"x".repeat(300)}/a`, `/${"x".repeat(300)}/b`]
    expect(projectSlug(left).slice(0, 200)).toBe(projectSlug(right).slice(0, 200))
    expect(projectSlug(left)).not.toBe(projectSlug(right))
    expect(mayHold(`${projectSlug(left).slice(0, 200)}-other`, right)).toBe("ask-inside")
  })

  it("is found again by the directory it was made of, and is a safe file name", () => {
    fc.assert(
      fc.property(anyText(400), (path) => {
        expect(mayHold(projectSlug(path), path)).not.toBe("no")
        expect(projectSlug(path)).toMatch(/^[A-Za-z0-9-]{0,210}$/)
      })
    )
  })
})

describe("names from outside", () => {
  it("are checked before they become paths", () => {
    expect(["proj_1-a", "", "a/b", "..", "a b", "x".repeat(65), "nul", "COM1"].map(isProjectDirName)).toEqual([
      true,
      ...Array.from({ length: 7 }, () => false)
    ])
    expect(isSessionId("0f0e0d0c-0b0a-4908-8706-050403020100")).toBe(true)
    expect(isSessionId("../../etc/passwd")).toBe(false)
  })
})
