import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeInput } from "../../../../src/core/tools/contract/decode.ts"
import { globData, globText, globTool } from "../../../../src/core/tools/search/glob.ts"
import { type GrepInput, grepTool, pageRequestOf, surroundingsOf } from "../../../../src/core/tools/search/grep.ts"
import { countsResult, filesResult, linesResult } from "../../../../src/core/tools/search/grep-result.ts"
import { jsonSchemaOf } from "../../../../src/core/tools/contract/json-schema.ts"

const decoded = (input: unknown): GrepInput => Result.getOrThrow(decodeInput(grepTool, input))
const view = { offset: 0, limit: 250, cwd: "/w", lineNumbers: true, timeoutMs: 20_000 }

describe("Glob", () => {
  it("needs to read the directory that is really walked", () => {
    expect(globTool.needs({ pattern: "*.ts" }, "/w")).toEqual([{ kind: "read", path: "/w", below: true }])
    expect(globTool.needs({ pattern: "*.ts", path: "sub" }, "/w")).toEqual([{ kind: "read", path: "/w/sub", below: true }])
    expect(globTool.needs({ pattern: "../x/**" }, "/w")).toEqual([{ kind: "read", path: "/x", below: true }])
    expect(globTool.needs({ pattern: "/etc/*", path: "sub" }, "/w")).toEqual([{ kind: "read", path: "/etc", below: true }])
  })

  it("refuses NUL", () => {
    expect(globTool.validate?.({ pattern: "a\0" })).toContain("NUL")
    expect(globTool.validate?.({ pattern: "a", path: "b\0" })).toContain("NUL")
  })

  it("lists at most a hundred and says how many there are", () => {
    const entries = Array.from({ length: 120 }, (_, index) => `/w/${index}`)
    const found = { entries, complete: true }
    const data = globData(found, 7)
    expect(data).toMatchObject({ numFiles: 100, truncated: true, totalMatches: 120, countIsComplete: true, durationMs: 7 })
    expect(data.filenames).toHaveLength(100)
    const text = globText(found, data, { cwd: "/w", timeoutMs: 20_000 })
    expect(text.split("\n")[0]).toBe("0")
    expect(text).toContain("(Results are truncated: the newest 100 of 120 files")
  })

  it("marks a search that ended early", () => {
    const found = { entries: ["/w/a"], complete: false }
    const data = globData(found, 1)
    expect(data).toMatchObject({ truncated: true, countIsComplete: false, totalMatches: 1 })
    expect(globText(found, data, { cwd: "/w", timeoutMs: 20_000 })).toContain("stopped after 20 s")
  })

  it("says so when there is nothing", () => {
    const found = { entries: [], complete: true }
    expect(globData(found, 0)).toEqual({ durationMs: 0, numFiles: 0, filenames: [], truncated: false })
    expect(globText(found, globData(found, 0), { cwd: "/w", timeoutMs: 1 })).toBe("No files found")
  })
})

describe("Grep's input", () => {
  it("takes numbers and flags as the model writes them", () => {
    expect(decoded({ pattern: "x", "-A": "3", "-i": "true", head_limit: "0" })).toEqual({
      pattern: "x",
      "-A": 3,
      "-i": true,
      head_limit: 0
    })
    expect(Result.isFailure(decodeInput(grepTool, { pattern: "x", offset: -1 }))).toBe(true)
    expect(Result.isFailure(decodeInput(grepTool, { pattern: "x", "-r": "y" }))).toBe(true)
  })

  it("lets -C and context win over -A and -B, and -o go without surroundings", () => {
    expect(surroundingsOf({ pattern: "x", "-A": 1, "-B": 2 })).toEqual({ before: 2, after: 1 })
    expect(surroundingsOf({ pattern: "x", "-A": 1, "-C": 5 })).toEqual({ before: 5, after: 5 })
    expect(surroundingsOf({ pattern: "x", "-B": 1, context: 0 })).toEqual({ before: 0, after: 0 })
    expect(surroundingsOf({ pattern: "x", "-C": 5, "-o": true })).toEqual({ before: 0, after: 0 })
  })

  it("accepts -o only where lines are shown", () => {
    expect(grepTool.validate?.({ pattern: "x", "-o": true })).toContain("-o")
    expect(grepTool.validate?.({ pattern: "x", "-o": true, output_mode: "count" })).toContain("-o")
    expect(grepTool.validate?.({ pattern: "x", "-o": true, output_mode: "content" })).toBeUndefined()
    expect(grepTool.validate?.({ pattern: "x", "-C": 2 })).toBeUndefined()
  })

  it("pages by 250 unless told otherwise", () => {
    expect(pageRequestOf({ pattern: "x" })).toEqual({ offset: 0, limit: 250 })
    expect(pageRequestOf({ pattern: "x", head_limit: 0, offset: 3 })).toEqual({ offset: 3, limit: 0 })
  })

  it("is published closed, with the flags by their names", () => {
    const schema = jsonSchemaOf(grepTool.input)
    expect(schema["additionalProperties"]).toBe(false)
    expect(Object.keys(schema["properties"] as object)).toEqual([
      "pattern",
      "path",
      "glob",
      "type",
      "output_mode",
      "-i",
      "-n",
      "-o",
      "-A",
      "-B",
      "-C",
      "context",
      "head_limit",
      "offset",
      "multiline"
    ])
    expect(schema["required"]).toEqual(["pattern"])
  })
})

