import { describe, expect, it } from "vitest"
import { SOURCE_KINDS } from "../../../../src/core/context/sources/table.ts"
import { recordedPrompt } from "../../../../src/core/context/sources/system-prompt.ts"
import type { Look } from "../../../../src/core/context/sources/source.ts"
import { LIMITS } from "../../../../src/core/domain/limits.ts"
import type { LoopFixture } from "../../../support/loop-fixture.ts"
import { Script } from "../script.ts"

const SOURCES: LoopFixture = { config: { sources: SOURCE_KINDS } }

const on = (date: string): Look => ({ date: [{ id: "date", value: { date } }] })

const TABS: Look = {
  instructions: [{ id: "/c.md", value: { path: "/c.md", kind: "project" as const, label: "yours", text: "Use tabs." } }]
}

const firstMessage = (script: Script): string => JSON.stringify(script.requests.at(-1)?.messages[0])

describe("what the model is told besides the conversation", () => {
  it("is looked at before the first request, and stands before the prompt", () => {
    const script = new Script(SOURCES)
    script.begin("do it")
    expect(script.phase).toBe("Collecting")
    expect(script.newest("CollectContext").wants.map(({ kind }) => kind)).toEqual([
      "environment",
      "instructions",
      "git",
      "date"
    ])
    script.look({ ...TABS, ...on("2026-01-01") })
    expect(firstMessage(script)).toMatch(/offline.*Use tabs.*2026-01-01.*do it/)
    expect(
      script
        .all("Persist")
        .at(-1)
        ?.messages.map(({ type }) => type)
    ).toEqual(Array(4).fill("attachment"))
  })

  it("is looked at again with the next prompt where it may have changed, and said only when it has", () => {
    const script = new Script(SOURCES)
    script.begin("one")
    script.look({ ...TABS, ...on("2026-01-01") })
    script.respond({ text: "fine" })
    script.begin("two")
    expect(script.newest("CollectContext").wants).toEqual([{ kind: "instructions" }, { kind: "date" }])
    const persisted = script.all("Persist").length
    script.look(on("2026-01-01"))
    expect(script.all("Persist").slice(persisted)).toEqual([])
    script.respond({ text: "fine" })
    script.begin("three")
    script.look(on("2026-01-02"))
    expect(JSON.stringify(script.requests.at(-1)?.messages.at(-1))).toMatch(/Today is 2026-01-02.*three/)
  })

  it("does not hold up the request for longer than it may, and is said with the next one", () => {
    const script = new Script(SOURCES)
    script.begin("one")
    const { timerId, ms } = script.newest("StartTimer")
    expect(ms).toBe(LIMITS.contextMs)
    script.feed({ _tag: "TimerFired", timerId })
    expect(script.phase).toBe("Requesting")
    expect(firstMessage(script)).not.toContain("Use tabs.")
    script.look(TABS)
    script.respond({ text: "fine" })
    script.begin("two")
    script.look({})
    expect(JSON.stringify(script.requests.at(-1)?.messages.at(-1))).toMatch(/Use tabs.*two/)
  })

  it("goes with the prompt that is taken back", () => {
    const script = new Script(SOURCES)
    script.begin("one")
    script.look(TABS)
    script.feed({ _tag: "Interrupted", takeBack: true })
    expect(script.state.conversation.messages.length).toBe(0)
    script.begin("two")
    expect(script.newest("CollectContext").wants).toHaveLength(4)
    script.look(TABS)
    expect(firstMessage(script).match(/Use tabs/g)).toHaveLength(1)
  })
})

describe("the system prompt", () => {
  const fixture: LoopFixture = { config: { sources: ["systemPrompt"] } }

  it("is written down once and never sent as a message", () => {
    const script = new Script(fixture)
    script.begin("one")
    expect(script.requests.at(-1)?.messages[0]?.content).toHaveLength(1)
    const messages = script.all("Persist").flatMap((command) => command.messages)
    expect(recordedPrompt(JSON.parse(JSON.stringify(messages)))).toEqual(
      script.requests.at(-1)?.system.map(({ text }) => ({ type: "text", text }))
    )
    script.respond({ text: "fine" })
    script.begin("two")
    expect(
      script
        .all("Persist")
        .flatMap((command) => command.messages)
        .filter(({ type }) => type === "attachment")
    ).toHaveLength(1)
  })

  it("is unknown where nobody wrote it down, or not all of it is text", () => {
    expect(recordedPrompt([])).toBeUndefined()
    const broken = {
      type: "attachment",
      uuid: "u",
      timestamp: "",
      attachment: { type: "prompt_snapshot", system: ["x"] }
    } as const
    expect(recordedPrompt([broken])).toBeUndefined()
  })
})
