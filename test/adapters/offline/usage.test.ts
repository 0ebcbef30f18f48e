import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ModelRequest } from "../../../src/core/model/request/model-request.ts"
import { requestTokens, usageOf } from "../../../src/adapters/offline/usage.ts"
import { assistant, request, text, user } from "./world.ts"

const MARK = { type: "ephemeral" as const }
const marked = (value: string) => ({ type: "text" as const, text: value, cache_control: MARK })
const bare = (messages: ModelRequest["messages"]) => request(messages, { tools: [], system: "" })

describe("usage", () => {
  it("counts four characters as a token, rounded up", () => {
    const usage = usageOf(bare([user(text("abcde"))]), { text: "abcdefghi" })
    expect(usage).toMatchObject({ input_tokens: 2, output_tokens: 3 })
  })

  it("counts everything as input without marks", () => {
    const usage = usageOf(bare([user(text("a".repeat(40))), assistant(text("b")), user(text("c"))]), { text: "x" })
    expect(usage).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0, input_tokens: 11 })
  })

  it("creates the cache first and reads what the previous request had", () => {
    const first = [user(marked("a".repeat(400)))]
    expect(usageOf(bare(first), {})).toMatchObject({
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 100,
      input_tokens: 0
    })
    const second = [
      user(text("a".repeat(400))),
      assistant(text("b".repeat(40))),
      user(marked("c".repeat(80)), text("d".repeat(8)))
    ]
    expect(usageOf(bare(second), {})).toMatchObject({
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 30,
      input_tokens: 2,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 0 }
    })
  })

  it("adds up to the size of the request, wherever the mark is", () => {
    const turns = fc.array(fc.tuple(fc.string(), fc.boolean()), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(turns, (parts) => {
        const blocks = parts.map(([value, mark]) => (mark ? marked(value) : text(value)))
        const asked = bare(blocks.map((block, n) => (n % 2 === 0 ? user(block) : assistant(block))))
        const usage = usageOf(asked, {})
        const counts = [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens]
        expect(counts.every((count) => count >= 0)).toBe(true)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(requestTokens(asked))
      })
    )
  })

  it("takes the declared numbers", () => {
    const usage = usageOf(bare([user(text("a"))]), { text: "b", tokens: { input: 170_000 } })
    expect(usage).toMatchObject({ input_tokens: 170_000, output_tokens: 1 })
  })

  it("counts an image as an amount, not by its bytes", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(400_000) } }
    expect(requestTokens(bare([user(image)]))).toBe(1_600)
  })
})
