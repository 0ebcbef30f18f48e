/** One share of the differential suite; the test files differ only in which share they run. */
import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { compareAll, explain } from "./compare.ts"
import type { Script } from "./script.ts"
import { shrink } from "./shrink.ts"

/** Another number of scripts than a suite has by itself; it only asks for more. */
const ASKED = Number(process.env["NACRE_VIM_SCRIPTS"] ?? 0)
const ONE_SEED = process.env["NACRE_VIM_SEED"]
/** Where the seeds of a run begin; another number asks for scripts that nobody has seen. */
const FIRST_SEED = Number(process.env["NACRE_VIM_FIRST_SEED"] ?? 1)
/** How many disagreements are made small and printed; the rest only counts. */
const MOST_SHOWN = 3
const TIMEOUT_MS = 600_000

/** Without Vim there is nobody to compare with. Where the comparison is owed (CI), its absence is a failure. */
const isPossible = (): boolean =>
  process.env["NACRE_REQUIRE_VIM"] === "1" || spawnSync("vim", ["--version"], { stdio: "ignore" }).status === 0

export interface Suite {
  /** What the scripts are called in the report. */
  readonly name: string
  readonly scriptFrom: (seed: number) => Script
  readonly scripts: number
  readonly shares: number
}

const seedsOf = ({ scripts, shares }: Suite, share: number): ReadonlyArray<number> => {
  if (ONE_SEED !== undefined) return share === 0 ? [Number(ONE_SEED)] : []
  const length = Math.ceil(Math.max(scripts, ASKED) / shares)
  return Array.from({ length }, (_, index) => FIRST_SEED + index * shares + share)
}

export const runShare = (suite: Suite, share: number): void => {
  const title = `${suite.name} agree with vim, share ${share + 1} of ${suite.shares}`
  it.skipIf(!isPossible())(title, { timeout: TIMEOUT_MS }, async () => {
    const seeds = seedsOf(suite, share)
    const { disagreements, unobserved } = await compareAll(seeds.map(suite.scriptFrom))
    expect(
      unobserved.map((index) => seeds[index]),
      "seeds vim gave no answer for"
    ).toEqual([])
    const shown: Array<string> = []
    for (const [index, disagreement] of [...disagreements].slice(0, MOST_SHOWN)) {
      shown.push(`NACRE_VIM_SEED=${seeds[index]}: ${explain(await shrink(disagreement))}`)
    }
    expect(disagreements.size, `${disagreements.size} of ${seeds.length} scripts\n${shown.join("\n")}\n`).toBe(0)
  })
}
