import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import { putFile } from "../support/temp-world.ts"

/** `nacre permissions` as a user runs it: explains, lists, and does nothing else. */
describe.concurrent("nacre permissions", () => {
  it("explains a batch and names the part that needs approval", async () => {
    const line = JSON.stringify({ command: "git status && rm -rf build", rules: { allow: ["Bash(git *)"] } })
    const { code, lines } = await run(["permissions", "explain", "--jsonl"], { stdin: `${line}\n` })
    expect(code).toBe(0)
    expect(lines).toMatchObject([
      {
        decision: "ask",
        reason: "1 of 2 parts need approval: rm -rf build",
        subcommands: [
          { text: "git status", decision: "allow" },
          { text: "rm -rf build", decision: "ask" }
        ]
      }
    ])
  })

  it("takes rules of settings with the place they stand at, and runs nothing", async () => {
    const place = makePlace()
    putFile(`${place.config}/settings.json`, '{\n  "permissions": {\n    "deny": ["Bash(touch *)"]\n  }\n}\n')
    const explained = await run(["permissions", "explain", "--exit-code", "--", "touch made"], { place })
    expect(explained.code).toBe(20)
    expect(explained.stdout).toContain("Denied by Bash(touch *) in user settings")
    expect(explained.stdout).toMatch(/settings\.json:3\)/)
    expect(existsSync(`${place.cwd}/made`)).toBe(false)
    const listed = await run(["permissions", "list"], { place })
    expect(listed.stdout).toMatch(/Bash\(touch \*\) — user settings \(.*settings\.json:3\)/)
    const isolated = await run(["permissions", "explain", "--isolated", "--json", "touch made"], { place })
    expect(isolated.lines).toMatchObject([{ decision: "ask" }])
  })
})
