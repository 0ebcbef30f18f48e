import { run } from "../lib/child.mjs"
import { summarise, summariseBy } from "../lib/measure.mjs"
import { openInterface, pause, residentMb } from "../lib/terminal.mjs"

const MESSAGES = 100_000
/** Larger than any real window: nothing is compacted. */
const LARGE_WINDOW = "1000000000"
/** The index of a long session is made while nobody types. */
const SETTLE_MS = 4_000
const ROUNDS = 3

/** Resident memory of the interface at rest, with a stored session or with none. */
const resident = async (bench, place, flags) => {
  const { terminal, usableMs } = await openInterface(bench, place, flags)
  await pause(SETTLE_MS)
  const { now, peak } = residentMb(terminal.pid)
  await terminal.close()
  return { now, peak, usableMs }
}

const loaded = async (bench) => {
  const place = bench.place({ NACRE_OFFLINE_WINDOW: LARGE_WINDOW })
  const made = await run([bench.program("long-session"), place.config, place.cwd, String(MESSAGES)], place)
  const { sessionId } = JSON.parse(made.stdout)
  const samples = { ours: [], floor: [] }
  for (let round = 0; round < ROUNDS; round++) {
    samples.ours.push(await resident(bench, place, ["--resume", sessionId]))
    samples.floor.push(await resident(bench, place, []))
  }
  return samples
}

const row = (name, what, figures) => ({ name: `interface-${name}`, what, ...figures })

/** What the interface keeps: for a very long session that was picked up, and for every turn of a running one. */
export const interfaceMemory = async (bench) => {
  const { ours, floor } = await loaded(bench)
  const { stdout } = await run(["--expose-gc", bench.program("interface-memory")], bench.place())
  const { turns, samples } = JSON.parse(stdout)
  return [
    row("memory", `resident with ${MESSAGES} messages picked up against an empty session`, {
      unit: "MB",
      ours: summariseBy(ours, "now"),
      floor: summariseBy(floor, "now"),
      target: { of: "ours", most: 400 }
    }),
    row("memory-peak", "the same, the most on the way", {
      unit: "MB",
      ours: summariseBy(ours, "peak"),
      floor: summariseBy(floor, "peak")
    }),
    row("resume", `start to a typed character on the screen with ${MESSAGES} messages against an empty session`, {
      unit: "ms",
      ours: summariseBy(ours, "usableMs"),
      floor: summariseBy(floor, "usableMs")
    }),
    row("turn-memory", `heap kept for a turn over ${turns} turns against the loop alone`, {
      unit: "KB",
      ours: summarise(samples.map((sample) => sample.ours)),
      floor: summarise(samples.map((sample) => sample.floor)),
      target: { of: "ratio", most: 2 }
    })
  ]
}
