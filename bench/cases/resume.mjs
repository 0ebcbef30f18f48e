import { rmSync } from "node:fs"
import { run, usageOf } from "../lib/child.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

const makeTranscript = async (bench, place, { megabytes, compactEvery }) => {
  const args = [bench.program("transcript"), place.config, place.cwd, String(megabytes), String(compactEvery)]
  const { stdout } = await run(args, place)
  return JSON.parse(stdout)
}

/** Every run forks, so that each finds the same transcript; the copy is removed again. */
const measureResume = async (bench, { name, what, megabytes, compactEvery, rounds }) => {
  const place = bench.place({ NACRE_OFFLINE_WINDOW: "10000000" })
  const { path, sessionId } = await makeTranscript(bench, place, { megabytes, compactEvery })
  const oursArgs = [bench.cli, "-p", "hello", "--model", "offline", "--resume", sessionId]
  const floorArgs = [bench.floor("read-lines"), path]
  const walls = await interleave({ rounds, warmups: 1 }, {
    ours: () => run(oursArgs, place),
    floor: () => run(floorArgs, place)
  })
  const used = await interleave({ rounds: 2, warmups: 0 }, {
    ours: () => usageOf(oursArgs, place),
    floor: () => usageOf(floorArgs, place)
  })
  rmSync(path)
  return { name, what, walls, used }
}
