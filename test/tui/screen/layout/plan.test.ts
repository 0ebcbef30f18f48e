import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { inReadingOrder, neighbour } from "../../../../src/tui/screen/layout/neighbour.ts"
import { plan, type PlanInput } from "../../../../src/tui/screen/layout/plan.ts"
import { intersect, isEmpty, type Rect } from "../../../../src/tui/screen/cell/rect.ts"
import { defaultTree, sizeClassOf } from "../../../../src/tui/screen/layout/size-class.ts"
import { leaf, leafId, leavesOf, type Node, PANE_IDS, type PaneId, row } from "../../../../src/tui/screen/layout/tree.ts"
import {
  equaliseSizes,
  exchangeLeaves,
  maximiseLeaf,
  movedFar,
  openLeaf,
  resizeLeaf,
  rotateLeaves
} from "../../../../src/tui/screen/layout/tree-edits.ts"

const inputOf = (columns: number, rows: number, tree?: Node): PlanInput => {
  const sizeClass = sizeClassOf({ columns, rows })
  return {
    tree: tree ?? defaultTree(sizeClass),
    size: { columns, rows },
    sizeClass,
    borders: sizeClass !== "tiny",
    promptRows: 3,
    statusRows: 1,
    tabs: false,
    temporary: undefined,
    zoomed: undefined,
    dock: undefined
  }
}

/** Trees that hold transcript and prompt and some others, each once. */
const treeOf = (panes: ReadonlyArray<PaneId>, random: ReadonlyArray<number>): Node => {
  let step = 0
  const next = (): number => random[step++ % random.length] ?? 0
  const build = (from: ReadonlyArray<PaneId>): Node => {
    const first = from[0] ?? "transcript"
    if (from.length <= 1) return leaf(first)
    const cut = 1 + (next() % (from.length - 1))
    return {
      dir: next() % 2 === 0 ? "row" : "column",
      ratio: 1 + (next() % 999),
      a: build(from.slice(0, cut)),
      b: build(from.slice(cut))
    }
  }
  return build(panes)
}

const trees = fc
  .tuple(
    fc.shuffledSubarray(PANE_IDS.filter((pane) => pane !== "transcript" && pane !== "prompt")),
    fc.array(fc.nat(10_000), { minLength: 8, maxLength: 24 })
  )
  .map(([others, random]) => treeOf(["transcript", "prompt", ...others], random))

const everyRect = (planned: ReturnType<typeof plan>): ReadonlyArray<Rect> => [
  ...planned.panes.flatMap(({ title, content }) => (title === undefined ? [content] : [title, content])),
  ...planned.separators,
  ...(planned.dock === undefined ? [] : [planned.dock]),
  planned.status
]

/** A question that would like so many rows. */
const asking =
  (wished: number) =>
  ({ wish, most }: { readonly wish: number; readonly most: number }): number =>
    Math.min(Math.max(5, Math.min(wished, wish)), most)

