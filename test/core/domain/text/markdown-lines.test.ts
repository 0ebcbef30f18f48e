import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { markdownLines, withoutComments } from "../../../../src/core/domain/text/markdown-lines.ts"

describe("lines of Markdown", () => {
  it.each<[text: string, left: string]>([
    ["a\n<!-- gone -->\nb", "a\nb"],
    ["a\n<!-- gone\ngone\n-->\nb", "a\nb"],
    ["<!-- one --> <!-- two -->\nb", "b"],
    ["a <!-- stays --> b", "a <!-- stays --> b"],
    ["<!-- stays --> b", "<!-- stays --> b"],
    ["<!-- gone\ngone --> behind\nb", " behind\nb"],
    ["```\n<!-- stays -->\n```\n<!-- gone -->", "```\n<!-- stays -->\n```"],
    ["~~~\n<!-- stays -->\n```\n~~~~\n<!-- gone -->\nb", "~~~\n<!-- stays -->\n```\n~~~~\nb"],
    ["a\n\n    <!-- stays -->\n", "a\n\n    <!-- stays -->\n"],
    ["- item\n\n    <!-- gone -->\n", "- item\n\n"],
    ["<!-- never closed\nb", "<!-- never closed\nb"],
    ["````md\n```\n<!-- stays -->\n````\n<!-- gone -->x", "````md\n```\n<!-- stays -->\n````\n<!-- gone -->x"]
  ])("%j without comments that stand alone", (text, left) => {
    expect(withoutComments(text)).toBe(left)
  })

  it("are all there, in order, whatever the text", () => {
    const piece = fc.constantFrom("<!--", "-->", "```", "~~~", "\n", "    ", "\t", "- ", "x", " ", "`", "@a.md")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("")
        const lines = markdownLines(text)
        expect(lines).toHaveLength(text.split("\n").length)
        expect(lines.every((line, at) => (text.split("\n")[at] ?? "").endsWith(line.text))).toBe(true)
      })
    )
  })

  it("take time that grows with the text alone", () => {
    const text = `${"<!-- open\n".repeat(20_000)}${"<!---->".repeat(20_000)}\n${"`".repeat(20_000)}`
    expect(markdownLines(text).length).toBe(20_002)
  })
})
