import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readCallResult } from "../../../src/core/mcp/call-result.ts"
import { handshakeProblem, readResponse } from "../../../src/core/mcp/json-rpc.ts"

const shown = (result: unknown) => Result.getOrThrow(readCallResult(result))

describe("the result of a server's tool", () => {
  it("keeps text blocks apart and shows pictures that the model can see", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" }
    expect(shown({ content: [{ type: "text", text: "a" }, { type: "text", text: "b" }, image] }).content).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
    ])
  })

  it("names what it cannot show, and says when there is nothing", () => {
    const content = [
      { type: "image", data: "AAAA", mimeType: "image/tiff" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource", resource: { uri: "file:///b", blob: "AAAA" } },
      { type: "resource_link", uri: "file:///c", name: "c" }
    ]
    expect(shown({ content }).content).toEqual(
      ["[image: not shown]", "[audio: not shown]", "file:///a:\ninside", "[resource: not shown]", "file:///c (c)"].map(
        (text) => ({ type: "text", text })
      )
    )
    expect(shown({ content: [] }).content).toEqual([{ type: "text", text: "The tool returned nothing." }])
  })

  it("is the structured content where there is some, with its pictures", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/gif" }
    const { content } = shown({ content: [{ type: "text", text: "n is 1" }, image], structuredContent: { n: 1 } })
    expect(content).toMatchObject([{ type: "text", text: '{"n":1}' }, { type: "image" }])
  })

  it("is an error where the server says so", () => {
    expect(shown({ content: [{ type: "text", text: "no" }], isError: true }).isError).toBe(true)
    expect(shown({ content: [{ type: "text", text: "yes" }] }).isError).toBe(false)
    expect(Result.isFailure(readCallResult({ content: "text" }))).toBe(true)
  })
})

describe("what a server says", () => {
  it("is a result, an error with its message, or not understood", () => {
    expect(readResponse({ jsonrpc: "2.0", id: 1, result: { a: 1 } })).toEqual(Result.succeed({ a: 1 }))
    expect(readResponse({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "none" } })).toEqual(Result.fail("none"))
    expect(Result.isFailure(readResponse("hello"))).toBe(true)
  })

  it("must be of a protocol that we know", () => {
    expect(handshakeProblem({ protocolVersion: "2025-06-18" })).toBeUndefined()
    expect(handshakeProblem({ protocolVersion: "1999-01-01" })).toContain("1999-01-01")
    expect(handshakeProblem({})).toBeDefined()
  })
})
