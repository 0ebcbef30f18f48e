import { run } from "../lib/child.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

/** The cheapest thing the program does: nothing but Node itself may cost anything. */
export const version = async (bench) => {
  const place = bench.place()
  const samples = await interleave(
    { rounds: 30 },
    {
      ours: () => run([bench.cli, "--version"], place),
      floor: () => run([bench.floor("print-line.cjs")], place)
    }
  )
  return [
    {
      name: "version",
      what: "--version against a script that prints a line",
      unit: "ms",
      ours: summariseBy(samples.ours, "wallMs"),
      floor: summariseBy(samples.floor, "wallMs"),
      target: { of: "ratio", most: 1.2 }
    }
  ]
}
