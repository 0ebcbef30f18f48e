import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { utf8Bytes } from "../../../../src/core/domain/text/bytes.ts"
import { endedResult } from "../../../../src/core/tools/bash/result.ts"

const WINDOW = 300

const record = (text: string) =>
  endedResult({
    command: "x",
    end: { code: 0, signal: null },
    output: { kind: "ends", head: text, tail: text.replace(/\n+$/, ""), bytes: utf8Bytes(text), path: "/kept.txt" },
    windowChars: WINDOW,
    notices: [],
    unsandboxed: false
  }).data

describe("the record of a long output", () => {
  it("holds its beginning and its last whole lines, never the same text twice", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zé漢]{0,40}$/), { minLength: 20, maxLength: 200 }), (lines) => {
        const text = lines.join("\n")
        fc.pre(text.length > WINDOW)
        const { stdout, outputTail = "" } = record(text)
        expect(text.startsWith(stdout)).toBe(true)
        expect(text.replace(/\n+$/, "").endsWith(outputTail)).toBe(true)
        const finalNewlines = /\n*$/.exec(text)?.[0].length ?? 0
        expect(stdout.length + outputTail.length).toBeLessThanOrEqual(text.length + finalNewlines)
        expect(outputTail.length).toBeLessThanOrEqual(2_000)
        if (outputTail.includes("\n")) expect(lines).toContain(outputTail.split("\n")[0])
      })
    )
  })

  it("ends where the output ended", () => {
    const text = `${Array.from({ length: 9_000 }, (_, at) => String(at + 1)).join("\n")}\n`
    expect(record(text).outputTail?.split("\n").slice(-2)).toEqual(["8999", "9000"])
    expect(record(text).outputTail?.split("\n")[0]).toMatch(/^\d{4}$/)
  })

  it("has no end where the beginning reaches it", () => {
    expect(record("x".repeat(WINDOW)).outputTail).toBe("")
  })
})
