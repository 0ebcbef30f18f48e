import { describe, expect, it } from "vitest"
import { SYNTHETIC_MODEL } from "../../../../src/core/domain/message.ts"
import { Script } from "../script.ts"

const asks = (script: Script, answer: string, uuid = "command-1"): void => {
  script.feed({
    _tag: "PromptSubmitted",
    uuid,
    content: "/context",
    priority: "next",
    origin: "human",
    appendOnly: false,
    answer
  })
}

const answers = (script: Script): ReadonlyArray<unknown> =>
  script
    .emitted("MessageAdded")
    .flatMap(({ message }) => (message.type === "assistant" && message.message.model === SYNTHETIC_MODEL ? [message] : []))

describe("a command that the program answers itself", () => {
  it("is a turn without a request, of which the conversation keeps nothing", () => {
    const script = new Script()
    asks(script, "the window is empty")
    expect(script.requests).toEqual([])
    expect(script.messages).toEqual([])
    expect(script.all("Persist")).toEqual([])
    expect(answers(script)).toMatchObject([{ message: { content: [{ type: "text", text: "the window is empty" }] } }])
    expect(script.results).toMatchObject([
      { subtype: "success", numTurns: 0, text: "the window is empty", totalCostUsd: 0, promptUuid: "command-1" }
    ])
  })

  it("waits for the end of a turn that runs, and joins no request", () => {
    const script = new Script()
    script.begin("do it")
    asks(script, "half full")
    expect(answers(script)).toEqual([])
    script.respond({ text: "done" })
    expect(script.results.map(({ text, numTurns }) => [text, numTurns])).toEqual([
      ["done", 1],
      ["half full", 0]
    ])
    script.begin("and now")
    expect(JSON.stringify(script.requests.at(-1)?.messages)).not.toContain("half full")
    expect(JSON.stringify(script.requests.at(-1)?.messages)).not.toContain("/context")
  })

  it("comes once, and the prompt behind it is still answered", () => {
    const script = new Script()
    script.begin("do it")
    asks(script, "half full")
    asks(script, "half full")
    script.prompt("next one", { priority: "later" })
    script.respond({ text: "done" })
    script.persisted()
    expect(answers(script)).toHaveLength(1)
    expect(script.requests).toHaveLength(2)
  })
})
