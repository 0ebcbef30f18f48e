import { describe, expect, it } from "vitest"
import type { Message } from "../../../../src/core/domain/message.ts"
import { clean } from "../../../../src/core/session/load/clean.ts"
import { messagesOf } from "../../../../src/core/session/load/restore.ts"
import type { Entry } from "../../../../src/core/session/load/transcript-index.ts"
import { rawOf } from "../../../../src/core/domain/json/json-object.ts"
import { selectConversation } from "../../../../src/core/session/load/conversation-lines.ts"
import { emptyChain, recordMessages } from "../../../../src/core/session/transcript/chain.ts"
import { context, ledgerOf, Maker, uuidsOf } from "../../../support/session/build.ts"
import { fixtureLines } from "../../../support/session/fixtures.ts"

/** What stands in a line, shortly: its words, its call, or its type. */
const shortText = (entry: Entry): string => {
  const content = rawOf(entry.raw?.["message"])?.["content"]
  const first: unknown = Array.isArray(content) ? content[0] : content
  const block = rawOf(first) ?? { text: first }
  const texts = [block["text"], block["id"], block["tool_use_id"], block["type"]]
  return texts.find((text) => typeof text === "string") ?? entry.links.type
}

const shown = (name: string): ReadonlyArray<string> => selectConversation(ledgerOf(fixtureLines(name))).lines.map(shortText)

describe("the conversation in a transcript", () => {
  it("leads through attachments and system lines", () => {
    expect(shown("plain")).toEqual([
      "How many pear trees are in rows.csv?",
      "attachment",
      "attachment",
      "thinking",
      "toolu_01pear",
      "toolu_01pear",
      "There are 17 pear trees.",
      "system"
    ])
  })

  it("has all results of parallel calls and the notes between them", () => {
    const results = shown("parallel").slice(6, 10)
    expect(results).toEqual(["toolu_b", "attachment", "toolu_c", "toolu_a"])
  })

  it("splices the messages that a boundary lists", () => {
    expect(shown("compacted").filter((text) => text !== "attachment")).toEqual([
      "system",
      "This session continues an earlier conversation. Spring work was planned.",
      "Start with pruning.",
      "toolu_p",
      "toolu_p",
      "Cut in February.",
      expect.stringContaining("/compact"),
      expect.stringContaining("Compacted"),
      "Now the grafting.",
      "Graft in March."
    ])
  })

  it("splices the segment between head and tail", () => {
    expect(shown("compacted-segment")).toEqual([
      "system",
      "Earlier: autumn work was planned.",
      "Which press?",
      "The old one.",
      "Is it clean?",
      "Yes."
    ])
  })

  it("keeps everything after the boundary when what it keeps is nowhere", () => {
    const lines = fixtureLines("compacted-segment").filter((line) => !JSON.stringify(line).includes("The old one."))
    expect(selectConversation(ledgerOf(lines)).lines.map(shortText)).toEqual([
      "system",
      "Earlier: autumn work was planned.",
      "Is it clean?",
      "Yes."
    ])
  })

  it("repairs a missing parent and counts it", () => {
    const view = selectConversation(ledgerOf(fixtureLines("broken-parent")))
    expect(view.lines.map(shortText)).toEqual(["First.", "One.", "Second.", "Two."])
    expect(view.repaired).toBe(1)
  })

  it("takes the branch that was written last", () => {
    expect(shown("branches")).toEqual(["Pick one.", "The apple.", "And the pear?", "It is green."])
  })

  it("takes the branch that the last prompt record names, if nothing was said since", () => {
    const lines = fixtureLines("branches")
    const older = lines.map(rawOf).find((line) => JSON.stringify(line).includes("It is red."))
    const pointer = { type: "last-prompt", leafUuid: older?.["uuid"], sessionId: "s" }
    const named = selectConversation(ledgerOf([...lines, pointer]))
    expect(named.lines.map(shortText)).toEqual(["Pick one.", "The apple.", "Why?", "It is red."])
    const overtaken = selectConversation(ledgerOf([pointer, ...lines]))
    expect(overtaken.lines.map(shortText).at(-1)).toBe("It is green.")
  })

  it("can end at any message", () => {
    const ledger = ledgerOf(fixtureLines("branches"))
    const at = ledger.order.find((entry) => shortText(entry) === "The apple.")?.links.uuid
    expect(selectConversation(ledger, { at }).lines.map(shortText)).toEqual(["Pick one.", "The apple."])
  })

  it("passes over progress lines and sidechains of older writers", () => {
    const view = selectConversation(ledgerOf(fixtureLines("old-progress-and-sidechain")))
    expect(view.lines.map(shortText)).toEqual(["Ask a helper.", "toolu_t", "toolu_t", "The helper says all is quiet."])
    expect([view.repaired, view.bridged]).toEqual([0, 0])
  })

  it("passes over lines of unknown kinds and says so", () => {
    const view = selectConversation(ledgerOf(fixtureLines("unknown-and-torn")))
    expect(view.lines.map(shortText)).toEqual(["Keep the bees.", "They are kept.", "And the honey?", "srv_1", "Also kept."])
    expect(view.bridged).toBe(1)
  })

  it("ends where a chain runs in a circle", () => {
    const line = (uuid: string, parentUuid: string) => ({
      type: "user",
      uuid,
      parentUuid,
      message: { role: "user", content: uuid }
    })
    expect(selectConversation(ledgerOf([line("a", "b"), line("b", "a")])).lines.length).toBe(2)
    expect(selectConversation(ledgerOf([line("a", "a")])).lines.map(shortText)).toEqual(["a"])
  })

  it("takes a compaction without a summary for not happened", () => {
    const maker = new Maker()
    const calls = ["a", "b"].map((callId) => maker.calls("m0", callId))
    const results = calls.map((caller, index) => maker.result(caller, index === 0 ? "a" : "b"))
    const said = [maker.prompt("one"), ...calls, ...results, maker.says("m", "two")]
    const { lines, state } = recordMessages(emptyChain, said, { context })
    const cut = recordMessages(state, [maker.system("compact_boundary")], { context }).lines
    const shown = selectConversation(ledgerOf([...lines, ...cut])).lines.map((entry) => entry.links.uuid)
    expect(shown).toEqual(uuidsOf(said))
  })

  it("counts a line written twice once, with the richer usage", () => {
    const maker = new Maker()
    const answer = maker.says("m", "two")
    const { lines } = recordMessages(emptyChain, [maker.prompt("one"), answer], { context })
    const final = { stop_reason: "end_turn", usage: { output_tokens: 99 } }
    const richer = { ...lines[1], message: { ...answer.message, ...final } }
    const { messages } = messagesOf(selectConversation(ledgerOf([...lines, richer])).lines)
    expect(messages.length).toBe(2)
    expect(messages[1]).toMatchObject({ message: { stop_reason: "end_turn", usage: { output_tokens: 99 } } })
  })

  it("reads an agent's own file as a conversation", () => {
    const maker = new Maker()
    const { lines } = recordMessages(emptyChain, [maker.prompt("look"), maker.says("m", "seen")], {
      context: { ...context, isSidechain: true, agentId: "a1" }
    })
    expect(selectConversation(ledgerOf(lines)).lines.length).toBe(0)
    expect(selectConversation(ledgerOf(lines, true)).lines.length).toBe(2)
  })
})

