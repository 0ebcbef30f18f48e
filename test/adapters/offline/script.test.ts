import { describe, expect, it } from "vitest"
import { asking, converse, OPTIONS, say, text, user, request, assistant, result } from "./world.ts"

const fenced = (script: unknown): string => `Do this:\n\`\`\`offline\n${JSON.stringify(script, null, 1)}\n\`\`\`\nThanks.`

describe("scripts", () => {
  it("answer the n-th request with the n-th entry", () => {
    const script = [{ tools: [{ name: "A" }] }, { text: "mid", tools: [{ name: "B" }] }, { text: "end" }]
    const { responses } = converse(fenced(script))
    expect(responses.map((said) => said.calls.map((call) => call.name))).toEqual([["A"], ["B"], []])
    expect(responses.map((said) => said.text)).toEqual(["", "mid", "end"])
  })

  it("come from the environment and restart with every prompt", () => {
    const options = { ...OPTIONS, script: '{"tools": [{"name": "A"}]}\n{"text": "end"}\n' }
    const first = converse("one", undefined, { options })
    const second = converse("two", undefined, { options, before: [...first.messages, assistant(text("end"))] })
    expect(first.calls.map((call) => call.name)).toEqual(["A"])
    expect(second.calls.map((call) => call.name)).toEqual(["A"])
    expect(second.final).toBe("end")
  })

  it("in the prompt are nearer than the one of the environment", () => {
    expect(say(asking(fenced([{ text: "near" }])), { ...OPTIONS, script: '[{"text": "far"}]' }).text).toBe("near")
  })

  it("may be directive lines", () => {
    expect(say(asking("x"), { ...OPTIONS, script: "@say from a file" }).text).toBe("from a file")
  })

  it("end only at a line of their own", () => {
    expect(say(asking("```offline\n@say a ```\n@say b\n```\nmore")).text).toBe("a ```\nb")
  })

  it("may choose the ids of calls", () => {
    const { calls } = converse(fenced([{ tools: [{ name: "A", id: "toolu_mine" }] }, { text: "end" }]))
    expect(calls.map((call) => call.id)).toEqual(["toolu_mine"])
  })

  it("keep their place when compaction drops earlier responses of the turn", () => {
    const script = fenced([1, 2, 3].map((n) => ({ tools: [{ name: "Bash", input: { command: `echo ${n}` } }] })))
    const { messages } = converse(script)
    const compacted = [user(text("Summary: - @say old"), text(script)), ...messages.slice(3, 5)]
    expect(say(request(compacted)).calls[0]?.input).toEqual({ command: "echo 3" })
  })

  it("script side requests, too", () => {
    const script = '{"main": [{"text": "m"}], "compact": [{"text": "c"}]}'
    expect(say(asking("x"), { ...OPTIONS, script }).text).toBe("m")
    expect(say(asking("x", { source: "compact" }), { ...OPTIONS, script }).text).toBe("c")
    expect(say(asking("a b", { source: "title" }), { ...OPTIONS, script }).text).toBe("a b")
  })

  it.each([
    ["[", "it is not JSON"],
    ['[{"txt": "a"}]', 'at [0]["txt"]'],
    ['[{"tools": [{"input": {}}]}]', 'at [0]["tools"][0]["name"]'],
    ['[{"fault": "meteor"}]', 'entry 1: unknown fault "meteor"'],
    ['[{}, {"expect": "/(/"}]', "entry 2: Invalid regular expression"],
    ['[{"delayMs": -1}]', 'at [0]["delayMs"]']
  ])("that cannot be read are explained: %s", (script, reason) => {
    const said = say(asking("x"), { ...OPTIONS, script })
    expect(said.text).toContain("The offline script could not be read")
    expect(said.text).toContain(reason)
  })
})

describe("expectations", () => {
  const after = (content: string, expectation: unknown) =>
    converse(fenced([{ tools: [{ name: "Read" }] }, { expect: expectation, text: "fine" }]), () => ({ content })).final

  const TRUE = ["lo wor", "/^hello\\s/", { results: "world" }, ["hello", { request: "You are Nacre" }]]

  it.each(TRUE)("hold: %j", (expectation) => {
    expect(after("hello world", expectation)).toBe("fine")
  })

  it.each(["bye", "/^world/", { results: "Nacre" }, { request: "nowhere to be found" }])("fail: %j", (expectation) => {
    expect(after("hello world", expectation)).toMatch(/^OFFLINE EXPECTATION FAILED: /)
  })

  it("end the turn and name what was there", () => {
    const said = say(asking('@expect penguin\n@tool Bash {"command": "ls"}'))
    expect(said.text).toBe("OFFLINE EXPECTATION FAILED: penguin is not in the request")
    expect(said.stop).toBe("end_turn")
    expect(after("hello world", { results: "bye" })).toContain("which are: hello world")
  })

  it("look at the request when there are no results", () => {
    expect(say(request([user(text("@expect Nacre\n@say ok"))])).text).toBe("ok")
  })
})

describe("the newest human prompt", () => {
  it("is not a tool result, a reminder or a text of the program", () => {
    const messages = [
      user(text("@tool A\n@tool B\n@say end")),
      assistant({ type: "tool_use", id: "x", name: "A", input: {} }),
      user(result("x", "ok"), text("<system-reminder>\n@say no\n</system-reminder>"), text("[Request interrupted by user]"))
    ]
    expect(say(request(messages)).calls.map((call) => call.name)).toEqual(["B"])
  })

  it("is the last one that was typed, also in the middle of a turn", () => {
    const messages = [
      user(text("@tool A\n@say first")),
      assistant({ type: "tool_use", id: "x", name: "A", input: {} }),
      user(result("x", "ok"), text("<system-reminder>The user sent:</system-reminder>"), text("@say steered"))
    ]
    expect(say(request(messages)).text).toBe("steered")
  })

  it("may be an image without words", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
    const before = [user(text("@tool A\n@say old")), assistant(text("old"))]
    expect(say(request([...before, user(image)])).text).toContain("You said: (nothing)")
    const stripped = text("[image left out: the model could not take it]")
    expect(say(request([...before, user(stripped)])).text).toContain("You said: (nothing)")
    expect(say(request([user(text("@say with words"), stripped)])).text).toBe("with words")
  })

  it("is not what the loop says in the user's place", () => {
    const notes = ["Stop hook feedback:\n@say no", "You have not called StructuredOutput. Call it now."]
    for (const note of notes) {
      const messages = [user(text("@say one\n@next\n@say two")), assistant(text("one")), user(text(note))]
      expect(say(request(messages)).text).toBe("two")
    }
    const summary = "The conversation so far was too long for the context window.\n\n@say old"
    expect(say(request([user(text("@say new"), text(summary))])).text).toBe("new")
  })

  it("may be missing altogether", () => {
    expect(say(request([])).text).toContain("You said: (nothing)")
  })
})
