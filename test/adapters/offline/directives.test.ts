import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseDirectives } from "../../../src/adapters/offline/directives.ts"
import { LABEL } from "../../../src/adapters/offline/answer.ts"
import { respond } from "../../../src/adapters/offline/respond.ts"
import { asking, converse, OPTIONS, say } from "./world.ts"

const parsed = (text: string) => Result.getOrThrow(parseDirectives(text))

describe("directives", () => {
  it("says exactly what it is told", () => {
    const said = say(asking("@say  two  spaces\n@say second line"))
    expect(said.text).toBe("two  spaces\nsecond line")
    expect(said.stop).toBe("end_turn")
  })

  it("thinks before it speaks, with a signature", () => {
    const { events } = respond(asking("@say b\n@think a"), OPTIONS)
    const kinds = events.flatMap((event) => (event.type === "content_block_start" ? [event.content_block.type] : []))
    expect(kinds).toEqual(["thinking", "text"])
    expect(JSON.stringify(events)).toContain("signature_delta")
    expect(say(asking("@think a")).think).toBe("a")
  })

  it("puts each call in its own response and ends with a report", () => {
    const { responses, final } = converse('@tool Read {"file_path": "a"}\n@tool Bash {"command": "ls"}', (call) =>
      call.name === "Bash" ? { content: "Exit code 2\nboom", isError: true } : { content: "x" }
    )
    expect(responses.map((said) => said.calls.map((call) => call.name))).toEqual([["Read"], ["Bash"], []])
    expect(responses[0]?.stop).toBe("tool_use")
    const outcomes = "Read a succeeded; Bash `ls` failed: Exit code 2 boom."
    expect(final).toBe(`${LABEL}: the script has ended after 2 tool calls. ${outcomes}`)
  })

  it("shares a response among calls after @parallel", () => {
    const { responses } = converse("@parallel\n@say go\n@tool A {}\n@tool B\n@next\n@tool C {}\n@say end")
    expect(responses.map((said) => [said.text, said.calls.map((call) => call.name)])).toEqual([
      ["go", ["A", "B"]],
      ["", ["C"]],
      ["end", []]
    ])
  })

  it("starts a new response with words after a call", () => {
    expect(parsed("@tool A\n@say x\n@think y").entries).toEqual([
      { tools: [{ name: "A", input: {} }] },
      { text: "x", think: "y" }
    ])
  })

  it("overrides the stop reason and the usage, and takes delays", () => {
    const { events, delayMs } = respond(asking("@say a\n@stop stop_sequence\n@tokens 5000 7\n@delay 30"), OPTIONS)
    expect(delayMs).toBe(30)
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "stop_sequence" },
      usage: { input_tokens: 5000, output_tokens: 7, cache_read_input_tokens: 0 }
    })
  })

  it("changes only the delivery when nothing is said, each entry for one response", () => {
    const prompt = "write a.txt with hi\n@next\n@stop odd\n@tokens 9"
    const { responses } = converse(prompt)
    expect(responses.map((said) => said.stop)).toEqual(["tool_use", "odd"])
    expect(responses[1]?.text).toContain("I wrote a.txt.")
    expect(parsed(prompt)).toMatchObject({ modifies: true, rest: "write a.txt with hi" })
    expect(parsed(prompt).entries).toEqual([{}, { stop: "odd", tokens: { input: 9 } }])
  })

  it("leaves mentions and addresses alone", () => {
    expect(parsed("look at @src/main.ts\nann@say.org @say").lines).toBe(0)
  })

  it.each([
    ["@tool", "line 1: @tool needs a name"],
    ["hello\n@tool Read {x", "line 2: the input of @tool Read is not JSON"],
    ["@fault meteor", 'line 1: unknown fault "meteor"; known are overloaded'],
    ["@fault overloaded 2 gpt", 'a fault is written "KIND [COUNT] [MODEL]"'],
    ["@delay soon", "@delay needs a number"],
    ["@tokens", "@tokens needs one or two numbers"],
    ["@stop", "@stop needs a reason"],
    ["@expect /(/", "line 1:"]
  ])("explains %s", (prompt, reason) => {
    const said = say(asking(prompt))
    expect(said.text.split("\n")[0]).toBe(LABEL)
    expect(said.text).toContain(reason)
    expect(said.stop).toBe("end_turn")
  })
})
