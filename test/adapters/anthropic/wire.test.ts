import { describe, expect, it } from "vitest"
import { decodeFrame } from "../../../src/adapters/anthropic/wire.ts"

const decode = (data: unknown, event?: string) =>
  decodeFrame({ event, data: typeof data === "string" ? data : JSON.stringify(data) })

const delta = (value: unknown, index: unknown = 0) => ({ type: "content_block_delta", index, delta: value })

describe("a known event", () => {
  it.each([
    [{ type: "message_start", message: { id: "m", model: "x", usage: { input_tokens: 1 } } }],
    [{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
    [{ type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t", name: "Read", input: {} } }],
    [{ type: "content_block_start", index: 2, content_block: { type: "web_search_tool_result", content: [] } }],
    [delta({ type: "text_delta", text: "" })],
    [delta({ type: "input_json_delta", partial_json: "{" })],
    [delta({ type: "thinking_delta", thinking: "hm" })],
    [delta({ type: "signature_delta", signature: "s" })],
    [delta({ type: "citations_delta", citation: { a: 1 } })],
    [{ type: "content_block_stop", index: 0 }],
    [{ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 3 } }],
    [{ type: "message_delta", delta: {}, context_management: {} }],
    [{ type: "message_stop" }],
    [{ type: "ping" }]
  ])("passes untouched: %j", (event) => {
    expect(decode(event)).toEqual({ _tag: "Event", event })
  })

  it("needs no name on its frame, and its own type wins over a wrong one", () => {
    expect(decode({ type: "message_stop" })).toMatchObject({ _tag: "Event" })
    expect(decode({ type: "message_stop" }, "ping")).toEqual({ _tag: "Event", event: { type: "message_stop" } })
    expect(decode("", "ping")).toEqual({ _tag: "Event", event: { type: "ping" } })
  })
})

describe("an unknown event", () => {
  it.each([
    [{ type: "sparkle" }, "sparkle"],
    [delta({ type: "sparkle_delta", text: "x" }), "content_block_delta/sparkle_delta"]
  ])("is named and dropped: %j", (event, name) => {
    expect(decode(event)).toEqual({ _tag: "Unknown", name })
  })

  it("without a type is named by its frame", () => {
    expect(decode({}, "sparkle")).toEqual({ _tag: "Unknown", name: "sparkle" })
    expect(decode({})).toEqual({ _tag: "Unknown", name: "nameless" })
  })
})

describe("a malformed event", () => {
  it.each([
    ["{", undefined],
    ["[]", "message_start"],
    ["null", "message_start"],
    [{}, "content_block_delta"],
    [{}, "message_stop"],
    [{ type: "message_start" }, undefined],
    [{ type: "message_start", message: { id: 1, model: "x" } }, undefined],
    [{ type: "content_block_start", index: 0 }, undefined],
    [{ type: "content_block_start", index: 0.5, content_block: { type: "text" } }, undefined],
    [{ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t" } }, undefined],
    [{ type: "content_block_stop", index: -1 }, undefined],
    [{ type: "message_delta" }, undefined],
    [{ type: "message_delta", delta: { stop_reason: 3 } }, undefined],
    [delta({ type: "text_delta", text: 5 }), undefined],
    [delta({ type: "input_json_delta" }), undefined],
    [delta({ type: "citations_delta" }), undefined],
    [delta(null), undefined],
    [delta({ type: "text_delta", text: "x" }, "0"), undefined],
    [delta({ type: "text_delta", text: "x" }, -1), undefined]
  ])("is a stream failure: %j", (data, event) => {
    const decoded = decode(data, event)
    expect(decoded).toMatchObject({ _tag: "Failed", failure: { kind: "stream", status: null, errorType: null } })
  })
})

describe("an error event", () => {
  it("is a stream failure with its type, named by data or by frame", () => {
    const error = { type: "api_error", message: "broken" }
    for (const decoded of [decode({ type: "error", error }), decode({ error }, "error")]) {
      expect(decoded).toMatchObject({ _tag: "Failed", failure: { kind: "stream", errorType: "api_error" } })
    }
    expect(decode("gone", "error")).toMatchObject({ _tag: "Failed", failure: { kind: "stream", message: "gone" } })
  })
})
