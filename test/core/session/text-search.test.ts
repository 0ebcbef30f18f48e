import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { matchesQuery, parseTextQuery, partsOf, snippetOf } from "../../../src/core/session/text-search.ts"
import { Maker } from "../../support/session/build.ts"

const finds = (query: string, text: string): boolean => matchesQuery(parseTextQuery(query), text)

describe("a search in the text of sessions", () => {
  it.each([
    ["lost line", "The LINE was lost", true],
    ["lost line", "only a line", false],
    ['"lost line"', "a lost line", true],
    ['"lost line"', "a line is lost", false],
    ["line -lost", "the line", true],
    ["line -lost", "the lost line", false],
    ["ﬁle", "a File", true],
    ["-lost", "anything", false],
    ["", "anything", false]
  ])("%s in %s: %s", (query, text, found) => {
    expect(finds(query, text)).toBe(found)
  })

  it("finds every word of a text, and shows a part of it that holds the word", () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), fc.nat(), (words, seed) => {
        const wanted = words[seed % words.length] ?? ""
        const text = words.join(" ")
        const query = parseTextQuery(wanted)
        expect(matchesQuery(query, text)).toBe(true)
        expect(snippetOf(query, text)).toContain(wanted)
        expect(snippetOf(query, text).length).toBeLessThanOrEqual(122)
      })
    )
  })

  it("looks at prompts, answers, calls and results, and not at what the program said", () => {
    const maker = new Maker()
    const caller = maker.calls("m", "c1", "Grep")
    expect(partsOf(maker.prompt("what?"))).toEqual([{ role: "you", text: "what?" }])
    expect(partsOf(maker.says("m", "this"))).toEqual([{ role: "agent", text: "this" }])
    expect(partsOf(caller)).toEqual([{ role: "call", text: 'Grep {"path":"c1"}' }])
    expect(partsOf(maker.result(caller, "c1", "found"))).toEqual([{ role: "result", text: "found" }])
    expect(partsOf(maker.prompt("hidden", { isMeta: true }))).toEqual([])
    expect(partsOf(maker.system("note"))).toEqual([])
  })
})
