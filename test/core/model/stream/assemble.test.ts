import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ContentBlock } from "../../../../src/core/domain/block.ts"
import { type Assembly, assemble, emptyAssembly } from "../../../../src/core/model/stream/assemble.ts"
import type { ModelEvent } from "../../../../src/core/model/stream/model-event.ts"

/** One response from its events (01 §2.5): blocks, counts and the end, also when events are lost or repeated. */
const fold = (...events: ReadonlyArray<ModelEvent>) => {
  const blocks: Array<ContentBlock> = []
  const malformed: Array<string> = []
  let assembly: Assembly = emptyAssembly
  for (const event of events) {
    const next = assemble(assembly, event)
    assembly = next.assembly
    if (next.completed !== undefined) blocks.push(next.completed.block)
    if (next.completed?.malformed !== undefined) malformed.push(next.completed.malformed)
  }
  return { assembly, blocks, malformed }
}

const start = (index: number, content_block: { type: string; [field: string]: unknown }): ModelEvent => ({
  type: "content_block_start",
  index,
  content_block
})
const stop = (index: number): ModelEvent => ({ type: "content_block_stop", index })
const text = (index: number, value: string): ModelEvent => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text: value }
})
const json = (index: number, partial_json: string): ModelEvent => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json }
})
const messageStart = (id: string, usage: unknown): ModelEvent => ({
  type: "message_start",
  message: { id, model: "some-model", usage }
})
const messageDelta = (stop_reason: string | null, usage?: unknown): ModelEvent => ({
  type: "message_delta",
  delta: { stop_reason },
  usage
})

describe("blocks", () => {
  it("text grows by its pieces, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (pieces) => {
        const { blocks } = fold(start(0, { type: "text", text: "" }), ...pieces.map((piece) => text(0, piece)), stop(0))
        expect(blocks).toEqual([{ type: "text", text: pieces.join("") }])
      })
    )
  })

  it("text keeps its citations", () => {
    const citation = { type: "page", page: 1 }
    const { blocks } = fold(
      start(0, { type: "text", text: "so " }),
      text(0, "it is"),
      { type: "content_block_delta", index: 0, delta: { type: "citations_delta", citation } },
      stop(0)
    )
    expect(blocks).toEqual([{ type: "text", text: "so it is", citations: [citation] }])
  })

  it("thinking keeps its signature", () => {
    const { blocks } = fold(
      start(0, { type: "thinking", thinking: "", signature: "" }),
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "signed" } },
      stop(0)
    )
    expect(blocks).toEqual([{ type: "thinking", thinking: "hm", signature: "signed" }])
  })

  it("a call's input is what strict JSON makes of its pieces", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (input, at) => {
        const whole = JSON.stringify(input)
        const cut = at % (whole.length + 1)
        const { blocks } = fold(
          start(0, { type: "tool_use", id: "a", name: "Read", input: {} }),
          json(0, whole.slice(0, cut)),
          json(0, whole.slice(cut)),
          stop(0)
        )
        expect(blocks).toEqual([{ type: "tool_use", id: "a", name: "Read", input: JSON.parse(whole) }])
      })
    )
  })

  it("a call without input has an empty one; a broken one is marked with its place", () => {
    const open = start(0, { type: "tool_use", id: "a", name: "Read", input: {} })
    expect(fold(open, stop(0)).blocks).toMatchObject([{ input: {} }])
    const broken = fold(open, json(0, '{"a": '), stop(0))
    expect(broken.blocks).toMatchObject([{ input: {} }])
    expect(broken.malformed).toEqual([expect.stringMatching(/position \d+/)])
  })

  it("kinds we do not know are carried through, with the input that was streamed", () => {
    const block = { type: "server_tool_use", id: "s", name: "web_search" }
    expect(fold(start(0, block), stop(0)).blocks).toEqual([block])
    expect(fold(start(0, block), json(0, '{"query":"x"}'), stop(0)).blocks).toEqual([{ ...block, input: { query: "x" } }])
    expect(fold(start(0, { type: "redacted_thinking", data: "x" }), stop(0)).blocks).toEqual([
      { type: "redacted_thinking", data: "x" }
    ])
  })
})

