import { run } from "../lib/child.mjs"
import { summariseBy } from "../lib/measure.mjs"

/** Ten times as long: any dependence on what stands before would show as a factor. */
const NO_GROWTH = 1.5

const growthRow = (samples, kind) => ({
  name: `layout-stream-${kind}`,
  what: `one line more of an endless ${kind}: of 5,000 lines against 500`,
  unit: "us",
  ours: summariseBy(samples, `${kind}Many`),
  floor: summariseBy(samples, `${kind}Few`),
  target: { of: "ratio", most: NO_GROWTH }
})

/** Text becomes rows. */
export const layout = async (bench) => {
  const { stdout } = await run([bench.program("layout")], bench.place())
  const { kinds, samples } = JSON.parse(stdout)
  const row = (name, what, [ours, floor, target]) => ({
    name,
    what,
    unit: "ms",
    ours: summariseBy(samples, ours),
    floor: summariseBy(samples, floor),
    ...(target === undefined ? {} : { target })
  })
  return [
    row("layout-markdown", "rows of a long answer against lexing it", ["layoutMs", "lexMs"]),
    row("layout-wrap", "wrapping 100 KB against finding its words", ["wrapMs", "wordsMs"]),
    row("layout-highlight", "colouring 2,000 lines against finding their words", ["highlightMs", "codeWordsMs"]),
    row("fuzzy", "the best of 50,000 paths against filtering them", ["fuzzyMs", "filterMs", { of: "ratio", most: 3 }]),
    ...kinds.map((kind) => growthRow(samples, kind))
  ]
}
