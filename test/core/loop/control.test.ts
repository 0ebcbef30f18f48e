import { describe, expect, it } from "vitest"
import { DEFAULT_AUTO } from "../../../src/core/permission/auto-mode-lists.ts"
import { violationOf } from "../../support/messages-validate.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { bash, read, returned, write } from "./response-plan.ts"
import { Script } from "./script.ts"

/** Changes from outside while a conversation runs: mode, rules, options, and the end of the program. */
const ALLOWED = permissions({ mode: "bypassPermissions" })

describe("a new mode", () => {
  it("counts at once and is reported once", () => {
    const script = new Script()
    script.feed({ _tag: "ModeChanged", mode: "acceptEdits" })
    script.feed({ _tag: "ModeChanged", mode: "acceptEdits" })
    expect(script.emitted("ModeReported").map(({ mode }) => mode)).toEqual(["acceptEdits"])
    script.begin()
    script.respond({ calls: [write("w")] })
    script.prepare("w")
    expect(script.all("StartCall")).toHaveLength(1)
  })

  it("that the session may not have is refused with a warning", () => {
    const script = new Script({ permission: { ...permissions(), bypassAvailable: false } })
    script.feed({ _tag: "ModeChanged", mode: "bypassPermissions" })
    expect(script.state.permission.mode).toBe("default")
    expect(script.emitted("Notice")).toMatchObject([{ level: "warning" }])
  })

  it("inside new rules is reported too", () => {
    const script = new Script()
    script.feed({ _tag: "PermissionsUpdated", updates: [{ type: "setMode", mode: "plan", destination: "session" }] })
    expect(script.emitted("ModeReported").map(({ mode }) => mode)).toEqual(["plan"])
  })
})

describe("settings that change", () => {
  const applied = {
    rules: [{ tool: "Bash", behavior: "deny" as const, source: "userSettings" as const, file: "/u.json", line: 1 }],
    directories: [{ path: "/new", realPath: "/new" }],
    formerDirectories: ["/old"],
    bypassAvailable: false,
    autoAvailable: true,
    auto: DEFAULT_AUTO,
    managedRulesOnly: false,
    sandbox: { enabled: false, autoAllow: false, excluded: [], mayLeave: true },
    secretFiles: "ask" as const,
    bypassProtectedPaths: "allow" as const,
    preapprovedHosts: []
  }

  it("replace the rules of files and keep those of the command line and the session", () => {
    const permission = permissions({ allow: ["Bash(ls)"], deny: ["WebFetch"] })
    const script = new Script({
      permission: { ...permission, workingDirs: [permission.cwd, { path: "/old", realPath: "/old" }] }
    })
    script.feed({ _tag: "SettingsApplied", settings: applied })
    script.feed({ _tag: "SettingsApplied", settings: { ...applied, formerDirectories: ["/new"] } })
    const { rules, workingDirs } = script.state.permission
    expect(rules.map(({ source }) => source)).toEqual(["cliArg", "cliArg", "userSettings"])
    expect(workingDirs.map(({ path }) => path)).toEqual([permission.cwd.path, "/new"])
    script.begin()
    script.respond({ calls: [bash("b", "ls")] })
    script.prepare("b")
    expect(script.all("StartCall")).toHaveLength(0)
  })

  it("keep what was answered until the file says it, and not longer than the file", () => {
    const script = new Script()
    const rules = [{ toolName: "Bash", ruleContent: "ls" }]
    const update = { type: "addRules", behavior: "allow", rules, destination: "localSettings" } as const
    const inFile = {
      tool: "Bash",
      specifier: "ls",
      behavior: "allow" as const,
      source: "localSettings" as const,
      file: "/l.json"
    }
    const allowed = () => script.state.permission.rules.filter(({ behavior }) => behavior === "allow").length
    script.feed({ _tag: "PermissionsUpdated", updates: [update] })
    script.feed({ _tag: "SettingsApplied", settings: { ...applied, rules: [] } })
    expect(allowed()).toBe(1)
    script.feed({ _tag: "SettingsApplied", settings: { ...applied, rules: [inFile] } })
    expect(allowed()).toBe(1)
    script.feed({ _tag: "SettingsApplied", settings: { ...applied, rules: [] } })
    expect(allowed()).toBe(0)
  })

  it("end a mode that they take away, and say so", () => {
    const script = new Script({ permission: { ...ALLOWED, bypassAvailable: true } })
    script.feed({ _tag: "SettingsApplied", settings: applied })
    expect(script.state.permission.mode).toBe("default")
    expect(script.emitted("ModeReported").map(({ mode }) => mode)).toEqual(["default"])
    expect(script.emitted("Notice")).toMatchObject([{ level: "warning" }])
  })

  it("never bring bypass mode into a session that was started without it", () => {
    const script = new Script({ permission: { ...permissions(), bypassAvailable: false } })
    script.feed({ _tag: "SettingsApplied", settings: { ...applied, bypassAvailable: true } })
    script.feed({ _tag: "ModeChanged", mode: "bypassPermissions" })
    expect(script.state.permission.mode).toBe("default")
  })

  it("leave managed allow rules only where the policy wants that", () => {
    const script = new Script({ permission: permissions({ allow: ["Bash(ls)"], deny: ["WebFetch"] }) })
    script.feed({ _tag: "SettingsApplied", settings: { ...applied, managedRulesOnly: true } })
    expect(script.state.permission.rules.map(({ behavior }) => behavior)).toEqual(["deny", "deny"])
  })
})