describe("counts", () => {
  it("of the output are replaced, of the input the largest counts, and a zero erases nothing", () => {
    const { assembly } = fold(
      messageStart("m", { input_tokens: 100, cache_read_input_tokens: 7, output_tokens: 1 }),
      messageDelta(null, { input_tokens: 0, output_tokens: 20 }),
      messageDelta("end_turn", { input_tokens: 90, output_tokens: 30, cache_read_input_tokens: 0 })
    )
    expect(assembly.usage).toMatchObject({ input_tokens: 100, cache_read_input_tokens: 7, output_tokens: 30 })
  })

  it("told twice are the same", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (input, output) => {
        const events = [messageStart("m", { input_tokens: input }), messageDelta("end_turn", { output_tokens: output })]
        expect(fold(...events, ...events).assembly.usage).toEqual(fold(...events).assembly.usage)
      })
    )
  })
})

describe("the frame", () => {
  it("the first id and model stay, the last stop reason that was told counts", () => {
    const { assembly } = fold(
      messageStart("first", {}),
      messageStart("second", {}),
      messageDelta("tool_use"),
      messageDelta(null),
      { type: "message_stop" }
    )
    expect(assembly).toMatchObject({ messageId: "first", model: "some-model", stopReason: "tool_use", stopped: true })
  })

  it("a ping and a second end change nothing at all", () => {
    const { assembly } = fold(messageStart("m", {}), { type: "message_stop" })
    expect(assemble(assembly, { type: "ping" }).assembly).toBe(assembly)
    expect(assemble(assembly, { type: "message_stop" }).assembly).toBe(assembly)
  })
})

describe("a damaged stream", () => {
  it("pieces without their block, of another block or of another kind are ignored", () => {
    const open = fold(start(1, { type: "text", text: "kept" })).assembly
    for (const event of [text(0, "x"), json(1, "x"), stop(0)]) expect(assemble(open, event).assembly).toBe(open)
    expect(assemble(emptyAssembly, text(0, "x")).assembly).toBe(emptyAssembly)
    expect(assemble(emptyAssembly, stop(0)).completed).toBeUndefined()
  })

  it("a block ends once", () => {
    const { blocks, assembly } = fold(start(0, { type: "text", text: "a" }), stop(0), stop(0))
    expect(blocks).toHaveLength(1)
    expect(assembly.open).toBeUndefined()
  })

  it("never breaks: any events in any order fold without an error and change no earlier state", () => {
    const index = fc.nat(2)
    const event: fc.Arbitrary<ModelEvent> = fc.oneof(
      fc.record({
        type: fc.constant("message_start" as const),
        message: fc.record({ id: fc.string(), model: fc.string(), usage: fc.anything() })
      }),
      fc.record({
        type: fc.constant("content_block_start" as const),
        index,
        content_block: fc.record({
          type: fc.constantFrom("text", "thinking", "tool_use", "odd"),
          id: fc.anything(),
          text: fc.anything()
        })
      }),
      fc.tuple(index, fc.string()).map(([at, value]) => text(at, value)),
      fc.tuple(index, fc.string()).map(([at, value]) => json(at, value)),
      index.map(stop),
      fc.tuple(fc.option(fc.string()), fc.anything()).map(([reason, usage]) => messageDelta(reason, usage)),
      fc.constant({ type: "message_stop" as const })
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let assembly: Assembly = emptyAssembly
        for (const one of events) assembly = Object.freeze(assemble(assembly, one).assembly)
        expect(fold(...events)).toEqual(fold(...events))
      })
    )
  })

  it("a million characters in small pieces arrive whole", () => {
    const piece = text(0, "word ")
    const grow = (from: Assembly, count: number): Assembly => {
      let assembly = from
      for (let done = 0; done < count; done++) assembly = assemble(assembly, piece).assembly
      return assembly
    }
    const long = grow(fold(start(0, { type: "text", text: "" })).assembly, 200_000)
    expect(long.open).toMatchObject({ kind: "text" })
    expect(long.open?.kind === "text" ? long.open.text.length : 0).toBe(1_000_000)
  })
})
