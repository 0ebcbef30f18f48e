import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bufferOf, type Buffer, textOf } from "../../../src/tui/editor/buffer.ts"
import { applyChange, compose, invert, replaceLines } from "../../../src/tui/editor/change.ts"
import { type History, historyLeaves, NO_HISTORY, record, redo, travelTo, undo } from "../../../src/tui/editor/history.ts"

const HOME = { line: 0, column: 0 }

interface Edited {
  readonly buffer: Buffer
  readonly history: History
}

const edit = ({ buffer, history }: Edited, text: string, join = false): Edited => {
  const change = replaceLines(buffer, { line: 0, count: buffer.count }, text.split("\n"))
  const step = { changes: [change], before: HOME, after: HOME, time: 0 }
  return { buffer: applyChange(buffer, change), history: record(history, step, join) }
}

const back = ({ buffer, history }: Edited): Edited => {
  const way = undo(history)
  if (way === undefined) return { buffer, history }
  return { buffer: way.travel.changes.reduce(applyChange, buffer), history: way.history }
}

const start: Edited = { buffer: bufferOf("zero"), history: NO_HISTORY }
const texts = fc.array(fc.constantFrom("", "a", "b", "\n"), { maxLength: 6 }).map((parts) => parts.join(""))

describe("a change", () => {
  it("is undone by its inverse", () => {
    fc.assert(
      fc.property(texts, fc.nat(5), fc.nat(5), texts, (text, from, count, inserted) => {
        const buffer = bufferOf(text)
        const line = Math.min(from, buffer.count - 1)
        const change = replaceLines(buffer, { line, count: Math.min(count, buffer.count - line) }, inserted.split("\n"))
        expect(textOf(applyChange(applyChange(buffer, change), invert(change)))).toBe(text)
      })
    )
  })

  it("never leaves a text without a line", () => {
    const buffer = bufferOf("a\nb")
    expect(applyChange(buffer, replaceLines(buffer, { line: 0, count: 2 }, [])).lines).toEqual([""])
  })

  it("is one with the next on the same lines", () => {
    const buffer = bufferOf("a")
    const first = replaceLines(buffer, { line: 0, count: 1 }, ["b"])
    const second = replaceLines(applyChange(buffer, first), { line: 0, count: 1 }, ["c", "d"])
    expect(compose(first, second)).toEqual({ line: 0, removed: ["a"], inserted: ["c", "d"] })
    expect(compose(second, { line: 4, removed: ["x"], inserted: ["y"] })).toBeUndefined()
  })
})

describe("the undo tree", () => {
  it("keeps no more than its bound, of steps and of what points at them", () => {
    let edited = start
    for (let count = 0; count < 1_200; count++) edited = edit(edited, `text ${count}`)
    expect(edited.history.steps.size).toBe(1_000)
    expect(edited.history.forward.size).toBeLessThanOrEqual(1_001)
    expect(textOf(back(edited).buffer)).toBe("text 1198")
  })

  it("lets large steps go sooner, and never the last one", () => {
    const large = (letter: string): string => letter.repeat(5_000_000)
    const edited = ["a", "b", "c", "d", "e"].reduce((each, letter) => edit(each, large(letter)), start)
    expect(edited.history.steps.size).toBeLessThan(3)
    expect(textOf(back(edited).buffer) === large("d")).toBe(true)
    const huge = edit(edited, "x".repeat(20_000_000))
    expect(huge.history.steps.size).toBe(1)
    expect(textOf(back(huge).buffer) === large("e")).toBe(true)
  })

  it("keeps the last step when all others are branches beside it", () => {
    let edited = start
    for (let count = 0; count < 1_100; count++) edited = edit(back(edited), `text ${count}`)
    expect(edited.history.steps.size).toBe(1_000)
    expect(textOf(back(edited).buffer)).toBe("zero")
  })

  it("keeps both branches", () => {
    const branched = edit(back(edit(edit(start, "one"), "two")), "three")
    expect(historyLeaves(branched.history).map(({ step, depth }) => [step.id, depth])).toEqual([
      [2, 2],
      [3, 2]
    ])
    const way = travelTo(branched.history, 2)
    expect(way?.travels.map(({ direction }) => direction)).toEqual(["undo", "redo"])
    const buffer = way?.travels.reduce((at, { changes }) => changes.reduce(applyChange, at), branched.buffer)
    expect(buffer?.lines).toEqual(["two"])
  })

  it("redoes what was undone last", () => {
    const undone = back(edit(edit(start, "one"), "two"))
    expect(redo(undone.history)?.travel.step.id).toBe(2)
    expect(redo(NO_HISTORY)).toBeUndefined()
  })

  it("joins edits into one step on request", () => {
    const joined = edit(edit(start, "one"), "one more", true)
    expect(joined.history.newest).toBe(1)
    expect(back(joined).buffer.lines).toEqual(["zero"])
  })

  it("keeps a thousand steps", () => {
    let at = start
    for (let number = 1; number <= 1005; number++) at = edit(at, String(number))
    expect(at.history.steps.size).toBe(1000)
    for (let number = 0; number < 1100; number++) at = back(at)
    expect(at.buffer.lines).toEqual(["5"])
  })
})
