import { HashSet } from "effect"
import { describe, expect, it } from "vitest"
import { addId, hasId, type IdSet, idsOf, NEWEST_IDS } from "../../../src/core/domain/id-set.ts"

const grown = (from: IdSet, count: number): IdSet => Array.from({ length: count }, (_, at) => `id-${at}`).reduce(addId, from)

const kept = ({ added, older }: IdSet): number => HashSet.size(added) + HashSet.size(older)

describe("ids that are taken", () => {
  it("are known for as many as are newest, and for ever when they were found", () => {
    const count = 5 * NEWEST_IDS + 7
    const ids = grown(idsOf(new Set(["found"])), count)
    const newest = Array.from({ length: NEWEST_IDS }, (_, at) => `id-${count - 1 - at}`)
    expect(newest.filter((id) => !hasId(ids, id))).toEqual([])
    expect(hasId(ids, "found")).toBe(true)
    expect(hasId(ids, "id-never")).toBe(false)
  })

  it("do not grow with the conversation", () => {
    expect(kept(grown(idsOf(new Set()), 5 * NEWEST_IDS + 7))).toBeLessThanOrEqual(2 * NEWEST_IDS)
  })

  it("are the same value when nothing is new", () => {
    const ids = grown(idsOf(new Set(["found"])), 3)
    expect(addId(ids, "id-1")).toBe(ids)
    expect(addId(ids, "found")).toBe(ids)
  })
})
