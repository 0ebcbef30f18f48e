import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { finishedEnd } from "../../../../src/tui/app/view/finished-entries.ts"
import {
  EMPTY_SCROLLBACK,
  type Scrollback,
  takeUnwritten,
  type Unwritten
} from "../../../../src/tui/terminal/surface/scrollback.ts"
import type { Entry } from "../../../../src/tui/transcript/block.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { added, called, finished, played, returned, said, started, system, wrote } from "../../transcript/sample.ts"

const entry = (id: string): Entry => ({ id, kind: "assistant", blocks: [] })

const conversation = (ids: ReadonlyArray<string>): Vector.Vector<Entry> =>
  ids.reduce((entries, id) => Vector.push(entries, entry(id)), Vector.empty<Entry>())

const take = (scrollback: Scrollback, ids: ReadonlyArray<string>, session = "s", end = ids.length) =>
  takeUnwritten(scrollback, { session, entries: conversation(ids), end })

const idsOf = ({ entries }: Pick<Unwritten, "entries">): ReadonlyArray<string> => entries.map(({ id }) => id)

describe("the scrollback", () => {
  it("is given every finished entry once, in whatever steps it grows", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 30 }), (steps) => {
        let scrollback = EMPTY_SCROLLBACK
        let ids: ReadonlyArray<string> = []
        const given: Array<string> = []
        for (const step of steps) {
          ids = [...ids, ...Array.from({ length: step }, (_, index) => `e${ids.length + index}`)]
          const taken = take(scrollback, ids, "s", Math.max(0, ids.length - (step % 2)))
          given.push(...idsOf(taken))
          scrollback = taken.scrollback
        }
        given.push(...idsOf(take(scrollback, ids)))
        expect(given).toEqual(ids)
      })
    )
  })

  it("says that entries went away, and goes on behind the last one that is left", () => {
    const first = take(EMPTY_SCROLLBACK, ["a", "b", "c"])
    const second = take(first.scrollback, ["a", "d"])
    expect(second.withdrawn).toBe(2)
    expect(idsOf(second)).toEqual(["d"])
    expect(take(second.scrollback, ["a", "d"])).toMatchObject({ entries: [], withdrawn: 0 })
  })

  it("takes the end of a long session that is opened again, and names the rest", () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `e${index}`)
    const taken = take(EMPTY_SCROLLBACK, ids)
    expect(taken.entries.length + taken.skipped).toBe(1_000)
    expect(idsOf(taken).at(-1)).toBe("e999")
    expect(taken.skipped).toBeGreaterThan(500)
  })

  it("tells when another session goes on", () => {
    const first = take(EMPTY_SCROLLBACK, ["a"], "one")
    const other = take(first.scrollback, ["x"], "two")
    expect([first.begins, other.begins]).toEqual(["first", "first"])
    expect(take(other.scrollback, ["a"], "one").begins).toBeUndefined()
    const back = take(other.scrollback, ["a", "b"], "one")
    expect([back.begins, ...idsOf(back)]).toEqual(["again", "b"])
  })
})

describe("what is finished", () => {
  it("ends before the first call without a result", () => {
    const asked = played([added(said("p", "go")), added(called("c1", "Bash", {})), started("c1", "Bash")])
    const open = played([added(called("c2", "Read", {}))], asked)
    expect(finishedEnd(open, true)).toBe(1)
    const denial = { uuid: "d", callId: "c1", tool: "Bash", reasonType: "rule", reason: "no", message: "no" }
    const denied = played([{ _tag: "PermissionDenied", ...denial }], open)
    expect(finishedEnd(denied, true)).toBe(1)
    const settled = played([added(returned("c2", { content: "ok" }))], open)
    expect(finishedEnd(settled, true)).toBe(1)
    expect(finishedEnd(played([added(returned("c1", { content: "ok" }))], settled), true)).toBe(3)
  })

  it("ends before a call that the next one of the same server may join", () => {
    const first = played([added(called("c1", "mcp__web__get", {})), added(returned("c1", { content: "ok" }))])
    expect(finishedEnd(first, true)).toBe(0)
    expect(finishedEnd(first, false)).toBe(1)
    const second = played([added(called("c2", "mcp__web__get", {}))], first)
    expect(finishedEnd(second, true)).toBe(0)
    expect(finishedEnd(played([added(wrote("w", "done"))], first), true)).toBe(2)
  })

  it("ends before a boundary whose summary is still to come", () => {
    const boundary = played([added(said("p", "go")), added(system("b", { subtype: "compact_boundary", content: "x" }))])
    expect(finishedEnd(boundary, true)).toBe(1)
    expect(finishedEnd(boundary, false)).toBe(2)
  })

  it("is everything when the turn is over", () => {
    const open = played([added(said("p", "go")), added(called("c1", "Bash", {})), finished()])
    expect(finishedEnd(open, false)).toBe(open.entries.length)
  })
})
