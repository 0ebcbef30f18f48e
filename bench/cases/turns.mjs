import { summarise } from "../lib/measure.mjs"
import { inTerminal, talk, underHost } from "../lib/talk.mjs"

/** How often a conversation is looked at. */
const LOOKS = 20
/** From here on nothing may grow any more. */
const STEADY_FROM = 0.4
const KILOBYTES = 1024

/** The line through the looks that fits best: what a turn adds. */
const slope = (looks, field) => {
  const mean = (of) => looks.reduce((sum, look) => sum + look[of], 0) / looks.length
  const [x, y] = [mean("turns"), mean(field)]
  const along = looks.reduce((sum, look) => sum + (look.turns - x) * (look[field] - y), 0)
  return along / looks.reduce((sum, look) => sum + (look.turns - x) ** 2, 0)
}

const one = (value) => summarise([value])

const tell = (name, looks) => {
  const shown = looks.filter((_, index) => index % 4 === 3)
  for (const { turns, residentMb, liveMb, codeMb } of shown) {
    const live = liveMb === undefined ? "" : `, ${liveMb.toFixed(2)} MB live before that and ${codeMb.toFixed(2)} MB of code`
    process.stderr.write(`bench: ${name}: ${turns} turns, ${residentMb.toFixed(0)} MB resident${live}\n`)
  }
}

const rowsOf = async (bench, name, { what, open }) => {
  const { turns } = bench
  const every = Math.max(1, Math.floor(turns / LOOKS))
  const collected = await talk(bench, open, { turns, every, collects: true })
  const left = await talk(bench, open, { turns, every, collects: false })
  tell(`${name}, collected at each look`, collected)
  tell(`${name}, left alone`, left)
  const steady = (looks) => looks.filter((look) => look.turns >= turns * STEADY_FROM)
  const [middle, end] = [steady(left).slice(0, LOOKS / 4), left.slice(-LOOKS / 4)]
  const residents = (looks) => summarise(looks.map((look) => look.residentMb))
  return [
    {
      name: `${name}-heap`,
      what: `live heap that a turn adds ${what}, ${turns} turns from ${turns * STEADY_FROM} on`,
      unit: "KB",
      ours: one(slope(steady(collected), "liveMb") * KILOBYTES),
      target: { of: "ours", most: 1 }
    },
    {
      name: `${name}-resident`,
      what: `resident memory ${what}, the last quarter of the turns against those from ${turns * STEADY_FROM} on`,
      unit: "MB",
      ours: residents(end),
      floor: residents(middle),
      target: { of: "ratio", most: 1.1 }
    }
  ]
}

/** What thousands of turns leave in memory when the conversation is compacted on the way. */
export const turns = async (bench) => [
  ...(await rowsOf(bench, "turns", { what: "in the interface", open: inTerminal })),
  ...(await rowsOf(bench, "turns-host", { what: "under a host (stream-json)", open: underHost }))
]
