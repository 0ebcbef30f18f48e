import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { locationFrom, readJson } from "../../../../src/core/domain/json/positioned-json.ts"
import { describeBreak, excerptOf } from "../../../../src/core/domain/json/syntax-error.ts"
import { settingsText } from "../../settings/arbitrary.ts"

const breakOf = (text: string) => {
  const reading = readJson(text)
  if (reading._tag === "Read") return undefined
  const { at, message, suggestion } = describeBreak(text, reading)
  const { line, column } = locationFrom(text, at)
  return [`${line}:${column}`, message.replace("not JSON: ", ""), suggestion]
}

describe("where a settings file stops being JSON", () => {
  const table: ReadonlyArray<readonly [text: string, place: string, why: string, fix: string]> = [
    ['{\n  "a": 1,\n}', "2:9", "a comma must not stand before the closing bracket", "remove this comma"],
    ['{"a": [1, 2, ]}', "1:12", "a comma must not stand before the closing bracket", "remove this comma"],
    ['{\n  // no\n  "a": 1}', "2:3", "comments are not allowed", "remove the comment"],
    ['{"a": 1 /* no */}', "1:9", "comments are not allowed", "remove the comment"],
    ["{'a': 1}", "1:2", "names and texts stand in double quotes", "write \" instead of '"],
    ["{\u201ca\u201d: 1}", "1:2", "names and texts stand in double quotes", 'write " instead of \u201c'],
    [
      '{"a":\u00a01}',
      "1:6",
      "a character that cannot be seen stands here (U+00A0)",
      "remove it, or put a blank in its place"
    ],
    [
      '{\u200b"a": 1}',
      "1:2",
      "a character that cannot be seen stands here (U+200B)",
      "remove it, or put a blank in its place"
    ],
    [
      '{"a": \u0000 1}',
      "1:7",
      "a character that cannot be seen stands here (U+0000)",
      "remove it, or put a blank in its place"
    ],
    [`${'{"a":'.repeat(101)}1${"}".repeat(101)}`, "1:502", "too many levels stand inside each other", "write it with fewer"],
    ['{"a": 1\n "b": 2}', "2:2", "a comma is missing before this", "add the comma"],
    ['{"a": "b\n}', "1:7", "the text that begins here has no end", "close it with a double quote"],
    ['{"a": 1', "1:8", 'the file ends where "," or "}" was expected', "complete the file, or remove it"],
    [
      '{"a": "b\tc"}',
      "1:7",
      "this text holds a character that must be escaped",
      "write \\t for a tab, \\n for a new line, \\\\ for \\"
    ],
    ["{a: 1}", "1:2", "expected a name in double quotes", "put names and texts into double quotes"],
    ['{"a": yes}', "1:7", "expected a value", "put names and texts into double quotes"],
    ['{"a" 1}', "1:6", 'expected ":" after the name', "correct the file there"],
    ['{"a": 1} x', "1:10", "expected the end of the file", "correct the file there"]
  ]
  it.each(table)("%j", (text, place, why, fix) => {
    expect(breakOf(text)).toEqual([place, why, fix])
  })

  it("is always inside the text, with a caret under the place", () => {
    const cut = fc
      .tuple(settingsText, fc.nat(200), fc.constantFrom("", ",", "//", "'", '"', "\u0000"))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(cut, fc.string()), (text) => {
        const reading = readJson(text)
        if (reading._tag === "Read") return
        const { at, message, suggestion } = describeBreak(text, reading)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(text.length)
        expect(message).not.toBe("")
        expect(suggestion).not.toBe("")
        const [line = "", caret = ""] = excerptOf(text, at).split("\n")
        expect(caret.trimStart()).toBe("^")
        expect(caret.length).toBeLessThanOrEqual(line.length + 1)
      }),
      { numRuns: 500 }
    )
  })
})
