import type { InputEvent } from "../../../tui/terminal/input/event.ts"
import type { DecodeOptions } from "../../../tui/terminal/input/state.ts"
import type { InlineScreen } from "../../../tui/terminal/surface/inline-screen.ts"
import type { Size } from "../../../tui/screen/layout/size-class.ts"
import type { Capabilities } from "../../../tui/terminal/render/capabilities.ts"
import { enterSteps, leaveSequence, type TerminalModes } from "../../../tui/terminal/render/modes.ts"
import type { OutOfBand } from "../../../tui/terminal/render/op.ts"
import type { Screen } from "../../../tui/terminal/render/screen.ts"
import { type FrameSample, type FrameStats, NO_STATS } from "../../../tui/terminal/render/stats.ts"
import { openDriver, type TerminalDriver, type TerminalStreams } from "../../../tui/terminal/device/driver.ts"
import { type Guard, NO_GUARD, startGuard } from "../../../tui/terminal/device/guard.ts"
import { type Hurry, ScreenPump } from "../../../tui/terminal/device/screen-pump.ts"
import { InputReader } from "./input-reader.ts"

/** The terminal for as long as the interface has it: taken, lent to other programs, and always given back. */
export interface TerminalSessionOptions extends TerminalStreams {
  readonly decoding: Partial<DecodeOptions>
  readonly caps: () => Capabilities
  /** What the terminal is asked about itself whenever it is taken. */
  readonly queries: string
  readonly view: () => Screen | InlineScreen
  readonly onInput: (event: InputEvent) => void
  readonly onResize: (size: Size) => void
  readonly onHangUp: () => void
  /** Off: nothing restores the terminal after a kill. */
  readonly guard: boolean
  readonly fullRepaint: boolean
  readonly onFrame: (sample: FrameSample) => void
}

const RESIZE_QUIET_MS = 30
const RESIZE_LATEST_MS = 100

/** Everything that could be on, for the guard that does not know what is. */
const EVERY_MODE: TerminalModes = {
  altScreen: true,
  clusterWidths: false,
  paste: true,
  focus: true,
  mouse: "hover",
  colourScheme: true,
  keyboard: "kitty",
  title: false
}
/** Off whatever is on, but the screen only where it was changed: the main one has the user's own text on it. */
const leaveFrom = (altScreen: boolean): string =>
  (["kitty", "modifyOtherKeys"] as const)
    .map((keyboard) => leaveSequence(enterSteps({ ...EVERY_MODE, altScreen, keyboard })))
    .join("")

export class TerminalSession {
  private readonly driver: TerminalDriver
  private readonly reader: InputReader
  private readonly guard: Guard
  private readonly pump: ScreenPump
  private frames: FrameStats = NO_STATS
  private resizeTimer: NodeJS.Timeout | undefined
  private resizeSince = 0
  private isClosed = false
  private readonly leaving = new AbortController()
  private borrowers = 0

  constructor(private readonly options: TerminalSessionOptions) {
    const { keyboard, screen, caps, view, onInput, onHangUp } = options
    this.reader = new InputReader(options.decoding, onInput)
    this.driver = openDriver(
      { keyboard, screen },
      { onBytes: (bytes) => this.reader.take(bytes), onResize: () => this.resizeSoon(), onHangUp }
    )
    this.guard = options.guard ? startGuard(screen.fd, { main: leaveFrom(false), alternate: leaveFrom(true) }) : NO_GUARD
    this.pump = new ScreenPump({
      driver: this.driver,
      caps,
      view,
      fullRepaint: options.fullRepaint,
      onFrame: (stats) => {
        this.frames = stats
        const sample = stats.recent.at(-1)
        if (sample !== undefined) options.onFrame(sample)
      },
      onScreen: (which) => this.guard.onScreen(which)
    })
  }

  get size(): Size {
    return this.driver.size()
  }

  get stats(): FrameStats {
    return this.frames
  }

  /** Another program has the terminal; signals of its keys are not for us. */
  get isLent(): boolean {
    return this.borrowers > 0
  }

  enter(): void {
    this.driver.setRaw(true)
    this.pump.enter()
    if (this.options.queries !== "") this.driver.write(this.options.queries, () => {})
  }

  request(hurry?: Hurry): void {
    this.pump.request(hurry)
  }

  /** What is wanted by now need not wait for its turn. */
  drawNow(): void {
    this.pump.drawNow()
  }

  redraw(): void {
    this.pump.damage()
  }

  send(op: OutOfBand): void {
    this.pump.send(op)
  }

  /** Gives the terminal back as it was found. */
  leave(): void {
    this.pump.leave()
    this.driver.setRaw(false)
  }

  /** Lends the terminal to another program until it is done; the signal tells it that we have to go before that. */
  async lend<A>(use: (leaving: AbortSignal) => Promise<A>): Promise<A> {
    this.leave()
    this.driver.setReading(false)
    this.borrowers += 1
    try {
      return await use(this.leaving.signal)
    } finally {
      this.borrowers -= 1
      this.driver.setReading(true)
      if (!this.isClosed) this.enter()
    }
  }

  /** Stops this process like a shell expects; everything is drawn again when it goes on. */
  suspend(): void {
    if (process.platform === "win32") return
    this.leave()
    process.once("SIGCONT", () => {
      // A stopped job is not told of new sizes: the signal makes Node ask for the size before anything is drawn.
      process.once("SIGWINCH", () => {
        this.enter()
        this.options.onResize(this.size)
        this.redraw()
      })
      process.kill(process.pid, "SIGWINCH")
    })
    process.kill(process.pid, "SIGTSTP")
  }

  close(): void {
    if (this.isClosed) return
    this.leaving.abort()
    this.isClosed = true
    clearTimeout(this.resizeTimer)
    this.reader.close()
    this.leave()
    this.guard.dismiss()
    this.driver.close()
  }

  /** The last of many sizes in a row, at most a tenth of a second late. */
  private resizeSoon(): void {
    const now = performance.now()
    if (this.resizeTimer === undefined) this.resizeSince = now
    clearTimeout(this.resizeTimer)
    const wait = Math.max(0, Math.min(RESIZE_QUIET_MS, this.resizeSince + RESIZE_LATEST_MS - now))
    this.resizeTimer = setTimeout(() => {
      this.resizeTimer = undefined
      this.options.onResize(this.size)
      this.redraw()
    }, wait)
  }
}
