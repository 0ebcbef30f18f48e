/**
 * How much is tried at random. `npm test` tries the same seeds in every run, so that what passed here passes there, and
 * a few that nobody has seen; a failure names its seed. `npm run soak` (NACRE_SOAK, a factor) tries as many as are
 * worth waiting for, and NACRE_SEED one seed alone.
 */
const ONLY = process.env["NACRE_SEED"]
const SOAK = Number(process.env["NACRE_SOAK"] ?? 0)
const FIXED_PROPERTY_SEED = 20_261_118
/** One file of properties in so many looks for what nobody has seen. */
const FILES_PER_FRESH = 8

const SEEDS = 2 ** 31
const freshSeed = (): number => Math.floor(Math.random() * SEEDS)

/** Whether what the seeds reach together can be asked for. */
export const isOneSeed = ONLY !== undefined

/** A number of its own for the long run. */
export const inSoak = (usual: number, soak: number): number => (SOAK > 0 ? soak * SOAK : usual)

export interface Seeds {
  /** The seeds of every run are `first`, `first + step` and so on. */
  readonly first?: number
  readonly step?: number
  readonly fixed: number
  /** How many more that nobody has seen, and how many of those in a long run. */
  readonly fresh: number
  readonly soak: number
}

const row = (first: number, step: number, length: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, index) => first + index * step)

export const seedsFor = ({ first = 1, step = 1, fixed, fresh, soak }: Seeds): ReadonlyArray<number> =>
  ONLY === undefined ? [...row(first, step, fixed), ...row(freshSeed(), 1, inSoak(fresh, soak))] : [Number(ONLY)]

/** The seed for the properties of one file; fast-check prints it with what fails. */
export const propertySeed = (): number => {
  if (ONLY !== undefined) return Number(ONLY)
  return SOAK > 0 || Math.random() * FILES_PER_FRESH < 1 ? freshSeed() : FIXED_PROPERTY_SEED
}
