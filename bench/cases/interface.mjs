import { run } from "../lib/child.mjs"
import { summarise } from "../lib/measure.mjs"

const FRAME_MS = 16

const row = (name, what, figures) => ({ name: `interface-${name}`, what, ...figures })

const inFrame = { unit: "ms", target: { of: "ours", most: FRAME_MS } }

/** Keys of the whole interface, from the keyboard to the bytes: update, view, diff, encode at 120x40. */
export const interfaceKeys = async (bench) => {
  const { stdout } = await run(["--expose-gc", bench.program("interface")], bench.place())
  const { sizes, scroll, search, opens } = JSON.parse(stdout)
  const [empty, small, large] = sizes.map(({ samples }) => summarise(samples))
  const size = sizes.at(-1).size
  return [
    row("key", `a key of the prompt to its bytes, ${size} messages against none`, {
      unit: "us",
      ours: large,
      floor: empty,
      target: { of: "ratio", most: 1.5 }
    }),
    row("key-length", `the same, ${size} messages against ${sizes[1].size}`, {
      unit: "us",
      ours: large,
      floor: small,
      target: { of: "ratio", most: 1.2 }
    }),
    row("scroll", `a scroll key of the transcript to its bytes, ${size} messages`, {
      ...inFrame,
      ours: summarise(scroll.keys)
    }),
    row("search", "a key of a search there to its bytes", { ...inFrame, ours: summarise(search.keys) }),
    row("search-slice", "a slice of the search between two keys", { ...inFrame, ours: summarise(search.slices) }),
    row("open", `a session of ${size} messages to its first bytes`, { unit: "ms", ours: summarise(opens) })
  ]
}
