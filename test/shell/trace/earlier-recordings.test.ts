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

/** Replays to its end, or to the first event that is rightly done otherwise today; never differs without a reason. */
const AS_RECORDED = /^\S+: \d+ events replayed, every command as recorded/
const UP_TO_A_CHANGE = /^\S+: replays no further than to here, \d+ events: in Nacre 0\.1\.0, which recorded it, \w+/

describe("a recording of an earlier version", () => {
  it("is there for every way a turn goes", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(12)
  })

  it.each(NAMES)("replays, or says from where on it rightly does not: %s", async (name) => {
    const file = join(PLACE, name)
    const report = await replayFile(file)
    const isOutdated = report._tag === "Outdated"
    expect(describeReplay(name, report)).toMatch(isOutdated ? UP_TO_A_CHANGE : AS_RECORDED)
    if (isOutdated) expect(describeReplay(name, await replayFile(file, report.before))).toMatch(AS_RECORDED)
  })

  it("does not replay when a command differs", async () => {
    const file = join(freshDirectory(), "changed.jsonl")
    const lines = readFileSync(join(PLACE, "limits.jsonl"), "utf8").split("\n")
    const at = lines.findIndex((line) => line.includes('"PromptSubmitted"'))
    writeFileSync(file, lines.with(at, (lines[at] ?? "").replace(/"commandsDigest":"./, '"commandsDigest":"_')).join("\n"))
    expect(await replayFile(file)).toMatchObject({
      _tag: "Differed",
      line: at + 1,
      why: expect.stringMatching(/^commands differ/)
    })
  })
})
