import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isToolResult, isToolUse } from "../../../../src/core/domain/block.ts"
import { normalizeForApi } from "../../../../src/core/model/request/api-history.ts"
import { blocksOf, type Message } from "../../../../src/core/domain/message.ts"
import { TEXTS } from "../../../../src/core/domain/program-texts.ts"
import { beforePrompt, clean } from "../../../../src/core/session/load/clean.ts"
import { messagesOf } from "../../../../src/core/session/load/restore.ts"
import { selectConversation } from "../../../../src/core/session/load/conversation-lines.ts"
import { ledgerOf, Maker, uuidsOf } from "../../../support/session/build.ts"
import { fixtureLines, fixtureNames } from "../../../support/session/fixtures.ts"
import { histories, play } from "../../../support/session/histories.ts"

const loaded = (name: string) => messagesOf(selectConversation(ledgerOf(fixtureLines(name))).lines).messages

/** Random damage: any messages of a conversation may be lost, repeated or moved. */
const damaged = fc.tuple(histories({ branches: false }), fc.infiniteStream(fc.nat(9))).map(([history, dice]) => {
  const roll = (): number => dice.next().value ?? 0
  const { messages } = play(history)
  const kept = messages.filter(() => roll() > 1)
  const repeated = kept.flatMap((message) => (roll() === 0 ? [message, message] : [message]))
  return roll() < 3 ? repeated.toSorted(() => roll() - 5) : repeated
})

const answersIn = (message: Message) =>
  message.type === "user" ? blocksOf(message.message.content).filter(isToolResult) : []
const callsIn = (message: Message) => (message.type === "assistant" ? message.message.content.filter(isToolUse) : [])

/** The rule of the API: a response's calls are answered, each once, before the model speaks again. */
const unsettled = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const problems: Array<string> = []
  let open = new Set<string>()
  let response: string | null = null
  const used = new Set<string>()
  for (const message of messages) {
    if (message.type === "assistant" && message.message.id !== response) {
      problems.push(...open)
      open = new Set()
      response = message.message.id
    }
    for (const call of callsIn(message)) {
      if (used.has(call.id)) problems.push(`repeated ${call.id}`)
      used.add(call.id)
      open.add(call.id)
    }
    for (const { tool_use_id: id } of answersIn(message)) if (!open.delete(id)) problems.push(`stray ${id}`)
  }
  return [...problems, ...open]
}

