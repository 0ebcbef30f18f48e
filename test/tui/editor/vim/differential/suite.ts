/** One share of the differential suite; the test files differ only in which share they run. */
import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { compareAll, explain } from "./compare.ts"
import { isOneSeed, type Seeds, seedsFor } from "../../../../support/seeds.ts"
import type { Script } from "./script.ts"
import { shrink } from "./shrink.ts"

/** How many disagreements are made small and printed; the rest only counts. */
const MOST_SHOWN = 3

/** Without Vim there is nobody to compare with. Where the comparison is owed (CI), its absence is a failure. */
const isPossible = (): boolean =>
  process.env["NACRE_REQUIRE_VIM"] === "1" || spawnSync("vim", ["--version"], { stdio: "ignore" }).status === 0

export interface Suite {
  /** What the scripts are called in the report. */
  readonly name: string
  readonly scriptFrom: (seed: number) => Script
  /** How many for each share in every run, that nobody has seen, and of those in a long run. */
  readonly scripts: Pick<Seeds, "fixed" | "fresh" | "soak">
  readonly shares: number
}

export const runShare = (suite: Suite, share: number): void => {
  const title = `${suite.name} agree with vim, share ${share + 1} of ${suite.shares}`
  it.skipIf(!isPossible() || (isOneSeed && share > 0))(title, async () => {
    const seeds = seedsFor({ ...suite.scripts, first: 1 + share, step: suite.shares })
    const { disagreements, unobserved } = await compareAll(seeds.map(suite.scriptFrom))
    expect(
      unobserved.map((index) => seeds[index]),
      "seeds vim gave no answer for"
    ).toEqual([])
    const shown: Array<string> = []
    for (const [index, disagreement] of [...disagreements].slice(0, MOST_SHOWN)) {
      shown.push(`NACRE_SEED=${seeds[index]}: ${explain(await shrink(disagreement))}`)
    }
    expect(disagreements.size, `${disagreements.size} of ${seeds.length} scripts\n${shown.join("\n")}\n`).toBe(0)
  })
}
