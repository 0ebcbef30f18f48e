import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lineBlocks } from "../../../../src/shell/commands/io/line-blocks.ts"

const blocksOf = async (chunks: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const arriving = async function* () {
    yield* chunks
  }
  const blocks: Array<ReadonlyArray<string>> = []
  for await (const block of lineBlocks(arriving())) blocks.push(block)
  return blocks
}

const linesOf = async (...chunks: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => (await blocksOf(chunks)).flat()

describe("lines of an input", () => {
  it("end at line feeds only, with or without a carriage return", async () => {
    expect(await linesOf("a\r\nb\n\nc")).toEqual(["a", "b", "", "c"])
    expect(await linesOf('{"a":"1\u20282\u20293\r4"}\n')).toEqual(['{"a":"1\u20282\u20293\r4"}'])
    expect(await linesOf("\uFEFFa\n\uFEFFb\n")).toEqual(["a", "\uFEFFb"])
    expect(await linesOf()).toEqual([])
  })

  it("are the same however the text arrives", async () => {
    const text = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "x\ry", "")).map((parts) => parts.join(""))
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(60)), async (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
        const chunks = at.slice(1).map((end, index) => whole.slice(at[index], end))
        expect(await linesOf(...chunks)).toEqual(await linesOf(whole))
      })
    )
  })

  it("come together when they arrived together, but never too many", async () => {
    expect(await blocksOf(["a\nb\n", "c\n"])).toEqual([["a", "b"], ["c"]])
    const blocks = await blocksOf(["x\n".repeat(1_000)])
    expect(blocks.flat()).toHaveLength(1_000)
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(512)
  })

  it("cost no more for a line that arrives in many pieces", async () => {
    const pieces = Array.from({ length: 2_000 }, () => "y".repeat(1_000))
    expect((await linesOf(...pieces))[0]).toHaveLength(2_000_000)
  })
})
