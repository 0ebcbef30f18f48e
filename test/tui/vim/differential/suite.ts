/** One share of the differential suite; the test files differ only in which share they run. */
import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { compareAll, explain } from "./compare.ts"
import { scriptFrom } from "./grammar.ts"
import { shrink } from "./shrink.ts"

/** Scripts of a whole run; NACRE_VIM_SCRIPTS asks for more. */
const SCRIPTS = Math.max(3200, Number(process.env["NACRE_VIM_SCRIPTS"] ?? 0))
const ONE_SEED = process.env["NACRE_VIM_SEED"]
/** Where the seeds of a run begin; another number asks for scripts that nobody has seen. */
const FIRST_SEED = Number(process.env["NACRE_VIM_FIRST_SEED"] ?? 1)
const SHARES = 4
/** How many disagreements are made small and printed; the rest only counts. */
const MOST_SHOWN = 3
const TIMEOUT_MS = 600_000

/** Without Vim there is nobody to compare with. Where the comparison is owed (CI), its absence is a failure. */
const isPossible = (): boolean =>
  process.env["NACRE_REQUIRE_VIM"] === "1" || spawnSync("vim", ["--version"], { stdio: "ignore" }).status === 0

const seedsOf = (share: number): ReadonlyArray<number> => {
  if (ONE_SEED !== undefined) return share === 0 ? [Number(ONE_SEED)] : []
  return Array.from({ length: Math.ceil(SCRIPTS / SHARES) }, (_, index) => FIRST_SEED + index * SHARES + share)
}

export const runShare = (share: number): void => {
  it.skipIf(!isPossible())(`agrees with vim on share ${share + 1} of ${SHARES}`, { timeout: TIMEOUT_MS }, async () => {
    const seeds = seedsOf(share)
    const scripts = seeds.map(scriptFrom)
    const { disagreements, unobserved } = await compareAll(scripts)
    expect(unobserved.map((script) => seeds[scripts.indexOf(script)]), "seeds vim gave no answer for").toEqual([])
    const shown: Array<string> = []
    for (const disagreement of disagreements.slice(0, MOST_SHOWN)) {
      const seed = seeds[scripts.indexOf(disagreement.script)]
      shown.push(`NACRE_VIM_SEED=${seed}: ${explain(await shrink(disagreement))}`)
    }
    expect(disagreements.length, `${disagreements.length} of ${seeds.length} scripts\n${shown.join("\n")}\n`).toBe(0)
  })
}
