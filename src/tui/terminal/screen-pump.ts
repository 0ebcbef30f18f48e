import type { Capabilities } from "../render/capabilities.ts"
import { diff, isFullRedraw } from "../render/diff.ts"
import { encode } from "../render/encode.ts"
import { enterSteps, leaveSequence } from "../render/modes.ts"
import type { DrawOp, OutOfBand } from "../render/op.ts"
import { damaged, type Screen, type Shown } from "../render/screen.ts"
import { cellsWritten, type FrameStats, NO_STATS, withSample } from "../render/stats.ts"
import type { TerminalDriver } from "./driver.ts"
import { afterDrain, FIRST_INTERVAL } from "./frame-interval.ts"

export interface PumpOptions {
  readonly driver: TerminalDriver
  readonly caps: () => Capabilities
  readonly view: () => Screen
  /** Called with the counters of every frame that wrote something. */
  readonly onFrame: (stats: FrameStats) => void
}

const microseconds = (from: number, to: number): number => Math.round((to - from) * 1000)

/**
 * Brings the newest screen to the terminal: at most one frame in an interval, one write per frame, and none while the
 * terminal has not taken the one before. What was wanted meanwhile becomes one later frame.
 */
export class ScreenPump {
  private shown: Shown | undefined
  private stats: FrameStats = NO_STATS
  private pace = FIRST_INTERVAL
  private timer: NodeJS.Timeout | undefined
  private lastFrameAt = Number.NEGATIVE_INFINITY
  private isWriting = false
  private isWanted = false
  private isPaused = false
  private dropped = 0
  private waiting: Array<OutOfBand> = []

  constructor(private readonly options: PumpOptions) {}

  /** Something may have changed. */
  request(): void {
    this.isWanted = true
    if (this.isPaused || this.timer !== undefined) return
    if (this.isWriting) {
      this.dropped += 1
      return
    }
    const wait = Math.max(0, this.lastFrameAt + this.pace.intervalMs - performance.now())
    this.timer = setTimeout(() => this.draw(), wait)
  }

  /** What goes to the terminal beside the cells, with the next frame. */
  send(op: OutOfBand): void {
    this.waiting.push(op)
    this.request()
  }

  /** The terminal no longer shows what we drew: the next frame is drawn in full. */
  damage(): void {
    if (this.shown !== undefined) this.shown = damaged(this.shown)
    this.request()
  }

  /** Gives the terminal back as it was found, for good or for a while. Safe to call at any time. */
  leave(): void {
    this.isPaused = true
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.shown === undefined) return
    const { modes } = this.shown
    this.shown = undefined
    this.options.driver.writeNow(leaveSequence(enterSteps(modes)))
  }

  /** Takes the terminal again. */
  enter(): void {
    this.isPaused = false
    this.request()
  }

  private draw(): void {
    this.timer = undefined
    if (this.isPaused) return
    this.isWanted = false
    const { driver, view } = this.options
    const caps = this.options.caps()
    const started = performance.now()
    const screen = view()
    const viewed = performance.now()
    const ops: ReadonlyArray<DrawOp> = [...diff(this.shown, screen, caps), ...this.waiting]
    const compared = performance.now()
    const fullRedraw = isFullRedraw(this.shown, screen)
    this.waiting = []
    this.shown = screen
    this.lastFrameAt = started
    if (ops.length === 0) return
    const bytes = encode(ops, caps)
    const encoded = performance.now()
    this.isWriting = true
    driver.write(bytes, () => {
      const drained = performance.now()
      this.pace = afterDrain(this.pace, drained - encoded)
      this.stats = withSample(this.stats, {
        cells: cellsWritten(ops),
        ops: ops.length,
        bytes: Buffer.byteLength(bytes),
        viewUs: microseconds(started, viewed),
        diffUs: microseconds(viewed, compared),
        encodeUs: microseconds(compared, encoded),
        drainUs: microseconds(encoded, drained),
        fullRedraw,
        dropped: this.dropped
      })
      this.dropped = 0
      this.isWriting = false
      this.options.onFrame(this.stats)
      if (this.isWanted) this.request()
    })
  }
}
