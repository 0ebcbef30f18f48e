import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DEFAULT_OPTIONS, type Entry } from "../../../../../src/tui/transcript/block.ts"
import { setFolds, turnFold } from "../../../../../src/tui/transcript/list/view/folds.ts"
import { openList, type TranscriptList } from "../../../../../src/tui/transcript/list/state/transcript-list.ts"
import type { ListContext } from "../../../../../src/tui/transcript/list/view/list-context.ts"
import { listChanged, listFilled, listRedrawn, updateList } from "../../../../../src/tui/transcript/list/update.ts"
import { newCount, percent, type PlacedRow, visibleRows } from "../../../../../src/tui/transcript/list/view/viewport.ts"
import { layoutBlock } from "../../../../../src/tui/transcript/blocks/block-layout.ts"
import * as Vector from "../../../../../src/tui/transcript/vector.ts"
import { calls, contextOf, listOf, plainLayout, press, says, screen, user, vectorOf } from "../fixture.ts"

/** Words of different lengths, some longer than narrow panes. */
const prose = (seed: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `${seed}/${line} ${"lorem ipsum ".repeat((seed + line) % 7)}`).join("\n")

const entryNumber = (number: number): Entry => {
  if (number % 4 === 0) return user(`u${number}`, prose(number, 1 + (number % 3)))
  if (number % 4 === 2) return calls(`c${number}`, prose(number, 2 + (number % 9)))
  return says(`a${number}`, prose(number, 1 + (number % 6)))
}

const entriesUpTo = (count: number): ReadonlyArray<Entry> =>
  Array.from({ length: count }, (_, number) => entryNumber(number))

const KINDS = ["append", "grow", "settle", "fold", "width", "height", "theme", "remove", "boundary", "measure"] as const

interface Event {
  readonly on: (typeof KINDS)[number]
  readonly by: number
}

const events = fc.array(fc.record({ on: fc.constantFrom(...KINDS), by: fc.nat(1_000) }), { maxLength: 30 })

interface World {
  readonly list: TranscriptList
  readonly context: ListContext
}

const changed = ({ list, context }: World, source: Vector.Vector<Entry>): World => ({
  context,
  list: listChanged(list, source, context)
})

const grown = (entry: Entry, by: number): Entry => ({
  ...entry,
  blocks: entry.blocks.map((block) => {
    const added = by % 3 === 0 ? `\n${by}` : ` more ${by}`
    return { ...block, revision: block.revision + 1, source: block.source + added }
  })
})

/** One event. Nothing is done to the entry that `keep` names, apart from growing at its end. */
const happen = (world: World, { on, by }: Event, keep: string | undefined): World => {
  const { context, list } = world
  const { source } = list.entries
  const at = by % Math.max(1, source.length)
  const chosen = Vector.get(source, at)
  switch (on) {
    case "append":
      return changed(world, Vector.push(source, { ...entryNumber(by), id: `new${source.length}.${by}` }))
    case "grow":
      return changed(
        world,
        Vector.set(source, source.length - 1, grown(Vector.get(source, source.length - 1) ?? entryNumber(0), by))
      )
    case "settle":
      return chosen === undefined ? world : changed(world, Vector.set(source, at, grown(chosen, by)))
    case "remove":
      return chosen === undefined || chosen.id === keep || source.length < 3
        ? world
        : changed(world, Vector.without(source, new Set([at])))
    case "boundary": {
      const block = {
        id: `s${source.length}`,
        kind: "boundary",
        revision: 0,
        source: "compacted",
        trigger: "auto",
        hasSummary: false
      } as const
      return changed(world, Vector.push(source, { id: `s${source.length}`, kind: "system", blocks: [block] }))
    }
    case "fold": {
      if (chosen === undefined || chosen.id === keep) return world
      const folds = setFolds(
        list.folds,
        chosen.blocks.map(({ id }) => `b:${id}` as const),
        by % 2 === 0 ? "open" : "closed"
      )
      return { context, list: listRedrawn({ ...list, folds }, context) }
    }
    case "width": {
      const next = { ...context, options: { ...context.options, width: 5 + (by % 90) } }
      return { context: next, list: listRedrawn(list, next) }
    }
    case "height": {
      const next = { ...context, height: 1 + (by % 40) }
      return { context: next, list: listRedrawn(list, next) }
    }
    case "theme": {
      const next = { ...context, options: { ...context.options, highlight: by % 2 === 0 } }
      return { context: next, list: listRedrawn(list, next) }
    }
    case "measure":
      return { context, list: listRedrawn(list, context) }
  }
}

