import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ScreenPump } from "../../../../src/tui/terminal/device/screen-pump.ts"
import { CAPS, TuiWorld } from "../../../support/tui-world.ts"

/** Frames by the clock: the terminal here takes every write at once, or when it is told to. */
const pumpOf = (world: TuiWorld) => {
  const frames: Array<number> = []
  const pending: Array<() => void> = []
  let slow = false
  const pump = new ScreenPump({
    driver: {
      size: () => ({ columns: 80, rows: 24 }),
      setRaw: () => {},
      write: (_, drained) => {
        frames.push(performance.now())
        if (slow) pending.push(drained)
        else drained()
      },
      writeNow: () => {},
      setReading: () => {},
      close: () => {}
    },
    caps: () => CAPS,
    view: () => world.screen(),
    onFrame: () => {}
  })
  return {
    pump,
    frames,
    holdWrites: () => (slow = true),
    release: () => pending.splice(0).forEach((drained) => drained())
  }
}

const opened = () => {
  const world = new TuiWorld({ size: { columns: 80, rows: 24 } })
  world.open()
  let typed = 0
  /** Something else on the screen, so that a frame has bytes. */
  const change = () => world.keys(String(typed++ % 10))
  return { world, change }
}

describe("frames", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("of streamed text come at most thirty times a second", () => {
    const { world, change } = opened()
    const { pump, frames } = pumpOf(world)
    for (let ms = 0; ms < 1_000; ms += 5) {
      change()
      pump.request("stream")
      vi.advanceTimersByTime(5)
    }
    expect(frames.length).toBeGreaterThan(20)
    expect(frames.length).toBeLessThanOrEqual(31)
  })

  it("that answer a key do not wait for streamed text", () => {
    const { world, change } = opened()
    const { pump, frames } = pumpOf(world)
    pump.request("answer")
    vi.advanceTimersByTime(1)
    change()
    pump.request("stream")
    vi.advanceTimersByTime(5)
    change()
    pump.request("answer")
    vi.advanceTimersByTime(12)
    expect(frames.length).toBe(2)
    vi.advanceTimersByTime(100)
    expect(frames.length).toBe(2)
  })

  it("wait for the terminal, and what was wanted meanwhile is one frame", () => {
    const { world, change } = opened()
    const { pump, frames, holdWrites, release } = pumpOf(world)
    holdWrites()
    pump.request()
    vi.advanceTimersByTime(1)
    for (let count = 0; count < 5; count++) {
      change()
      pump.request(count % 2 === 0 ? "stream" : "answer")
      vi.advanceTimersByTime(50)
    }
    expect(frames.length).toBe(1)
    release()
    vi.advanceTimersByTime(1)
    expect(frames.length).toBe(2)
  })
})
