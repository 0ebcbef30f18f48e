import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { humanSize, takeBytes, utf8Bytes } from "../../../../src/core/domain/text/bytes.ts"
import {
  cutContent,
  cutText,
  decideMessageBudget,
  decideSpill,
  persistedOutput,
  spillBody,
  spilledContent,
  type Replacement
} from "../../../../src/core/tools/contract/result-size.ts"
import type { ContentBlock } from "../../../../src/core/domain/block.ts"
import { textBlock } from "../../model/request/messages.ts"

const image: ContentBlock = { type: "image", source: { type: "base64", data: "AAAA" } }
const isWellFormed = (value: string): boolean => new TextDecoder().decode(new TextEncoder().encode(value)) === value
const anyText = fc.string({ unit: "binary", maxLength: 3_000 })

describe("sizes", () => {
  it("agree with the encoder and cut between characters", () => {
    const encoder = new TextEncoder()
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(300), (value, limit) => {
        expect(utf8Bytes(value)).toBe(encoder.encode(value).length)
        const head = takeBytes(value, limit)
        expect(value.startsWith(head)).toBe(true)
        expect(encoder.encode(head).length).toBeLessThanOrEqual(limit)
        expect(isWellFormed(head)).toBe(true)
      })
    )
  })

  it("read well", () => {
    const sizes = [0, 2_000, 2_048, 120_000, 64 * 1024 * 1024]
    expect(sizes.map(humanSize)).toEqual(["0 B", "2.0 KB", "2 KB", "117.2 KB", "64 MB"])
  })
})

describe("decideSpill", () => {
  it("leaves what fits and names what is empty", () => {
    expect(decideSpill({ tool: "Bash", content: "ok", limitChars: 2 })).toEqual({ kind: "inline", content: "ok" })
    for (const content of ["", " \n", [], [textBlock("")]]) {
      expect(decideSpill({ tool: "Bash", content, limitChars: 2 })).toEqual({
        kind: "inline",
        content: "(Bash completed with no output)"
      })
    }
    expect(decideSpill({ tool: "Read", content: [image], limitChars: 2 })).toEqual({ kind: "inline", content: [image] })
  })

  it("moves text to a file and keeps pictures", () => {
    const decision = decideSpill({ tool: "Bash", content: [textBlock("x".repeat(50)), image], limitChars: 10 })
    expect(decision).toMatchObject({ kind: "spill", extension: "txt", text: "x".repeat(50) })
    if (decision.kind !== "spill") return
    const preview = persistedOutput("/s/a.txt", "x".repeat(50))
    expect(spilledContent(decision, "/s/a.txt")).toEqual([textBlock(preview), image])
    expect(cutContent(decision, 40, "disk full")).toHaveLength(2)
  })

  it("writes structured content as JSON", () => {
    const content: ReadonlyArray<ContentBlock> = [{ type: "resource", uri: "x".repeat(50) }]
    const decision = decideSpill({ tool: "mcp__a__b", content, limitChars: 10 })
    expect(decision).toMatchObject({ kind: "spill", extension: "json" })
  })
})

describe("the preview", () => {
  it("has the agreed shape", () => {
    const lines = persistedOutput("/s/tool-results/a.txt", "line\n".repeat(30_000)).split("\n")
    expect(lines[0]).toBe("<persisted-output>")
    expect(lines[1]).toContain("146.5 KB")
    expect(lines[1]).toContain("/s/tool-results/a.txt")
    expect(lines[2]).toBe("")
    expect(lines.at(-2)).toBe("...")
    expect(lines.at(-1)).toBe("</persisted-output>")
    expect(lines.at(-3)).toBe("line")
  })

  it("shows at most two thousand bytes, well formed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 4_000 }), (value) => {
        const preview = persistedOutput("/p", value).split("\n").slice(4).join("\n")
        expect(utf8Bytes(preview)).toBeLessThanOrEqual(2_000 + "\n...\n</persisted-output>".length)
        expect(isWellFormed(preview)).toBe(true)
      })
    )
  })
})

describe("cutText", () => {
  it("stays within the limit and keeps both ends", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 200, max: 2_000 }), (value, limit) => {
        const cut = cutText(value, limit, "disk full")
        expect(cut.length).toBeLessThanOrEqual(limit)
        if (value.length > limit) expect(cut).toContain("disk full")
        else expect(cut).toBe(value)
      })
    )
    expect(cutText(`head${"x".repeat(500)}tail`, 200, "why")).toMatch(/^head[\s\S]*why[\s\S]*tail$/)
  })

  it("leaves a short file body alone", () => {
    expect(spillBody("short")).toBe("short")
  })
})

const resultsOf = (sizes: ReadonlyArray<number>): ReadonlyArray<ContentBlock> =>
  sizes.map((size, index) => ({ type: "tool_result", tool_use_id: `c${index}`, content: "x".repeat(size) }))

const apply = (results: ReadonlyArray<ContentBlock>, replacements: ReadonlyArray<Replacement>) =>
  results.map((block): ContentBlock => {
    const found = replacements.find((entry) => "tool_use_id" in block && entry.callId === block.tool_use_id)
    return found === undefined ? block : { ...block, content: found.replacement }
  })

const totalOf = (results: ReadonlyArray<ContentBlock>): number =>
  results.reduce((sum, block) => sum + ("content" in block ? String(block.content).length : 0), 0)

describe("decideMessageBudget", () => {
  const calls = (count: number, tool = "Bash") => Array.from({ length: count }, (_, index) => ({ id: `c${index}`, tool }))
  const decide = (results: ReadonlyArray<ContentBlock>, tool?: string) =>
    decideMessageBudget({ results, calls: calls(results.length, tool), sessionDir: "/s", budgetChars: 10_000 })

  it("takes the largest first and stops when it fits", () => {
    expect(decide(resultsOf([3_000, 9_000, 2_000]))).toMatchObject([{ callId: "c1", path: "/s/tool-results/c1.txt" }])
    expect(decide(resultsOf([3_000, 4_000]))).toEqual([])
  })

  it("keeps the total within the budget unless only what must stay is left, and decides once", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 8 }), fc.boolean(), (sizes, exempt) => {
        const results = resultsOf(sizes)
        const tool = exempt ? "Read" : "Bash"
        const replacements = decide(results, tool)
        const after = apply(results, replacements)
        expect(decide(after, tool)).toEqual([])
        if (exempt) expect(replacements).toEqual([])
        for (const entry of replacements) expect(entry.replacement.length).toBeLessThan(entry.text.length)
        const untouched = sizes.filter((_, index) => !replacements.some((entry) => entry.callId === `c${index}`))
        const hasCandidates = !exempt && untouched.some((size) => size > 2_300)
        if (hasCandidates) expect(totalOf(after)).toBeLessThanOrEqual(10_000)
      })
    )
  })

  it("leaves results with pictures, and lets no id name another directory", () => {
    const content = [textBlock("x".repeat(20_000)), image]
    const withImage: ContentBlock = { type: "tool_result", tool_use_id: "c0", content }
    expect(decide([withImage])).toEqual([])
    const [entry] = decideMessageBudget({
      results: [{ type: "tool_result", tool_use_id: "../../etc/x", content: "x".repeat(20_000) }],
      calls: [],
      sessionDir: "/s",
      budgetChars: 10
    })
    expect(entry?.path).toBe("/s/tool-results/______etc_x.txt")
  })
})
