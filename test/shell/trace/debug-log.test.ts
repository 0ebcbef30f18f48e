import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openDebugLog } from "../../../src/shell/trace/debug-log.ts"
import { loopState } from "../../support/loop-fixture.ts"
import { freshDirectory } from "../../support/temp-world.ts"

describe("the debug log", () => {
  it("holds neither our credentials nor anything shaped like a token, and is private", () => {
    const path = join(freshDirectory(), "debug", "log.txt")
    const witness = openDebugLog({ path, filter: undefined, now: () => 0, secrets: ["our-own-credential"] })
    const token = ["gh", "p_", "a1B2".repeat(9)].join("")
    const cause = `PUT https://x/?k=${token} our-own-credential failed`
    witness({ _tag: "PersistFailed", ack: "prompt-1", cause, at: 0 }, loopState(), [])
    const text = readFileSync(path, "utf8")
    expect(text).toContain("PUT https://x/?k=[redacted:github-token] [redacted:credential] failed")
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})
