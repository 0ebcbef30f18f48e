import { rmSync, statSync, truncateSync } from "node:fs"
import { run, usageOf } from "../lib/child.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

/** Larger than any real window: what is loaded is also sent. */
const LARGE_WINDOW = 10_000_000

/** Each run begins with the file as it was made; a run that compacts would leave the next one nothing to do. */
const startingOver = (path, work) => {
  const size = statSync(path).size
  return async () => {
    truncateSync(path, size)
    return work()
  }
}

const measure = async (bench, { megabytes, compactEvery, rounds, window }) => {
  const place = bench.place(window === undefined ? {} : { NACRE_OFFLINE_WINDOW: String(window) })
  const size = [String(megabytes), String(compactEvery)]
  const made = await run([bench.program("transcript"), place.config, place.cwd, ...size], place)
  const { path, sessionId } = JSON.parse(made.stdout)
  const oursArgs = [bench.cli, "-p", "hello", "--model", "offline", "--resume", sessionId]
  const floorArgs = [bench.floor("read-lines.mjs"), path]
  const walls = await interleave(
    { rounds, warmups: 1 },
    {
      ours: startingOver(path, () => run(oursArgs, place)),
      floor: startingOver(path, () => run(floorArgs, place))
    }
  )
  const used = await interleave(
    { rounds: 3, warmups: 0 },
    {
      ours: startingOver(path, () => usageOf(oursArgs, place)),
      floor: startingOver(path, () => usageOf(floorArgs, place))
    }
  )
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

/**
 * Picking up a long session: one that was compacted on the way, as long ones are; one that never was and is far too long
 * for its model, so that it is compacted first; and one that fills a large window.
 */
export const resume = async (bench) => [
  ...rowsOf(
    {
      name: "resume",
      what: `resuming 100 MB, compacted every 2 MB, ${AGAINST}`,
      targets: { time: { of: "ratio", most: 3 }, memory: { of: "ratio", most: 2 } }
    },
    await measure(bench, { megabytes: 100, compactEvery: 2, rounds: 5, window: LARGE_WINDOW })
  ),
  ...rowsOf(
    {
      name: "resume-uncompacted",
      what: `resuming 100 MB that were never compacted, and compacting them, ${AGAINST}`,
      targets: { time: { of: "ratio", most: 3 }, memory: { of: "ratio", most: 2.5 } }
    },
    await measure(bench, { megabytes: 100, compactEvery: 0, rounds: 5 })
  ),
  ...rowsOf(
    { name: "resume-whole", what: `resuming 8 MB that all stay in the conversation, ${AGAINST}` },
    await measure(bench, { megabytes: 8, compactEvery: 0, rounds: 7, window: LARGE_WINDOW })
  )
]
