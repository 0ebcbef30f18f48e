import { describe, expect, it } from "vitest"
import type { UserMessage } from "../../../src/core/domain/message.ts"
import { displayTitle, noOpening, oneLine, openingTitle, openingWith, titlesOf } from "../../../src/core/session/title.ts"
import { Maker } from "../../support/session/build.ts"

const maker = new Maker()
const firstPromptOf = (messages: ReadonlyArray<UserMessage>) => openingTitle(messages.reduce(openingWith, noOpening))
const first = (...texts: ReadonlyArray<string>) => firstPromptOf(texts.map((text) => maker.prompt(text)))

describe("the first prompt", () => {
  it("is what the human asked, not what the program put in front", () => {
    const meta = maker.prompt("Caveat.", { isMeta: true })
    const summary = maker.prompt("Summary.", { isCompactSummary: true })
    const prompt = maker.prompt("Plant\n  two   pears")
    expect(firstPromptOf([meta, summary, maker.prompt("<bash-input>ls</bash-input>"), prompt])).toBe("Plant two pears")
    expect(first("[Request interrupted by user]", "<local-command-stdout>x</local-command-stdout>", "Go")).toBe("Go")
  })

  it("is the words beside an editor's notice", () => {
    const content = [
      { type: "text" as const, text: "<ide_opened_file>a.ts</ide_opened_file>" },
      { type: "text" as const, text: "Fix this" }
    ]
    expect(firstPromptOf([maker.prompt("", { message: { role: "user", content } })])).toBe("Fix this")
  })

  it("is the first command when nothing else was said", () => {
    const command = "<command-name>/review</command-name>\n<command-args>12</command-args>"
    expect(first(command)).toBe("/review 12")
    expect(first(command, "Real words")).toBe("Real words")
    expect(first()).toBeNull()
  })

  it("is one line of at most 200 characters, cut at a whole character", () => {
    const long = oneLine("🌳".repeat(300))
    expect(Array.from(long).length).toBe(200)
    expect(long.endsWith("🌳…")).toBe(true)
    expect(oneLine("a\u0007b\tc")).toBe("a b c")
  })
})

describe("the display title", () => {
  const records = [
    { type: "ai-title" as const, aiTitle: "generated" },
    { type: "custom-title" as const, customTitle: "first" },
    { type: "summary" as const, summary: "of another branch", leafUuid: "elsewhere" },
    { type: "custom-title" as const, customTitle: "second" }
  ]

  it("prefers the latest given name, then the generated one, then a summary of this chain", () => {
    const all = titlesOf(records, () => false)
    expect(displayTitle(all, "prompt")).toBe("second")
    expect(displayTitle({ ...all, customTitle: null }, "prompt")).toBe("generated")
    expect(displayTitle({ ...all, customTitle: null, aiTitle: null }, "prompt")).toBe("prompt")
    expect(titlesOf(records, (uuid) => uuid === "elsewhere").summary).toBe("of another branch")
  })
})
