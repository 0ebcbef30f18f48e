import type { InlineScreen } from "../surface/inline-screen.ts"
import { aside, damagedSurface, leaveSurface, NEW_SURFACE, paint } from "../surface/surface.ts"
import type { Capabilities } from "../render/capabilities.ts"
import type { OutOfBand } from "../render/op.ts"
import type { Screen } from "../render/screen.ts"
import { type FrameStats, NO_STATS, withSample } from "../render/stats.ts"
import type { TerminalDriver } from "./driver.ts"
import { afterDrain, FIRST_INTERVAL } from "./frame-interval.ts"

export interface PumpOptions {
  readonly driver: TerminalDriver
  readonly caps: () => Capabilities
  readonly view: () => Screen | InlineScreen
  /** Called with the counters of every frame that wrote something. */
  readonly onFrame: (stats: FrameStats) => void
  /** Every frame is drawn in full, for terminals that lose cells. */
  readonly fullRepaint?: boolean
  /** Called before the other screen is taken. */
  readonly onScreen?: (which: "main" | "alternate") => void
}

/** How soon a change has to be seen: a key's answer in the next slot, streamed text when it is its turn. */
export type Hurry = "answer" | "stream"

/** Thirty frames in a second read as steady motion and cost half of sixty. */
const STREAM_MS = 33

const microseconds = (from: number, to: number): number => Math.round((to - from) * 1000)

/**
 * Brings the newest screen to the terminal: at most one frame in an interval, one write per frame, and none while the
 * terminal has not taken the one before. What was wanted meanwhile becomes one later frame.
 */
export class ScreenPump {
  private surface = NEW_SURFACE
  private stats: FrameStats = NO_STATS
  private pace = FIRST_INTERVAL
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY
  private lastFrameAt = Number.NEGATIVE_INFINITY
  private isWriting = false
  private wanted: Hurry | undefined
  private isPaused = false
  private dropped = 0
  private waiting: Array<OutOfBand> = []
  private isAlternate = false

  constructor(private readonly options: PumpOptions) {}

  /** Something may have changed. Text that streams is read, not answered: it can do with fewer frames. */
  request(hurry: Hurry = "answer"): void {
    this.wanted = this.wanted === "answer" ? "answer" : hurry
    if (this.isPaused) return
    if (this.isWriting) {
      this.dropped += 1
      return
    }
    const at = this.lastFrameAt + (hurry === "stream" ? Math.max(STREAM_MS, this.pace.intervalMs) : this.pace.intervalMs)
    if (this.timer !== undefined && this.timerAt <= at) return
    clearTimeout(this.timer)
    this.timerAt = at
    this.timer = setTimeout(() => this.draw(), Math.max(0, at - performance.now()))
  }

  /** Draws a frame that waits for its turn. */
  drawNow(): void {
    if (this.timer === undefined) return
    clearTimeout(this.timer)
    this.draw()
  }

  /** What goes to the terminal beside the cells, with the next frame. */
  send(op: OutOfBand): void {
    this.waiting.push(op)
    this.request()
  }

  /** The terminal no longer shows what we drew: the next frame is drawn in full. */
  damage(): void {
    this.surface = damagedSurface(this.surface)
    this.request()
  }

  /** Gives the terminal back as it was found, for good or for a while. Safe to call at any time. */
  leave(): void {
    this.isPaused = true
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.surface.shown === undefined) return
    const { bytes, surface } = leaveSurface(this.surface, this.options.view(), this.options.caps())
    this.surface = surface
    this.options.driver.writeNow(bytes)
    this.tellScreen()
  }

  /** Takes the terminal again. */
  enter(): void {
    this.isPaused = false
    this.request()
  }

  private tellScreen(): void {
    const isAlternate = this.surface.shown?.modes.altScreen === true
    if (isAlternate === this.isAlternate) return
    this.isAlternate = isAlternate
    this.options.onScreen?.(isAlternate ? "alternate" : "main")
  }

  private draw(): void {
    this.timer = undefined
    this.timerAt = Number.POSITIVE_INFINITY
    if (this.isPaused) return
    this.wanted = undefined
    const { driver, view } = this.options
    const caps = this.options.caps()
    const started = performance.now()
    const screen = view()
    const viewed = performance.now()
    if (this.options.fullRepaint === true) this.surface = damagedSurface(this.surface)
    const painted = paint(this.surface, screen, caps)
    const compared = performance.now()
    const bytes = painted.encode() + aside(this.waiting, caps)
    const encoded = performance.now()
    this.waiting = []
    this.surface = painted.surface
    this.lastFrameAt = started
    if (bytes === "") return
    this.tellScreen()
    this.isWriting = true
    driver.write(bytes, () => {
      const drained = performance.now()
      this.pace = afterDrain(this.pace, drained - encoded)
      this.stats = withSample(this.stats, {
        cells: painted.cells,
        ops: painted.ops,
        bytes: Buffer.byteLength(bytes),
        viewUs: microseconds(started, viewed),
        diffUs: microseconds(viewed, compared),
        encodeUs: microseconds(compared, encoded),
        drainUs: microseconds(encoded, drained),
        fullRedraw: painted.fullRedraw,
        dropped: this.dropped
      })
      this.dropped = 0
      this.isWriting = false
      this.options.onFrame(this.stats)
      if (this.wanted !== undefined) this.request(this.wanted)
    })
  }
}
