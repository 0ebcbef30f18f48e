import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nextCheckMs, overdue } from "../../../src/adapters/anthropic/watchdog.ts"

const started = { wallMs: 0, steadyMs: 0 }
const at = (steadyMs: number, sleptMs = 0) => ({ steadyMs, wallMs: steadyMs + sleptMs })
const limits = { requestTimeoutMs: 600_000, idleAbortMs: 300_000 }

describe("a watched request", () => {
  it.each([
    ["in time", { started, waitingSinceMs: 0, now: at(299_999) }, undefined],
    ["silent for too long", { started, waitingSinceMs: 0, now: at(300_000) }, "stalled"],
    ["silent, but nobody asked", { started, waitingSinceMs: undefined, now: at(599_999) }, undefined],
    ["too long as a whole", { started, waitingSinceMs: 599_999, now: at(600_000) }, "network"],
    ["asleep for a minute", { started, waitingSinceMs: 0, now: at(10, 60_000) }, undefined],
    ["asleep for longer", { started, waitingSinceMs: 0, now: at(10, 60_001) }, "network"],
    ["under a clock set back", { started, waitingSinceMs: 0, now: at(10, -3_600_000) }, undefined]
  ])("%s", (_, observed, kind) => {
    expect(overdue(observed, limits)?.kind).toBe(kind)
  })

  it("may be silent without end when the idle limit is 0", () => {
    const observed = { started, waitingSinceMs: 0, now: at(10_000_000) }
    expect(overdue(observed, { requestTimeoutMs: 20_000_000, idleAbortMs: 0 })).toBeUndefined()
  })

  it("is looked at again no later than any limit ends", () => {
    const ms = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(ms, ms, ms, ms, (waited, before, requestTimeoutMs, idleAbortMs) => {
        const own = { requestTimeoutMs, idleAbortMs }
        const observed = { started, waitingSinceMs: before, now: at(before + waited) }
        fc.pre(overdue(observed, own) === undefined)
        const wait = nextCheckMs(observed, own)
        expect(wait).toBeGreaterThanOrEqual(1)
        expect(wait).toBeLessThanOrEqual(Math.min(5_000, requestTimeoutMs - before - waited))
        if (idleAbortMs > 0) expect(wait).toBeLessThanOrEqual(idleAbortMs - waited)
      })
    )
  })
})
