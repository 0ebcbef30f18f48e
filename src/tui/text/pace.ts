/** How fast streamed rows appear: one by one while little waits, all at once when the text runs ahead. */
export interface Backlog {
  readonly rows: number
  /** When the longest waiting row came; absent when nothing waits. */
  readonly since?: number
}

export interface PaceState {
  readonly mode: "smooth" | "catch-up"
  /** Since when little enough waits to become smooth again. */
  readonly calmSince?: number
}

export interface Pace {
  /** Rows to show in this frame. */
  readonly reveal: number
  readonly state: PaceState
}

const MOST_ROWS = 8
const MOST_AGE_MS = 120
const CALM_MS = 250

export const PACE_START: PaceState = { mode: "smooth" }

const smooth = (backlog: Backlog): Pace => ({ reveal: Math.min(1, backlog.rows), state: PACE_START })

const caughtUp = (backlog: Backlog, state: PaceState): Pace => ({ reveal: backlog.rows, state })

/** One decision a frame. Reduced motion never waits. */
export const decidePace = (
  backlog: Backlog,
  now: number,
  { state, reducedMotion }: { readonly state: PaceState; readonly reducedMotion: boolean }
): Pace => {
  const age = backlog.since === undefined ? 0 : now - backlog.since
  if (reducedMotion) return caughtUp(backlog, state)
  if (state.mode === "smooth") {
    return backlog.rows >= MOST_ROWS || age >= MOST_AGE_MS ? caughtUp(backlog, { mode: "catch-up" }) : smooth(backlog)
  }
  const calm = backlog.rows < MOST_ROWS / 2 && age < MOST_AGE_MS / 2
  if (!calm) return caughtUp(backlog, { mode: "catch-up" })
  const calmSince = state.calmSince ?? now
  return now - calmSince >= CALM_MS ? smooth(backlog) : caughtUp(backlog, { mode: "catch-up", calmSince })
}
