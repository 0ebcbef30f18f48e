import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { suggestionIn } from "../../../../src/core/context/side/prompt-suggestion.ts"

describe("a suggestion", () => {
  it.each([
    "run the tests",
    "Fix the failing test",
    '"commit this"',
    "yes, go on with the second part",
    "does it work on Windows?"
  ])("is taken: %s", (text) => {
    expect(suggestionIn(text, "something else")).toBe(text.replaceAll('"', ""))
  })

  it.each([
    ["nothing", ""],
    ["nothing, in words", "nothing"],
    ["an end", "Done."],
    ["thanks", "thanks for the help"],
    ["a goodbye", "bye for now"],
    ["praise", "looks good to me"],
    ["the assistant's voice", "I'll run the tests"],
    ["the assistant's voice, politely", "Let me check the logs"],
    ["two sentences", "Run the tests. Then commit"],
    ["formatting", "run `npm test`"],
    ["two lines", "run the tests\nand commit"],
    ["a failure", "API Error: 529 overloaded"],
    ["thirteen words", "one two three four five six seven eight nine ten eleven twelve thirteen"],
    ["a hundred characters", "x".repeat(100)],
    ["the last prompt again", "Run the tests"]
  ])("is dropped: %s", (_what, text) => {
    expect(suggestionIn(text, "run the tests")).toBeUndefined()
  })

  it("is short, one line and one sentence, whatever the model says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (said) => {
        const text = suggestionIn(said, "x") ?? "fine"
        expect(text.length < 100 && !text.includes("\n") && text.split(/\s+/).length <= 12 && text.trim() !== "").toBe(true)
      })
    )
  })
})
