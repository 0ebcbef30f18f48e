import type { PoolSizes } from "../../../tui/screen/cell/pools.ts"
import { type FrameStats, type Measure, MEASURES, spreadOf } from "../../../tui/terminal/render/stats.ts"

/** What the interface counts while it runs. */
export interface Counters {
  readonly frames: FrameStats
  readonly pools: PoolSizes
  /** Sequences from the terminal that were not understood. */
  readonly unknownInput: number
}

/** What frames cost, as lines to read (`:stats`). */

const NAMES: Readonly<Record<Measure, string>> = {
  cells: "cells",
  ops: "operations",
  bytes: "bytes",
  viewUs: "view, µs",
  diffUs: "diff, µs",
  encodeUs: "encode, µs",
  drainUs: "drain, µs"
}

const NAME_WIDTH = 14
const NUMBER_WIDTH = 10

const row = (name: string, cells: ReadonlyArray<string>): string =>
  name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(NUMBER_WIDTH)).join("")

const figure = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))

export const statsLines = ({ frames, pools, unknownInput }: Counters): ReadonlyArray<string> => {
  const { recent, totals } = frames
  const spreads = MEASURES.map((measure) => {
    const { median, p99, max } = spreadOf(frames, measure)
    return row(NAMES[measure], [median, p99, max].map(figure))
  })
  return [
    row(`last ${recent.length}`, ["median", "p99", "max"]),
    ...spreads,
    "",
    `total: ${totals.frames} frames, ${totals.cells} cells, ${totals.bytes} bytes`,
    `whole redraws: ${totals.fullRedraws}; frames never drawn: ${totals.dropped}`,
    `pools: ${pools.glyphs} glyphs, ${pools.styles} styles, ${pools.links} links, generation ${pools.generation}`,
    `input that was not understood: ${unknownInput}`
  ]
}