describe("cleaning", () => {
  it("pairs every call with one answer, whatever was damaged", () => {
    fc.assert(
      fc.property(damaged, (messages) => {
        expect(unsettled(clean(messages).messages)).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  it("leaves nothing for the request's own repair to do", () => {
    fc.assert(
      fc.property(histories({ branches: false }), fc.nat(40), (history, cut) => {
        const { messages } = clean(play(history).messages.slice(0, cut))
        const request = JSON.stringify(normalizeForApi(messages, { model: "model-a" }))
        expect(request).not.toContain(TEXTS.missingResult)
        for (const block of messages.flatMap(answersIn)) expect(request).toContain(JSON.stringify(block.tool_use_id))
      }),
      { numRuns: 200 }
    )
  })

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(damaged, (messages) => {
        const once = clean(messages)
        expect(clean(once.messages)).toEqual({ ...once, endedInError: false })
      }),
      { numRuns: 300 }
    )
  })

  it("keeps the order of what it keeps", () => {
    fc.assert(
      fc.property(damaged, (messages) => {
        const before = uuidsOf(messages)
        const kept = uuidsOf(clean(messages).messages).filter((uuid) => before.includes(uuid))
        let from = 0
        for (const uuid of kept) {
          from = before.indexOf(uuid, from) + 1
          expect(from).toBeGreaterThan(0)
        }
      }),
      { numRuns: 200 }
    )
  })

  it("leaves a whole conversation alone", () => {
    for (const name of ["plain", "parallel", "compacted", "branches"]) {
      expect(clean(loaded(name))).toEqual({ messages: loaded(name), interruption: "none", endedInError: false })
    }
  })

  it("is total on every fixture", () => {
    for (const name of fixtureNames) expect(unsettled(clean(loaded(name)).messages)).toEqual([])
  })

  it("settles a call that a kill left open and asks the model to go on", () => {
    const { messages, interruption } = clean(loaded("interrupted"))
    expect(interruption).toBe("interrupted_turn")
    expect(messages.flatMap(answersIn).map((block) => [block.tool_use_id, block.is_error ?? false])).toEqual([
      ["toolu_i2", false],
      ["toolu_i1", true]
    ])
    const ended = messages.flatMap(answersIn).at(-1)?.content
    expect(ended).toMatch(/^\[Tool call interrupted: the session ended before this call's result/)
    expect(messages.at(-1)).toMatchObject({ isMeta: true, message: { content: TEXTS.continueTurn } })
  })

  it("shows a prompt without an answer as such, without the error and the lone thought behind it", () => {
    const { messages, interruption } = clean(loaded("unanswered"))
    expect(interruption).toBe("interrupted_prompt")
    expect(messages.at(-1)).toMatchObject({ type: "user", message: { content: "What is left to do?" } })
  })

  it("keeps thoughts only beside words or calls of the same response", () => {
    const maker = new Maker()
    const thought = (id: string) => maker.fragment(id, { type: "thinking", thinking: "hm", signature: "s" })
    const blank = maker.says("m2", "  \n")
    const kept = [maker.prompt("go"), thought("m1"), maker.says("m1", "ok"), maker.prompt("on")]
    expect(uuidsOf(clean([...kept, thought("m2"), blank]).messages)).toEqual(uuidsOf(kept))
  })

  it("renames attachments of older transcripts", () => {
    const maker = new Maker()
    const { messages } = clean([maker.prompt("go"), maker.attachment("new_file")])
    expect(messages[1]).toMatchObject({ attachment: { type: "file" } })
  })
})

describe("interruption", () => {
  const maker = new Maker()
  const after = (...messages: ReadonlyArray<Message>) =>
    clean([maker.prompt("go"), maker.says("m0", "ok"), ...messages]).interruption
  const ended = (tool: string, error = false) => {
    const caller = maker.calls(`m-${tool}-${error}`, `c-${tool}-${error}`, tool)
    const result = maker.result(caller, `c-${tool}-${error}`)
    const content = blocksOf(result.message.content).map((block) => (error ? { ...block, is_error: true } : block))
    return after(caller, { ...result, message: { role: "user", content } })
  }

  it("is none after an answer, a notice of the user's own stop, or local output", () => {
    expect(after()).toBe("none")
    expect(after(maker.prompt(TEXTS.interrupted))).toBe("none")
    expect(after(maker.prompt("<bash-stdout>1</bash-stdout>"))).toBe("none")
    expect(after(maker.prompt("<command-name>/cost</command-name>"))).toBe("none")
  })

  it("looks through what accompanies a prompt", () => {
    const prompt = maker.prompt("and now?")
    const meta = maker.prompt("<system-reminder>x</system-reminder>", { isMeta: true })
    const notes = [maker.attachment("todo_reminder"), meta, maker.system("informational")]
    expect(after(prompt, ...notes)).toBe("interrupted_prompt")
    const command = maker.prompt("<command-name>/review</command-name>")
    expect(after(command, maker.prompt("Review the change.", { isMeta: true }))).toBe("interrupted_prompt")
  })

  it("is none after a call that ends the turn", () => {
    expect([ended("StructuredOutput"), ended("ExitPlanMode")]).toEqual(["none", "none"])
    expect([ended("Read"), ended("ExitPlanMode", true)]).toEqual(["interrupted_turn", "interrupted_turn"])
  })

  it("puts an answer between an unanswered message and a new prompt", () => {
    const ids = { uuid: maker.uuid(), timestamp: "2026-01-01T00:00:00.000Z" }
    const cleaned = clean(loaded("interrupted"))
    expect(beforePrompt(cleaned, ids).at(-1)).toMatchObject({
      message: { model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] }
    })
    const plain = clean(loaded("plain"))
    expect(beforePrompt(plain, ids)).toEqual(plain.messages)
  })

  it.each([
    ["a prompt", (): ReadonlyArray<Message> => []],
    [
      "a result",
      () => {
        const caller = maker.calls("msg-r", "call-r")
        return [caller, maker.result(caller, "call-r")]
      }
    ]
  ])("lets the new prompt join %s that the API answered with an error", (_what, said) => {
    const ids = { uuid: maker.uuid(), timestamp: "2026-01-01T00:00:00.000Z" }
    const failed = maker.fragment("msg-e", { type: "text", text: "API Error" }, { isApiErrorMessage: true })
    const asked = [maker.prompt("first"), ...said()]
    const ready = beforePrompt(clean([...asked, failed, maker.system("turn_duration")]), ids)
    expect(ready.filter(({ type }) => type !== "system")).toEqual(asked)
  })
})
