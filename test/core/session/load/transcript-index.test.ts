import { describe, expect, it } from "vitest"
import type { Message } from "../../../../src/core/domain/message.ts"
import { emptyChain, recordMessages } from "../../../../src/core/session/transcript/chain.ts"
import {
  emptyLedger,
  addLine,
  type TranscriptIndex,
  reloadMessage
} from "../../../../src/core/session/load/transcript-index.ts"
import { messageOf } from "../../../../src/core/session/transcript/message-line.ts"
import { messagesOf } from "../../../../src/core/session/load/restore.ts"
import { isRaw } from "../../../../src/core/domain/json/json-object.ts"
import { selectConversation } from "../../../../src/core/session/load/conversation-lines.ts"
import { heldBy } from "../../../support/live-heap.ts"
import { context, Maker } from "../../../support/session/build.ts"

const KIB = 1024

const turnsOf = (maker: Maker, count: number): ReadonlyArray<Message> =>
  Array.from({ length: count }, (_, turn) => [
    maker.prompt(`prompt ${turn}`),
    maker.says(`m${turn}`, "x".repeat(100))
  ]).flat()

const linesOf = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  recordMessages(emptyChain, messages, { context }).lines.map((line): unknown => JSON.parse(JSON.stringify(line)))

/** Read as if every line were this long. */
const readAs = (lines: ReadonlyArray<unknown>, length: number): TranscriptIndex => {
  const ledger = emptyLedger()
  lines.forEach((line, index) => addLine(ledger, line, { offset: index * length, length }))
  return ledger
}

const held = ({ order }: TranscriptIndex): number => order.filter(({ raw }) => raw !== null).length

describe("the lines of a transcript while it is read", () => {
  it("are kept when the session is short, and none of them when it is long", () => {
    const lines = linesOf(turnsOf(new Maker(), 50))
    expect(held(readAs(lines, KIB))).toBe(100)
    expect(held(readAs(lines, 100 * KIB))).toBe(0)
  })

  it("are kept again behind a boundary", () => {
    const maker = new Maker()
    const boundary = maker.system("compact_boundary", { compactMetadata: { trigger: "manual", preTokens: 1 } })
    const summary = maker.prompt("what was said", { isCompactSummary: true })
    const lines = linesOf([...turnsOf(maker, 50), boundary, summary, ...turnsOf(maker, 5)])
    expect(held(readAs(lines, 100 * KIB))).toBe(12)
  })

  it("leave only their message when they are read again", () => {
    const said = turnsOf(new Maker(), 50)
    const lines = linesOf(said)
    const ledger = readAs(lines, 100 * KIB)
    for (const entry of ledger.order) expect(reloadMessage(entry, lines[entry.position])).toBe(true)
    expect(held(ledger)).toBe(0)
    expect(messagesOf(selectConversation(ledger).lines)).toEqual({ messages: said, unreadable: 0 })
    expect(ledger.order.every((entry) => !reloadMessage(entry, lines[(entry.position + 1) % lines.length]))).toBe(true)
  })
})

describe("a result whose record repeats it", () => {
  const CALLS = 100
  const CHARS = 40 * KIB

  const read = (record: (text: string) => unknown) =>
    heldBy(() =>
      Array.from({ length: CALLS }, (_, call) => {
        const text = `${call} `.repeat(CHARS).slice(0, CHARS)
        const content = [{ type: "tool_result", tool_use_id: `c${call}`, content: text }]
        const line: unknown = JSON.parse(
          JSON.stringify({ type: "user", uuid: `u${call}`, message: { role: "user", content }, toolUseResult: record(text) })
        )
        return isRaw(line) ? messageOf(line) : null
      })
    )

  it("is in memory once", () => {
    // What other tests left behind may go while it is measured: several looks, and the one that says least against us.
    const looks = (record: (text: string) => unknown) => [1, 2, 3].map(() => read(record).bytes)
    const alone = Math.max(...looks(() => ({ content: "" })))
    expect(Math.min(...looks((text) => ({ stdout: text, stderr: "" })))).toBeLessThan(alone * 1.5)
    expect(Math.min(...looks((text) => text))).toBeLessThan(alone * 1.5)
    expect(read((text) => ({ stdout: text, stderr: "" })).value[3]).toMatchObject({
      toolUseResult: { stdout: expect.stringMatching(/^3 3 /), stderr: "" }
    })
  })
})