describe("updates for a file", () => {
  it("hold at once and are written; those of the session and bypass mode are not", () => {
    const script = new Script()
    const rule = { type: "addRules", behavior: "allow", rules: [{ toolName: "Bash", ruleContent: "ls" }] } as const
    script.feed({
      _tag: "PermissionsUpdated",
      updates: [
        { ...rule, destination: "localSettings" },
        { ...rule, destination: "session" },
        { type: "setMode", mode: "bypassPermissions", destination: "userSettings" }
      ]
    })
    expect(script.state.permission.rules.filter(({ behavior }) => behavior === "allow")).toHaveLength(2)
    expect(script.all("SavePermissions").map(({ updates }) => updates)).toEqual([
      [{ ...rule, destination: "localSettings" }]
    ])
  })
})

describe("new options", () => {
  it("count from the next request on, not for the one that runs", () => {
    const script = new Script()
    script.begin()
    script.startResponse()
    script.configure({ model: "claude-opus-4-6", effort: "high" })
    expect(script.phase).toBe("Streaming")
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "Grep", input: {} } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"pattern":"x"}' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_stop" }
    )
    script.runCalls("a")
    expect(script.requests[1]).toMatchObject({ model: "claude-opus-4-6", effort: "high" })
  })

  it("a smaller model gets no larger output than it can give", () => {
    const script = new Script()
    script.begin()
    script.respond({ calls: [read("a")] })
    script.configure({ model: "claude-3-haiku-20240307" })
    script.runCalls("a")
    expect(script.requests[1]?.max_tokens).toBe(4_096)
  })

  it("fewer fallback models than the turn has used lead back to the primary", () => {
    const script = new Script({ config: { fallbackModels: ["offline-b"] } })
    script.begin()
    script.fail({ kind: "http", status: 404, errorType: null, message: "model" })
    script.configure({ fallbackModels: [] })
    script.respond({ calls: [read("a")] })
    script.runCalls("a")
    expect(script.requests.at(-1)?.model).toBe("offline")
  })
})

describe("the end of the program", () => {
  it("is silent, and what is still reported afterwards changes nothing", () => {
    const script = new Script({ permission: ALLOWED })
    script.begin()
    script.respond({ calls: [bash("a", "ls"), read("b")] })
    script.prepare("a")
    script.feed({ _tag: "ShutDown" })
    expect(script.last).toEqual([])
    const { state } = script
    script.settle("a", returned("late"))
    script.prepare("b")
    script.interrupt()
    script.feed({ _tag: "ShutDown" })
    expect(script.state).toBe(state)
    expect(script.results).toEqual([])
  })

  it("leaves a history that could still be sent", () => {
    const script = new Script({ permission: ALLOWED })
    script.begin()
    script.respond({ calls: [bash("a", "ls")] })
    script.feed({ _tag: "ShutDown" })
    script.begin("still there?")
    const request = script.requests.at(-1)
    expect(violationOf({ model: request?.model, max_tokens: 1, messages: request?.messages })).toBeUndefined()
  })

  it("keeps what waits, as the transcript does", () => {
    const script = new Script()
    script.begin()
    script.prompt("second")
    script.feed({ _tag: "ShutDown" })
    expect(script.state.queue).toHaveLength(1)
  })
})
