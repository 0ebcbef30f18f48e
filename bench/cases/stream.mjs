import { run } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { interleave, summarise, summariseBy } from "../lib/measure.mjs"

const DELTA_CHARS = 24
const FEW = 10_000
const MANY = 100_000

const answerOf = (deltas) => ({ text: "some words of an answer ".repeat(deltas), deltaChars: DELTA_CHARS, coalesced: true })

/** What one delta costs, in microseconds, when the run without any is taken away; paired by round. */
const perDelta = (samples, none, deltas) =>
  summarise(samples.map(({ wallMs }, round) => ((wallMs - none[round].wallMs) * 1e3) / deltas))

/** A very long answer through the whole program. */
export const stream = async (bench) => {
  const open = (deltas, flags) => openConversation(bench, { replies: [answerOf(deltas)], flags })
  const conversations = [await open(1), await open(FEW), await open(MANY)]
  const [none, few, many] = conversations
  try {
    const samples = await interleave(
      { rounds: 7, warmups: 1 },
      {
        none: () => run(none.oursArgs, none.place),
        few: () => run(few.oursArgs, few.place),
        many: () => run(many.oursArgs, many.place),
        floor: () => run(many.floorArgs, many.place)
      }
    )
    return [
      {
        name: "stream-linear",
        what: "a delta of an answer of 100,000 against one of 10,000, whole process",
        unit: "us",
        ours: perDelta(samples.many, samples.none, MANY),
        floor: perDelta(samples.few, samples.none, FEW),
        target: { of: "ratio", most: 1.25 }
      },
      {
        name: "stream",
        what: "an answer of 100,000 deltas over HTTP, whole process",
        unit: "ms",
        ours: summariseBy(samples.many, "wallMs"),
        floor: summariseBy(samples.floor, "wallMs")
      }
    ]
  } finally {
    for (const { server } of conversations) server.stop()
  }
}
