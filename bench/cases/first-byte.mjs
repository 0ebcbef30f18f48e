import { run } from "../lib/child.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

/** How soon an offline one-shot run says something. */
export const firstByte = async (bench) => {
  const place = bench.place()
  const samples = await interleave(
    { rounds: 20 },
    {
      ours: () => run([bench.cli, "-p", "hello", "--model", "offline"], place),
      floor: () => run([bench.floor("print-line.cjs")], place)
    }
  )
  return [
    {
      name: "first-byte",
      what: "first byte of an offline one-shot against that of a script that prints a line",
      unit: "ms",
      ours: summariseBy(samples.ours, "firstByteMs"),
      floor: summariseBy(samples.floor, "firstByteMs"),
      target: { of: "ratio", most: 3 }
    }
  ]
}
