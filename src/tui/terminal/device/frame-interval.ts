/** How long to wait between frames: longer when the terminal takes its time, short again when it does not. */
export interface FrameInterval {
  readonly intervalMs: number
  /** Drain times of the latest frames. */
  readonly drains: ReadonlyArray<number>
}

const SHORTEST_MS = 16
const LONGEST_MS = 250
const SLOW_MS = 50
const FRAMES = 10

export const FIRST_INTERVAL: FrameInterval = { intervalMs: SHORTEST_MS, drains: [] }

export const afterDrain = ({ intervalMs, drains }: FrameInterval, drainMs: number): FrameInterval => {
  const latest = [...drains, drainMs].slice(-FRAMES)
  if (latest.length < FRAMES) return { intervalMs, drains: latest }
  const mean = latest.reduce((sum, each) => sum + each, 0) / FRAMES
  const next = mean > SLOW_MS ? Math.min(LONGEST_MS, intervalMs * 2) : Math.max(SHORTEST_MS, intervalMs / 2)
  return { intervalMs: next, drains: next === intervalMs ? latest : [] }
}
