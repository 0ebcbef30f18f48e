import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normalizeForApi } from "../../../../src/core/model/request/api-history.ts"
import type { Message } from "../../../../src/core/domain/message.ts"
import { emptyChain, recordMessages } from "../../../../src/core/session/transcript/chain.ts"
import { messagesOf } from "../../../../src/core/session/load/restore.ts"
import { isRaw, rawOf, type JsonObject } from "../../../../src/core/domain/json/json-object.ts"
import { selectConversation } from "../../../../src/core/session/load/conversation-lines.ts"
import { context, ledgerOf, Maker } from "../../../support/session/build.ts"
import { histories, play } from "../../../support/session/histories.ts"

const options = { model: "model-a", strippedMedia: {}, toolNames: ["Read"] }

const rawLines = (lines: ReadonlyArray<unknown>): ReadonlyArray<JsonObject> => lines.filter(isRaw)

const sent = (messages: ReadonlyArray<Message>): unknown => normalizeForApi(messages, options)

const load = (lines: ReadonlyArray<JsonObject>) => {
  const ledger = ledgerOf(lines)
  const view = selectConversation(ledger)
  for (const entry of view.lines) entry.raw ??= lines[entry.position] ?? null
  return { ledger, messages: messagesOf(view.lines).messages }
}

type Renaming = (id: string, line: JsonObject) => JsonObject

/** The lines with other ids on their responses. */
const renamed = (lines: ReadonlyArray<unknown>, rename: Renaming): ReadonlyArray<JsonObject> =>
  rawLines(lines).map((line) => {
    const id = rawOf(line["message"])?.["id"]
    return typeof id === "string" ? rename(id, line) : line
  })

const withId = (line: JsonObject, id: string): JsonObject => ({ ...line, message: { ...rawOf(line["message"]), id } })

/** What endpoints do that count their answers from the start in every process, and what the dullest one does. */
const ENDPOINTS: ReadonlyArray<readonly [string, Renaming]> = [
  ["numbered anew after each prompt", (id, line) => withId(line, `msg-${id.at(-1) ?? ""}`)],
  ["all equal, with the request beside them", (id, line) => ({ ...withId(line, "msg"), requestId: `req-${id}` })]
]

describe("responses whose ids are not their own", () => {
  it.each(ENDPOINTS)("%s: nothing of one slips into another", (_what, rename) => {
    fc.assert(
      fc.property(histories({ branches: true }), (history) => {
        const { messages, lines } = play(history)
        expect(sent(load(renamed(lines, rename)).messages)).toEqual(sent(messages))
      }),
      { numRuns: 100 }
    )
  })

  it("are told apart by how they ended", () => {
    const maker = new Maker()
    const stopped = (message: ReturnType<Maker["says"]>, stop_reason: string) => ({
      ...message,
      message: { ...message.message, stop_reason }
    })
    const caller = stopped(maker.calls("msg", "a"), "tool_use")
    const messages = [maker.prompt("go"), caller, maker.result(caller, "a"), stopped(maker.says("msg", "done"), "end_turn")]
    const { lines } = recordMessages(emptyChain, messages, { context })
    const roles = normalizeForApi(load(rawLines(lines)).messages, options)
    expect(roles.map(({ role, content }) => `${role}:${content.map(({ type }) => type).join()}`)).toEqual([
      "user:text",
      "assistant:tool_use",
      "user:tool_result",
      "assistant:text",
      "user:text"
    ])
  })

  it("are told apart by the thousand", () => {
    const maker = new Maker()
    const messages = Array.from({ length: 2_000 }, (_, index) =>
      index % 2 === 0 ? maker.prompt("go") : maker.says("msg", "done")
    )
    const { lines } = recordMessages(emptyChain, messages, { context })
    expect(load(rawLines(lines)).ledger.spending.size).toBe(1_000)
  })

  it("are paid for one by one", () => {
    const maker = new Maker()
    const messages = [maker.prompt("a"), maker.says("msg", "one"), maker.prompt("b"), maker.says("msg", "two")]
    const { lines } = recordMessages(emptyChain, messages, { context })
    expect(load(rawLines(lines)).ledger.spending.size).toBe(2)
  })
})

describe("fragments of one response", () => {
  const maker = new Maker()
  const prompt = maker.prompt("go")
  const first = maker.calls("msg", "a")
  const second = maker.calls("msg", "b")
  const results = [maker.result(first, "a"), maker.result(second, "b")]
  const { lines } = recordMessages(emptyChain, [prompt, first, second, ...results], { context })
  const under = (parentUuid: string | null) =>
    lines.map((line): JsonObject => (line.uuid === second.uuid ? { ...line, parentUuid } : { ...line }))

  it.each([
    ["each other", first.uuid],
    ["the same prompt", prompt.uuid],
    ["a result of the response", results[0]?.uuid ?? null],
    ["a line that is lost", "ffffffff-0000-4000-8000-000000000000"],
    ["nothing", null]
  ])("are one response when they hang below %s", (_what, parent) => {
    const { messages } = load(under(parent))
    expect(new Set(messages.flatMap((message) => (message.type === "assistant" ? message.message.id : [])))).toEqual(
      new Set(["msg"])
    )
  })
})
