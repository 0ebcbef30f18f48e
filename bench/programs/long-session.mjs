import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { emptyChain, recordMessages } from "../../src/core/session/transcript/chain.ts"
import { projectSlug } from "../../src/core/session/slug.ts"
import { context, SESSION } from "../../test/support/session/build.ts"
import { conversation } from "../lib/scripted-core.mjs"

/**
 * Writes a session of so many messages, none of them compacted away. Prints its id.
 * Usage: long-session.mjs <config home> <project directory> <messages>
 */
const [configHome, cwd, messages] = process.argv.slice(2)
const path = join(configHome, "projects", projectSlug(cwd), `${SESSION}.jsonl`)
mkdirSync(dirname(path), { recursive: true, mode: 0o700 })

const SLICE = 1_000
const file = openSync(path, "wx", 0o600)
const all = conversation(Number(messages))
let chain = emptyChain
for (let from = 0; from < all.length; from += SLICE) {
  const { state, lines } = recordMessages(chain, all.slice(from, from + SLICE), {
    context: { ...context, cwd, entrypoint: "cli" }
  })
  chain = state
  writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}
closeSync(file)
process.stdout.write(JSON.stringify({ sessionId: SESSION }))
