import { createRequire } from "node:module"
import { run } from "../lib/child.mjs"
import { summarise } from "../lib/measure.mjs"

const exactly = (value) => ({ median: value, p90: value })

/** Drawing beside the draw function of blessed, and little changes beside great ones. */
export const renderer = async (bench) => {
  const blessed = createRequire(import.meta.url).resolve("blessed")
  const { stdout } = await run([bench.program("renderer"), blessed], bench.place())
  const { samples, bytes } = JSON.parse(stdout)
  const full = summarise(samples.full)
  const row = (name, what, floor, most) => ({
    name: `renderer-${name}`,
    what,
    unit: "us",
    ours: summarise(samples[name]),
    floor,
    target: { of: "ratio", most }
  })
  return [
    row("full", "200x60, every cell changed: diff and encode against the draw of blessed", summarise(samples.blessed), 0.25),
    row("one", "one cell changed against every cell", full, 0.05),
    row("scroll", "one row scrolled against every cell", full, 0.35),
    row("same", "nothing changed against every cell", full, 0.05),
    {
      name: "renderer-bytes",
      what: "bytes for one cell against every cell",
      unit: "KB",
      ours: exactly(bytes.one / 1e3),
      floor: exactly(bytes.full / 1e3),
      target: { of: "ratio", most: 0.01 }
    },
    {
      name: "renderer-idle",
      what: "bytes for a screen that did not change",
      unit: "KB",
      ours: exactly(bytes.same / 1e3),
      target: { of: "ours", most: 0.0005 }
    }
  ]
}
