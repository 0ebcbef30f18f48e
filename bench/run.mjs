/**
 * Runs the benchmarks and prints one table; `--help` lists options and names.
 * Every figure stands beside a floor that was measured in the same run; see README.md.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { explain } from "./cases/explain.mjs"
import { firstByte } from "./cases/first-byte.mjs"
import { hello } from "./cases/hello.mjs"
import { interfaceKeys } from "./cases/interface.mjs"
import { interfaceMemory } from "./cases/interface-memory.mjs"
import { interfaceStart } from "./cases/interface-start.mjs"
import { interfaceStream } from "./cases/interface-stream.mjs"
import { layout } from "./cases/layout.mjs"
import { loop } from "./cases/loop.mjs"
import { oneBash } from "./cases/one-bash.mjs"
import { permission } from "./cases/permission.mjs"
import { recorder } from "./cases/recorder.mjs"
import { renderer } from "./cases/renderer.mjs"
import { resume } from "./cases/resume.mjs"
import { instructions } from "./cases/instructions.mjs"
import { settings } from "./cases/settings.mjs"
import { step } from "./cases/step.mjs"
import { stream } from "./cases/stream.mjs"
import { transcriptList } from "./cases/transcript-list.mjs"
import { turns } from "./cases/turns.mjs"
import { version } from "./cases/version.mjs"
import { makePlace } from "./lib/clean-env.mjs"
import { excess, renderTable } from "./lib/table.mjs"

const CASES = {
  version,
  "first-byte": firstByte,
  hello,
  settings,
  instructions,
  "one-bash": oneBash,
  loop,
  recorder,
  stream,
  step,
  permission,
  explain,
  layout,
  resume,
  renderer,
  "transcript-list": transcriptList,
  interface: interfaceKeys,
  "interface-start": interfaceStart,
  "interface-stream": interfaceStream,
  "interface-memory": interfaceMemory,
  turns
}

/**
 * @typedef {object} Bench What a case works with.
 * @property {string} directory Temporary; removed at the end.
 * @property {string} cli The built program.
 * @property {number} turns How long the conversation of `turns` is.
 * @property {(name: string) => string} floor Path of a program in floor/.
 * @property {(name: string) => string} program Path of a bundled program of programs/.
 * @property {(extra?: Record<string, string>) => import("./lib/clean-env.mjs").Place} place
 */

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(here)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    tolerance: { type: "string", default: "0.15" },
    dist: { type: "string", default: join(root, "dist") },
    turns: { type: "string", default: "2000" }
  }
})

if (values.help) {
  process.stdout.write(
    `Usage: npm run bench -- [--check] [--tolerance 0.15] [--dist directory] [--turns 2000] [names ...]
Benchmarks: ${Object.keys(CASES).join(", ")}
What the rows mean and their targets: bench/README.md
`
  )
  process.exit(0)
}

const unknown = positionals.filter((name) => !(name in CASES))
if (unknown.length > 0) {
  process.stderr.write(`bench: no such benchmark: ${unknown.join(", ")}. Known: ${Object.keys(CASES).join(", ")}\n`)
  process.exit(2)
}

/** @returns {Bench} */
const prepare = (directory) => {
  const programs = join(directory, "programs")
  const bundled = spawnSync(process.execPath, [join(here, "lib", "bundle.mjs"), programs], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (bundled.status !== 0) throw new Error("the programs of the benchmarks could not be bundled")
  return {
    directory,
    cli: join(resolve(values.dist), "nacre.js"),
    turns: Number(values.turns),
    floor: (name) => join(here, "floor", name),
    program: (name) => join(programs, `${name}.mjs`),
    place: (extra) => makePlace(directory, extra)
  }
}

const measureAll = async (bench) => {
  const rows = []
  for (const name of positionals.length === 0 ? Object.keys(CASES) : positionals) {
    process.stderr.write(`bench: ${name} ...\n`)
    rows.push(...(await CASES[name](bench)))
  }
  return rows
}

const directory = realpathSync(mkdtempSync(join(tmpdir(), "nacre-bench-")))
try {
  const rows = await measureAll(prepare(directory))
  process.stdout.write(`${renderTable(rows)}\n`)
  const over = rows.filter((row) => !(excess(row) <= 1 + Number(values.tolerance)))
  if (values.check && over.length > 0) {
    process.stderr.write(`bench: over target: ${over.map(({ name }) => name).join(", ")}\n`)
    process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`bench: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
