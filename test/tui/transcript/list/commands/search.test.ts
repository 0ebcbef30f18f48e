import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Entry } from "../../../../../src/tui/transcript/block.ts"
import type { TranscriptList } from "../../../../../src/tui/transcript/list/state/transcript-list.ts"
import { matchesIn, parseQuery } from "../../../../../src/tui/transcript/list/find/query.ts"
import {
  acceptSearch,
  advanceSearch,
  cancelSearch,
  isSearching,
  matchCells,
  matchCount,
  openSearch,
  repeatSearch,
  typeSearch
} from "../../../../../src/tui/transcript/list/commands/search.ts"
import { listChanged } from "../../../../../src/tui/transcript/list/update.ts"
import { visibleRows } from "../../../../../src/tui/transcript/list/view/viewport.ts"
import * as Vector from "../../../../../src/tui/transcript/vector.ts"
import { atCursor, calls, contextOf, listOf, press, says, screen, textBlock, user } from "../fixture.ts"

const context = contextOf(40, 10)

const matched = (text: string, source: string): ReadonlyArray<string> => {
  const parsed = parseQuery(text)
  if ("problem" in parsed) return [parsed.problem]
  return matchesIn(parsed.query, textBlock("b", source)).map(({ start, end }) => source.slice(start, end))
}

const searchFor = (list: TranscriptList, text: string, direction: 1 | -1 = 1): TranscriptList =>
  acceptSearch(typeSearch(openSearch(list, direction, context), text, context), context)

const finished = (list: TranscriptList, budget = 10_000): TranscriptList => {
  let state = list
  while (isSearching(state)) state = advanceSearch(state, budget, context)
  return state
}

const ENTRIES: ReadonlyArray<Entry> = [
  user("u1", "a needle here"),
  says("a1", "no such thing"),
  calls("c1", "grep Needle\nneedle needle", { tool: "Grep" }),
  calls("c2", "needle", { tool: "Bash", state: "failed" }),
  says("a2", "the needle again\nand the end")
]
const start = press(listOf(ENTRIES, context), "gg", context)

