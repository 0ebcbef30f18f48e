import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { run, usageOf } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { loopScript } from "../lib/loop-script.mjs"
import { interleave, summarise, summariseBy } from "../lib/measure.mjs"

const kilobytesIn = (directory) =>
  readdirSync(directory, { recursive: true })
    .filter((name) => name.endsWith(".jsonl"))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size / 1024, 0)

/** What the flight recorder adds to the loop of twenty calls, in time and on disk. */
export const recorder = async (bench) => {
  const place = bench.place()
  const { place: visited, oursArgs, server } = await openConversation(bench, loopScript(place.cwd), place)
  const recordings = mkdtempSync(join(place.home, "recordings-"))
  const recordArgs = [...oursArgs, "--record", recordings]
  try {
    const walls = await interleave(
      { rounds: 10 },
      {
        ours: () => run(recordArgs, visited),
        floor: () => run(oursArgs, visited)
      }
    )
    const used = await interleave(
      { rounds: 10, warmups: 0 },
      {
        ours: () => usageOf(recordArgs, visited),
        floor: () => usageOf(oursArgs, visited)
      }
    )
    const projects = join(place.config, "projects")
    for (const directory of [recordings, projects]) rmSync(directory, { recursive: true })
    const kept = mkdtempSync(join(place.home, "recordings-"))
    await run([...oursArgs, "--record", kept], visited)
    return [
      {
        name: "record",
        what: "20 turns with --record against without, whole process",
        unit: "ms",
        ours: summariseBy(walls.ours, "wallMs"),
        floor: summariseBy(walls.floor, "wallMs")
      },
      {
        name: "record-cpu",
        what: "the same, processor time",
        unit: "ms",
        ours: summariseBy(used.ours, "cpuMs"),
        floor: summariseBy(used.floor, "cpuMs"),
        target: { of: "ratio", most: 1.03 }
      },
      {
        name: "record-bytes",
        what: "size of the recording against that of the transcript",
        unit: "KB",
        ours: summarise([kilobytesIn(kept)]),
        floor: summarise([kilobytesIn(projects)]),
        target: { of: "ratio", most: 2 }
      }
    ]
  } finally {
    server.stop()
  }
}
