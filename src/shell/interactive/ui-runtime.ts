import type { Cmd } from "../../tui/model/cmd.ts"
import type { AppModel } from "../../tui/model/app-model.ts"
import type { Happening } from "../../tui/model/msg.ts"
import { activeContexts } from "../../tui/model/windows/key-contexts.ts"
import { canWait, joined, split, textOf } from "../../tui/app/session/joined-deltas.ts"
import { decide, endOfRows, type Pace, rowsOfText, SMOOTH } from "../../tui/app/session/stream-pacing.ts"
import { keysFor } from "../../tui/keymap/trie.ts"
import { update } from "../../tui/app/update.ts"
import { view } from "../../tui/app/view/view.ts"
import { nextWake } from "../../tui/app/wake.ts"
import { makePools, type Pools, poolSizes, type PoolSizes, renewed } from "../../tui/screen/cell/pools.ts"
import type { InlineScreen } from "../../tui/terminal/surface/inline-screen.ts"
import { inlineView } from "../../tui/app/view/inline-view.ts"
import type { Screen } from "../../tui/terminal/render/screen.ts"
import type { Hurry } from "../../tui/terminal/device/screen-pump.ts"

/**
 * The one writer of the interface's model: messages in, the next model and commands out. It wakes by itself only when
 * the model says that time alone will change something.
 */
export interface UiRuntimeOptions {
  readonly initial: AppModel
  readonly now: () => number
  readonly perform: (cmd: Cmd) => void
  /** The model may look different now. */
  readonly onChange: (hurry: Hurry) => void
  readonly onDefect: (defect: unknown) => void
}

export class UiRuntime {
  private model: AppModel
  private pools: Pools = makePools()
  private timer: NodeJS.Timeout | undefined
  private readonly mailbox: Array<Happening> = []
  private isDraining = false
  private isClosed = false
  /** Streamed text that the next frame, or whatever else happens first, takes in. */
  private waiting: Happening | undefined
  private waitingSince = 0
  private pace: Pace = SMOOTH

  constructor(private readonly options: UiRuntimeOptions) {
    this.model = options.initial
  }

  tell(happening: Happening): void {
    if (canWait(happening)) return this.keep(happening)
    this.drain(happening)
    this.options.onChange("answer")
    this.scheduleWake()
  }

  get poolSizes(): PoolSizes {
    return poolSizes(this.pools)
  }

  get current(): AppModel {
    return this.model
  }

  screen(): Screen | InlineScreen {
    if (this.waiting !== undefined) this.reveal(this.waiting)
    this.pools = renewed(this.pools)
    const model = { ...this.model, now: this.options.now() }
    return model.options.interface === "inline" ? inlineView(model, this.pools) : view(model, this.pools)
  }

  /** Does ahead of time what the first key would have to wait for. */
  warm(): void {
    keysFor(this.model.keys.keymap, activeContexts(this.model))
  }

  /** From now on time wakes nobody: leaving may be asked for in the middle of a message. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  /** Takes in as much of what waits as is its turn; the rest comes with the next frames. */
  private reveal(waiting: Happening): void {
    const now = this.options.now()
    const width = this.model.size.columns
    const text = textOf(waiting)
    const backlog = { rows: rowsOfText(text, width), ageMs: now - this.waitingSince }
    const { rows, pace } = this.model.options.reducedMotion
      ? { rows: Infinity, pace: SMOOTH }
      : decide(backlog, now, this.pace)
    this.pace = pace
    const [first, rest] = rows === Infinity ? [waiting, undefined] : split(waiting, endOfRows(text, rows, width))
    this.waiting = first
    this.drain()
    this.waiting = rest
    if (rest !== undefined) this.options.onChange("stream")
    this.scheduleWake()
  }

  private keep(happening: Happening): void {
    if (this.waiting === undefined) this.waitingSince = this.options.now()
    const both = this.waiting === undefined ? happening : joined(this.waiting, happening)
    if (both === undefined) this.drain()
    this.waiting = both ?? happening
    this.options.onChange("stream")
  }

  /**
   * Handles what waits and then this, in order; what is told meanwhile comes after it. Only news of sessions must come
   * after the text that waits: keys and time need not.
   */
  private drain(happening?: Happening): void {
    if (happening === undefined || happening._tag === "Session") {
      if (this.waiting !== undefined) this.mailbox.push(this.waiting)
      this.waiting = undefined
    }
    if (happening !== undefined) this.mailbox.push(happening)
    if (this.isDraining) return
    this.isDraining = true
    try {
      for (let next = this.mailbox.shift(); next !== undefined; next = this.mailbox.shift()) this.handle(next)
    } finally {
      this.isDraining = false
    }
  }

  private handle(happening: Happening): void {
    try {
      const [model, cmds] = update(this.model, { ...happening, at: this.options.now() })
      this.model = model
      for (const cmd of cmds) this.options.perform(cmd)
    } catch (defect) {
      this.options.onDefect(defect)
    }
  }

  private scheduleWake(): void {
    clearTimeout(this.timer)
    if (this.isClosed) return
    const now = this.options.now()
    const at = nextWake({ ...this.model, now })
    if (at !== undefined) this.timer = setTimeout(() => this.tell({ _tag: "Ticked" }), Math.max(1, at - now))
  }
}