describe("a conversation longer than any model takes", () => {
  const turn = (maker: Maker, number: number) => {
    const calls = [0, 1].map((index) => maker.calls(`m${number}`, `c${number}-${index}`))
    const results = calls.map((call, index) => maker.result(call, `c${number}-${index}`, "x".repeat(1_000)))
    return [maker.prompt(`prompt ${number}`), ...calls, ...results, maker.says(`e${number}`, "y".repeat(1_000))]
  }

  const ledgerWith = (before: (maker: Maker) => ReadonlyArray<Message> = () => []) => {
    const maker = new Maker()
    const turns = Array.from({ length: 100 }, (_, number) => turn(maker, number)).flat()
    return ledgerOf(recordMessages(emptyChain, [...before(maker), ...turns], { context }).lines)
  }

  it("is loaded from a response on, as far back as its text can fit", () => {
    const ledger = ledgerWith()
    const whole = selectConversation(ledger)
    const view = selectConversation(ledger, { windowTokens: 1_000 })
    expect(whole.beyond).toBe(0)
    expect(view.lines.length).toBeGreaterThan(6)
    expect(view.lines.length).toBeLessThan(30)
    expect(view.lines).toEqual(whole.lines.slice(-view.lines.length))
    expect(view.lines[0]?.links.type).toBe("assistant")
    expect(view.lines[0]?.links.messageId).not.toBe(whole.lines.at(-view.lines.length - 1)?.response)
    expect(view.tip).toBe(whole.tip)
    const { messages } = messagesOf(view.lines)
    expect(clean(messages).messages).toEqual(messages)
  })

  it("keeps the boundary and the summary that stand for what was before", () => {
    const ledger = ledgerWith((maker) => [
      maker.system("compact_boundary", { content: "Compacted", compactMetadata: { trigger: "auto", preTokens: 9 } }),
      maker.prompt("Summary.", { isCompactSummary: true })
    ])
    const view = selectConversation(ledger, { windowTokens: 1_000 })
    expect(view.beyond).toBeGreaterThan(100)
    expect(view.lines.slice(0, 2).map(shortText)).toEqual(["system", "Summary."])
    expect(view.lines[2]?.links.type).toBe("assistant")
  })

  it("is never emptied, even if the newest answer alone is too long", () => {
    expect(selectConversation(ledgerWith(), { windowTokens: 1 }).lines.length).toBeGreaterThan(0)
  })
})
