import { describe, expect, it } from "vitest"
import { makeResponseReader, READ_AHEAD_BYTES } from "../../../src/adapters/anthropic/response.ts"
import { frame } from "../../support/messages-reply.ts"

const unwatched = { awaiting: () => {}, heard: () => {}, reason: () => undefined }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const delta = (text: string): string => frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })

/** A body that counts what is taken from it: the same chunk so many times, and then silence. */
const repeated = (chunk: Uint8Array, times: number) => {
  const counted = { takenBytes: 0 }
  let left = times
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (left-- <= 0) return new Promise<void>(() => {})
        counted.takenBytes += chunk.length
        controller.enqueue(chunk)
        return undefined
      }
    },
    { highWaterMark: 0 }
  )
  return { body, counted }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

describe("reading a response", () => {
  it("takes from the body only a bounded amount ahead of the consumer", async () => {
    const chunk = bytes(delta("x".repeat(10_000)))
    const { body, counted } = repeated(chunk, 1_000)
    const reader = makeResponseReader(body, unwatched)
    for (let consumed = 1; consumed <= 100; consumed++) {
      await reader.next()
      await settle()
      expect(counted.takenBytes - consumed * chunk.length).toBeLessThanOrEqual(READ_AHEAD_BYTES + chunk.length)
    }
  })

  it("waits for the endpoint only while it has room", async () => {
    let waiting = false
    const watchdog = {
      awaiting: () => (waiting = true),
      heard: () => (waiting = false),
      reason: () => undefined
    }
    makeResponseReader(repeated(new Uint8Array(READ_AHEAD_BYTES), 2).body, watchdog)
    await settle()
    expect(waiting).toBe(false)
    makeResponseReader(repeated(new Uint8Array(1), 1).body, watchdog)
    await settle()
    expect(waiting).toBe(true)
  })

  it("hands out at most 256 events at a time, in order", async () => {
    const deltas = Array.from({ length: 1_000 }, (_, index) => delta(String(index)))
    const { body } = repeated(bytes(deltas.join("") + frame({ type: "message_stop" })), 1)
    const reader = makeResponseReader(body, unwatched)
    const sizes: Array<number> = []
    const seen: Array<string> = []
    for (let batch = await reader.next(); batch._tag === "Events"; batch = await reader.next()) {
      sizes.push(batch.events.length)
      for (const event of batch.events) {
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") seen.push(event.delta.text)
      }
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256)
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index)))
    expect(reader.complete()).toBe(true)
  })

  it("keeps what had arrived when the body breaks", async () => {
    let breakIt = (): void => {}
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let index = 0; index < 5; index++) controller.enqueue(bytes(delta(String(index))))
        breakIt = () => controller.error(new TypeError("terminated"))
      }
    })
    const reader = makeResponseReader(body, unwatched)
    await settle()
    breakIt()
    for (let index = 0; index < 5; index++) expect((await reader.next())._tag).toBe("Events")
    expect(await reader.next()).toMatchObject({ _tag: "Failed", failure: { kind: "network", code: "ECONNRESET" } })
  })

  it("gives up on an event that never ends", async () => {
    const { body } = repeated(new Uint8Array(1024 * 1024).fill(0x61), 100)
    const batch = await makeResponseReader(body, unwatched).next()
    expect(batch).toMatchObject({ _tag: "Failed", failure: { kind: "stream" } })
  })

  it("counts what it does not understand", async () => {
    const text = [{ type: "a" }, { type: "b" }, { type: "a" }, { type: "message_stop" }].map(frame).join("")
    const reader = makeResponseReader(repeated(bytes(text), 1).body, unwatched)
    await reader.next()
    expect([...reader.unknown]).toEqual([
      ["a", 2],
      ["b", 1]
    ])
  })
})
