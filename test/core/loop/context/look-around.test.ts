import { describe, expect, it } from "vitest"
import { recordedPrompt } from "../../../../src/core/context/sources/system-prompt.ts"
import type { Look } from "../../../../src/core/context/sources/source.ts"
import { LIMITS } from "../../../../src/core/domain/limits.ts"
import type { LoopFixture } from "../../../support/loop-fixture.ts"
import { Script } from "../script.ts"

const SOURCES: LoopFixture = { config: { sources: ["systemPrompt", "environment", "model", "instructions", "git", "date"] } }

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
    const wanted = [{ kind: "environment" }, { kind: "instructions" }, { kind: "date" }]
    expect(script.newest("CollectContext").wants).toEqual(wanted)
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

  it("goes out with what was quick; the rest comes with a later request, however many prompts lie between", () => {
    const script = new Script(SOURCES)
    script.begin("one")
    const { collectId } = script.newest("CollectContext")
    script.look(on("2026-01-01"), false)
    expect(script.phase).toBe("Requesting")
    expect(firstMessage(script)).toMatch(/2026-01-01.*one/)
    script.respond({ text: "fine" })
    script.begin("two")
    script.look({})
    script.feed({ _tag: "ContextRead", collectId, look: TABS, isLast: true, failed: [] })
    script.respond({ text: "fine" })
    script.begin("three")
    script.look({})
    expect(JSON.stringify(script.requests.at(-1)?.messages.at(-1))).toMatch(/Use tabs.*three/)
    script.feed({ _tag: "ContextRead", collectId, look: on("2027-01-01"), isLast: true, failed: [] })
    expect(script.state.conversation.context.readings.date).toEqual(on("2026-01-01").date)
  })

  it("is asked for with the names in all prompts since, however they came; a notice names nothing", () => {
    const script = new Script({ config: { sources: ["mentions"] } })
    const wanted = () => script.newest("CollectContext").wants
    script.prompt("first @a", { appendOnly: true })
    const second = script.begin("then @b")
    expect(wanted()).toEqual([{ kind: "mentions", about: { uuid: second, text: "first @a\nthen @b" } }])
    script.look({})
    script.respond({ calls: [{ id: "t1", name: "Read", input: { file_path: "/project/x" } }] })
    const third = script.prompt("and @c")
    script.runCalls("t1")
    expect(wanted()).toEqual([{ kind: "mentions", about: { uuid: third, text: "and @c" } }])
    script.look({ mentions: [{ id: "file:/c", value: { kind: "file", path: "/c", name: "c", content: "1\tc" } }] })
    expect(JSON.stringify(script.requests.at(-1)?.messages.at(-1))).toMatch(/tool_result.*Result of calling.*and @c/)
    script.respond({ text: "fine" })
    const asked = script.all("CollectContext").length
    const notice = { content: "look at @d", priority: "next", origin: "task", appendOnly: false } as const
    script.feed({ _tag: "PromptSubmitted", uuid: "notice", ...notice })
    script.persisted()
    expect(script.all("CollectContext")).toHaveLength(asked)
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
