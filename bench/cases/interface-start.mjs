import { interleave, summarise, summariseBy } from "../lib/measure.mjs"
import { openInterface, pause, processorMs, Terminal } from "../lib/terminal.mjs"

const SETTLE_MS = 3_000
const WINDOW_MS = 5_000

const started = async (bench, place) => {
  const { terminal, usableMs } = await openInterface(bench, place)
  await terminal.close()
  return { usableMs }
}

const bare = async (bench, place) => {
  const terminal = new Terminal([bench.floor("print-line.cjs")], place)
  await terminal.ended
  return { usableMs: performance.now() - terminal.startedAt }
}

/** Nobody types and nothing runs: what is spent and written in some seconds. */
const idle = async (bench, place) => {
  const { terminal } = await openInterface(bench, place)
  await pause(SETTLE_MS)
  const before = { ms: processorMs(terminal.pid), bytes: terminal.output.length }
  await pause(WINDOW_MS)
  const sample = {
    ms: ((processorMs(terminal.pid) - before.ms) * 1_000) / WINDOW_MS,
    bytes: terminal.output.length - before.bytes
  }
  await terminal.close()
  return sample
}

/** From the start of the process to a prompt that answers to keys, on a pseudo terminal; and the cost of doing nothing. */
export const interfaceStart = async (bench) => {
  const place = bench.place()
  const samples = await interleave(
    { rounds: 15 },
    {
      ours: () => started(bench, place),
      floor: () => bare(bench, place)
    }
  )
  const idles = [await idle(bench, place), await idle(bench, place), await idle(bench, place)]
  return [
    {
      name: "interface-start",
      what: "start to a typed character on the screen against a script that prints a line, both on a terminal",
      unit: "ms",
      ours: summariseBy(samples.ours, "usableMs"),
      floor: summariseBy(samples.floor, "usableMs"),
      target: { of: "ratio", most: 5 }
    },
    {
      name: "interface-idle",
      what: "processor time in a second without input",
      unit: "ms",
      ours: summariseBy(idles, "ms"),
      target: { of: "ours", most: 2 }
    },
    {
      name: "interface-idle-bytes",
      what: `written in ${WINDOW_MS / 1_000} seconds without input`,
      unit: "KB",
      ours: summarise(idles.map(({ bytes }) => bytes / 1e3)),
      target: { of: "ours", most: 0.0005 }
    }
  ]
}