describe("patterns", () => {
  it("are literal in smart case", () => {
    expect(matched("foo", "Foo foo FOO")).toEqual(["Foo", "foo", "FOO"])
    expect(matched("Foo", "Foo foo FOO")).toEqual(["Foo"])
    expect(matched("Foo\\c", "Foo foo FOO")).toEqual(["Foo", "foo", "FOO"])
    expect(matched("\\Cfoo", "Foo foo FOO")).toEqual(["foo"])
    expect(matched("a.b*[c]/-", "xa.b*[c]/-x")).toEqual(["a.b*[c]/-"])
    expect(matched("İ", "an İ")).toEqual(["İ"])
  })

  it("are regular expressions after \\v, line by line", () => {
    expect(matched("\\vf.o$", "foo\nfio x\nfao")).toEqual(["foo", "fao"])
    expect(matched("\\v(", "(")).toEqual(["Not a regular expression: ("])
    expect(matched("\\v(a+)+b", "aaa")[0]).toMatch(/for ever/)
  })

  it("find every literal that is there", () => {
    const hay = fc.string({ unit: fc.constantFrom("a", "B", ".", "\n", "é") })
    const pin = fc.string({ unit: fc.constantFrom("a", "B", "."), minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(hay, pin, (source, text) => {
        const found: Array<number> = []
        const [from, what] = text.includes("B") ? [source, text] : [source.toLowerCase(), text]
        for (let at = from.indexOf(what); at !== -1; at = from.indexOf(what, at + what.length)) found.push(at)
        const parsed = parseQuery(text)
        const matches = "query" in parsed ? matchesIn(parsed.query, textBlock("b", source)) : []
        expect(matches.map((range) => range.start)).toEqual(found)
      }),
      { numRuns: 100 }
    )
  })
})

describe("search", () => {
  it("goes to the first match from the start in its direction and wraps with a notice", () => {
    const first = searchFor(start, "needle")
    expect(first.cursor).toMatchObject({ entry: "u1", offset: 2 })
    const second = press(first, "n", context)
    expect(second.cursor).toMatchObject({ entry: "c1", offset: 5 })
    expect(press(first, "2n", context).cursor).toMatchObject({ entry: "c1", offset: 12 })
    expect(press(first, "N", context).cursor?.entry).toBe("a2")
    expect(press(first, "N", context).outcome).toEqual({ _tag: "Notice", text: "search hit TOP, continuing at BOTTOM" })
    expect(press(first, "6n", context).outcome).toEqual({ _tag: "Notice", text: "search hit BOTTOM, continuing at TOP" })
    expect(press(first, "6n", context).cursor).toMatchObject(first.cursor ?? {})
    expect(press(first, "600n", context).cursor).toMatchObject(first.cursor ?? {})
    expect(searchFor(press(start, "G", context), "needle", -1).cursor).toMatchObject({ entry: "a2", offset: 4 })
  })

  it("limits by filters", () => {
    expect(searchFor(start, "m:tool needle").cursor?.entry).toBe("c1")
    expect(searchFor(start, "m:error needle").cursor?.entry).toBe("c2")
    expect(searchFor(start, "tool:Bash needle").cursor?.entry).toBe("c2")
    expect(searchFor(start, "m:assistant needle").cursor?.entry).toBe("a2")
    expect(searchFor(press(start, "G", context), "m:user").cursor?.entry).toBe("u1")
    expect(searchFor(start, "tool:Read needle").outcome).toEqual({
      _tag: "Notice",
      text: "Pattern not found: tool:Read needle"
    })
  })

  it("puts back the exact start with Escape", () => {
    const scrolled = press(
      listOf(
        Array.from({ length: 50 }, (_, at) => says(`a${at}`, `text ${at}`)),
        context
      ),
      "7<C-y>",
      context
    )
    const typing = typeSearch(openSearch(scrolled, -1, context), "text 3", context)
    expect(screen(typing, context)).not.toEqual(screen(scrolled, context))
    const back = cancelSearch(typing)
    expect(back.viewport).toEqual(scrolled.viewport)
    expect(back.cursor).toEqual(scrolled.cursor)
    expect(typeSearch(typing, "", context).viewport).toEqual(scrolled.viewport)
  })

  it("knows which match of how many, once all are counted", () => {
    const found = searchFor(start, "needle")
    expect(matchCount(found)).toBeUndefined()
    const counted = finished(found)
    expect(matchCount(counted)).toEqual({ at: 1, of: 6 })
    expect(matchCount(press(counted, "3n", context))).toEqual({ at: 4, of: 6 })
    const grown = listChanged(counted, Vector.push(counted.entries.source, user("u2", "needle needle")), context)
    expect(matchCount(finished(grown))).toEqual({ at: 1, of: 8 })
    const changed = listChanged(
      counted,
      Vector.set(counted.entries.source, 2, calls("c1", "nothing", { tool: "Grep", revision: 1 })),
      context
    )
    expect(matchCount(finished(changed))).toEqual({ at: 1, of: 3 })
    expect(matchCount(finished(press(counted, "n", context)))).toEqual({ at: 2, of: 6 })
  })

  it("marks matches on visible rows, one that wrapping splits on both", () => {
    const narrow = contextOf(8, 10)
    const list = typeSearch(
      openSearch(press(listOf([says("a", "xx needle yy")], narrow), "gg", narrow), 1, narrow),
      "needle",
      narrow
    )
    const cells = visibleRows(list, narrow).map((row) => matchCells(list, row))
    expect(cells).toEqual([[], [{ from: 3, to: 8, current: true }], [{ from: 0, to: 1, current: true }]])
    const plain = { ...list, search: { ...list.search, highlighted: false } }
    expect(visibleRows(plain, narrow).flatMap((row) => matchCells(plain, row))).toEqual([])
  })

  it("takes the word under the cursor with * and #", () => {
    const list = press(start, "w *", context)
    expect(list.cursor).toMatchObject({ entry: "c1", offset: 12 })
    expect(press(start, "w #", context).cursor?.entry).toBe("a2")
    expect(atCursor(press(start, "w * N", context))).toBe("needle here")
  })

  it("works in slices over a long session and jumps to a match in the first message", () => {
    const many = Array.from({ length: 3_000 }, (_, at) => says(`a${at}`, at === 0 ? "the needle" : "hay ".repeat(100)))
    const list = typeSearch(openSearch(listOf(many, context), -1, context), "needle", context)
    expect(list.search.seek).toBeDefined()
    let slices = 0
    let state = list
    while (state.search.seek !== undefined) {
      state =
        state.entries.pending > 0
          ? { ...state, entries: press(state, "gg", context).entries }
          : advanceSearch(state, 100_000, context)
      slices++
    }
    expect(slices).toBeGreaterThan(5)
    expect(state.cursor?.entry).toBe("a0")
  })

  it("goes on through a session that is still being indexed", () => {
    const many = Array.from({ length: 3_000 }, (_, at) => says(`a${at}`, at === 0 ? "the needle" : "hay"))
    const list = searchFor(listOf(many, context), "needle", -1)
    expect(list.entries.pending).toBeGreaterThan(0)
    expect(list.outcome).toBeUndefined()
    const filled = { ...list, entries: press(list, "gg", context).entries }
    expect(finished(filled).cursor?.entry).toBe("a0")
  })

  it("remembers searches and repeats nothing without one", () => {
    expect(searchFor(searchFor(start, "needle"), "end").search.history).toEqual(["needle", "end"])
    expect(repeatSearch(start, { count: 1, same: true }, context).outcome?._tag).toBe("Notice")
  })
})
