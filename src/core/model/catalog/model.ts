import { LIMITS } from "../../domain/limits.ts"

/**
 * What is known about models by their id: family and version are read from the id, and the table below says what each
 * generation can do. An id the table does not know still works, with cautious figures.
 */
export type EffortLevel = "low" | "medium" | "high" | "xhigh" | "max"

/** From least to most; comparing positions compares levels. */
export const EFFORT_LEVELS: ReadonlyArray<EffortLevel> = ["low", "medium", "high", "xhigh", "max"]

/**
 * none: the model does not think; budget: only with a fixed budget; either: adaptive or with a budget; adaptive: only
 * adaptive, off when asked; always: adaptive and cannot be turned off.
 */
export type ThinkingSupport = "none" | "budget" | "either" | "adaptive" | "always"

export interface ModelProfile {
  /** Id as the endpoint wants it, without the window suffix. */
  readonly id: string
  readonly name: string
  /** Whether the id asked for the large window with the suffix `[1m]`. */
  readonly largeWindow: boolean
  /** `opus`, `sonnet` ...; absent when the id follows no known scheme. */
  readonly family?: string
  /** Major and minor, for example [4, 6]. */
  readonly version?: readonly [number, number]
  readonly offline: boolean
  readonly outputCapTokens: number
  readonly outputDefaultTokens: number
  readonly thinking: ThinkingSupport
  readonly efforts: ReadonlyArray<EffortLevel>
  readonly defaultEffort: EffortLevel
}

const LARGE_WINDOW_SUFFIX = /\[1m\]$/i
/** `claude-opus-4-6`, `claude-haiku-4-5-20251001`, also inside longer provider ids. */
const FAMILY_FIRST = /claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/
/** `claude-3-7-sonnet-20250219`. */
const VERSION_FIRST = /claude-(\d{1,2})(?:[-.](\d{1,2}))?-([a-z]+)/
const OFFLINE = /^offline(?:-[\w.-]+)?$/

export const withoutWindowSuffix = (id: string): string => id.replace(LARGE_WINDOW_SUFFIX, "")

export const isOfflineModel = (id: string): boolean => OFFLINE.test(withoutWindowSuffix(id))

interface Lineage {
  readonly family: string
  readonly version: readonly [number, number]
}

const lineageOf = (id: string): Lineage | undefined => {
  const byFamily = FAMILY_FIRST.exec(id)
  if (byFamily?.[1] !== undefined) {
    return { family: byFamily[1], version: [Number(byFamily[2]), Number(byFamily[3] ?? 0)] }
  }
  const byVersion = VERSION_FIRST.exec(id)
  if (byVersion?.[3] === undefined) return undefined
  return { family: byVersion[3], version: [Number(byVersion[1]), Number(byVersion[2] ?? 0)] }
}

/** `opus-4-6`: the row a model has in the price and window tables. */
export const lineageKey = (id: string): string | undefined => {
  const lineage = lineageOf(withoutWindowSuffix(id).toLowerCase())
  return lineage && `${lineage.family}-${lineage.version[0]}-${lineage.version[1]}`
}

export const isAtLeast = (version: readonly [number, number], major: number, minor: number): boolean =>
  version[0] > major || (version[0] === major && version[1] >= minor)

const ALL_EFFORTS = EFFORT_LEVELS
const WITHOUT_XHIGH: ReadonlyArray<EffortLevel> = ["low", "medium", "high", "max"]
const UP_TO_HIGH: ReadonlyArray<EffortLevel> = ["low", "medium", "high"]

const outputCapOf = ({ family, version }: Lineage): number => {
  if (isAtLeast(version, 4, 6)) return 128_000
  if (family === "opus" && !isAtLeast(version, 4, 5)) return version[0] >= 4 ? 32_000 : 4_096
  if (isAtLeast(version, 3, 7)) return 64_000
  return isAtLeast(version, 3, 5) ? 8_192 : 4_096
}

const ALWAYS_THINKING = new Set(["fable", "mythos"])

const thinkingOf = ({ family, version }: Lineage): ThinkingSupport => {
  if (ALWAYS_THINKING.has(family) || (family === "opus" && isAtLeast(version, 5, 5))) return "always"
  if (isAtLeast(version, 4, 7)) return "adaptive"
  if (isAtLeast(version, 4, 6)) return "either"
  return isAtLeast(version, 3, 7) ? "budget" : "none"
}

const effortsOf = ({ family, version }: Lineage): ReadonlyArray<EffortLevel> => {
  if (isAtLeast(version, 4, 7)) return ALL_EFFORTS
  if (isAtLeast(version, 4, 6)) return WITHOUT_XHIGH
  return family === "opus" && isAtLeast(version, 4, 5) ? UP_TO_HIGH : []
}

const MEDIUM_BY_DEFAULT = new Set(["opus-5-5", "haiku-5-5"])

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const displayName = ({ family, version: [major, minor] }: Lineage): string =>
  `Claude ${capitalised(family)} ${minor === 0 ? major : `${major}.${minor}`}`

const UNKNOWN_MODEL = {
  outputCapTokens: LIMITS.unknownModelOutputTokens,
  outputDefaultTokens: LIMITS.unknownModelOutputTokens,
  thinking: "none",
  efforts: [],
  defaultEffort: "high"
} as const

const readProfile = (requested: string): ModelProfile => {
  const id = withoutWindowSuffix(requested)
  const largeWindow = id !== requested
  if (isOfflineModel(id)) {
    // Room above the default so that the recovery from a cut answer can be exercised offline.
    return { ...UNKNOWN_MODEL, id, name: id, largeWindow, offline: true, outputCapTokens: LIMITS.escalatedOutputTokens }
  }
  const lineage = lineageOf(id.toLowerCase())
  if (lineage === undefined) return { ...UNKNOWN_MODEL, id, name: id, largeWindow, offline: false }
  const outputCapTokens = outputCapOf(lineage)
  return {
    id,
    name: displayName(lineage),
    largeWindow,
    family: lineage.family,
    version: lineage.version,
    offline: false,
    outputCapTokens,
    outputDefaultTokens: Math.min(outputCapTokens, LIMITS.unknownModelOutputTokens),
    thinking: thinkingOf(lineage),
    efforts: effortsOf(lineage),
    defaultEffort: MEDIUM_BY_DEFAULT.has(lineageKey(id) ?? "") ? "medium" : "high"
  }
}

/** A conversation asks about the same few ids several times per request; reading one means several patterns. */
const PROFILES_KEPT = 64
const profiles = new Map<string, ModelProfile>()

export const profileOf = (requested: string): ModelProfile => {
  const known = profiles.get(requested)
  if (known !== undefined) return known
  const profile = readProfile(requested)
  if (profiles.size >= PROFILES_KEPT) profiles.clear()
  profiles.set(requested, profile)
  return profile
}

export const outputCap = (model: string): number => profileOf(model).outputCapTokens

export const defaultOutputTokens = (model: string): number => profileOf(model).outputDefaultTokens

const DATED = /[-@]20\d{6}(?:-v\d+(?::\d+)?)?$/

const undated = (id: string): string => withoutWindowSuffix(id).replace(DATED, "")

/** Whether two ids name the same model: window suffix and snapshot date aside. */
export const isSameModel = (left: string, right: string): boolean => left === right || undated(left) === undated(right)

/** Where requests go when nothing else is said. */
export const DEFAULT_BASE_URL = "https://api.anthropic.com"
