import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIMITS } from "../../../../src/core/domain/limits.ts"
import { type Encoding, fileOf, textToBody } from "../../../../src/core/domain/text/encoding.ts"
import { linesOf, toLf } from "../../../../src/core/domain/text/line-ending.ts"
import { makePager, type Page, type PageRequest } from "../../../../src/core/tools/files/page.ts"
import { estimateText } from "../../../../src/core/model/tokens/estimate.ts"

const request: PageRequest = {
  encoding: "utf8",
  firstLine: 1,
  maxLines: LIMITS.readLines,
  maxTokens: LIMITS.readTokens,
  stopWhenFull: false
}

/** Pages through `file` in pieces of the given sizes, round and round. */
const page = (file: Uint8Array, change: Partial<PageRequest> = {}, sizes = [64 * 1024]): Page => {
  const pager = makePager({ ...request, ...change })
  let at = 0
  for (let turn = 0; at < file.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    if (!pager.push(file.subarray(at, at + size))) break
    at += size
  }
  return pager.finish()
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const unit = fc.constantFrom("a", "é", "漢", "😀", "\n", "\r\n", "\t")
const text = fc.string({ unit, maxLength: 60 })

describe("a page of lines", () => {
  it("does not depend on how the file is cut into pieces, nor on its encoding", () => {
    const encodings = fc.constantFrom<Encoding>("utf8", "utf8-bom", "utf16le", "utf16be")
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(text, encodings, sizes, fc.integer({ min: 1, max: 5 }), (content, encoding, cuts, firstLine) => {
        const file = fileOf(textToBody(content, encoding) ?? new Uint8Array(0), encoding)
        const got = page(file, { encoding, firstLine, maxLines: 3 }, cuts)
        const lines = linesOf(toLf(content))
        expect(got.lines).toEqual(lines.slice(firstLine - 1, firstLine + 2))
        expect(got.totalLines).toBe(lines.length)
        expect(got.validEncoding).toBe(true)
        expect(got.endsWithNewline).toBe(content.endsWith("\n"))
      }),
      { numRuns: 1_000 }
    )
  })

  it("cuts long lines with a count, without splitting a character", () => {
    const long = `${"x".repeat(1_999)}😀${"y".repeat(5_000)}`
    const got = page(bytes(`${long}\r\nshort\n`), {}, [777])
    expect(got.lines[0]).toBe(`${"x".repeat(1_999)}... [5002 more characters on this line]`)
    expect(got.lines[1]).toBe("short")
    expect(got.cutLines).toBe(1)
  })

  it("shows a line of exactly the limit whole", () => {
    const line = "é".repeat(LIMITS.readLineChars)
    expect(page(bytes(`${line}\r\n`), {}, [100]).lines).toEqual([line])
  })

  it("ends where the tokens end and counts on", () => {
    const file = bytes("word ".repeat(20).concat("\n").repeat(100))
    const got = page(file, { maxTokens: 200 })
    const shown = got.lines.map((line, index) => `${index + 1}\t${line}\n`).join("")
    expect(got.full).toBe(true)
    expect(got.totalLines).toBe(100)
    expect(estimateText(shown)).toBeLessThanOrEqual(200)
    expect(estimateText(`${shown}${got.lines.length + 1}\t${"word ".repeat(20)}\n`)).toBeGreaterThan(200)
  })

  it("stops reading as soon as an asked range cannot fit", () => {
    const pager = makePager({ ...request, maxTokens: 10, stopWhenFull: true })
    expect(pager.push(bytes("a line of some length\n".repeat(1_000)))).toBe(false)
    expect(pager.finish().full).toBe(true)
  })

  it("shows at least one line of a whole file", () => {
    expect(page(bytes("a long first line\nmore\n"), { maxTokens: 1 }).lines).toEqual(["a long first line"])
  })

  it("says when a file is not UTF-8 after all, and reads it as Latin-1", () => {
    const file = new Uint8Array([...bytes("ok\n".repeat(10)), 0xe9, 0x0a])
    expect(page(file).validEncoding).toBe(false)
    expect(page(file, { encoding: "latin1", firstLine: 11 }).lines).toEqual(["é"])
  })

  it("of an empty file is empty", () => {
    expect(page(new Uint8Array(0))).toMatchObject({ lines: [], totalLines: 0, full: false })
  })
})
