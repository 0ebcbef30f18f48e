import { describe, expect, it } from "vitest"
import { cellsWritten, type FrameSample, NO_STATS, spreadOf, withSample } from "../../../../src/tui/terminal/render/stats.ts"

const sample = (bytes: number, extra: Partial<FrameSample> = {}): FrameSample => ({
  cells: 1,
  ops: 1,
  bytes,
  viewUs: 1,
  diffUs: 1,
  encodeUs: 1,
  drainUs: 1,
  fullRedraw: false,
  dropped: 0,
  ...extra
})

describe("frame statistics", () => {
  it("keep the last 120 frames and sums over all", () => {
    const samples = Array.from({ length: 200 }, (_, at) => sample(at, { fullRedraw: at === 0, dropped: at % 2 }))
    const stats = samples.reduce(withSample, NO_STATS)
    expect(stats.recent.length).toBe(120)
    expect(stats.recent[0]?.bytes).toBe(80)
    expect(stats.totals).toEqual({ frames: 200, cells: 200, bytes: 19_900, fullRedraws: 1, dropped: 100 })
    expect(spreadOf(stats, "bytes")).toEqual({ median: 140, p99: 198, max: 199 })
  })

  it("say nothing happened before the first", () => {
    expect(spreadOf(NO_STATS, "bytes")).toEqual({ median: 0, p99: 0, max: 0 })
  })

  it("count the cells that ops write", () => {
    expect(cellsWritten([{ op: "Move" }, { op: "Put", columns: 5 }, { op: "Put", columns: 2 }])).toBe(7)
  })
})
