import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cutForCompaction, groupRounds, NO_TAIL, TAIL_LIMITS } from "../../../../src/core/context/compaction/cut.ts"
import { estimateMessages } from "../../../../src/core/model/tokens/estimate.ts"
import { isPrompt } from "../../../../src/core/model/request/prompt-message.ts"
import { isToolResult, isToolUse } from "../../../../src/core/domain/block.ts"
import { blocksOf, type Message } from "../../../../src/core/domain/message.ts"
import { anyHistory, assistant, call, loopHistory, result, textBlock, user } from "../../model/request/messages.ts"

const callIds = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap((message) =>
    message.type === "assistant" ? message.message.content.filter(isToolUse).map((block) => block.id) : []
  )
const resultIds = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap((message) =>
    message.type === "user"
      ? blocksOf(message.message.content)
          .filter(isToolResult)
          .map((block) => block.tool_use_id)
      : []
  )

const responseId = (message: Message): string | undefined => (message.type === "assistant" ? message.message.id : undefined)

const words = (tokens: number): string => "x".repeat(tokens * 4)
const round = (id: string, tokens: number): ReadonlyArray<Message> => [
  assistant(id, [call(`c-${id}`, {})]),
  user([result(`c-${id}`, words(tokens))], { uuid: `r-${id}`, toolUseResult: {} })
]
const prompt = (value: string): Message => user(value, { uuid: value })

describe("groupRounds", () => {
  it("opens a group at each new response", () => {
    const [u1, a1, u2, a2] = [user("1"), assistant("m1", []), user("2"), assistant("m2", [])]
    expect(groupRounds([u1, a1, u2, a2])).toEqual([[u1], [a1, u2], [a2]])
  })

  it("keeps everything, in order, with the fragments of a response together", () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const groups = groupRounds(messages)
        expect(groups.flat()).toEqual(messages)
        for (const group of groups) expect(group.length).toBeGreaterThan(0)
        for (const group of groups.slice(1)) expect(group[0]?.type).toBe("assistant")
      })
    )
  })

  it("never parts a call from its result in a conversation of the loop", () => {
    fc.assert(
      fc.property(loopHistory, (messages) => {
        const groups = groupRounds(messages)
        for (const group of groups) expect(resultIds(group)).toEqual(callIds(group))
        const responses = groups.map((group) => new Set(group.map(responseId).filter((id) => id !== undefined)))
        expect(responses.flatMap((ids) => [...ids])).toEqual([...new Set(responses.flatMap((ids) => [...ids]))])
      })
    )
  })
})

describe("cutForCompaction", () => {
  it("keeps the newest rounds, at least one, and the prompt of the running turn", () => {
    const messages = [prompt("old"), ...round("1", 20_000), prompt("now"), ...round("2", 20_000), ...round("3", 6_000)]
    const cut = cutForCompaction(messages, TAIL_LIMITS)
    expect(cut?.kept.map((message) => message.uuid)).toEqual(["now", "a-3", "r-3"])
    expect(cut?.older).toEqual(messages.slice(0, -2))
  })

  it("keeps several small rounds", () => {
    const messages = [prompt("now"), ...round("1", 9_000), ...round("2", 4_000), ...round("3", 4_000)]
    expect(cutForCompaction(messages, TAIL_LIMITS)?.kept.map((message) => message.uuid)).toEqual([
      "now",
      "a-2",
      "r-2",
      "a-3",
      "r-3"
    ])
  })

  it("drops a round that is too large and keeps the prompt alone", () => {
    const messages = [prompt("now"), ...round("1", 50_000)]
    expect(cutForCompaction(messages, TAIL_LIMITS)?.kept.map((message) => message.uuid)).toEqual(["now"])
  })

  it("keeps a new prompt when the round before it is too large", () => {
    const messages = [prompt("old"), ...round("1", 50_000), prompt("now")]
    const cut = cutForCompaction(messages, TAIL_LIMITS)
    expect(cut?.kept.map((message) => message.uuid)).toEqual(["now"])
    expect(cut?.older).toHaveLength(3)
  })

  it("keeps nothing when told so", () => {
    const messages = [prompt("old"), ...round("1", 10), prompt("now")]
    expect(cutForCompaction(messages, NO_TAIL)).toEqual({ older: messages, kept: [] })
  })

  it("finds nothing to summarise in a single exchange", () => {
    expect(cutForCompaction([prompt("only")], TAIL_LIMITS)).toBeUndefined()
    expect(cutForCompaction([prompt("one"), assistant("m", [textBlock("x")])], TAIL_LIMITS)).toBeUndefined()
  })

  it("parts no call from its result, keeps the newest prompt, and stays within the limit", () => {
    fc.assert(
      fc.property(loopHistory, fc.nat(200), fc.integer({ min: 1, max: 400 }), (messages, min, max) => {
        const cut = cutForCompaction(messages, { minTokens: min, maxTokens: max })
        if (cut === undefined) return
        expect(resultIds(cut.older)).toEqual(callIds(cut.older))
        expect(resultIds(cut.kept)).toEqual(callIds(cut.kept))
        expect(cut.kept).toContain(messages.findLast(isPrompt))
        const tail = cut.kept.filter((message) => !isPrompt(message))
        expect(estimateMessages(tail)).toBeLessThanOrEqual(max)
        expect(cut.older.some((message) => message.type === "assistant")).toBe(true)
      })
    )
  })
})
