import { describe, expect, it } from "vitest"
import type { Block, Entry } from "../../../../src/tui/transcript/block.ts"
import { openList, type TranscriptList } from "../../../../src/tui/transcript/list/state/transcript-list.ts"
import { acceptSearch, openSearch, typeSearch } from "../../../../src/tui/transcript/list/commands/search.ts"
import type { ListContext } from "../../../../src/tui/transcript/list/view/list-context.ts"
import { listChanged, listFilled, listRedrawn } from "../../../../src/tui/transcript/list/update.ts"
import { visibleRows } from "../../../../src/tui/transcript/list/view/viewport.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { contextOf, plainLayout, press, user, vectorOf } from "./fixture.ts"

/** Work is counted, not timed: layouts, and looks at the source of blocks. */
const counts = { layouts: 0, looks: 0 }

const counted = (block: Block): Block => {
  const { source } = block
  return Object.defineProperty({ ...block }, "source", {
    enumerable: true,
    get: () => {
      counts.looks++
      return source
    }
  })
}

const entryNumber = (number: number): Entry => {
  const source = `${number} ${number % 5 === 0 ? "needle" : "hay"}\n${"text ".repeat(number % 30)}`
  const base: Block =
    number % 6 === 0
      ? { id: `b${number}`, kind: "user", revision: 0, source }
      : { id: `b${number}`, kind: "text", revision: 0, source, streaming: false, lineage: {} }
  return { id: `e${number}`, kind: number % 6 === 0 ? "user" : "assistant", blocks: [counted(base)] }
}

const context: ListContext = contextOf(60, 30, {
  layout: (block, options) => {
    counts.layouts++
    return plainLayout(block, options)
  }
})

const SMALL = 600
const LARGE = 30_000

const sessionOf = (size: number): Vector.Vector<Entry> =>
  vectorOf(Array.from({ length: size }, (_, number) => entryNumber(number)))

const vectors = new Map([SMALL, LARGE].map((size) => [size, sessionOf(size)]))

const KEYS = "j,k,w,gg,G,},[u,<C-d>,<C-u>,<C-y>,zz,30G,zM,zR,za,y y,m=a".split(",")

const opened = (size: number): TranscriptList => listRedrawn(openList(vectors.get(size) ?? Vector.empty()), context)

const filled = (size: number): TranscriptList => press(listFilled(opened(size), size, context), "50G", context)

const costOf = (act: () => TranscriptList): { layouts: number; looks: number } => {
  counts.layouts = 0
  counts.looks = 0
  visibleRows(act(), context)
  return { ...counts }
}

describe("with a hundred times the messages", () => {
  const [small, large] = [filled(SMALL), filled(LARGE)]

  const expectNoGrowth = (act: (list: TranscriptList) => TranscriptList): void => {
    const [few, many] = [costOf(() => act(small)), costOf(() => act(large))]
    expect(many.layouts).toBeLessThanOrEqual(few.layouts * 1.5 + 20)
    expect(many.looks).toBeLessThanOrEqual(few.looks * 1.5 + 200)
  }

  it("opening costs the same", () => {
    const [few, many] = [costOf(() => opened(SMALL)), costOf(() => opened(LARGE))]
    expect(many.layouts).toBe(few.layouts)
    expect(many.looks).toBeLessThanOrEqual(few.looks * 1.1)
  })

  it.each(KEYS)("%s costs the same", (keys) => {
    expectNoGrowth((list) => press(list, keys, context))
  })

  it("a search and its next match cost the same", () => {
    expectNoGrowth((list) => {
      const found = typeSearch(openSearch(list, 1, context), "needle", context)
      return press(acceptSearch(found, context), "n 2N", context)
    })
  })

  it("new and streamed messages cost the same", () => {
    expectNoGrowth((list) => listChanged(list, Vector.push(list.entries.source, user("new", "new")), context))
    expectNoGrowth((list) => {
      const { source } = list.entries
      const last = Vector.last(source) ?? entryNumber(0)
      return listChanged(list, Vector.set(source, source.length - 1, { ...user("", "grown"), id: last.id }), context)
    })
    expectNoGrowth((list) => listRedrawn(list, contextOf(33, 20, { layout: context.layout })))
  })
})
