import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CanUseTool } from "@anthropic-ai/claude-agent-sdk"
import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import { sandboxWorks } from "../support/sandbox-world.ts"
import { freshDirectory } from "../support/temp-world.ts"
import { KEYS, Terminal } from "./line-terminal.ts"
import { freshWorld, run as runHost, toolResults } from "./sdk-host.ts"

/** The built program with `sandbox.enabled` in the user's settings. */
const placeWith = (sandbox: object) => {
  const place = makePlace()
  writeFileSync(join(place.config, "settings.json"), JSON.stringify({ sandbox }))
  return place
}

describe.skipIf(!sandboxWorks())("a session with a sandbox", () => {
  it("runs what stays inside without a question, and the kernel holds the rest back", async () => {
    const place = placeWith({ enabled: true })
    const outside = join(place.home, "outside")
    const script = `fs.writeFileSync("in", "x"); fs.writeFileSync("${outside}", "x")`
    const { stdout } = await run(["-p", `run node -e '${script}'`], { place })
    expect(stdout).toContain("EROFS")
    expect(readFileSync(join(place.cwd, "in"), "utf8")).toBe("x")
    expect(existsSync(outside)).toBe(false)
  })

  it("holds back writes, secrets and the network, and the run says so", async () => {
    const place = placeWith({ enabled: true })
    mkdirSync(join(place.home, ".ssh"))
    writeFileSync(join(place.home, ".ssh/id_ed25519"), "SECRET-1")
    const outside = join(place.home, "outside")
    // What the rules can see they ask about; a script is left to the sandbox.
    const script = (code: string): string => `node -e '${code}'`
    const command = [
      script(`fs.writeFileSync("${outside}", "x")`),
      script('console.log(fs.readFileSync(process.env.HOME + "/.ssh/id_ed25519", "utf8"))'),
      script('fs.writeFileSync(".mcp" + ".json", "x")'),
      "curl -s http://exfiltration.example/",
      "false"
    ].join("; ")
    const args = ["-p", `@tool Bash ${JSON.stringify({ command })}`, "--output-format", "stream-json", "--verbose"]
    const { stdout } = await run(args, { place })
    expect(stdout).not.toContain("SECRET-1")
    expect(existsSync(outside)).toBe(false)
    const block = /<sandbox_violations>(.*?)<\/sandbox_violations>/s.exec(stdout)?.[1] ?? ""
    expect(block).toContain(`write ${outside}: it is outside the directories that commands may write`)
    expect(block).toContain(`read ${place.home}/.ssh/id_ed25519: it is hidden from commands`)
    expect(block).toContain("network exfiltration.example: no domain is allowed")
    expect(block).toContain(`write ${place.cwd}/.mcp.json: it is protected, because tools act on it`)
  })

  it("runs nothing when it cannot start, and says the one fix", async () => {
    const place = placeWith({ enabled: true })
    const path = freshDirectory()
    for (const name of ["bash", "mkfifo", "touch"]) {
      symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(path, name))
    }
    const { stdout } = await run(["-p", "run touch made", "--allowedTools", "Bash"], { place, env: { PATH: path } })
    expect(stdout).toMatch(
      /The sandbox cannot start: bubblewrap is not installed\. Fix: run: sudo apt-get install bubblewrap/
    )
    expect(stdout).toContain("Nobody is there to approve it")
    expect(existsSync(join(place.cwd, "made"))).toBe(false)
  })

  it("asks an SDK host about unknown hosts, and takes its answer", async () => {
    const world = freshWorld()
    writeFileSync(join(world.config, "settings.json"), JSON.stringify({ sandbox: { enabled: true } }))
    const asked: Array<unknown> = []
    const canUseTool: CanUseTool = (tool, input) => {
      asked.push({ tool, input })
      return Promise.resolve({ behavior: "deny", message: "not this one" })
    }
    const command = "curl -s http://a.example/ http://a.example/b; false"
    const { messages } = await runHost(world, `@tool Bash ${JSON.stringify({ command })}`, { canUseTool })
    expect(asked).toEqual([{ tool: "SandboxNetworkAccess", input: { host: "a.example", port: 80 } }])
    expect(toolResults(messages)[0]).toContain("network a.example:80: the user refused it")
  })

  it("asks in line mode, and remembers the answer in the local settings", async () => {
    const place = placeWith({ enabled: true })
    const terminal = new Terminal({ place })
    await terminal.until("you: ")
    terminal.enter("run `curl -s http://b.example/ http://c.example/`")
    await terminal.until("Network Request: b.example:80")
    await terminal.until("4. No, never in this project: WebFetch(domain:b.example)")
    await terminal.until("answer: ")
    terminal.enter("4")
    await terminal.until("Network Request: c.example:80")
    await terminal.until("answer: ")
    terminal.enter("3")
    await terminal.until("c.example is closed to sandboxed commands: the user refused it")
    await terminal.until("you: ")
    const saved = JSON.parse(readFileSync(join(place.cwd, ".claude/settings.local.json"), "utf8"))
    expect(saved).toEqual({ permissions: { deny: ["WebFetch(domain:b.example)"] } })
    terminal.enter("run `curl -s http://b.example/`")
    await terminal.until("b.example is closed to sandboxed commands: it is in the list of denied domains")
    terminal.type(KEYS.end)
    expect(await terminal.ended).toBe(0)
  })

  it("asks as ever when the settings do not let the sandbox answer", async () => {
    const place = placeWith({ enabled: true, autoAllowBashIfSandboxed: false })
    const { stdout } = await run(["-p", "run touch made"], { place })
    expect(stdout).toContain("was not allowed to run")
    expect(existsSync(join(place.cwd, "made"))).toBe(false)
  })
})
