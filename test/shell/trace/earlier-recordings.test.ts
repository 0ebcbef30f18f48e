import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { describeReplay } from "../../../src/shell/trace/describe-replay.ts"
import { replayFile } from "../../../src/shell/trace/replay.ts"
import { freshDirectory } from "../../support/temp-world.ts"

/**
 * Recordings that earlier versions of the program wrote: whatever becomes of the state, their commands stay, except
 * where src/shell/trace/older-formats.ts says what is done otherwise.
 */
const PLACE = fileURLToPath(new URL("../../fixtures/recordings/", import.meta.url))
const NAMES = readdirSync(PLACE)

const OUTDATED: Readonly<Record<string, RegExp>> = {
  "compaction.jsonl": /^compaction.jsonl:3: .* 1 events: in Nacre 0.1.0.* the date stood before .* \(Persisted\)/,
  "hooks.jsonl": /^hooks.jsonl:4: .* hooks were asked and heard in another way \(Persisted\)/
}

describe("a recording of an earlier version", () => {
  it("is there for every way a turn goes", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(12)
  })

  it.each(NAMES.filter((name) => !(name in OUTDATED)))("replays: %s", async (name) => {
    const report = await replayFile(join(PLACE, name))
    expect(describeReplay(name, report)).toMatch(/^\S+: \d+ events replayed, every command as recorded/)
  })

  it.each(Object.entries(OUTDATED))("is refused with the reason where it has to be: %s", async (name, why) => {
    const report = await replayFile(join(PLACE, name))
    expect(describeReplay(name, report)).toMatch(why)
    const upToThere = report._tag === "Outdated" ? report.before : 0
    expect(describeReplay(name, await replayFile(join(PLACE, name), upToThere))).toMatch(/every command as recorded/)
  })

  it("does not replay when a command differs", async () => {
    const file = join(freshDirectory(), "changed.jsonl")
    const lines = readFileSync(join(PLACE, "limits.jsonl"), "utf8").split("\n")
    const at = lines.findIndex((line) => line.includes('"StartCall"'))
    writeFileSync(file, lines.with(at, (lines[at] ?? "").replace(/"commandsDigest":"./, '"commandsDigest":"_')).join("\n"))
    expect(await replayFile(file)).toMatchObject({
      _tag: "Differed",
      line: at + 1,
      why: expect.stringMatching(/^commands differ/)
    })
  })
})
