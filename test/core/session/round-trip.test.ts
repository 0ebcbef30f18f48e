import { HashMap } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Message } from "../../../src/core/domain/message.ts"
import { isoFromMillis } from "../../../src/core/domain/time.ts"
import { emptyChain, LINES_BEFORE_FORGETTING, recordMessages } from "../../../src/core/session/transcript/chain.ts"
import { messagesOf } from "../../../src/core/session/load/restore.ts"
import { rawOf } from "../../../src/core/domain/json/json-object.ts"
import { selectConversation } from "../../../src/core/session/load/conversation-lines.ts"
import { context, ledgerOf, Maker, uuidsOf } from "../../support/session/build.ts"
import { histories, play } from "../../support/session/histories.ts"

const reread = (lines: ReadonlyArray<unknown>) => lines.map((line) => rawOf(JSON.parse(JSON.stringify(line))) ?? {})

/** Loads lines, reading again what a boundary let go. */
const conversationOf = (lines: ReadonlyArray<unknown>) => {
  const raws = reread(lines)
  const ledger = ledgerOf(raws)
  const view = selectConversation(ledger)
  for (const entry of view.lines) entry.raw ??= raws[entry.position] ?? null
  return { ...view, messages: messagesOf(view.lines).messages }
}

/** A boundary knows from its line what it stands for; one that was never written does not. */
const withoutWhatItSummarised = (message: Message): Message => {
  if (message.type !== "system") return message
  const { logicalParentUuid: _, ...rest } = message
  return rest
}

describe("writing and loading", () => {
  it("gives the conversation back, with parallel calls, compactions and branches", () => {
    fc.assert(
      fc.property(histories({ branches: true }), (history) => {
        const { messages, lines } = play(history)
        const loaded = conversationOf(lines)
        expect(loaded.repaired).toBe(0)
        expect(loaded.messages.map(withoutWhatItSummarised)).toEqual(messages)
      }),
      { numRuns: 300 }
    )
  })

  it("does not depend on clocks while there is one branch", () => {
    fc.assert(
      fc.property(histories({ branches: false }), fc.infiniteStream(fc.nat(2_000_000_000)), (history, clock) => {
        const { messages, lines } = play(history)
        const skewed = lines.map((line) => ({ ...line, timestamp: isoFromMillis(clock.next().value ?? 0) }))
        expect(uuidsOf(conversationOf(skewed).messages)).toEqual(uuidsOf(messages))
      }),
      { numRuns: 200 }
    )
  })

  it("keeps everything said before a compaction in reach", () => {
    fc.assert(
      fc.property(histories({ branches: false }), (history) => {
        const { lines } = play(history)
        const loaded = conversationOf(lines)
        const reachable = new Set([...loaded.earlier, ...loaded.lines].map((entry) => entry.links.uuid))
        expect(lines.filter((line) => !reachable.has(line.uuid))).toEqual([])
        expect(reachable.size).toBe(loaded.earlier.length + loaded.lines.length)
      }),
      { numRuns: 200 }
    )
  })

  it("records a message once, whatever is handed over again", () => {
    fc.assert(
      fc.property(histories({ branches: true }), (history) => {
        const { messages, lines, state } = play(history)
        expect(recordMessages(state, messages, { context })).toEqual({ state, lines: [] })
        expect(new Set(lines.map((line) => line.uuid)).size).toBe(lines.length)
      }),
      { numRuns: 100 }
    )
  })
})

describe("what was written is remembered", () => {
  /** So many compactions with more lines between them than are remembered before one forgets. */
  const afterRounds = (rounds: number) => {
    const maker = new Maker()
    let state = emptyChain
    let lines = 0
    for (let round = 0; round < rounds; round++) {
      const said = Array.from({ length: LINES_BEFORE_FORGETTING }, (_, at) => maker.says(`m${round}-${at}`, "words"))
      const recorded = recordMessages(state, [maker.system("compact_boundary"), ...said], { context })
      state = recorded.state
      lines += recorded.lines.length
    }
    return { state, lines }
  }

  it("as far back as it can be named again, and not for ever", () => {
    const { state, lines } = afterRounds(6)
    expect(lines).toBe(6 * (LINES_BEFORE_FORGETTING + 1))
    expect(state.count).toBe(lines)
    const known = HashMap.size(state.added.numbers) + HashMap.size(state.older.numbers)
    expect(known).toBeLessThanOrEqual(2 * (LINES_BEFORE_FORGETTING + 1))
  })
})

describe("a line", () => {
  const maker = new Maker()
  const prompt = maker.prompt("hello")
  const [first, second] = [maker.calls("m1", "a"), maker.calls("m1", "b")]
  const results = [maker.result(first, "a"), maker.result(second, "b")]
  const note = maker.attachment("hook_success")
  const { lines, state } = recordMessages(emptyChain, [prompt, first, second, ...results, note], { context })

  it("carries its envelope around the message", () => {
    expect(lines[0]).toEqual({
      ...prompt,
      parentUuid: null,
      isSidechain: false,
      userType: "external",
      entrypoint: "cli",
      cwd: "/home/ada/orchard",
      sessionId: context.sessionId,
      version: "0.1.0",
      gitBranch: "main",
      producer: "nacre"
    })
  })

  it("hangs a result below its own call and goes on from the last line", () => {
    expect(lines.map((line) => line.parentUuid)).toEqual([
      null,
      prompt.uuid,
      first.uuid,
      first.uuid,
      second.uuid,
      results[1]?.uuid
    ])
  })

  it("names the caller of a result that does not", () => {
    const { sourceToolAssistantUUID: _, ...unnamed } = maker.result(second, "b")
    const recorded = recordMessages(state, [unnamed], { context })
    expect(recorded.lines[0]).toMatchObject({ parentUuid: second.uuid, sourceToolAssistantUUID: second.uuid })
  })

  it("starts anew at a boundary and never hangs below what the boundary keeps", () => {
    const summary = maker.prompt("Summary.", { isCompactSummary: true })
    const kept = maker.prompt("not written before")
    const boundary = maker.system("compact_boundary", {
      compactMetadata: { preservedSegment: { headUuid: kept.uuid, anchorUuid: summary.uuid, tailUuid: kept.uuid } }
    })
    const next = maker.prompt("next")
    const recorded = recordMessages(state, [boundary, summary, kept, next], { context }).lines
    expect(recorded.map((line) => [line.uuid, line.parentUuid])).toEqual([
      [kept.uuid, note.uuid],
      [boundary.uuid, null],
      [summary.uuid, boundary.uuid],
      [next.uuid, summary.uuid]
    ])
    expect(recorded[1]?.logicalParentUuid).toBe(kept.uuid)
  })
})
