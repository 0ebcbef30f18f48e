import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { closestRange } from "../../../../src/core/tools/files/closest-match.ts"
import { imageSize } from "../../../../src/core/domain/image-size.ts"
import { choosePages, pagesProblem } from "../../../../src/core/tools/files/pdf-pages.ts"
import { similarNames } from "../../../../src/core/domain/text/similar-names.ts"
import { binaryType, detectFileType } from "../../../../src/core/domain/file-type.ts"
import { addChars, countChars, tokensOf } from "../../../../src/core/model/tokens/running-estimate.ts"
import { estimateText } from "../../../../src/core/model/tokens/estimate.ts"

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe("similar names", () => {
  it("prefers another case, then another extension, then alike letters, three at most", () => {
    const names = ["Button.tsx", "button.css", "buttons.tsx", "menu.tsx", "buton.tsx", "x"]
    expect(similarNames("button.tsx", names, 3)).toEqual(["Button.tsx", "button.css", "buton.tsx"])
    expect(similarNames("zzz.md", names, 3)).toEqual([])
  })
})

describe("the closest range", () => {
  const file = "import a\n\nexport const total = (items) =>\n  items.reduce(add, 0)\n\nexport default total"

  it("is found in spite of other blanks and small differences", () => {
    const sought = "export const total = (items) =>\n\titems.reduce(add,  0)\n"
    expect(closestRange(file, sought)).toMatchObject({ firstLine: 3, lastLine: 4 })
    expect(closestRange(file, "export const totals = (items) =>")).toMatchObject({ firstLine: 3, lastLine: 3 })
  })

  it("is not invented", () => {
    expect(closestRange(file, "while (true) { spin() }")).toBeUndefined()
    expect(closestRange("", "anything")).toBeUndefined()
  })

  it("gives up on very large files instead of taking long", () => {
    expect(closestRange("line\n".repeat(30_000), "lime")).toBeUndefined()
  })
})

describe("pages of a PDF", () => {
  it.each([
    ["3", 40, [3, 3]],
    ["1-5", 40, [1, 5]],
    ["38-", 40, [38, 40]],
    ["1-20", 5, [1, 5]],
    [undefined, 10, [1, 10]]
  ] as const)("%s of %d", (pages, count, [first, last]) => {
    expect(choosePages(pages, count)).toEqual(Result.succeed({ first, last }))
  })

  it.each([
    [undefined, 40, /^TooManyPages: the PDF has 40 pages.*"1-5"/],
    ["0", 40, /^InvalidPages/],
    ["5-2", 40, /^InvalidPages/],
    ["1-21", 40, /^InvalidPages: .*21 pages/],
    ["10-", 40, /^InvalidPages: .*31 pages/],
    ["41", 40, /page 41 does not exist/],
    ["a", 40, /^InvalidPages/]
  ] as const)("%s of %d is refused", (pages, count, expected) => {
    const chosen = choosePages(pages, count)
    expect(Result.isFailure(chosen) ? chosen.failure : "").toMatch(expected)
  })

  it("is judged before the document is known where possible", () => {
    expect(pagesProblem("1-5")).toBeUndefined()
    expect(pagesProblem("1-50")).toMatch(/^InvalidPages/)
  })
})

describe("files by content", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n", { kind: "image", type: "image/png" }],
    ["\xff\xd8\xff\xe0", { kind: "image", type: "image/jpeg" }],
    ["GIF89a", { kind: "image", type: "image/gif" }],
    ["RIFF\0\0\0\0WEBP", { kind: "image", type: "image/webp" }],
    ["%PDF-1.7", { kind: "pdf" }],
    ["plain text", undefined]
  ])("%j", (head, expected) => {
    expect(detectFileType(bytes(head))).toEqual(expected)
  })

  it("reads sizes from headers", () => {
    const gif = bytes("GIF89a\x0a\x00\x05\x00")
    const png = bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x07\xd0\0\0\x00\x64")
    const jpeg = bytes("\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x20\x00\x40\x03")
    const lossless = bytes("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x09\x40\x01\x00\0\0\0\0\0")
    expect(imageSize(gif, "image/gif")).toEqual({ width: 10, height: 5 })
    expect(imageSize(png, "image/png")).toEqual({ width: 2_000, height: 100 })
    expect(imageSize(jpeg, "image/jpeg")).toEqual({ width: 64, height: 32 })
    expect(imageSize(lossless, "image/webp")).toEqual({ width: 10, height: 6 })
    expect(imageSize(bytes("\xff\xd8"), "image/jpeg")).toBeUndefined()
  })

  it("names well-known binaries", () => {
    expect(binaryType(bytes("\x7fELF\x02"))).toBe("ELF executable")
    expect(binaryType(bytes("\0\0\0"))).toBe("binary data")
  })
})

describe("token count", () => {
  it("of a text in parts is the estimate of the whole", () => {
    for (const text of ["", "abcde", "漢漢漢", "ab漢😀"]) {
      const parts = [text.slice(0, 2), text.slice(2)].map(countChars)
      expect(tokensOf(parts.reduce(addChars))).toBe(estimateText(text))
    }
  })
})
