import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../lib/child.mjs"
import { interleave, summarise, summariseBy } from "../lib/measure.mjs"
import { answerOf, END } from "../lib/streamed-answer.mjs"
import { hasTmux, Tmux } from "../lib/tmux.mjs"

const DELTAS = 2_000
const DELAY_MS = 5
const ROUNDS = 3

/** Processor time of the program and of tmux from the prompt to the end of the answer. */
const streamed = async (command, place) => {
  const tmux = new Tmux(command, place)
  try {
    await tmux.until("Type a message")
    const before = tmux.used()
    tmux.type("go", "Enter")
    await tmux.until(END)
    const after = tmux.used()
    return { program: after.program - before.program, server: after.server - before.server }
  } finally {
    tmux.close()
  }
}

const inTmux = async (bench) => {
  if (!hasTmux()) return []
  const place = bench.place()
  const script = join(place.home, "script.json")
  writeFileSync(script, JSON.stringify([{ text: answerOf(DELTAS), delayMs: DELAY_MS }]))
  const scripted = { ...place, env: { ...place.env, NACRE_OFFLINE_SCRIPT: script } }
  const samples = await interleave(
    { rounds: ROUNDS, warmups: 0 },
    {
      ours: () => streamed([process.execPath, bench.cli, "--model", "offline"], scripted),
      floor: () => streamed([process.execPath, bench.floor("print-deltas.cjs"), script], place)
    }
  )
  const row = (name, what, field) => ({
    name,
    what,
    unit: "ms",
    ours: summariseBy(samples.ours, field),
    floor: summariseBy(samples.floor, field)
  })
  return [
    row("interface-deltas", `processor time for ${DELTAS} streamed deltas in tmux against printing them`, "program"),
    row("interface-deltas-tmux", "the same, processor time of tmux", "server")
  ]
}

/** An answer that streams: bytes for what changes, frames of long sessions, and the whole program in tmux. */
export const interfaceStream = async (bench) => {
  const { stdout } = await run([bench.program("interface-stream")], bench.place())
  const { frames, sizes } = JSON.parse(stdout)
  const [small, large] = sizes
  const drawn = frames.filter(({ cells }) => cells > 0)
  return [
    {
      name: "interface-bytes",
      what: "bytes for a changed cell while an answer streams, median of its frames",
      unit: "B",
      ours: summarise(drawn.map(({ bytes, cells }) => bytes / cells)),
      target: { of: "ours", most: 3 }
    },
    {
      name: "interface-frame",
      what: `a frame of a streamed answer, ${large.size} messages before against ${small.size}`,
      unit: "us",
      ours: summarise(large.samples),
      floor: summarise(small.samples),
      target: { of: "ratio", most: 1.2 }
    },
    ...(await inTmux(bench))
  ]
}
