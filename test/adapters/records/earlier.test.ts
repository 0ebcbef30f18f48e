import { writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import { emptyChain, recordMessages } from "../../../src/core/session/transcript/chain.ts"
import { pagesOf } from "../../../src/core/session/load/earlier-pages.ts"
import { selectConversation } from "../../../src/core/session/load/conversation-lines.ts"
import { loadSession, pagesBefore, readEarlier } from "../../../src/shell/session/load-session.ts"
import { context, ledgerOf, Maker, uuidsOf } from "../../support/session/build.ts"
import { makeDirectory } from "../../support/session/disk.ts"

const KIB = 1024

/** Turns with a call each, a compaction, and one turn more. */
const compacted = (turns: number, resultBytes: number) => {
  const maker = new Maker()
  const before = Array.from({ length: turns }, (_, turn): ReadonlyArray<Message> => {
    const caller = maker.calls(`m${turn}`, `c${turn}`)
    const result = maker.result(caller, `c${turn}`, "x".repeat(resultBytes))
    return [maker.prompt(`prompt ${turn}`), caller, result, maker.says(`e${turn}`, `answer ${turn}`)]
  }).flat()
  const boundary = maker.system("compact_boundary", { compactMetadata: { trigger: "manual", preTokens: 9_000 } })
  const summary = maker.prompt("what was said so far", { isCompactSummary: true })
  const after = [boundary, summary, maker.prompt("and now"), maker.says("last", "well")]
  const { lines } = recordMessages(emptyChain, [...before, ...after], { context })
  return { before, after, lines }
}

const onDisk = (lines: ReadonlyArray<unknown>) => {
  const place = path.join(makeDirectory(), "session.jsonl")
  writeFileSync(place, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const records = layer({ home: path.dirname(place) })
  const load = () => Effect.runPromise(loadSession(place).pipe(Effect.provide(records)))
  const read = (page: Parameters<typeof readEarlier>[1]) =>
    Effect.runPromise(readEarlier(place, page).pipe(Effect.provide(records)))
  const before = (uuid: string) => Effect.runPromise(pagesBefore(place, uuid).pipe(Effect.provide(records)))
  return { load, read, before }
}

const lineSizes = fc.array(fc.integer({ min: 1, max: 400 * KIB }), { minLength: 1, maxLength: 20 })

describe("what was said before a compaction", () => {
  it("is read back page by page, complete and in order", async () => {
    const { before, after, lines } = compacted(200, 8 * KIB)
    const { load, read } = onDisk(lines)
    const { messages, earlier } = await load()
    expect(messages.length).toBeLessThanOrEqual(after.length)
    expect(earlier.length).toBeGreaterThan(4)
    const pages = await Promise.all(earlier.map(read))
    expect(uuidsOf(pages.flat())).toEqual(uuidsOf(before))
    for (const page of pages)
      expect(page[0]).toMatchObject({ type: "user", message: { content: expect.stringMatching(/^prompt/) } })
  })

  it("can be counted up to any prompt, before the boundary and behind it", async () => {
    const { before, after, lines } = compacted(100, 8 * KIB)
    const session = onDisk(lines)
    const all = [...before, ...after]
    const prompts = all.filter(
      ({ type, uuid }) => type === "user" && (uuid === before[200]?.uuid || uuid === after[2]?.uuid)
    )
    expect(prompts).toHaveLength(2)
    for (const { uuid } of prompts) {
      const pages = await Promise.all((await session.before(uuid)).map(session.read))
      expect(uuidsOf(pages.flat())).toEqual(
        uuidsOf(
          all.slice(
            0,
            all.findIndex((each) => each.uuid === uuid)
          )
        )
      )
    }
    await expect(session.before("nowhere")).rejects.toThrow("no message with the id nowhere")
  })

  it("is nothing in a session that was never compacted", async () => {
    const { before } = compacted(5, 10)
    const { lines } = recordMessages(emptyChain, before, { context })
    expect((await onDisk(lines).load()).earlier).toEqual([])
  })

  it("comes in pages of bounded size that hold every line once, whatever the sizes are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), lineSizes, (turns, sizes) => {
        const { earlier } = selectConversation(ledgerOf(compacted(turns, 1).lines))
        const sized = earlier.map((entry, at) => ({
          ...entry,
          span: { offset: at, length: sizes[at % sizes.length] ?? 1 }
        }))
        const pages = pagesOf(sized)
        expect(pages.flat().map(({ offset }) => offset)).toEqual(sized.map((_, at) => at))
        for (const page of pages) {
          const largest = Math.max(...page.map(({ length }) => length))
          expect(page.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(4 * 256 * KIB + largest)
          expect(page.length).toBeLessThanOrEqual(4 * 300)
        }
      })
    )
  })
})
