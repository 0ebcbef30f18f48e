/**
 * What an answer of 2,000 deltas costs in tmux, in processor time: our build, and other agents that somebody has
 * installed. Usage: rivals.mjs <directory with node_modules> [--dist directory] [--rounds 5] [--only name,name]
 * It is not part of `npm run bench`; README.md says how to install the others and how to read the table.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { startAnswers } from "./lib/answers.mjs"
import { makePlace } from "./lib/clean-env.mjs"
import { summariseBy } from "./lib/measure.mjs"
import { treeProcessorMs } from "./lib/process-tree.mjs"
import { findAgents } from "./lib/rival-agents.mjs"
import { BEGIN, deltasOf, END, PROMPT } from "./lib/streamed-answer.mjs"
import { pause } from "./lib/terminal.mjs"
import { Tmux } from "./lib/tmux.mjs"

const DELTAS = 2_000
const DELAY_MS = 5
/** After the prompt is there an agent still loads things; after the end it still writes some. */
const SETTLE_MS = 3_000
const KEY_PAUSE_MS = 1_000
const MOST_ENTERS = 10

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string", default: join(dirname(dirname(fileURLToPath(import.meta.url))), "dist") },
    rounds: { type: "string", default: "5" },
    only: { type: "string" }
  }
})

/** An agent that is still starting may take the prompt and not the Enter behind it. */
const submit = async (tmux) => {
  tmux.type("-l", PROMPT)
  for (let tries = 0; tries < MOST_ENTERS && !tmux.shows(BEGIN); tries++) {
    await pause(KEY_PAUSE_MS)
    tmux.type("Enter")
    await pause(SETTLE_MS)
  }
}

/** One answer from the prompt to its end, in processor milliseconds of the agent with all its children, and of tmux. */
const measured = async (agent, directory, url) => {
  const place = makePlace(directory)
  const { command, env } = agent.prepare(place, url)
  const tmux = new Tmux(command, { ...place, env: { ...place.env, ...env } })
  try {
    await tmux.until(agent.ready)
    await pause(SETTLE_MS)
    const [started, screenBefore] = [treeProcessorMs(tmux.pid), treeProcessorMs(tmux.serverPid, { alone: true })]
    await submit(tmux)
    await tmux.until(END)
    await pause(SETTLE_MS)
    const screen = treeProcessorMs(tmux.serverPid, { alone: true }) - screenBefore
    return { start: started, deltas: treeProcessorMs(tmux.pid) - started, screen }
  } finally {
    tmux.close()
  }
}

const report = (agents, samples) => {
  const ours = summariseBy(samples[0], "deltas").median
  const cell = (value, width) => String(value).padStart(width)
  const lines = agents.map(({ name, version }, index) => {
    const [start, deltas, screen] = ["start", "deltas", "screen"].map((field) => summariseBy(samples[index], field))
    const each = samples[index].map((sample) => Math.round(sample.deltas)).join(" ")
    const figures = [start.median, deltas.median, screen.median].map((value) => cell(Math.round(value), 8)).join("")
    return `${`${name} ${version}`.padEnd(28)}${figures}${cell((deltas.median / ours).toFixed(2), 8)}   ${each}`
  })
  const head = `${"agent".padEnd(28)}${["start", "deltas", "tmux", "ratio"].map((word) => cell(word, 8)).join("")}   all runs`
  return [head, ...lines].join("\n")
}

const directory = realpathSync(mkdtempSync(join(tmpdir(), "nacre-rivals-")))
const server = await startAnswers({ pieces: deltasOf(DELTAS), delayMs: DELAY_MS, only: PROMPT }, makePlace(directory).env)
try {
  const [installed] = positionals
  const found = findAgents({ cli: join(resolve(values.dist), "nacre.js"), installed: installed && resolve(installed) })
  const wanted = values.only?.split(",")
  const agents = found.filter(({ name }) => wanted === undefined || name === "nacre" || wanted.includes(name))
  const samples = agents.map(() => [])
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, agent] of agents.entries()) {
      process.stderr.write(`rivals: round ${round + 1}, ${agent.name} ...\n`)
      samples[index].push(await measured(agent, directory, server.url))
    }
  }
  process.stdout.write(
    `Processor milliseconds, medians of ${values.rounds} runs of ${DELTAS} deltas\n${report(agents, samples)}\n`
  )
} finally {
  server.stop()
  rmSync(directory, { recursive: true, force: true })
}
process.exit()