describe("plan", () => {
  it("covers the screen with rectangles that never overlap, for every tree and size", () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 1, max: 220 }), fc.integer({ min: 1, max: 70 }), (tree, columns, rows) => {
        const planned = plan(inputOf(columns, rows, tree))
        const rects = everyRect(planned).filter((each) => !isEmpty(each))
        for (const [index, each] of rects.entries()) {
          expect(each.x >= 0 && each.y >= 0 && each.x + each.width <= columns && each.y + each.height <= rows).toBe(true)
          for (const other of rects.slice(index + 1)) expect(isEmpty(intersect(each, other))).toBe(true)
        }
        const cells = rects.reduce((sum, each) => sum + each.width * each.height, 0)
        if (columns >= 40 && rows >= 12) expect(cells).toBe(columns * rows)
      })
    )
  })

  it("covers the screen without overlaps while a question is docked, which always has room for its answers", () => {
    fc.assert(
      fc.property(
        fc.tuple(trees, fc.nat(60), fc.nat(40)),
        fc.integer({ min: 40, max: 220 }),
        fc.integer({ min: 12, max: 70 }),
        ([tree, wished, promptRows], columns, rows) => {
          const planned = plan({ ...inputOf(columns, rows, tree), promptRows, dock: asking(wished) })
          const rects = everyRect(planned).filter((each) => !isEmpty(each))
          for (const [index, each] of rects.entries()) {
            for (const other of rects.slice(index + 1)) expect(isEmpty(intersect(each, other))).toBe(true)
          }
          expect(rects.reduce((sum, each) => sum + each.width * each.height, 0)).toBe(columns * rows)
          expect(planned.dock?.height).toBeGreaterThanOrEqual(5)
        }
      )
    )
  })

  it("docks a question right above the prompt and leaves at least three rows of the transcript", () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(60), fc.nat(40)),
        fc.integer({ min: 40, max: 220 }),
        fc.integer({ min: 12, max: 70 }),
        ([wished, promptRows], columns, rows) => {
          const planned = plan({ ...inputOf(columns, rows), promptRows, dock: asking(wished) })
          const placed = (name: PaneId) => planned.panes.find(({ leaf: each }) => each.pane === name)?.content
          const { dock } = planned
          expect(placed("transcript")?.height).toBeGreaterThanOrEqual(3)
          expect(dock?.width).toBe(placed("transcript")?.width)
          expect(placed("prompt")?.y).toBe((dock?.y ?? 0) + (dock?.height ?? 0))
          expect(placed("prompt")?.height).toBeGreaterThanOrEqual(1)
        }
      )
    )
  })

  it("puts a question under a zoomed pane, and under everything where there is no prompt to stand above", () => {
    const zoomed = plan({ ...inputOf(120, 40), zoomed: "changes", dock: asking(9) })
    expect(zoomed.dock).toEqual({ x: 0, y: 30, width: 120, height: 9 })
    expect(zoomed.panes[0]?.content).toEqual({ x: 0, y: 1, width: 120, height: 29 })
    const beside = plan({ ...inputOf(120, 40, row(500, leaf("transcript"), leaf("prompt"))), dock: asking(9) })
    expect(beside.dock).toEqual({ x: 0, y: 30, width: 120, height: 9 })
  })

  it("keeps transcript and prompt from 40x12 up", () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 40, max: 220 }), fc.integer({ min: 12, max: 70 }), (tree, columns, rows) => {
        const shown = plan(inputOf(columns, rows, tree)).panes.map(({ leaf: each }) => each.pane)
        expect(shown).toContain("transcript")
        expect(shown).toContain("prompt")
      })
    )
  })

  it("hides the least important panes first and shows them again when there is room", () => {
    const tree = openLeaf(openLeaf(defaultTree("wide"), leaf("files")), leaf("context"))
    const hiddenAt = (rows: number) => plan(inputOf(160, rows, tree)).hidden.map(({ pane }) => pane)
    expect(hiddenAt(60)).toEqual([])
    expect(hiddenAt(20)).toEqual(["files"])
    expect(hiddenAt(16)).toEqual(["files", "context"])
  })

  it("grows the prompt up to half of its column", () => {
    const heightFor = (promptRows: number) =>
      plan({ ...inputOf(120, 40), promptRows }).panes.find(({ leaf: each }) => each.pane === "prompt")?.content.height
    expect(heightFor(1)).toBe(1)
    expect(heightFor(7)).toBe(7)
    expect(heightFor(100)).toBe(19)
  })

  it("gives a zoomed pane everything above the status row", () => {
    const planned = plan({ ...inputOf(120, 40), zoomed: "changes" })
    expect(planned.panes).toHaveLength(1)
    expect(planned.panes[0]?.content).toEqual({ x: 0, y: 1, width: 120, height: 38 })
  })

  it("opens a temporary pane beside the rest where there is room, and in place of the transcript where not", () => {
    const panesAt = (columns: number, rows: number) =>
      plan({ ...inputOf(columns, rows), temporary: "files" }).panes.map(({ leaf: each }) => each.pane)
    expect(panesAt(80, 24)).toEqual(["transcript", "prompt", "files"])
    expect(panesAt(60, 20)).toEqual(["files", "prompt"])
  })
})

describe("window keys", () => {
  const planned = plan(inputOf(120, 40))

  it("finds the neighbour on each side", () => {
    const at = { x: 10, y: 5 }
    expect(neighbour(planned, "transcript", { direction: "right", cursor: at })).toBe("changes")
    expect(neighbour(planned, "transcript", { direction: "down", cursor: at })).toBe("prompt")
    expect(neighbour(planned, "prompt", { direction: "right", cursor: { x: 4, y: 37 } })).toBe("tasks")
    expect(neighbour(planned, "changes", { direction: "left", cursor: { x: 90, y: 20 } })).toBe("transcript")
    expect(neighbour(planned, "transcript", { direction: "left", cursor: at })).toBeUndefined()
  })

  it("reads top to bottom", () => {
    expect(inReadingOrder(planned)).toEqual(["transcript", "changes", "tasks", "prompt"])
  })

  it("keeps every leaf through every change", () => {
    fc.assert(
      fc.property(trees, fc.nat(100), fc.integer({ min: -900, max: 900 }), (tree, pick, by) => {
        const leaves = leavesOf(tree)
        const chosen = leaves[pick % leaves.length] ?? leaf("transcript")
        const id = leafId(chosen)
        const names = (node: Node) => leavesOf(node).map(leafId).toSorted()
        for (const changed of [
          resizeLeaf(tree, id, { dir: "row", thousandths: by }),
          maximiseLeaf(tree, id, "column"),
          equaliseSizes(tree),
          movedFar(tree, id, "left"),
          rotateLeaves(tree, id),
          exchangeLeaves(tree, id)
        ]) {
          expect(names(changed)).toEqual(names(tree))
        }
      })
    )
  })

  it("gives siblings in one line the same share", () => {
    const three = row(100, leaf("transcript"), row(900, leaf("changes"), leaf("tasks")))
    const widths = plan({ ...inputOf(122, 40, equaliseSizes(three)) }).panes.map(({ content }) => content.width)
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1)
  })
})
