import { isAtLeast, type ModelProfile, profileOf } from "../catalog/model.ts"

/**
 * How many tokens the models' windows hold. The first row that fits a model counts; the suffix `[1m]` of an id asks for
 * the second figure.
 */
interface WindowRow {
  /** Of any family when absent. */
  readonly families?: ReadonlyArray<string>
  /** From this version on. */
  readonly from?: readonly [major: number, minor: number]
  /** Up to the versions of this major number. */
  readonly major?: number
  readonly tokens: number
  readonly suffixedTokens: number
}

const SMALL = 200_000
const LARGE = 1_000_000

const WINDOWS: ReadonlyArray<WindowRow> = [
  { families: ["fable", "sonnet"], from: [5, 0], tokens: LARGE, suffixedTokens: LARGE },
  { from: [4, 6], tokens: SMALL, suffixedTokens: LARGE },
  { families: ["sonnet"], from: [4, 0], major: 4, tokens: SMALL, suffixedTokens: LARGE }
]

/** Of a known family without a row. */
const WITHOUT_SUFFIX: WindowRow = { tokens: SMALL, suffixedTokens: SMALL }
/** Of ids that follow no known scheme: the user knows better than we do what the suffix does. */
const UNKNOWN: WindowRow = { tokens: SMALL, suffixedTokens: LARGE }

const fits = ({ families, from, major }: WindowRow, family: string, version: readonly [number, number]): boolean =>
  (families?.includes(family) ?? true) &&
  (from === undefined || isAtLeast(version, from[0], from[1])) &&
  (major === undefined || version[0] === major)

const rowOf = ({ family, version, offline }: ModelProfile): WindowRow => {
  if (offline) return WITHOUT_SUFFIX
  if (family === undefined || version === undefined) return UNKNOWN
  return WINDOWS.find((row) => fits(row, family, version)) ?? WITHOUT_SUFFIX
}

/** Tokens the model's window holds, going by its id alone. */
export const contextWindow = (model: string): number => {
  const profile = profileOf(model)
  const { tokens, suffixedTokens } = rowOf(profile)
  return profile.largeWindow ? suffixedTokens : tokens
}
