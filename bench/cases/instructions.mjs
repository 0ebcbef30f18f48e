import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../lib/child.mjs"
import { openConversation } from "../lib/conversation.mjs"
import { interleave, summariseBy } from "../lib/measure.mjs"

const DIRECTORIES = 100
const FILES = 1_000

/** A repository of 100,000 files, none of which says how to work. */
const withFiles = (place) => {
  for (let at = 0; at < DIRECTORIES; at += 1) {
    const directory = join(place.cwd, `part-${at}`)
    mkdirSync(directory)
    for (let file = 0; file < FILES; file += 1) writeFileSync(join(directory, `file-${file}.txt`), "")
  }
  return place
}

const lines = (name) => Array.from({ length: 40 }, (_, at) => `- ${name}: rule ${at} about what is done here.`).join("\n")

/** Ten instruction files: two of the project, one of the user, three imports, four rules. */
const withInstructions = (place) => {
  const rules = join(place.cwd, ".claude", "rules")
  mkdirSync(rules, { recursive: true })
  writeFileSync(join(place.config, "CLAUDE.md"), lines("user"))
  writeFileSync(join(place.cwd, "CLAUDE.md"), `@a.md @b.md @c.md\n${lines("project")}`)
  writeFileSync(join(place.cwd, "CLAUDE.local.md"), lines("local"))
  for (const name of ["a", "b", "c"]) writeFileSync(join(place.cwd, `${name}.md`), lines(name))
  for (const name of ["d", "e"]) writeFileSync(join(rules, `${name}.md`), lines(name))
  for (const name of ["f", "g"]) writeFileSync(join(rules, `${name}.md`), `---\npaths: src/${name}/**\n---\n${lines(name)}`)
  return place
}

/** The search for instruction files in a large repository, where there are none and where there are ten. */
export const instructions = async (bench) => {
  const replies = [{ text: "Hello there." }]
  const empty = await openConversation(bench, { replies })
  const large = await openConversation(bench, { replies }, withFiles(bench.place()))
  const full = await openConversation(bench, { replies }, withInstructions(withFiles(bench.place())))
  const row = (name, what, ours, floor, most) => ({
    name,
    what,
    unit: "ms",
    ours: summariseBy(ours, "wallMs"),
    floor: summariseBy(floor, "wallMs"),
    target: { of: "ratio", most }
  })
  try {
    const walls = await interleave(
      { rounds: 15 },
      {
        empty: () => run(empty.oursArgs, empty.place),
        large: () => run(large.oursArgs, large.place),
        full: () => run(full.oursArgs, full.place)
      }
    )
    return [
      row("instructions-none", "one-shot hello among 100,000 files, no instructions", walls.large, walls.empty, 1.03),
      row("instructions-ten", "the same with ten instruction files", walls.full, walls.large, 1.05)
    ]
  } finally {
    empty.server.stop()
    large.server.stop()
    full.server.stop()
  }
}
