import { describe, expect, it } from "vitest"
import { LIST_ACTIONS } from "../../../../src/tui/panes/list/list-actions.ts"
import { matchPlace, occurrences, searchWhileTyping } from "../../../../src/tui/panes/list/list-search.ts"
import { type Item, type ListContext, type ListState, NEW_LIST, topRowOf } from "../../../../src/tui/model/list-state.ts"

const row = (text: string) => ({ spans: [{ text, look: { role: "text" as const } }], width: text.length, start: 0, end: 0 })

/** Twenty items in four folds of five; every fifth has three rows. */
const items: ReadonlyArray<Item> = Array.from({ length: 20 }, (_, index) => ({
  id: `i${index}`,
  rows: Array.from({ length: index % 5 === 0 ? 3 : 1 }, () => row(`item ${index}`)),
  source: `item ${index}${index % 7 === 0 ? " Needle" : ""}`,
  fold: `f${Math.floor(index / 5)}`
}))
const context: ListContext = { items, height: 8 }

type Press = readonly [action: keyof typeof LIST_ACTIONS, count?: number | undefined, argument?: string]

const pressed = (presses: ReadonlyArray<Press>, from: ListState = NEW_LIST): ListState =>
  presses.reduce(
    (list, [action, count, argument = ""]) => LIST_ACTIONS[action](list, { count, argument }, context).list,
    from
  )

const MOTIONS: ReadonlyArray<readonly [string, ReadonlyArray<Press>, number]> = [
  ["j", [["pane:down"]], 1],
  ["3j", [["pane:down", 3]], 3],
  ["99j", [["pane:down", 99]], 19],
  ["3jk", [["pane:down", 3], ["pane:up"]], 2],
  ["G", [["pane:bottom"]], 19],
  ["7G", [["pane:bottom", 7]], 6],
  ["Ggg", [["pane:bottom"], ["pane:top"]], 0],
  ["4gg", [["pane:top", 4]], 3],
  ["<C-d> is half of the rows", [["pane:halfPageDown"]], 2],
  ["<C-f><C-b>", [["pane:pageDown"], ["pane:pageUp"]], 0],
  ["L", [["pane:screenBottom"]], 5],
  ["2L", [["pane:screenBottom", 2]], 4],
  ["M", [["pane:screenMiddle"]], 2],
  ["LH", [["pane:screenBottom"], ["pane:screenTop"]], 0],
  ["maG'a", [["pane:down", 2], ["pane:setMark", undefined, "a"], ["pane:bottom"], ["pane:goToMark", undefined, "a"]], 2],
  ["G''", [["pane:down"], ["pane:bottom"], ["pane:goToMark", undefined, "'"]], 1],
  ["G<C-o>", [["pane:down"], ["pane:bottom"], ["pane:jumpOlder"]], 1],
  ["G<C-o><C-i>", [["pane:down"], ["pane:bottom"], ["pane:jumpOlder"], ["pane:jumpNewer"]], 19],
  ["zj", [["pane:foldNext"]], 5],
  ["2zj", [["pane:foldNext", 2]], 10],
  ["Gzk", [["pane:bottom"], ["pane:foldPrevious"]], 15],
  ["h and l stay", [["pane:down"], ["pane:left"], ["pane:right"]], 1]
]

describe("keys of every list", () => {
  it.each(MOTIONS)("%s", (_keys, presses, place) => {
    expect(pressed(presses).cursor ?? "i0").toBe(`i${place}`)
  })

  it("scrolls without losing the cursor from view", () => {
    const list = pressed([["pane:scrollDown", 4]])
    expect(topRowOf(list, context)).toBe(4)
    expect(list.cursor).toBe("i2")
    const centred = pressed([["pane:down", 10], ["pane:cursorAtTop"]])
    expect(topRowOf(centred, context)).toBe(14)
    expect(topRowOf(pressed([["pane:down", 10], ["pane:cursorAtBottom"]]), context)).toBe(9)
  })

  it("closes the fold around the cursor, which goes to its head, and all folds", () => {
    const closed = pressed([["pane:down", 7], ["pane:foldToggle"]])
    expect([...closed.folded]).toEqual(["f1"])
    expect(closed.cursor).toBe("i5")
    expect([...pressed([["pane:foldToggle"]], closed).folded]).toEqual([])
    expect(pressed([["pane:foldCloseAll"]]).folded.size).toBe(4)
    expect(pressed([["pane:foldCloseAll"], ["pane:foldOpenAll"]]).folded.size).toBe(0)
  })
})

describe("search in a list", () => {
  const typed = (pattern: string, from: ListState = NEW_LIST): ListState =>
    searchWhileTyping(from, pattern, { backward: false, context })

  it("goes to the first match from where it began, and n and N with counts go round", () => {
    const found = typed("needle", pressed([["pane:down"]]))
    expect(found.cursor).toBe("i7")
    expect(matchPlace(found, items)).toBe("2/3")
    expect(pressed([["pane:searchNext"]], found).cursor).toBe("i14")
    expect(pressed([["pane:searchNext", 2]], found).cursor).toBe("i0")
    expect(pressed([["pane:searchPrevious"]], found).cursor).toBe("i0")
    const wrapped = LIST_ACTIONS["pane:searchNext"]?.(found, { count: 2, argument: "" }, context)
    expect(wrapped?.notice).toBe("search hit BOTTOM, continuing at TOP")
  })

  it.each([
    ["\\vitem 1\\d$", "i10"],
    ["\\v^item (7|9)", "i7"],
    ["\\cITEM 3", "i3"],
    ["\\CNeedle", "i7"],
    ["item 1", "i1"],
    ["m 1.", undefined]
  ])("understands %s as the transcript does", (pattern, cursor) => {
    expect(typed(pattern, { ...NEW_LIST, place: 1 }).cursor).toBe(cursor)
  })

  it("says what is wrong with a pattern and stays", () => {
    const broken = typed("\\v(")
    expect(broken.cursor).toBeUndefined()
    expect(LIST_ACTIONS["pane:searchNext"]?.(broken, { count: 1, argument: "" }, context).notice).toContain(
      "Not a regular expression"
    )
    expect(occurrences({ ...NEW_LIST, pattern: "\\vx+", highlighted: true }, "axxb")).toEqual([{ start: 1, end: 3 }])
  })

  it("minds the case only when somebody typed one, and stays where it is when nothing is found", () => {
    expect(typed("NEEDLE").cursor).toBeUndefined()
    expect(typed("Needle", pressed([["pane:down"]])).cursor).toBe("i7")
    expect(occurrences({ ...NEW_LIST, pattern: "a", highlighted: true }, "bAna")).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 4 }
    ])
    expect(occurrences({ ...NEW_LIST, pattern: "a" }, "banana")).toEqual([])
  })
})
