import { createHash } from "node:crypto"
import { relative, sep } from "node:path"
import { expect } from "vitest"

/**
 * How much is tried at random. `npm test` tries the same seeds in every run, and a few that change with the code that the
 * test is about: a commit that passed here passes there, whoever changes that code looks somewhere new, and nobody else
 * meets what a new seed finds. A failure names its seed. `npm run soak` (NACRE_SOAK, a factor) tries as many as are worth
 * waiting for that nobody has seen, and NACRE_SEED one seed alone.
 */
const ONLY = process.env["NACRE_SEED"]
const SOAK = Number(process.env["NACRE_SOAK"] ?? 0)
const FIXED_PROPERTY_SEED = 20_261_118
/** One file of properties in so many looks for what nobody has seen. */
const FILES_PER_FRESH = 8

const SEEDS = 2 ** 31

/** Digests of the folders of the commit; they come from vitest.config.ts. */
const TREES: ReadonlyMap<string, string> = new Map(
  (process.env["NACRE_TEST_TREES"] ?? "").split("\n").map((line) => {
    const [path = "", tree = ""] = line.split(" ")
    return [path, tree]
  })
)

/** What a test is about: its folder and the one that it mirrors, two levels deep; else all of the program. */
const codeOf = (file: string): string => {
  const [, room = "", folder = ""] = relative(process.cwd(), file).split(sep)
  const nearest = (...paths: ReadonlyArray<string>): string => paths.map((path) => TREES.get(path)).find(Boolean) ?? ""
  return `${nearest(`src/${room}/${folder}`, "src")} ${nearest(`test/${room}/${folder}`, `test/${room}`)}`
}

/** Another number for every state of the code, test file and use. */
const freshSeed = (use: number): number => {
  if (SOAK > 0) return Math.floor(Math.random() * SEEDS)
  const file = expect.getState().testPath ?? ""
  const hash = createHash("sha256").update(`${codeOf(file)} ${relative(process.cwd(), file)} ${use}`)
  return hash.digest().readUInt32BE(0) % SEEDS
}

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
  ONLY === undefined ? [...row(first, step, fixed), ...row(freshSeed(first), 1, inSoak(fresh, soak))] : [Number(ONLY)]

/** The seed for the properties of one file; fast-check prints it with what fails. */
export const propertySeed = (): number => {
  if (ONLY !== undefined) return Number(ONLY)
  const seed = freshSeed(0)
  return SOAK > 0 || seed % FILES_PER_FRESH === 0 ? seed : FIXED_PROPERTY_SEED
}
