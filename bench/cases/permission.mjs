import { run } from "../lib/child.mjs"
import { summarise } from "../lib/measure.mjs"

/** Most share of a spawn that a decision may cost, by number of rules: it must not grow with them. */
const MOST = { 1: 0.01, 100: 0.01, 1000: 0.01 }

/** Deciding must be little beside doing. */
export const permission = async (bench) => {
  const { stdout } = await run([bench.program("decide")], bench.place())
  const { cases, spawns } = JSON.parse(stdout)
  return cases.map(({ count, samples }) => ({
    name: `permission-${count}`,
    what: `a permission decision under ${count} ${count === 1 ? "rule" : "rules"} against spawning true`,
    unit: "us",
    ours: summarise(samples),
    floor: summarise(spawns),
    target: { of: "ratio", most: MOST[count] }
  }))
}
