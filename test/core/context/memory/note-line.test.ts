import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { withNote, withoutNote } from "../../../../src/core/context/memory/note-line.ts"

describe("a note", () => {
  it("joins the last list, or ends the text", () => {
    expect(withNote("", "tabs")).toBe("- tabs\n")
    expect(withNote("# Rules", "tabs")).toBe("# Rules\n\n- tabs\n")
    expect(withNote("- a\n  more\n\nend\n", "two\n lines")).toBe("- a\n  more\n- two lines\n\nend\n")
    expect(withNote("- a\r\n", "b")).toBe("- a\r\n- b\r\n")
  })

  it("can be taken back, whatever else changed meanwhile", () => {
    expect(withoutNote("# Rules\n\n- a\n- tabs\n- b\n", "tabs")).toBe("# Rules\n\n- a\n- b\n")
    expect(withoutNote("- other\n", "tabs")).toBeUndefined()
    expect(withoutNote("- tabs\n", "tabs")).toBe("")
  })

  it("is there once, as one line, and gone again", () => {
    const text = fc.array(fc.constantFrom("# H", "- a", "  b", "", "text"), { maxLength: 12 })
    const note = fc.string({ unit: "grapheme" }).filter((each) => each.trim() !== "")
    fc.assert(
      fc.property(text, note, (rows, said) => {
        const before = rows.join("\n")
        const after = withNote(before, said)
        expect(after.endsWith("\n")).toBe(true)
        const left = withoutNote(after, said) ?? ""
        const solid = (each: string) => each.split("\n").filter((line) => line.trim() !== "")
        expect(solid(left)).toEqual(solid(before))
      })
    )
  })
})
