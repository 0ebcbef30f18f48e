import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, run, start } from "../support/built-cli.ts"
import { isObject, type Json } from "../support/messages-validate.ts"
import { putFile } from "../support/temp-world.ts"

/** Settings files and the built program. */
const userFile = ({ config }: Place): string => join(config, "settings.json")
const projectFile = ({ cwd }: Place): string => join(cwd, ".claude", "settings.json")
const localFile = ({ cwd }: Place): string => join(cwd, ".claude", "settings.local.json")

const bash = (command: string): string => `@tool Bash ${JSON.stringify({ command })}`

const denied = (stdout: string): ReadonlyArray<Json> => {
  const result = JSON.parse(stdout) as { permission_denials?: ReadonlyArray<Json> }
  return result.permission_denials ?? []
}

const JSON_OUT = ["--output-format", "json"]

describe("rules of settings", () => {
  it("of every source deny, and the sentence names file and line", async () => {
    const place = makePlace()
    putFile(userFile(place), '{\n  "permissions": { "allow": ["Bash(echo *)", "Bash(touch *)"] }\n}')
    putFile(projectFile(place), '{\n\n"permissions": { "deny": ["Bash(touch a)"] }}')
    putFile(localFile(place), '{"permissions": { "deny": ["Bash(touch b)"] }}')
    const prompt = ["touch a", "touch b", "touch c", "touch d"].map(bash).join("\n")
    const args = ["-p", prompt, ...JSON_OUT, "--settings", '{"permissions": {"deny": ["Bash(touch c)"]}}']
    const { stdout } = await run(args, { place })
    expect(denied(stdout).map((each) => isObject(each["tool_input"]) && each["tool_input"]["command"])).toEqual([
      "touch a",
      "touch b",
      "touch c"
    ])
    expect(existsSync(join(place.cwd, "d"))).toBe(true)
    const { stdout: text } = await run(["-p", bash("touch a")], { place })
    expect(text).toContain(`${projectFile(place)}:3`)
  })

  it("of a folder without trust loosen nothing", async () => {
    const place = makePlace()
    const loose = {
      permissions: { allow: ["Bash"], defaultMode: "acceptEdits", additionalDirectories: ["/"] },
      env: { FROM: "project" }
    }
    putFile(projectFile(place), JSON.stringify(loose))
    putFile(localFile(place), JSON.stringify(loose))
    const { stdout } = await run(["-p", bash("touch a; echo [$FROM] > b"), ...JSON_OUT], { place })
    expect(denied(stdout)).toHaveLength(1)
    expect(existsSync(join(place.cwd, "a"))).toBe(false)
  })

  it("of policy hold whatever else is said", async () => {
    const place = makePlace()
    putFile(join(place.cwd, "f.json"), '{"permissions": {"allow": ["Bash"], "deny": []}}')
    const args = ["-p", bash("touch a"), ...JSON_OUT, "--setting-sources", "user", "--settings", "f.json"]
    const { stdout } = await run([...args, "--managed-settings", '{"permissions": {"deny": ["Bash(touch *)"]}}'], { place })
    expect(denied(stdout)).toHaveLength(1)
    const { stdout: free } = await run(args, { place })
    expect(denied(free)).toHaveLength(0)
  })

  it("and modes: settings start a session, flags win, locks hold", async () => {
    const place = makePlace()
    const modeOf = async (...args: ReadonlyArray<string>) => {
      const { lines, stderr } = await run(["-p", "hi", "--output-format", "stream-json", "--verbose", ...args], {
        place,
        env: { IS_SANDBOX: "1" }
      })
      return { mode: lines.find((line) => line["subtype"] === "init")?.["permissionMode"], stderr }
    }
    putFile(userFile(place), '{"permissions": {"defaultMode": "acceptEdits"}}')
    expect((await modeOf()).mode).toBe("acceptEdits")
    expect((await modeOf("--permission-mode", "plan")).mode).toBe("plan")
    putFile(userFile(place), '{"permissions": {"defaultMode": "bypassPermissions"}}')
    expect((await modeOf()).mode).toBe("bypassPermissions")
    putFile(projectFile(place), '{"permissions": {"disableBypassPermissionsMode": "disable"}}')
    const locked = await modeOf("--settings", '{"permissions": {"disableBypassPermissionsMode": "disable"}}')
    expect(locked.mode).toBe("default")
    expect(locked.stderr).toContain("turned off by settings")
  })
})

