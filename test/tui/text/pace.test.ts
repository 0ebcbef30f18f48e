import { describe, expect, it } from "vitest"
import { decidePace, PACE_START } from "../../../src/tui/text/pace.ts"

const QUICK = { mode: "catch-up" } as const
const still = (state: { mode: "smooth" | "catch-up"; calmSince?: number }) => ({ state, reducedMotion: false })

describe("pace", () => {
  it("shows one row a frame while little waits", () => {
    expect(decidePace({ rows: 7, since: 0 }, 119, still(PACE_START))).toEqual({ reveal: 1, state: PACE_START })
    expect(decidePace({ rows: 0 }, 500, still(PACE_START)).reveal).toBe(0)
  })

  it("shows everything when much or old text waits", () => {
    expect(decidePace({ rows: 8, since: 0 }, 1, still(PACE_START))).toEqual({ reveal: 8, state: QUICK })
    expect(decidePace({ rows: 2, since: 0 }, 120, still(PACE_START))).toEqual({ reveal: 2, state: QUICK })
  })

  it("becomes smooth again after a while below half of both", () => {
    const calm = decidePace({ rows: 3, since: 990 }, 1_000, still(QUICK))
    expect(calm).toEqual({ reveal: 3, state: { mode: "catch-up", calmSince: 1_000 } })
    expect(decidePace({ rows: 3, since: 1_240 }, 1_249, still(calm.state))).toEqual({ reveal: 3, state: calm.state })
    expect(decidePace({ rows: 3, since: 1_240 }, 1_250, still(calm.state))).toEqual({ reveal: 1, state: PACE_START })
    expect(decidePace({ rows: 4, since: 1_240 }, 1_250, still(calm.state))).toEqual({ reveal: 4, state: QUICK })
  })

  it("never waits with reduced motion", () => {
    expect(decidePace({ rows: 5, since: 0 }, 1, { state: PACE_START, reducedMotion: true }).reveal).toBe(5)
  })
})
