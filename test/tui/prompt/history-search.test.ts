import { describe, expect, it } from "vitest"
import { fieldOf } from "../../../src/tui/editor/field.ts"
import {
  asked,
  type HistorySearch,
  moved,
  openHistorySearch,
  receiveHistory,
  withNextScope
} from "../../../src/tui/prompt/history-search.ts"
import { placeEntry } from "../../../src/tui/prompt/recall.ts"
import { entry, fresh, shownText, type } from "./world.ts"

const HERE = { sessionId: "s", project: "/p" }
const ENTRIES = [
  entry("fix the test"),
  entry("!npm test"),
  entry("fix it", { sessionId: "t" }),
  entry("far", { sessionId: "u", project: "/q" }),
  entry("fix the test")
]

const loaded = receiveHistory(openHistorySearch(HERE), { entries: ENTRIES, isLast: true })

const ask = (search: HistorySearch, text: string): HistorySearch => asked(search, fieldOf(text))

const shown = (search: HistorySearch): ReadonlyArray<string> => search.hits.map((hit) => hit.entry.display)

describe("history search", () => {
  it("filters as one types, every text once", () => {
    expect(shown(loaded)).toEqual(["fix the test", "!npm test"])
    expect(shown(ask(loaded, "npm"))).toEqual(["!npm test"])
    expect(shown(ask(ask(loaded, "npm"), "fix"))).toEqual(["fix the test"])
  })

  it("cycles the scope", () => {
    const wider = withNextScope(loaded)
    expect(shown(wider)).toEqual(["fix the test", "!npm test", "fix it"])
    expect(shown(withNextScope(wider))).toContain("far")
    expect(shown(withNextScope(withNextScope(wider)))).toEqual(shown(loaded))
  })

  it("keeps the choice while older entries come, and starts at the top after an edit", () => {
    const slice = { entries: ENTRIES.slice(0, 2), isLast: false }
    const first = moved(receiveHistory(openHistorySearch(HERE), slice), 1)
    expect([first.isLoading, first.hits[first.selected]?.entry]).toEqual([true, ENTRIES[1]])
    const more = receiveHistory(first, { entries: [entry("a newer fit")], isLast: true })
    expect(more.hits[more.selected]?.entry).toBe(ENTRIES[1])
    expect(ask(more, "t").selected).toBe(0)
    expect(moved(more, 99).selected).toBe(more.hits.length - 1)
  })

  it("places the entry in the prompt with its mode", () => {
    const prompt = placeEntry(type(fresh(), "draft").prompt, entry("!npm test"), 0)
    expect([prompt.mode, shownText(prompt)]).toEqual(["shell", "npm test|"])
    expect(shownText(type(prompt, "<C-_>").prompt)).toBe("draft|")
  })
})
