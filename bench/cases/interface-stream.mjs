import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../lib/child.mjs"
import { interleave, summarise, summariseBy } from "../lib/measure.mjs"
import { hasTmux, Tmux } from "../lib/tmux.mjs"

const DELTAS = 2_000
const DELTA_CHARS = 12
const DELAY_MS = 5
const ROUNDS = 3
const END = "that was all"

/** Lines of prose, with a heading and a list now and then. */
const answer = () => {
  const lines = Array.from({ length: 600 }, (_, number) => {
    if (number % 20 === 0) return `\n## part ${number}\n\n`
    return number % 5 === 0 ? `- point ${number} of a **list** with \`code\`\n` : `some words of an answer, line ${number}\n`
  })
  const text = lines.join("")
  return `${text.slice(0, DELTAS * DELTA_CHARS - END.length - 2)}\n\n${END}`
}

/** Processor time of the program and of tmux from the prompt to the end of the answer. */
const streamed = async (args, place) => {
  const tmux = new Tmux(args, place)
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
  writeFileSync(script, JSON.stringify([{ text: answer(), delayMs: DELAY_MS }]))
  const scripted = { ...place, env: { ...place.env, NACRE_OFFLINE_SCRIPT: script } }
  const samples = await interleave({ rounds: ROUNDS, warmups: 0 }, {
    ours: () => streamed([bench.cli, "--model", "offline"], scripted),
    floor: () => streamed([bench.floor("print-deltas.cjs"), script], place)
  })
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
