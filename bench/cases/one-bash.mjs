import { run, usageOf } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { interleave } from "../lib/measure.mjs"
import { rowsOfParsers, shellParsers, withEachParser } from "../lib/shell-parsers.mjs"

const SCRIPT = {
  replies: [{ toolUse: { name: "Bash", input: { command: "true" } } }, { text: "Done." }],
  flags: ["--allowedTools", "Bash(true)"]
}

/** A prompt that runs one command: what loading the reader of commands costs, which is paid by the first of them. */
export const oneBash = async (bench) => {
  const { place, oursArgs, floorArgs, server } = await openConversation(bench, SCRIPT)
  const parsers = shellParsers(bench)
  try {
    const walls = await interleave(
      { rounds: 10 },
      { ...withEachParser(parsers, place, (each) => run(oursArgs, each)), floor: () => run(floorArgs, place) }
    )
    const used = await interleave(
      { rounds: 7, warmups: 0 },
      { ...withEachParser(parsers, place, (each) => usageOf(oursArgs, each)), floor: () => usageOf(floorArgs, place) }
    )
    return [
      ...rowsOfParsers(parsers, walls, {
        name: "one-bash",
        what: "a prompt with one Bash call, whole process",
        unit: "ms",
        field: "wallMs",
        target: { of: "ratio", most: 4 }
      }),
      ...rowsOfParsers(parsers, used, {
        name: "one-bash-cpu",
        what: "the same, processor time",
        unit: "ms",
        field: "cpuMs"
      }),
      ...rowsOfParsers(parsers, used, {
        name: "one-bash-memory",
        what: "the same, peak resident memory",
        unit: "MB",
        field: "peakMb",
        target: { of: "ours", most: 90 }
      })
    ]
  } finally {
    server.stop()
  }
}
