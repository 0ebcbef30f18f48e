import { run } from "../lib/child.mjs"
import { summariseBy } from "../lib/measure.mjs"

const exactly = (value) => ({ median: value, p90: value })

/** Name, what it is, and how much dearer it may be with a thousand times the messages. */
const ACTS = [
  ["open", "open to the rows of the last screen", 1.5],
  ["key", "a key to its rows", 1.2],
  ["scroll", "a scroll to its rows", 1.2],
  ["ends", "gg and G to their rows", 1.5],
  ["search", "the next match to its rows", 1.5],
  ["append", "a new message to its rows", 2]
]

/** The transcript pane with 100,000 messages beside the same with 100. */
export const transcriptList = async (bench) => {
  const { stdout } = await run(["--expose-gc", bench.program("transcript-list")], bench.place())
  const { sizes, fills, bytes } = JSON.parse(stdout)
  const [small, large] = sizes
  return [
    ...ACTS.map(([name, what, most]) => ({
      name: `transcript-${name}`,
      what: `${what}, ${large.size} messages against ${small.size}`,
      unit: "us",
      ours: summariseBy(large.samples, name),
      floor: summariseBy(small.samples, name),
      target: { of: "ratio", most }
    })),
    {
      name: "transcript-fill",
      what: "indexing 2,000 messages against finding their line breaks",
      unit: "us",
      ours: summariseBy(fills, "sliceUs"),
      floor: summariseBy(fills, "floorUs"),
      target: { of: "ours", most: 8_000 }
    },
    {
      name: "transcript-memory",
      what: "what the index keeps for 1,000 messages",
      unit: "KB",
      ours: exactly(bytes),
      target: { of: "ours", most: 256 }
    }
  ]
}
