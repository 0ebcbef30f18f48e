import { closeSync, openSync, writeFileSync, writeSync } from "node:fs"
import path from "node:path"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readSpans, scanFile } from "../../../src/adapters/records/jsonl.ts"
import { emptyLedger, addLine, type Span } from "../../../src/core/session/load/transcript-index.ts"
import { restore } from "../../../src/core/session/load/restore.ts"
import { selectConversation } from "../../../src/core/session/load/conversation-lines.ts"
import { makeDirectory } from "../../support/session/disk.ts"
import { fixtureNames, fixtureText } from "../../support/session/fixtures.ts"

const fileOf = (content: string | Uint8Array): string => {
  const place = path.join(makeDirectory(), "t.jsonl")
  writeFileSync(place, content)
  return place
}

const scanned = async (content: string | Uint8Array) => {
  const values: Array<unknown> = []
  const skipped: Array<string> = []
  const onInvalid = (text: string): unknown => skipped.push(text)
  const report = await scanFile(fileOf(content), (value) => values.push(value), { onInvalid })
  return { values, skipped, ...report }
}

const load = async (place: string) => {
  const ledger = emptyLedger()
  const report = await scanFile(place, (value, span) => addLine(ledger, value, span))
  return restore(ledger, selectConversation(ledger), report)
}

describe("reading lines", () => {
  it("accepts a mark at the start, carriage returns and blank lines", async () => {
    const result = await scanned('\ufeff{"a":1}\r\n\r\n   \n{"b":2}\n')
    expect(result).toMatchObject({ values: [{ a: 1 }, { b: 2 }], invalid: 0, tornTail: false })
  })

  it("counts what is not an object and goes on", async () => {
    const result = await scanned('{"a":1}\n{"torn\n[1]\nnull\n12\n{"b":2}\n')
    expect(result).toMatchObject({ lines: 2, values: [{ a: 1 }, { b: 2 }], invalid: 4 })
    expect(result.skipped).toEqual(['{"torn', "[1]", "null", "12"])
  })

  it("takes a last line without its end if it is whole, else says it is torn", async () => {
    expect(await scanned('{"a":1}\n{"b":2}')).toMatchObject({ lines: 2, tornTail: false })
    expect(await scanned('{"a":1}\n{"b":')).toMatchObject({ lines: 1, skipped: ['{"b":'], tornTail: true })
  })

  it("reads lines longer than its buffer and refuses those over the limit", async () => {
    const place = fileOf("")
    const fd = openSync(place, "w")
    const wide = `{"wide":"${"ä".repeat(2_000_000)}"}\n`
    writeSync(fd, `{"a":1}\n${wide}`)
    const block = Buffer.alloc(1024 * 1024, "x")
    for (let count = 0; count < 65; count++) writeSync(fd, block)
    writeSync(fd, '\n{"b":2}\n')
    closeSync(fd)
    const seen: Array<number> = []
    const report = await scanFile(place, (_value, _span, text) => seen.push(text.length))
    expect(seen).toEqual([7, wide.length - 1, 7])
    expect(report).toMatchObject({ lines: 3, invalid: 0, oversized: 1, tornTail: false })
  })

  it("names the place of each line, so that it can be read again", async () => {
    const content = `\ufeff${fixtureText("parallel")}`
    const place = fileOf(content)
    const found: Array<{ value: unknown; span: Span }> = []
    await scanFile(place, (value, span) => found.push({ value, span }))
    const again = await readSpans(
      place,
      found.map(({ span }) => span)
    )
    expect(again).toEqual(found.map(({ value }) => value))
    expect(await readSpans(place, [{ offset: 10, length: 7 }])).toEqual([null])
  })
})

describe("loading", () => {
  it("is total on arbitrary bytes", async () => {
    const place = fileOf("")
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        writeFileSync(place, bytes)
        expect((await load(place)).messages).toEqual([])
      }),
      { numRuns: 100 }
    )
  })

  it("is total on damaged transcripts", async () => {
    const place = fileOf("")
    const damage = fc.array(fc.record({ at: fc.nat(9_000), byte: fc.nat(255) }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fixtureNames), damage, async (name, hits) => {
        const bytes = Buffer.from(fixtureText(name))
        for (const { at, byte } of hits) if (at < bytes.length) bytes[at] = byte
        writeFileSync(place, bytes)
        const { messages } = await load(place)
        expect(Array.isArray(messages)).toBe(true)
      }),
      { numRuns: 200 }
    )
  })

  it("is total on objects with fields of the wrong kind", async () => {
    const place = fileOf("")
    const odd = fc.constantFrom<unknown>(null, 7, "x", [], {}, [{ type: "tool_result" }, null, 3])
    const links = ["uuid", "parentUuid", "leafUuid", "isSidechain", "timestamp"]
    const bodies = ["message", "content", "compactMetadata", "subtype", "attachment"]
    const field = fc.constantFrom(...links, ...bodies)
    const messages = ["user", "assistant", "system", "attachment", "progress"]
    const records = ["last-prompt", "cost-state", "content-replacement"]
    const type = fc.constantFrom(...messages, ...records)
    const line = fc.tuple(type, fc.dictionary(field, odd), odd).map(([kind, fields, content]) => ({
      uuid: "x",
      message: { content, usage: content, id: content },
      subtype: "compact_boundary",
      ...fields,
      type: kind
    }))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        writeFileSync(place, lines.map((value) => JSON.stringify(value)).join("\n"))
        expect((await load(place)).interruption).toBeTypeOf("string")
      }),
      { numRuns: 200 }
    )
  })
})
