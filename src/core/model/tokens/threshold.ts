/** Where in a window the warnings, compaction and the refusal begin. All figures are tokens. */
export interface WindowSettings {
  readonly autoCompact: boolean
  /** A smaller window to compact in than the model has. */
  readonly autoWindowTokens?: number
  /** Compact when this share of the auto window is used, if that is earlier. */
  readonly autoPercent?: number
  readonly errorBufferTokens?: number
}

export interface Thresholds {
  readonly reserveTokens: number
  readonly effectiveTokens: number
  readonly warningTokens: number
  readonly errorTokens: number
  /** Where automatic compaction begins; also given when it is off, for display. */
  readonly autoTokens: number
  readonly blockingTokens: number
  /** What the meter counts down to. */
  readonly limitTokens: number
}

const OUTPUT_RESERVE_TOKENS = 20_000
const AUTO_BUFFER_TOKENS = 13_000
const WARNING_BUFFER_TOKENS = 20_000
const BLOCKING_BUFFER_TOKENS = 3_000
const SMALL_WINDOW_TOKENS = 100_000

const buffersOf = (windowTokens: number, outputCapTokens: number) =>
  windowTokens < SMALL_WINDOW_TOKENS
    ? {
        reserve: Math.floor(windowTokens / 4),
        auto: Math.floor(windowTokens / 10),
        warning: Math.floor(windowTokens / 8),
        blocking: Math.max(1, Math.floor(windowTokens / 50))
      }
    : {
        reserve: Math.min(outputCapTokens, OUTPUT_RESERVE_TOKENS),
        auto: AUTO_BUFFER_TOKENS,
        warning: WARNING_BUFFER_TOKENS,
        blocking: BLOCKING_BUFFER_TOKENS
      }

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

export const thresholdsOf = (windowTokens: number, outputCapTokens: number, settings: WindowSettings): Thresholds => {
  const buffers = buffersOf(windowTokens, outputCapTokens)
  const effectiveTokens = windowTokens - buffers.reserve
  const blockingTokens = effectiveTokens - buffers.blocking
  const autoWindow = Math.min(windowTokens, settings.autoWindowTokens ?? windowTokens) - buffers.reserve
  const share = settings.autoPercent === undefined ? 1 : clamp(settings.autoPercent, 1, 100) / 100
  const autoTokens = Math.max(1, Math.min(autoWindow - buffers.auto, Math.floor(autoWindow * share)))
  const limitTokens = settings.autoCompact ? autoTokens : effectiveTokens
  const errorBuffer = clamp(settings.errorBufferTokens ?? buffers.warning, 0, buffers.warning)
  return {
    reserveTokens: buffers.reserve,
    effectiveTokens,
    warningTokens: Math.max(1, limitTokens - buffers.warning),
    errorTokens: Math.max(1, limitTokens - errorBuffer),
    autoTokens,
    blockingTokens,
    limitTokens
  }
}

const AUTO_WINDOW_MIN_TOKENS = 100_000
const AUTO_WINDOW_MAX_TOKENS = 1_000_000
const SUFFIXED = /^(\d+(?:\.\d+)?)\s*([kKmM]?)$/
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000 }

/** A count like `150000`, `150k`, `1M` or `150` (thousands); `auto` and what cannot be read give nothing. */
export const parseAutoWindow = (value: string): number | undefined => {
  const match = SUFFIXED.exec(value.trim())
  if (match === null) return undefined
  const unit = (match[2] ?? "").toLowerCase()
  const count = Number(match[1]) * (UNITS[unit] ?? 1)
  const inThousands = unit === "" && count >= 100 && count <= 1_000
  return Math.round(inThousands ? count * 1_000 : count)
}

export interface AutoWindowSources {
  /** CLAUDE_CODE_AUTO_COMPACT_WINDOW: a plain integer; what follows the digits is ignored. */
  readonly env?: string
  readonly flag?: string
  readonly session?: string
  readonly setting?: string | number
}

/** The auto window of the strongest source, within the bounds and the model's own window. */
export const resolveAutoWindow = (sources: AutoWindowSources, windowTokens: number): number | undefined => {
  const fromEnv = sources.env === undefined ? Number.NaN : Number.parseInt(sources.env, 10)
  const named = sources.flag ?? sources.session ?? sources.setting
  const count = Number.isFinite(fromEnv) ? fromEnv : parseAutoWindow(String(named))
  if (count === undefined) return undefined
  return Math.min(windowTokens, clamp(count, AUTO_WINDOW_MIN_TOKENS, AUTO_WINDOW_MAX_TOKENS))
}
