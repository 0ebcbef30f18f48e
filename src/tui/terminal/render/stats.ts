/** What frames cost: the last of them one by one, and sums over all. */
export interface FrameSample {
  readonly cells: number
  readonly ops: number
  readonly bytes: number
  readonly viewUs: number
  readonly diffUs: number
  readonly encodeUs: number
  readonly drainUs: number
  readonly fullRedraw: boolean
  /** Frames that were never encoded because the terminal was busy. */
  readonly dropped: number
}

export interface FrameStats {
  /** The newest last. */
  readonly recent: ReadonlyArray<FrameSample>
  readonly totals: FrameTotals
}

export interface FrameTotals {
  readonly frames: number
  readonly cells: number
  readonly bytes: number
  readonly fullRedraws: number
  readonly dropped: number
}

export interface Spread {
  readonly median: number
  readonly p99: number
  readonly max: number
}

const SAMPLES_KEPT = 120

export const NO_STATS: FrameStats = {
  recent: [],
  totals: { frames: 0, cells: 0, bytes: 0, fullRedraws: 0, dropped: 0 }
}

export const withSample = ({ recent, totals }: FrameStats, sample: FrameSample): FrameStats => ({
  recent: [...recent.slice(1 - SAMPLES_KEPT), sample],
  totals: {
    frames: totals.frames + 1,
    cells: totals.cells + sample.cells,
    bytes: totals.bytes + sample.bytes,
    fullRedraws: totals.fullRedraws + (sample.fullRedraw ? 1 : 0),
    dropped: totals.dropped + sample.dropped
  }
})

export const MEASURES = ["cells", "ops", "bytes", "viewUs", "diffUs", "encodeUs", "drainUs"] as const

export type Measure = (typeof MEASURES)[number]

/** The spread of one measure over the frames kept. */
export const spreadOf = ({ recent }: FrameStats, measure: Measure): Spread => {
  const sorted = recent.map((sample) => sample[measure]).toSorted((left, right) => left - right)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99), max: at(1) }
}

/** How many cells a list of ops writes. */
export const cellsWritten = (ops: ReadonlyArray<{ readonly op: string; readonly columns?: number }>): number =>
  ops.reduce((sum, op) => sum + (op.op === "Put" ? (op.columns ?? 0) : 0), 0)
