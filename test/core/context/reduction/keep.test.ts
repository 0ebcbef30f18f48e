import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cutAtEnd, cutBeforeNewest, groupRounds, type Wanted } from "../../../../src/core/context/reduction/keep.ts"
import { isPrompt } from "../../../../src/core/model/request/prompt-message.ts"
import { isToolResult, isToolUse } from "../../../../src/core/domain/block.ts"
import { blocksOf, type Message } from "../../../../src/core/domain/message.ts"
import { anyHistory, assistant, call, loopHistory, result, user } from "../../model/request/messages.ts"

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

const uuidsOf = (messages: ReadonlyArray<Message> | undefined) => messages?.map((message) => message.uuid)

const NOBODY: Wanted = { promptUuid: undefined, pins: new Set() }
const ROOM = 40_000

describe("a cut", () => {
  it("keeps the newest round, and with it the prompt that is being answered", () => {
    const messages = [prompt("old"), ...round("1", 20), prompt("now"), ...round("2", 20), ...round("3", 20)]
    const cut = cutBeforeNewest(messages, { ...NOBODY, promptUuid: "now" }, ROOM)
    expect(uuidsOf(cut.kept)).toEqual(["now", "a-3", "r-3"])
    expect(uuidsOf(cut.read)).toEqual(uuidsOf(messages.slice(0, -2)))
    expect(uuidsOf(cut.older)).toEqual(["old", "a-1", "r-1", "a-2", "r-2"])
  })

  it("lets a round go that is too large, and never the prompt", () => {
    const messages = [prompt("now"), ...round("1", 50_000)]
    expect(uuidsOf(cutBeforeNewest(messages, { ...NOBODY, promptUuid: "now" }, ROOM).kept)).toEqual(["now"])
    const later = [prompt("old"), ...round("1", 50_000), prompt("now")]
    const cut = cutBeforeNewest(later, { ...NOBODY, promptUuid: "now" }, ROOM)
    expect([uuidsOf(cut.kept), cut.older.length]).toEqual([["now"], 3])
  })

  it("keeps what the user said while the prompt was answered", () => {
    const joined: Message = {
      type: "attachment",
      uuid: "joined",
      timestamp: "",
      attachment: { type: "queued_command", prompt: "and this", commandMode: "prompt" }
    }
    const messages = [prompt("now"), ...round("1", 20), joined, ...round("2", 20), ...round("3", 20)]
    const { kept } = cutBeforeNewest(messages, { ...NOBODY, promptUuid: "now" }, ROOM)
    expect(uuidsOf(kept)).toEqual(["now", "joined", "a-3", "r-3"])
  })

  it("keeps a pinned call with its result, and a pinned result with its call", () => {
    const messages = [prompt("old"), ...round("1", 20), ...round("2", 20), ...round("3", 20), ...round("4", 20)]
    const cut = cutBeforeNewest(messages, { ...NOBODY, pins: new Set(["a-1", "r-3"]) }, ROOM)
    expect(uuidsOf(cut.kept)).toEqual(["a-1", "r-1", "a-3", "r-3", "a-4", "r-4"])
  })

  it("parts no call from its result, keeps order, and loses nothing, wherever it is", () => {
    const uuids = (messages: ReadonlyArray<Message>) => messages.map(({ uuid }) => uuid)
    fc.assert(
      fc.property(loopHistory, fc.func(fc.boolean()), fc.integer({ min: 1, max: 4_000 }), (messages, isPinned, room) => {
        const pins = new Set(uuids(messages).filter((uuid) => isPinned(uuid)))
        const promptUuid = messages.findLast(isPrompt)?.uuid
        for (const cut of [
          cutBeforeNewest(messages, { promptUuid, pins }, room),
          cutAtEnd(messages, { promptUuid, pins })
        ]) {
          expect(resultIds(cut.kept)).toEqual(callIds(cut.kept))
          expect(resultIds(cut.older)).toEqual(callIds(cut.older))
          expect(messages.filter((message) => cut.kept.includes(message))).toEqual(cut.kept)
          expect([...cut.older, ...cut.kept].length).toBe(messages.length)
          expect(messages.slice(0, cut.read.length)).toEqual(cut.read)
          for (const message of messages) {
            if (pins.has(message.uuid) || message.uuid === promptUuid) expect(cut.kept).toContain(message)
          }
        }
      })
    )
  })
})
