import { run } from "../lib/child.mjs"
import { summarise } from "../lib/measure.mjs"

/** Deciding must be nothing beside doing, however many rules there are. */
export const permission = async (bench) => {
  const { stdout } = await run([bench.program("decide")], bench.place())
  const { cases, spawns } = JSON.parse(stdout)
  return cases.map(({ count, samples }) => ({
    name: `permission-${count}`,
    what: `a permission decision under ${count} ${count === 1 ? "rule" : "rules"} against spawning true`,
    unit: "us",
    ours: summarise(samples),
    floor: summarise(spawns),
    target: { of: "ratio", most: 0.01 }
  }))
}