describe("Grep's answer", () => {
  it("lists files relative to the current directory", () => {
    expect(filesResult({ entries: ["/w/a", "/x/b"], complete: true }, view)).toEqual({
      data: { mode: "files_with_matches", numFiles: 2, filenames: ["a", "/x/b"] },
      text: "2 files found\na\n/x/b"
    })
  })

  it("marks matches and their surroundings as grep does", () => {
    const entries = [
      { kind: "context" as const, path: "/w/a", line: 1, text: "one" },
      { kind: "match" as const, path: "/w/a", line: 2, text: "two" },
      { kind: "separator" as const },
      { kind: "notice" as const, path: "/w/b", text: "binary file matches" }
    ]
    const { data, text } = linesResult({ entries, complete: true }, view)
    expect(text).toBe("a-1-one\na:2:two\n--\nb: binary file matches")
    expect(data).toEqual({ mode: "content", numFiles: 0, filenames: [], content: text, numLines: 4 })
    expect(linesResult({ entries: entries.slice(0, 2), complete: true }, { ...view, lineNumbers: false }).text).toBe(
      "a-one\na:two"
    )
  })

  it("says when nothing matched, when the offset is past the end, and when the search ended early", () => {
    expect(filesResult({ entries: [], complete: true }, view).text).toBe("No matches found")
    expect(filesResult({ entries: ["/w/a"], complete: true }, { ...view, offset: 5 }).text).toBe("No entries at this offset")
    const partial = linesResult({ entries: [], complete: false, warning: "shut: denied" }, view)
    expect(partial.data.partial).toBe(true)
    expect(partial.text).toContain("stopped after 20 s")
    expect(partial.text).toContain("shut: denied")
  })

  it("names the next offset only if more remain, and a walk over the pages shows every entry once", () => {
    const lines = fc.array(fc.nat(9), { maxLength: 40 })
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 9 }), (numbers, limit) => {
        const match = { kind: "match" as const, path: "/w/f" }
        const entries = numbers.map((number, index) => ({ ...match, line: index + 1, text: `${number}` }))
        const whole = linesResult({ entries, complete: true }, { ...view, limit: 0 }).data.content ?? ""
        const parts: Array<string> = []
        let offset: number | undefined = 0
        while (offset !== undefined) {
          const { data, text } = linesResult({ entries, complete: true }, { ...view, limit, offset })
          parts.push(data.content ?? "")
          const next: string | undefined = /Continue with offset (\d+)/.exec(text)?.[1]
          expect(next !== undefined).toBe(data.appliedLimit === limit)
          offset = next === undefined ? undefined : Number(next)
        }
        expect(parts.filter((part) => part !== "").join("\n")).toBe(whole)
      })
    )
  })

  it("counts the whole result on every page", () => {
    const counts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(counts, fc.nat(25), fc.nat(5), (numbers, offset, limit) => {
        const entries = numbers.map((count, index) => ({ path: `/w/${index}`, count }))
        const { data, text } = countsResult({ entries, complete: true }, { ...view, offset, limit })
        expect(data.numMatches).toBe(numbers.reduce((sum, count) => sum + count, 0))
        expect(data.numFiles).toBe(numbers.length)
        expect(text).toContain(`${data.numMatches} match`)
      })
    )
  })
})
