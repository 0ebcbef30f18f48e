import { run, usageOf } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

/** One prompt, one answer, over HTTP: what a script that calls the program pays each time. */
export const hello = async (bench) => {
  const { place, oursArgs, floorArgs, server } = await openConversation(bench, { replies: [{ text: "Hello there." }] })
  try {
    const walls = await interleave(
      { rounds: 20 },
      {
        ours: () => run(oursArgs, place),
        floor: () => run(floorArgs, place)
      }
    )
    const used = await interleave(
      { rounds: 5, warmups: 0 },
      {
        ours: () => usageOf(oursArgs, place),
        floor: () => usageOf(floorArgs, place)
      }
    )
    return [
      {
        name: "hello",
        what: "one-shot hello over HTTP, whole process",
        unit: "ms",
        ours: summariseBy(walls.ours, "wallMs"),
        floor: summariseBy(walls.floor, "wallMs"),
        target: { of: "ratio", most: 4 }
      },
      {
        name: "hello-memory",
        what: "the same, peak resident memory",
        unit: "MB",
        ours: summariseBy(used.ours, "peakMb"),
        floor: summariseBy(used.floor, "peakMb"),
        target: { of: "ours", most: 110 }
      }
    ]
  } finally {
    server.stop()
  }
}
