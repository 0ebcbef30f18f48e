import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Backlog,
  decide,
  endOfRows,
  type Pace,
  rowsOfText,
  SMOOTH
} from "../../../../src/tui/app/session/stream-pacing.ts"

const CATCHING_UP: Pace = { mode: "catchUp", calmSince: undefined }
const backlogs = fc.record({ rows: fc.nat(20), ageMs: fc.nat(400) })

describe("pacing of streamed text", () => {
  it("reveals a row at a time while little waits, and everything when much waits or for long", () => {
    expect(decide({ rows: 7, ageMs: 119 }, 0, SMOOTH)).toEqual({ rows: 1, pace: SMOOTH })
    expect(decide({ rows: 8, ageMs: 0 }, 0, SMOOTH)).toEqual({ rows: Infinity, pace: CATCHING_UP })
    expect(decide({ rows: 1, ageMs: 120 }, 0, SMOOTH)).toEqual({ rows: Infinity, pace: CATCHING_UP })
  })

  it("is smooth again after a quarter of a second below half of both", () => {
    const calm: Backlog = { rows: 3, ageMs: 59 }
    const first = decide(calm, 1_000, CATCHING_UP)
    expect(first).toEqual({ rows: Infinity, pace: { mode: "catchUp", calmSince: 1_000 } })
    expect(decide(calm, 1_249, first.pace).rows).toBe(Infinity)
    expect(decide({ rows: 4, ageMs: 0 }, 1_249, first.pace).pace).toEqual(CATCHING_UP)
    expect(decide(calm, 1_250, first.pace)).toEqual({ rows: 1, pace: SMOOTH })
  })

  it("never lets text wait longer than the limit, and never holds back while catching up", () => {
    fc.assert(
      fc.property(fc.array(backlogs, { maxLength: 40 }), (steps) => {
        let pace = SMOOTH
        for (const [index, backlog] of steps.entries()) {
          const decision = decide(backlog, index * 33, pace)
          if (backlog.ageMs >= 120 || backlog.rows >= 8) expect(decision.rows).toBe(Infinity)
          if (decision.pace.mode === "catchUp") expect(decision.rows).toBe(Infinity)
          expect(decision.rows).toBeGreaterThanOrEqual(1)
          pace = decision.pace
        }
      })
    )
  })

  it("counts the rows of lines, long and empty ones", () => {
    expect(rowsOfText("one\n\ntwelve chars", 6)).toBe(3)
  })

  it("cuts a text into rows that are the text again, none wider than the width and no character in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const parts: Array<string> = []
        for (let rest = text; rest !== "";) {
          const end = endOfRows(rest, 1, width)
          expect(end).toBeGreaterThan(0)
          parts.push(rest.slice(0, end))
          rest = rest.slice(end)
        }
        expect(parts.join("")).toBe(text)
        for (const part of parts) {
          expect(Buffer.from(part).toString()).toBe(part)
          expect(part.replace(/\n$/, "").length).toBeLessThanOrEqual(width + 1)
        }
      })
    )
  })
})
