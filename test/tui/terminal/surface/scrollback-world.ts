import headless from "@xterm/headless"
import { makePools, type Pools } from "../../../../src/tui/screen/cell/pools.ts"
import { inlineView } from "../../../../src/tui/app/view/inline-view.ts"
import type { InlineScreen } from "../../../../src/tui/terminal/surface/inline-screen.ts"
import { rowsAboveCursor } from "../../../../src/tui/terminal/surface/reflow.ts"
import {
  damagedSurface,
  leaveSurface,
  NEW_SURFACE,
  paint,
  type Surface
} from "../../../../src/tui/terminal/surface/surface.ts"
import type { Capabilities } from "../../../../src/tui/terminal/render/capabilities.ts"
import { CAPS, TuiWorld } from "../../../support/tui-world.ts"

/** Inline mode on an emulator that keeps its scrollback: what a user would find when scrolling back. */

export const INLINE_CAPS: Capabilities = { ...CAPS, reflow: "spares" }

export class InlineTerminal {
  readonly world: TuiWorld
  /** Everything that was written while nothing covered the main screen. */
  bytes = ""
  surface: Surface = NEW_SURFACE
  private readonly terminal: headless.Terminal
  private readonly pools: Pools = makePools()

  constructor(columns: number, rows: number) {
    this.terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100_000 })
    this.world = new TuiWorld({ size: { columns, rows }, options: { interface: "inline" }, caps: INLINE_CAPS })
  }

  screen(): InlineScreen {
    return inlineView({ ...this.world.model, now: this.world.now }, this.pools)
  }

  async draw(): Promise<string> {
    const painted = paint(this.surface, this.screen(), INLINE_CAPS)
    const isOnMain = this.surface.shown?.modes.altScreen !== true && painted.surface.shown?.modes.altScreen !== true
    this.surface = painted.surface
    const bytes = painted.encode()
    if (isOnMain) this.bytes += bytes
    return this.write(bytes)
  }

  /**
   * Rows of the region that stay behind: the terminal pushed them off the screen, where nobody can reach them, or it
   * broke the row of the cursor and left the cursor further down than anybody can know.
   */
  lost = 0

  async resize(columns: number, rows: number): Promise<void> {
    const { region } = this.surface
    const isWatched = region !== undefined && !this.isBeside
    const top = isWatched ? this.terminal.registerMarker(-region.cursor.y) : undefined
    this.terminal.resize(columns, rows)
    if (isWatched) {
      const above = rowsAboveCursor(region, columns, INLINE_CAPS.reflow)
      const { baseY, cursorY } = this.terminal.buffer.normal
      const really = top === undefined || top.line < 0 ? above : baseY + cursorY - top.line
      this.lost += Math.max(0, above - cursorY, really - above)
    }
    top?.dispose()
    this.world.resize(columns, rows)
    this.surface = damagedSurface(this.surface)
    await this.draw()
  }

  async leave(): Promise<void> {
    const { bytes, surface } = leaveSurface(this.surface, this.screen(), INLINE_CAPS)
    this.surface = surface
    await this.write(bytes)
  }

  async write(bytes: string): Promise<string> {
    await new Promise<void>((resolve) => this.terminal.write(bytes, resolve))
    return bytes
  }

  get isBeside(): boolean {
    return this.terminal.buffer.active.type === "alternate"
  }

  get cursor(): { readonly x: number; readonly y: number } {
    const { cursorX, cursorY } = this.terminal.buffer.active
    return { x: cursorX, y: cursorY }
  }

  /** Scrollback and screen as lines of text; rows that the terminal broke are joined again. */
  lines(): ReadonlyArray<string> {
    const { normal } = this.terminal.buffer
    const lines: Array<string> = []
    for (let y = 0; y < normal.length; y++) {
      const line = normal.getLine(y)
      const text = line?.translateToString(true) ?? ""
      if (line?.isWrapped === true) lines[lines.length - 1] = `${lines.at(-1) ?? ""}${text}`
      else lines.push(text)
    }
    return lines
  }

  /** The rows of the screen. */
  shown(): ReadonlyArray<string> {
    const { active } = this.terminal.buffer
    const row = (y: number): string => active.getLine(active.baseY + y)?.translateToString(true) ?? ""
    return Array.from({ length: this.terminal.rows }, (_, y) => row(y))
  }
}
