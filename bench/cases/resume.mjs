import { rmSync } from "node:fs"
import { run, usageOf } from "../lib/child.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

/** Each run appends its own few lines; against the size of the file they are nothing. */
const measure = async (bench, { megabytes, compactEvery, rounds }) => {
  const place = bench.place({ NACRE_OFFLINE_WINDOW: "10000000" })
  const size = [String(megabytes), String(compactEvery)]
  const made = await run([bench.program("transcript"), place.config, place.cwd, ...size], place)
  const { path, sessionId } = JSON.parse(made.stdout)
  const oursArgs = [bench.cli, "-p", "hello", "--model", "offline", "--resume", sessionId]
  const floorArgs = [bench.floor("read-lines.mjs"), path]
  const walls = await interleave({ rounds, warmups: 1 }, {
    ours: () => run(oursArgs, place),
    floor: () => run(floorArgs, place)
  })
  const used = await interleave({ rounds: 3, warmups: 0 }, {
    ours: () => usageOf(oursArgs, place),
    floor: () => usageOf(floorArgs, place)
  })
  rmSync(path)
  return { walls, used }
}

const rowsOf = ({ name, what, targets = {} }, { walls, used }) => [
  {
    name,
    what,
    unit: "ms",
    ours: summariseBy(walls.ours, "wallMs"),
    floor: summariseBy(walls.floor, "wallMs"),
    target: targets.time
  },
  {
    name: `${name}-memory`,
    what: "the same, peak resident memory",
    unit: "MB",
    ours: summariseBy(used.ours, "peakMb"),
    floor: summariseBy(used.floor, "peakMb"),
    target: targets.memory
  }
]

const AGAINST = "against reading and parsing its lines"

/** Picking up a long session: one that was compacted on the way, as long ones are, and one that fills a large window. */
export const resume = async (bench) => [
  ...rowsOf(
    {
      name: "resume",
      what: `resuming 100 MB, compacted every 2 MB, ${AGAINST}`,
      targets: { time: { of: "ratio", most: 3 }, memory: { of: "ratio", most: 2 } }
    },
    await measure(bench, { megabytes: 100, compactEvery: 2, rounds: 5 })
  ),
  ...rowsOf(
    { name: "resume-whole", what: `resuming 8 MB that all stay in the conversation, ${AGAINST}` },
    await measure(bench, { megabytes: 8, compactEvery: 0, rounds: 7 })
  )
]
