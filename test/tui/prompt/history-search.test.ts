import { describe, expect, it } from "vitest"
import { parseStrokes } from "../../../src/tui/keymap/stroke.ts"
import {
  type HistorySearch,
  openHistorySearch,
  pressInHistory,
  receiveHistory
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

const press = (search: HistorySearch, keys: string): HistorySearch =>
  parseStrokes(keys).reduce((current, stroke) => {
    const done = pressInHistory(current, stroke)
    return done._tag === "Open" ? done.search : current
  }, search)

const shown = (search: HistorySearch): ReadonlyArray<string> => search.hits.map((hit) => hit.entry.display)

describe("history search", () => {
  it("filters as one types, every text once", () => {
    expect(shown(loaded)).toEqual(["fix the test", "!npm test"])
    expect(shown(press(loaded, "npm"))).toEqual(["!npm test"])
    expect(shown(press(loaded, "npm<C-u>fix"))).toEqual(["fix the test"])
  })

  it("cycles the scope", () => {
    expect(shown(press(loaded, "<C-s>"))).toEqual(["fix the test", "!npm test", "fix it"])
    expect(shown(press(loaded, "<C-s><C-s>"))).toContain("far")
    expect(shown(press(loaded, "<C-s><C-s><C-s>"))).toEqual(shown(loaded))
  })

  it("accepts while older entries still load, and keeps the choice when they come", () => {
    const slice = { entries: ENTRIES.slice(0, 2), isLast: false }
    const first = press(receiveHistory(openHistorySearch(HERE), slice), "<Down>")
    expect(first.isLoading).toBe(true)
    expect(pressInHistory(first, "<CR>")).toEqual({ _tag: "Accepted", entry: ENTRIES[1] })
    const more = receiveHistory(first, { entries: [entry("a newer fit")], isLast: true })
    expect(pressInHistory(more, "<Tab>")).toEqual({ _tag: "Accepted", entry: ENTRIES[1] })
  })

  it("cancels with Escape and accepts nothing when nothing fits", () => {
    expect(pressInHistory(loaded, "<Esc>")).toEqual({ _tag: "Cancelled" })
    expect(pressInHistory(press(loaded, "zzzz"), "<CR>")._tag).toBe("Open")
  })

  it("places the entry in the prompt with its mode", () => {
    const prompt = placeEntry(type(fresh(), "draft").prompt, entry("!npm test"), 0)
    expect([prompt.mode, shownText(prompt)]).toEqual(["shell", "npm test|"])
    expect(shownText(type(prompt, "<C-_>").prompt)).toBe("draft|")
  })
})
