import type { Cmd } from "../../tui/model/cmd.ts"
import type { AppModel } from "../../tui/model/app-model.ts"
import type { Happening } from "../../tui/model/msg.ts"
import { activeContexts } from "../../tui/model/windows/key-contexts.ts"
import { type Pace, paceReveal, SMOOTH } from "../../tui/app/session/stream-pacing.ts"
import { arrivingBlock, shownLength } from "../../tui/transcript/entries/arriving.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { keysFor } from "../../tui/keymap/trie.ts"
import { update } from "../../tui/app/update.ts"
import { view } from "../../tui/app/view/view.ts"
import { nextWake } from "../../tui/app/wake.ts"
import { makePools, type Pools, poolSizes, type PoolSizes, renewPools } from "../../tui/screen/cell/pools.ts"
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
  /** What a live session is at the moment. */
  readonly stateOf: (session: string) => AgentState | undefined
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
  /** Sessions whose answer grew beyond what is shown, and since when. */
  private readonly growing = new Map<string, number>()
  private pace: Pace = SMOOTH

  constructor(private readonly options: UiRuntimeOptions) {
    this.model = options.initial
  }

  tell(happening: Happening): void {
    this.drain(happening)
    this.options.onChange("answer")
    this.scheduleWake()
  }

  /** The answer of a session grew: the next frame shows what is due of it. */
  grow(session: string): void {
    if (!this.growing.has(session)) this.growing.set(session, this.options.now())
    this.options.onChange("stream")
  }

  get poolSizes(): PoolSizes {
    return poolSizes(this.pools)
  }

  get current(): AppModel {
    return this.model
  }

  screen(): Screen | InlineScreen {
    const grown = [...this.growing]
    this.growing.clear()
    for (const [session, since] of grown) this.showGrowth(session, since)
    this.pools = renewPools(this.pools)
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

  private showGrowth(session: string, since: number): void {
    const state = this.options.stateOf(session)
    const transcript = this.model.sessions.get(session)?.transcript
    if (state === undefined || transcript === undefined) return
    const block = arrivingBlock(state)
    const now = this.options.now()
    const upTo = block === undefined ? 0 : this.upTo(block.text, shownLength(transcript, block), now - since)
    if (block !== undefined && upTo < block.text.length) {
      this.growing.set(session, since)
      this.options.onChange("stream")
    }
    this.drain({ _tag: "Session", session, news: { _tag: "Grew", state, upTo } })
    this.scheduleWake()
  }

  private upTo(text: string, shown: number, ageMs: number): number {
    if (this.model.options.reducedMotion) return text.length
    const width = this.model.size.columns
    const { characters, pace } = paceReveal({ text: text.slice(shown), width, ageMs }, this.options.now(), this.pace)
    this.pace = pace
    return shown + characters
  }

  /** Handles this and what arrives meanwhile, in order. */
  private drain(happening: Happening): void {
    this.mailbox.push(happening)
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
