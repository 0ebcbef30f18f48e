import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

const RULES = 20

/** What people keep in such a file: rules, a mode, variables and a few keys of the interface. */
const settingsOf = (name) =>
  JSON.stringify({
    model: "sonnet",
    theme: "dark",
    env: { NODE_ENV: "test", [`FROM_${name.toUpperCase()}`]: "1" },
    permissions: {
      allow: Array.from({ length: RULES }, (_, n) => `Bash(${name}-${n} *)`),
      deny: Array.from({ length: RULES }, (_, n) => `Read(./${name}/secret-${n}/**)`),
      additionalDirectories: []
    }
  })

const withSettings = (place) => {
  const folder = join(place.cwd, ".claude")
  mkdirSync(folder)
  writeFileSync(join(place.config, "settings.json"), settingsOf("user"))
  writeFileSync(join(folder, "settings.json"), settingsOf("project"))
  writeFileSync(join(folder, "settings.local.json"), settingsOf("local"))
  return place
}

/** A one-shot prompt where all three files are full of settings, and where there are none. */
export const settings = async (bench) => {
  const replies = [{ text: "Hello there." }]
  const full = await openConversation(bench, { replies, flags: ["--trust"] }, withSettings(bench.place()))
  const empty = await openConversation(bench, { replies, flags: ["--trust"] })
  try {
    const walls = await interleave(
      { rounds: 25 },
      {
        ours: () => run(full.oursArgs, full.place),
        floor: () => run(empty.oursArgs, empty.place)
      }
    )
    return [
      {
        name: "settings",
        what: `one-shot hello with three settings files of ${2 * RULES} rules each`,
        unit: "ms",
        ours: summariseBy(walls.ours, "wallMs"),
        floor: summariseBy(walls.floor, "wallMs"),
        target: { of: "ratio", most: 1.1 }
      }
    ]
  } finally {
    full.server.stop()
    empty.server.stop()
  }
}