const top = ({ list, context }: World): PlacedRow | undefined => visibleRows(list, context)[0]

describe("the view", () => {
  it.each([
    ["plain", plainLayout],
    ["real", layoutBlock]
  ])("keeps the source offset at the top row while anchored, whatever happens (%s layout)", (name, layout) => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 60 }), fc.nat(100), events, (count, up, steps) => {
        const context = contextOf(30, 10, { layout })
        const start = listOf(entriesUpTo(count), context)
        let world: World = { context, list: press(start, `${up + 1}<C-y>`, context) }
        const first = top(world)
        if (world.list.viewport.following || first === undefined) return
        const { offset } = world.list.viewport.anchor.place
        for (const event of steps) {
          world = happen(world, event, first.at.entry.id)
          const now = top(world)
          expect(world.list.viewport.following).toBe(false)
          expect(now?.at.block.id).toBe(first.at.block.id)
          const row = now?.row ?? { start: -1, end: -1 }
          expect(row.start <= offset && (offset < row.end || row.start === offset || offset <= row.end)).toBe(true)
          if (name === "plain" && world.context.options.width === 30) expect(now?.row.start).toBe(first.row.start)
        }
      }),
      { numRuns: 100 }
    )
  })

  it("shows the last row while following, whatever happens", () => {
    fc.assert(
      fc.property(fc.nat(30), events, (count, steps) => {
        const context = contextOf(30, 10)
        let world: World = { context, list: listOf(entriesUpTo(count), context) }
        for (const event of steps) {
          world = happen(world, event, undefined)
          const last = Vector.last(world.list.entries.source)
          const shown = visibleRows(world.list, world.context).at(-1)
          expect(world.list.viewport.following).toBe(true)
          if (last === undefined) continue
          expect(shown?.at.entry.id).toBe(last.id)
          const rows = plainLayout(last.blocks[0] ?? shown!.at.block, { ...world.context.options, fold: "open" })
          const closed = plainLayout(last.blocks[0] ?? shown!.at.block, { ...world.context.options, fold: "closed" })
          expect([rows.length - 1, closed.length - 1]).toContain(shown?.index)
        }
      }),
      { numRuns: 100 }
    )
  })

  it("stays at the same text through a stream of 10,000 lines, counts what is new, and follows again with G", () => {
    const context = contextOf(80, 22)
    let list = press(listOf(entriesUpTo(40), context), "20k", context)
    const before = screen(list, context)[0]
    let source = Vector.push(list.entries.source, says("live", "line 0"))
    for (let line = 1; line <= 10_000; line++) {
      if (line % 1_000 === 0) source = Vector.push(source, says(`live${line}`, "line 0"))
      const last = Vector.last(source) ?? says("x", "")
      source = Vector.set(source, source.length - 1, says(last.id, `${last.blocks[0]?.source}\nline ${line}`, line))
      if (line % 100 === 0) list = listChanged(list, source, context)
    }
    expect(screen(list, context)[0]).toBe(before)
    expect(newCount(list)).toBe(11)
    list = press(list, "G", context)
    expect(screen(list, context).at(-1)).toBe("line 10000")
    expect(newCount(list)).toBe(0)
    expect(list.viewport.following).toBe(true)
  })

  it("never follows when automatic scrolling is off", () => {
    const context = contextOf(40, 8, { autoScroll: false })
    const list = listOf(entriesUpTo(20), context)
    const before = screen(list, context)
    const after = listChanged(press(list, "G", context), Vector.push(list.entries.source, user("later", "later")), context)
    expect(screen(after, context)).toEqual(before)
    expect(newCount(after)).toBe(1)
  })

  it("scrolls by rows, half pages and pages, and follows again at the end", () => {
    const context = contextOf(20, 10)
    const list = listOf([says("a", Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n"))], context)
    expect(screen(list, context)).toEqual(Array.from({ length: 10 }, (_, line) => `line ${90 + line}`))
    expect(screen(press(list, "3<C-y>", context), context)[0]).toBe("line 87")
    expect(screen(press(list, "<C-u>", context), context)[0]).toBe("line 85")
    expect(screen(press(list, "<C-b> <C-b>", context), context)[0]).toBe("line 74")
    expect(screen(press(list, "gg", context), context)[1]).toBe("line 0")
    expect(press(list, "<C-u> <C-d>", context).viewport.following).toBe(true)
    expect(press(list, "<C-u> 4<C-e>", context).viewport.following).toBe(false)
    expect(press(list, "<C-u> 5<C-e>", context).viewport.following).toBe(true)
  })

  it("puts the cursor's row at the top, the middle and the bottom", () => {
    const context = contextOf(20, 9)
    const list = press(
      listOf([says("a", Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n"))], context),
      "gg 50j",
      context
    )
    expect(screen(press(list, "zt", context), context)[0]).toBe("line 50")
    expect(screen(press(list, "zz", context), context)[4]).toBe("line 50")
    expect(screen(press(list, "zb", context), context)[8]).toBe("line 50")
    const there = press(list, "zz", context)
    expect(press(there, "H", context).cursor?.offset).toBe(press(list, "4k", context).cursor?.offset)
    expect(press(there, "L", context).cursor?.offset).toBe(press(list, "4j", context).cursor?.offset)
    expect(press(there, "gg M", context).viewport.following).toBe(false)
  })

  it("goes to a share of all rows with a count", () => {
    const context = contextOf(60, 20)
    const list = press(listOf(entriesUpTo(2_000), context), "50G", context)
    expect(Number(list.cursor?.entry.slice(1))).toBeGreaterThan(900)
    expect(Number(list.cursor?.entry.slice(1))).toBeLessThan(1_100)
    expect(percent(list, context)).toBeGreaterThan(40)
    expect(percent(list, context)).toBeLessThan(60)
  })

  it("shows the end of a long session before its index is complete", () => {
    const context = contextOf(60, 20)
    const opened = listRedrawn(openList(vectorOf(entriesUpTo(5_000))), context)
    expect(opened.entries.pending).toBeGreaterThan(4_000)
    const before = screen(opened, context)
    let list = opened
    while (list.entries.pending > 0) {
      list = listFilled(list, 700, context)
      expect(screen(list, context)).toEqual(before)
    }
    expect(list.entries.tree.count).toBe(5_000)
    expect(press(opened, "gg", context).cursor?.entry).toBe("u0")
  })

  it("shows a closed turn as its first row and a count", () => {
    const context = contextOf(40, 12)
    const entries = [
      user("u1", "first question"),
      says("a1", "one\ntwo"),
      calls("c1", "ls"),
      user("u2", "second question"),
      says("a2", "three")
    ]
    const list = listOf(entries, context)
    const closed = { ...list, folds: setFolds(list.folds, [turnFold(entries[0] ?? user("", ""))], "closed") }
    expect(screen(closed, context)).toEqual(["first question", "… 2 more messages (za)", "", "second question", "", "three"])
    expect(screen(updateList(list, { name: "pane:foldCloseAll" }, context), context)).toEqual([
      "first question",
      "… 2 more messages (za)",
      "second question",
      "… 1 more message (za)"
    ])
  })

  it("lays out what is in view and one view around it, and nothing else", () => {
    const laidOut = new Set<string>()
    const layout: ListContext["layout"] = (block, options) => {
      laidOut.add(block.id)
      return plainLayout(block, options)
    }
    const context = contextOf(60, 20, { layout, options: { ...DEFAULT_OPTIONS, width: 60 } })
    const list = listOf(entriesUpTo(3_000), context)
    expect(laidOut.size).toBeLessThan(45)
    laidOut.clear()
    press(press(list, "50G", context), "j", context)
    expect(laidOut.size).toBeLessThan(70)
  })
})
