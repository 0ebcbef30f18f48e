import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { runEditor } from "../../../src/shell/system/external-editor.ts"

describe("an editor that is open when the program has to end", () => {
  it("is told so, and nothing waits for it", async () => {
    const leaving = new AbortController()
    const env = { PATH: process.env["PATH"], EDITOR: "exec sleep 600 #" }
    const visited = runEditor({ path: "/dev/null", line: 1, env, cwd: process.cwd(), leaving: leaving.signal })
    leaving.abort()
    const outcome = await visited
    expect(Result.isFailure(outcome) ? outcome.failure : "").toContain("SIGHUP")
  })
})
