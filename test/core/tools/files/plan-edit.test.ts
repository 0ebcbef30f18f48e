import * as fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { fileOf, textToBody, type Encoding } from "../../../../src/core/domain/text/encoding.ts"
import type { FileEntry } from "../../../../src/core/tools/files/file-cache.ts"
import { applyPlan, type EditQuestion, planEdit } from "../../../../src/core/tools/files/plan-edit.ts"

const entry: FileEntry = {
  path: "/f",
  content: "",
  mtimeMs: 1,
  size: 1,
  hash: "h",
  partial: false,
  source: "read"
}

const encode = (text: string, encoding: Encoding = "utf8"): Uint8Array =>
  fileOf(textToBody(text, encoding) ?? new Uint8Array(0), encoding)

const question = (text: string, change: Partial<EditQuestion>): EditQuestion => ({
  path: "/f",
  bytes: encode(text),
  hash: "h",
  oldString: "old",
  newString: "new",
  replaceAll: false,
  entry,
  policy: "strict",
  freelyReadable: true,
  ...change
})

const refusal = (asked: EditQuestion): string => {
  const plan = planEdit(asked)
  return Result.isFailure(plan) ? plan.failure : "planned"
}

const applied = (asked: EditQuestion): Uint8Array => {
  const plan = planEdit(asked)
  if (Result.isFailure(plan)) throw new Error(plan.failure)
  return fileOf(applyPlan(plan.success).after, plan.success.encoding)
}

describe("an edit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "ü", "漢"), maxLength: 12 })
  const file = fc.record({
    before: word,
    after: word,
    encoding: fc.constantFrom<Encoding>("utf8", "utf8-bom", "utf16le", "utf16be"),
    ending: fc.constantFrom("\n", "\r\n")
  })

  it("undone with the strings swapped gives back the file byte for byte, whatever its encoding and line ends", () => {
    fc.assert(
      fc.property(file, word, word, ({ before, after, encoding, ending }, inner, replacement) => {
        const oldString = `<${inner}>`
        const newString = `[${replacement}]`
        const original = encode((before + oldString + after).replaceAll("\n", ending), encoding)
        const changed = applied(question("", { bytes: original, oldString, newString }))
        const known = (before + oldString + after).includes("\n") ? ending : "\n"
        expect(changed).toEqual(encode((before + newString + after).replaceAll("\n", known), encoding))
        const restored = applied(question("", { bytes: changed, oldString: newString, newString: oldString }))
        const endingsKnown = (before + after).includes("\n") || !inner.includes("\n")
        if (endingsKnown || ending === "\n") expect(restored).toEqual(original)
      }),
      { numRuns: 500 }
    )
  })

  it("keeps the rest of a file with mixed line ends as it is", () => {
    const changed = applied(question("a\r\nold\r\nb\nc\r\n", { newString: "x\ny" }))
    expect(new TextDecoder().decode(changed)).toBe("a\r\nx\r\ny\r\nb\nc\r\n")
  })

  it("of several matches names the lines, and changes them all when asked to", () => {
    const text = "old\nx\nold\ny\nold\n"
    expect(refusal(question(text, {}))).toMatch(/^AmbiguousMatch: .*3 times.*lines 1, 3, 5\. .*replace_all/)
    expect(new TextDecoder().decode(applied(question(text, { replaceAll: true })))).toBe("new\nx\nnew\ny\nnew\n")
    expect(refusal(question("old\n".repeat(30), {}))).toContain("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...")
  })

  it("that finds nothing points to the closest lines", () => {
    const text = "function f() {\n    return compute(1, 2)\n}\nother\n"
    const said = refusal(question(text, { oldString: "function f() {\n  return compute(1, 2)\n}" }))
    expect(said).toMatch(/^NoMatch: /)
    expect(said).toContain("lines 1-3:\n1\tfunction f() {\n2\t    return compute(1, 2)\n3\t}")
    expect(refusal(question(text, { oldString: "something else entirely" }))).not.toContain("closest")
  })

  it("needs a file that was read and has not changed since", () => {
    expect(refusal(question("old", { entry: undefined }))).toMatch(/^UnreadFile: /)
    expect(refusal(question("old", { hash: "other" }))).toMatch(/^StaleFile: /)
  })

  it("of a file that changed since then replaces what was shown and is there exactly once", () => {
    const changed = { hash: "other", entry: { ...entry, content: "old\nrest\n" } }
    const plan = planEdit(question("old\nnew rest\n", changed))
    expect(Result.isSuccess(plan) && plan.success.otherChanges).toBe(true)
    expect(refusal(question("gone\n", changed))).toMatch(/^StaleFile: /)
    expect(refusal(question("old old", { ...changed, replaceAll: true }))).toMatch(/^StaleFile: /)
    expect(refusal(question("unshown", { ...changed, oldString: "unshown" }))).toMatch(/^StaleFile: /)
  })

  it("after a partial view changes only lines that were shown", () => {
    const text = "1\n2\nold\n4\n"
    const partial = { ...entry, partial: true, seen: [{ first: 1, last: 2 }] }
    expect(refusal(question(text, { entry: partial }))).toMatch(/^PartialView: /)
    expect(refusal(question(text, { entry: { ...partial, seen: [{ first: 3, last: 3 }] } }))).toBe("planned")
    const across = { oldString: "2\nold", entry: { ...partial, seen: [{ first: 3, last: 4 }] } }
    expect(refusal(question(text, across))).toMatch(/^PartialView: /)
    expect(refusal(question(text, { entry: { ...entry, partial: true, source: "seeded" } }))).toMatch(/^PartialView: /)
  })

  it("under the relaxed policy may change what is found once in a freely readable file", () => {
    const relaxed = { policy: "relaxed", entry: undefined } as const
    const plan = planEdit(question("old", relaxed))
    expect(Result.isSuccess(plan) && plan.success.otherChanges).toBe(true)
    expect(refusal(question("old old", { ...relaxed, replaceAll: true }))).toMatch(/^UnreadFile: /)
    expect(refusal(question("old", { ...relaxed, freelyReadable: false }))).toMatch(/^UnreadFile: /)
    expect(refusal(question("old", { policy: "relaxed", hash: "other" }))).toBe("planned")
  })

  it("refuses what is not text and what the encoding lacks", () => {
    expect(refusal(question("", { bytes: new Uint8Array([0, 1, 2]) }))).toMatch(/^BinaryFile: /)
    const latin = new Uint8Array([...encode("old "), 0xe9])
    expect(refusal(question("", { bytes: latin, newString: "€" }))).toMatch(/^UnwritableText: /)
    expect(applied(question("", { bytes: latin, newString: "ü" }))).toEqual(new Uint8Array([0xfc, 0x20, 0xe9]))
  })
})
