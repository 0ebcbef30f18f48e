import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Entry } from "../../../../../src/tui/transcript/block.ts"
import { FLAG } from "../../../../../src/tui/transcript/list/index/flags.ts"
import {
  indexOfKey,
  indexOfLine,
  indexOfRow,
  nextFlagged,
  prefix,
  previousFlagged,
  rowsOf
} from "../../../../../src/tui/transcript/list/index/heights.ts"
import {
  build,
  type Item,
  itemAt,
  join,
  setItem,
  split,
  type Tree,
  UNMEASURED
} from "../../../../../src/tui/transcript/list/index/tree.ts"

const entry = (id: number): Entry => ({
  id: String(id),
  kind: "user",
  blocks: [{ id: `b${id}`, kind: "user", revision: 0, source: "" }]
})

const item = (key: number, extra: Partial<Item> = {}): Item => ({
  key,
  entry: entry(key),
  flags: FLAG.message,
  lines: 1,
  weight: 100,
  rows: UNMEASURED,
  ...extra
})

const items = (count: number): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, key) =>
    item(key, {
      lines: key % 5,
      weight: (key * 37) % 300,
      rows: key % 3 === 0 ? key % 7 : UNMEASURED,
      flags: key % 11 === 0 ? FLAG.turn : 0
    })
  )

const listed = (tree: Tree): ReadonlyArray<Item | undefined> =>
  Array.from({ length: tree.count }, (_, index) => itemAt(tree, index))

type Edit =
  | { readonly at: number; readonly remove: number; readonly add: number }
  | { readonly at: number; readonly rows: number }

const edits = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat(400), remove: fc.nat(90), add: fc.nat(90) }),
    fc.record({ at: fc.nat(400), rows: fc.nat(40) })
  ),
  { maxLength: 25 }
)

/** The same edits on the tree and on a plain array. */
const apply = (start: number, steps: ReadonlyArray<Edit>): { tree: Tree; plain: ReadonlyArray<Item> } => {
  let tree = build(items(start))
  let plain = items(start)
  let key = start
  for (const step of steps) {
    const at = step.at % (plain.length + 1)
    if ("rows" in step) {
      const before = plain[at]
      if (before === undefined) continue
      const after = { ...before, rows: step.rows }
      tree = setItem(tree, at, after)
      plain = plain.with(at, after)
      continue
    }
    const added = items(step.add).map((one) => ({ ...one, key: key++ }))
    const [head, rest] = split(tree, at)
    tree = join(join(head, build(added)), split(rest, step.remove)[1])
    plain = plain.toSpliced(at, step.remove, ...added)
  }
  return { tree, plain }
}

const WIDTH = 80

describe("heights", () => {
  it("has the prefix sums of a plain list after any edits", () => {
    fc.assert(
      fc.property(fc.nat(300), edits, (start, steps) => {
        const { tree, plain } = apply(start, steps)
        expect(listed(tree)).toEqual(plain)
        const sums = { rows: 0, weight: 0, blocks: 0, lines: 0 }
        for (const [index, one] of plain.entries()) {
          expect(prefix(tree, index)).toEqual({ count: index, ...sums })
          sums.lines += one.lines
          if (one.rows === UNMEASURED) {
            sums.weight += one.weight
            sums.blocks += 1
          } else sums.rows += one.rows
        }
        expect(prefix(tree, plain.length)).toEqual({ count: plain.length, ...sums })
      }),
      { numRuns: 60 }
    )
  })

  it("finds for every row and line the entry that holds it", () => {
    fc.assert(
      fc.property(fc.nat(300), edits, fc.nat(5_000), (start, steps, number) => {
        const { tree } = apply(start, steps)
        if (tree.count === 0) return
        const row = number % Math.max(1, rowsOf(tree, WIDTH))
        const index = indexOfRow(tree, row, WIDTH)
        expect(rowsOf(prefix(tree, index), WIDTH)).toBeLessThanOrEqual(row)
        if (row < rowsOf(tree, WIDTH)) expect(rowsOf(prefix(tree, index + 1), WIDTH)).toBeGreaterThan(row)
        if (tree.lines === 0) return
        const line = number % tree.lines
        const found = indexOfLine(tree, line)
        expect(found.firstLine).toBe(prefix(tree, found.index).lines)
        expect(found.firstLine + (itemAt(tree, found.index)?.lines ?? 0)).toBeGreaterThan(line)
        expect(found.firstLine).toBeLessThanOrEqual(line)
      }),
      { numRuns: 60 }
    )
  })

  it("finds flags and keys as a walk would", () => {
    fc.assert(
      fc.property(fc.nat(300), edits, fc.nat(400), (start, steps, from) => {
        const { tree, plain } = apply(start, steps)
        const next = plain.findIndex(({ flags }, at) => at >= from && (flags & FLAG.turn) !== 0)
        const previous = plain.findLastIndex(({ flags }, at) => at < from && (flags & FLAG.turn) !== 0)
        expect(nextFlagged(tree, from, FLAG.turn) ?? -1).toBe(next)
        expect(previousFlagged(tree, from, FLAG.turn) ?? -1).toBe(previous)
      }),
      { numRuns: 60 }
    )
    const tree = build(items(1_000).map((one) => ({ ...one, key: one.key * 2 })))
    expect(indexOfKey(tree, 500)).toBe(250)
    expect(indexOfKey(tree, 501)).toBe(251)
    expect(indexOfKey(tree, 5_000)).toBe(1_000)
  })

  it("stays shallow, however it was made", () => {
    const appended = items(20_000).reduce((tree, one) => join(tree, build([one])), build([]))
    const prepended = items(20_000).reduce((tree, one) => join(build([one]), tree), build([]))
    for (const tree of [build(items(20_000)), appended, prepended]) expect(tree.depth).toBeLessThanOrEqual(16)
  })
})
