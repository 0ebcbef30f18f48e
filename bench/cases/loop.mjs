import { run, usageOf } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { interleave, summarise } from "../lib/measure.mjs"
import { gapsOf } from "../lib/server.mjs"
import { rowsOfParsers, shellParsers, withEachParser } from "../lib/shell-parsers.mjs"
import { loopScript } from "../lib/loop-script.mjs"

/** Runs and asks the server for the pauses it saw between an answer and the next request. */
const withGaps = async (args, place, server) => {
  const { wallMs } = await run(args, place)
  const { requests } = await server.take()
  return { wallMs, gaps: gapsOf(requests) }
}

/** Bash and Read alternate, so every second pause belongs to the same tool. */
const gapsOfTool = (samples, first) =>
  summarise(samples.flatMap(({ gaps }) => gaps.filter((_, index) => index % 2 === first)))

const gapRow = (samples, tool, first) => ({
  name: `loop-gap-${tool.toLowerCase()}`,
  what: `the same, from the end of an answer to the next request, ${tool} between`,
  unit: "ms",
  ours: gapsOfTool(samples.ours, first),
  floor: gapsOfTool(samples.floor, first),
  target: { of: "added", most: 6 }
})

/** Twenty tool calls one after the other: what the program adds to the work that must be done. */
export const loop = async (bench) => {
  const place = bench.place()
  const { place: visited, oursArgs, floorArgs, server } = await openConversation(bench, loopScript(place.cwd), place)
  const parsers = shellParsers(bench)
  try {
    const samples = await interleave(
      { rounds: 10 },
      {
        ...withEachParser(parsers, visited, (each) => withGaps(oursArgs, each, server)),
        floor: () => withGaps(floorArgs, visited, server)
      }
    )
    const used = await interleave(
      { rounds: 3, warmups: 0 },
      {
        ...withEachParser(parsers, visited, (each) => usageOf(oursArgs, each)),
        floor: () => usageOf(floorArgs, visited)
      }
    )
    return [
      ...rowsOfParsers(parsers, samples, {
        name: "loop",
        what: "20 turns of Bash and Read, whole process",
        unit: "ms",
        field: "wallMs",
        target: { of: "ratio", most: 3 }
      }),
      gapRow(samples, "Bash", 0),
      gapRow(samples, "Read", 1),
      ...rowsOfParsers(parsers, used, {
        name: "loop-memory",
        what: "the same, peak resident memory",
        unit: "MB",
        field: "peakMb"
      })
    ]
  } finally {
    server.stop()
  }
}
