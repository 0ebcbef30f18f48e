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

  it("answers a long batch in its order, whoever answers which part of it", async () => {
    const place = makePlace()
    putFile(`${place.config}/settings.json`, '{ "permissions": { "deny": ["Bash(rm *)"] } }')
    const lineAt = (id: number): string => {
      if (id % 97 === 13) return "no JSON"
      if (id % 97 === 14) return ""
      return JSON.stringify({ id, command: id % 2 === 0 ? `ls d${id}` : `rm f${id}` })
    }
    const asked = Array.from({ length: 1_500 }, (_, id) => lineAt(id))
    const args = ["permissions", "explain", "--jsonl", "--with-settings"]
    const { code, lines, stderr } = await run(args, { place, stdin: asked.join("\n") })
    expect(code).toBe(1)
    expect(stderr).toBe("")
    const expected = asked.flatMap((line, id): ReadonlyArray<unknown> => {
      if (line === "") return []
      if (line === "no JSON") return [{ error: "invalid_line", reason: expect.stringContaining(`line ${id + 1}:`) }]
      return [{ id, decision: id % 2 === 0 ? "allow" : "deny" }]
    })
    expect(lines).toHaveLength(expected.length)
    expect(lines).toMatchObject(expected)
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
