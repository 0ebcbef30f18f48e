import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { emptyChain, recordMessages } from "../../src/core/session/transcript/chain.ts"
import { projectSlug } from "../../src/core/session/slug.ts"
import { context, Maker, SESSION } from "../../test/support/session/build.ts"

/**
 * Writes a session as the recorder would have: prompts, calls with results of some size, answers, and a compaction
 * every so many megabytes (never, when 0). Prints the path.
 * Usage: transcript.mjs <config home> <project directory> <megabytes> <megabytes between compactions>
 */
const [configHome, cwd, megabytes, compactEvery] = process.argv.slice(2)
const wantedBytes = Number(megabytes) * 1e6
const compactBytes = Number(compactEvery) * 1e6
const path = join(configHome, "projects", projectSlug(cwd), `${SESSION}.jsonl`)
mkdirSync(dirname(path), { recursive: true, mode: 0o700 })

const OUTPUT = "lorem ipsum dolor sit amet, consectetur\n".repeat(60)
const maker = new Maker()

const turn = (number) => {
  const calls = [0, 1].map((index) => maker.calls(`m${number}`, `c${number}-${index}`))
  const results = calls.map((caller, index) => maker.result(caller, `c${number}-${index}`, OUTPUT))
  return [maker.prompt(`prompt ${number}`), ...calls, ...results, maker.says(`e${number}`, OUTPUT)]
}

const compaction = () => [
  maker.system("compact_boundary", { content: "Compacted", compactMetadata: { trigger: "auto", preTokens: 9 } }),
  maker.prompt(`Summary. ${OUTPUT}`, { isCompactSummary: true, isVisibleInTranscriptOnly: true })
]

const file = openSync(path, "wx", 0o600)
let chain = emptyChain

const record = (messages) => {
  const { state, lines } = recordMessages(chain, messages, { context: { ...context, cwd, entrypoint: "sdk-cli" } })
  chain = state
  return writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}

let written = 0
let compactedAt = 0
for (let number = 0; written < wantedBytes; number++) {
  written += record(turn(number))
  if (compactBytes === 0 || written - compactedAt < compactBytes) continue
  written += record(compaction())
  compactedAt = written
}
closeSync(file)
process.stdout.write(`${JSON.stringify({ path, sessionId: SESSION, bytes: written })}\n`)