describe("broken settings", () => {
  it("headless: one line for each problem, and the session goes on without that file", async () => {
    const place = makePlace()
    putFile(userFile(place), '{\n  // mine\n  "theme": "dark"\n}')
    putFile(localFile(place), '{"permissions": {"deny": ["Bash(touch *)", "Bash(x"]}}')
    const { code, stderr, stdout } = await run(["-p", bash("touch a"), ...JSON_OUT], { place })
    expect(code).toBe(0)
    expect(denied(stdout)).toHaveLength(1)
    const lines = stderr.split("\n").filter((line) => line.includes(".json:"))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(`(${userFile(place)}:2:3) — not JSON: comments are not allowed`)
    expect(lines[1]).toContain(
      `Ignored rule 'Bash(x' (${localFile(place)}:1): the closing parenthesis is missing at the end. Did you mean 'Bash(x)'?`
    )
    expect(await run(["-p", "hi", "--strict-settings"], { place })).toMatchObject({ code: 1, stdout: "" })
  })

  it.each([
    ["{x}", ":1:2)"],
    ["missing.json", "missing.json) — the file cannot be used: it does not exist"]
  ])("--settings %s ends the start", async (value, words) => {
    const { code, stderr } = await run(["-p", "hi", "--settings", value])
    expect(code).toBe(1)
    expect(stderr).toContain(words)
  })

  it("--settings refuses links and pipes, and a file with a fault says where", async () => {
    const place = makePlace()
    putFile(join(place.cwd, "bad.json"), '{\n  "a": 1,\n}')
    const { code, stderr } = await run(["-p", "hi", "--settings", "bad.json"], { place })
    expect(code).toBe(1)
    expect(stderr).toContain("bad.json:2:9)")
    expect((await run(["-p", "hi", "--settings", "/dev/zero"], { place })).stderr).toContain("it is not a regular file")
  })
})

describe("env of settings", () => {
  it("reaches commands, over the shell's value; an empty one takes it away", async () => {
    const place = makePlace()
    putFile(userFile(place), '{"env": {"FROM": "settings", "GONE": "", "NO_COLOR": "1"}}')
    const args = ["-p", bash('echo "[$FROM][${GONE-unset}][$NO_COLOR]" > out'), "--allowedTools", "Bash"]
    await run(args, { place, env: { FROM: "shell", GONE: "here" } })
    expect(readFileSync(join(place.cwd, "out"), "utf8")).toBe("[settings][unset][1]\n")
  })
})

const untilFile = async (path: string, fits: (text: string) => boolean): Promise<void> => {
  const { watch } = await import("node:fs/promises")
  const isSo = (): boolean => existsSync(path) && fits(readFileSync(path, "utf8"))
  if (isSo()) return
  for await (const _ of watch(join(path, ".."))) if (isSo()) return
}

const HOST = [
  "-p",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--verbose",
  "--permission-prompt-tool",
  "stdio"
]

const userMessage = (content: string): string =>
  `${JSON.stringify({ type: "user", session_id: "", parent_tool_use_id: null, message: { role: "user", content } })}\n`

const isAsking = (line: Json): boolean =>
  line["type"] === "control_request" && isObject(line["request"]) && line["request"]["subtype"] === "can_use_tool"

const answerTo = (line: Json, response: Json): string =>
  `${JSON.stringify({ type: "control_response", response: { subtype: "success", request_id: line["request_id"], response } })}\n`

