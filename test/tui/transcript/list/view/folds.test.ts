import { describe, expect, it } from "vitest"
import type { TranscriptList } from "../../../../../src/tui/transcript/list/state/transcript-list.ts"
import { openSearch, acceptSearch, typeSearch } from "../../../../../src/tui/transcript/list/commands/search.ts"
import { calls, contextOf, listOf, press, says, screen, user } from "../fixture.ts"

const context = contextOf(40, 30)
const output = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `${name} ${line}`).join("\n")

const ENTRIES = [
  user("u1", "question"),
  calls("c1", output("first", 9)),
  calls("c2", output("second", 8)),
  user("u2", "more"),
  says("a", "answer")
]
const start = press(listOf(ENTRIES, context), "gg", context)
const shown = (list: TranscriptList): ReadonlyArray<string> => screen(list, context)
const has = (list: TranscriptList, text: string): boolean => shown(list).includes(text)

describe("folds", () => {
  it("closes long blocks by default and opens the one under the cursor", () => {
    expect(has(start, "… 7 more lines (za)")).toBe(true)
    const open = press(start, "]t za", context)
    expect(has(open, "first 8")).toBe(true)
    expect(has(open, "second 7")).toBe(false)
    expect(shown(press(open, "za", context))).toEqual(shown(start))
  })

  it("closes level by level with zc and opens level by level with zo", () => {
    const inBlock = press(start, "]t", context)
    expect(shown(press(inBlock, "zc", context))).toContain("… 8 more lines (za)")
    const twice = press(inBlock, "zc zc", context)
    expect(shown(twice).slice(0, 2)).toEqual(["question", "… 2 more messages (za)"])
    expect(shown(press(twice, "zo zo", context))).toEqual(shown(start))
  })

  it("opens and closes everything around with zO and zC", () => {
    expect(has(press(start, "]t zC zO", context), "first 8")).toBe(true)
    expect(has(press(start, "]t zC zO", context), "second 7")).toBe(true)
    expect(shown(press(start, "]t zO zA", context))[0]).toBe("question")
  })

  it("goes through the levels with zR zM zr zm", () => {
    expect(has(press(start, "zR", context), "second 7")).toBe(true)
    expect(shown(press(start, "zM", context))).toEqual([
      "question",
      "… 2 more messages (za)",
      "more",
      "… 1 more message (za)"
    ])
    expect(shown(press(start, "zR zm", context))).toEqual(shown(start))
    expect(shown(press(start, "zm", context))).toContain("… 8 more lines (za)")
    expect(has(press(start, "zm zr zr", context), "first 8")).toBe(true)
  })

  it("goes from fold to fold", () => {
    expect(press(start, "zj", context).cursor?.entry).toBe("c1")
    expect(press(start, "2zj", context).cursor?.entry).toBe("c2")
    expect(press(start, "G zk", context).cursor?.entry).toBe("c2")
  })

  it("opens for a search and closes again when the cursor leaves", () => {
    const found = acceptSearch(typeSearch(openSearch(start, 1, context), "first 7", context), context)
    expect(has(found, "first 8")).toBe(true)
    expect(has(press(found, "j", context), "first 8")).toBe(true)
    expect(shown(press(found, "G", context))).toEqual(shown(start))
  })

  it("leaves what the search opened when the user touched it", () => {
    const found = acceptSearch(typeSearch(openSearch(start, 1, context), "first 7", context), context)
    expect(has(press(found, "zO G", context), "first 8")).toBe(true)
  })

  it("opens a turn that hides the target", () => {
    const closed = press(start, "zM G", context)
    const found = typeSearch(openSearch(closed, -1, context), "second 6", context)
    expect(has(found, "second 6")).toBe(true)
    expect(has(found, "first 1")).toBe(false)
  })
})
