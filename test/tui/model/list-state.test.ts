import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LIST_ACTIONS } from "../../../src/tui/panes/list/list-actions.ts"
import {
  cursorIndex,
  heightOf,
  type Item,
  type ListContext,
  type ListState,
  NEW_LIST,
  rowOf,
  topRowOf,
  totalRows
} from "../../../src/tui/model/list-state.ts"
import { EMPTY_ROW } from "../../../src/tui/text/line-rows.ts"

type ListActionName = keyof typeof LIST_ACTIONS

const isListAction = (id: string): id is ListActionName => Object.hasOwn(LIST_ACTIONS, id)

/** Items of given heights; any of them may be taller than the pane. */
const listOf = (heights: ReadonlyArray<number>, height: number): ListContext => ({
  items: heights.map((rows, index): Item => ({
    id: String(index),
    rows: Array.from({ length: rows }, () => EMPTY_ROW),
    source: ""
  })),
  height
})

const press = (list: ListState, action: ListActionName, context: ListContext, count?: number): ListState =>
  LIST_ACTIONS[action](list, { count, argument: "" }, context).list

const heights = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 })), {
  minLength: 1,
  maxLength: 12
})
const paneHeight = fc.integer({ min: 1, max: 20 })

/** Every row that is in view while an action is repeated until nothing moves any more. */
const seenBy = (action: ListActionName, start: ListState, context: ListContext): Set<number> => {
  const seen = new Set<number>()
  let list = start
  for (let step = 0; step < 2_000; step++) {
    const top = topRowOf(list, context)
    for (let row = top; row < Math.min(top + context.height, totalRows(context.items)); row++) seen.add(row)
    const next = press(list, action, context)
    if (topRowOf(next, context) === top && cursorIndex(next, context.items) === cursorIndex(list, context.items)) break
    list = next
  }
  return seen
}

describe("a list with items of any height", () => {
  it.each(["pane:scrollDown", "pane:halfPageDown", "pane:pageDown"] as const)("%s comes to every row", (action) => {
    fc.assert(
      fc.property(heights, paneHeight, (rows, height) => {
        const context = listOf(rows, height)
        expect(seenBy(action, NEW_LIST, context).size).toBe(totalRows(context.items))
      })
    )
  })

  it.each(["pane:scrollUp", "pane:halfPageUp", "pane:pageUp"] as const)("%s comes back to every row", (action) => {
    fc.assert(
      fc.property(heights, paneHeight, (rows, height) => {
        const context = listOf(rows, height)
        let end = press(NEW_LIST, "pane:bottom", context)
        for (let step = 0; step < 80; step++) end = press(end, "pane:scrollDown", context, 10)
        expect(seenBy(action, end, context).size).toBe(totalRows(context.items))
      })
    )
  })

  it("keeps the item under the cursor in view, whole if it fits, after any keys", () => {
    const keys = fc.array(
      fc.tuple(
        fc.constantFrom(...Object.keys(LIST_ACTIONS).filter(isListAction)),
        fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined })
      ),
      { maxLength: 12 }
    )
    fc.assert(
      fc.property(heights, paneHeight, keys, (rows, height, pressed) => {
        const context = listOf(rows, height)
        const list = pressed.reduce((each, [action, count]) => press(each, action, context, count), NEW_LIST)
        const index = cursorIndex(list, context.items)
        const first = rowOf(context.items, index)
        const end = first + heightOf(context.items[index])
        const top = topRowOf(list, context)
        if (end - first <= height) expect([top <= first, end <= top + height]).toEqual([true, true])
        else expect([first < top + height, top < end]).toEqual([true, true])
      })
    )
  })
})