const results = (lines: ReadonlyArray<Json>): number => lines.filter((line) => line["type"] === "result").length

describe("a running session", () => {
  it("lives by a settings file that changes", async () => {
    const place = makePlace()
    const host = await start(HOST, { place, stdin: null })
    const say = async (text: string, count: number) => {
      host.write(userMessage(text))
      await host.line(() => results(host.lines()) >= count, "the result")
      return host.lines().findLast((line) => line["type"] === "result")
    }
    await say("hello", 1)
    putFile(userFile(place), '{"permissions": {"deny": ["Bash(touch *)"]}}')
    await expect.poll(() => host.stderr(), { timeout: 20_000 }).toContain("settings changed: permissions")
    const result = await say(bash("touch a"), 2)
    expect(result?.["permission_denials"]).toHaveLength(1)
    host.closeStdin()
    expect((await host.ended).code).toBe(0)
  })

  it("saves what shall not be asked again, beside what somebody else writes into the file", async () => {
    const place = makePlace()
    mkdirSync(join(place.cwd, ".git"))
    putFile(localFile(place), '{\n    "mine": [1, 2],\n    "permissions": {"allow": ["Read"]}\n}\n')
    const host = await start(HOST, { place, stdin: null })
    host.write(userMessage(`${bash("touch a")}\n${bash("touch b")}\n${bash("touch a")}`))
    const question = await host.line(isAsking, "the question")
    const { request } = question as { request: { permission_suggestions: ReadonlyArray<Json>; input: Json } }
    writeFileSync(localFile(place), '{\n    "mine": [1, 2, 3],\n    "permissions": {"allow": ["Read", "Glob"]}\n}\n')
    const updates = [
      {
        type: "addRules",
        behavior: "allow",
        destination: "localSettings",
        rules: [{ toolName: "Bash", ruleContent: "touch *" }]
      }
    ]
    expect(request.permission_suggestions).toMatchObject([{ destination: "localSettings" }])
    host.write(answerTo(question, { behavior: "allow", updatedInput: request.input, updatedPermissions: updates }))
    await host.line((line) => line["type"] === "result", "the result")
    expect(host.lines().filter(isAsking)).toHaveLength(1)
    await untilFile(localFile(place), (text) => text.includes("touch"))
    expect(readFileSync(localFile(place), "utf8")).toContain('"mine": [1, 2, 3]')
    expect(JSON.parse(readFileSync(localFile(place), "utf8"))).toMatchObject({
      permissions: { allow: ["Read", "Glob", "Bash(touch *)"] }
    })
    host.closeStdin()
    await host.ended
  })
})

describe("writers at the same time", () => {
  it("lose nothing of each other", async () => {
    const place = makePlace()
    const names = ["model", "theme", "language", "outputStyle", "agent"]
    await Promise.all(names.map((name) => run(["config", "set", name, "x"], { place })))
    expect(Object.keys(JSON.parse(readFileSync(userFile(place), "utf8")) as Json).toSorted()).toEqual(names.toSorted())
  })
})

describe("a writer that is killed", () => {
  it("leaves the old file or the new one", async () => {
    const place = makePlace()
    const padding = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, "x".repeat(50)]))
    putFile(userFile(place), JSON.stringify({ ...padding, theme: "old" }, null, 2))
    for (let delay = 20; delay < 200; delay += 20) {
      const writer = await start(["config", "set", "theme", `new${delay}`], { place })
      setTimeout(() => writer.signal("SIGKILL"), delay)
      await writer.ended
      const value = JSON.parse(readFileSync(userFile(place), "utf8")) as Json
      expect(value["theme"]).toMatch(/^(?:old|new\d+)$/)
      expect(Object.keys(value)).toHaveLength(2_001)
    }
    expect((await run(["config", "set", "theme", "last"], { place })).code).toBe(0)
    expect(JSON.parse(readFileSync(userFile(place), "utf8"))).toMatchObject({ theme: "last" })
  })
})
