import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DEFAULT_AUTO } from "../../../src/core/permission/auto-mode-lists.ts"
import { limitLayer } from "../../../src/core/settings/limit-layer.ts"
import { CLOSED_GATE, OPEN_GATE } from "../../../src/core/settings/trust/gate.ts"
import { problemText } from "../../../src/core/settings/origin.ts"
import type { SettingsSource } from "../../../src/core/domain/settings-source.ts"
import { permissionsOf } from "../../../src/core/permission/configuration/from-settings.ts"
import { readLayer } from "../../../src/core/settings/read-layer.ts"
import { explainSetting, makeSnapshot, settingOf, settingsInForce } from "../../../src/core/settings/snapshot.ts"
import { plainTree } from "../../../src/core/settings/tree.ts"
import { settingsText, source } from "./arbitrary.ts"

const layer = (text: string, from: SettingsSource = "userSettings") =>
  readLayer({ source: from, file: `/${from}.json`, text })

const snapshot = (text: string, from: SettingsSource = "userSettings") =>
  makeSnapshot([limitLayer(layer(text, from), { gate: OPEN_GATE, secure: true })])

describe("reading a settings file", () => {
  it.each(["", "  \n", "\uFEFF", "{}", "\uFEFF{}\n"])("takes %j as no settings", (text) => {
    const { tree, problems } = layer(text)
    expect(plainTree(tree)).toEqual({})
    expect(problems).toEqual([])
  })

  it.each([
    ['{\n  // mine\n  "theme": "dark"\n}', 2, 3, "comments", "  // mine\n  ^"],
    ['{\n  "theme": "dark",\n}', 2, 18, "comma", '  "theme": "dark",\n                 ^'],
    ["{'theme': 1}", 1, 2, "double quotes", "{'theme': 1}\n ^"],
    ['{"theme": "dark"', 1, 17, "ends", '{"theme": "dark"\n                ^'],
    ["[1]", 1, 1, "a list instead of an object", "[1]\n^"],
    ['{"a": 1} x', 1, 10, "the end of the file", '{"a": 1} x\n         ^']
  ])("points at the fault in %j", (text, line, column, words, excerpt) => {
    const { tree, problems } = layer(text)
    expect(plainTree(tree)).toEqual({})
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ level: "error", path: "", line, column })
    expect(problems[0]?.message).toContain(words)
    expect(problems[0]?.excerpt).toBe(excerpt)
    expect(problemText(problems[0] ?? expect.fail())).toContain(`(/userSettings.json:${line}:${column}) — `)
  })

  it("drops a wrong key alone and says what was expected", () => {
    const read = snapshot('{\n  "theme": "dark",\n  "showTurnDuration": "yes",\n  "effortLevel": "huge"\n}')
    expect(settingOf(read, "theme")).toBe("dark")
    expect(settingOf(read, "showTurnDuration")).toBeUndefined()
    expect(read.problems).toMatchObject([
      { level: "error", path: "showTurnDuration", line: 3, column: 23, expected: "true or false", got: '"yes"' },
      { level: "error", path: "effortLevel", line: 4, expected: "one of auto, low, medium, high, xhigh, max" }
    ])
  })

  it.each([
    ['{"permissions.deny": ["Bash"]}', "permissions.deny", '"permissions": { "deny": ... }'],
    [
      '{"sandbox": {"network.allowedDomains": ["a"]}}',
      "sandbox.network.allowedDomains",
      '"network": { "allowedDomains": ... }'
    ],
    ['{"sandbox.network": {"allowedDomains": ["a"]}}', "sandbox.network", '"sandbox": { "network": ... }']
  ])("does not read a name with dots, and says how to write it: %s", (text, path, written) => {
    const read = snapshot(text)
    expect(settingsInForce(read)).toEqual([])
    expect(read.problems).toMatchObject([{ level: "warning", path, line: 1, suggestion: `write ${written}` }])
  })

  it("drops single entries of lists and records", () => {
    const read = snapshot('{"permissions": {"deny": ["Bash(rm *)", 3]}, "env": {"A": "1", "B": 2}}')
    expect(settingOf(read, "permissions.deny")).toEqual(["Bash(rm *)"])
    expect(settingOf(read, "env")).toEqual({ A: "1" })
    expect(read.problems).toMatchObject([
      { level: "warning", path: "permissions.deny" },
      { level: "warning", path: "env.B" }
    ])
  })

  it("tells no value of a variable", () => {
    const { problems } = layer('{"env": {"MY_TOKEN": 123456789}}')
    expect(JSON.stringify(problems)).not.toContain("123456789")
  })

  it("keeps unknown keys out of force and suggests the nearest name", () => {
    const { problems } = layer('{"hook": {}, "permissions": {"denny": []}, "entirely": 1}')
    expect(problems.map(({ level, path, suggestion }) => [level, path, suggestion])).toEqual([
      ["remark", "hook", "write hooks"],
      ["remark", "permissions.denny", "write permissions.deny"],
      ["remark", "entirely", "remove it, or leave it for the tool that knows it"]
    ])
  })

  it("warns of a name that stands twice; the last one counts", () => {
    const read = snapshot('{"theme": "dark", "theme": "light", "env": {"A": "1", "A": "2"}}')
    expect(settingOf(read, "theme")).toBe("light")
    expect(settingOf(read, "env")).toEqual({ A: "2" })
    expect(read.problems.map(({ path }) => path)).toEqual(["theme", "env.A"])
  })

  it("reports a rule that does not parse with its line and a correction", () => {
    const read = snapshot('{"permissions": {"deny": [\n"Bash(git:* push)",\n"Read(/x)"]}}')
    const { rules, problems } = permissionsOf(read, { home: "/h", configHome: "/h/.claude", startDir: "/w" })
    expect(rules).toMatchObject([{ tool: "Read", file: "/userSettings.json", line: 3, anchorDir: "/h/.claude" }])
    expect(problems).toMatchObject([{ line: 2, path: "permissions.deny", suggestion: "write 'Bash(git * push)'" }])
  })

  it("takes whatever comes: bytes, JSON, settings; and answers with places inside the text", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      settingsText,
      settingsText.map((text) => text.slice(0, -3))
    )
    fc.assert(
      fc.property(anything, source, (text, from) => {
        const { tree, problems } = layer(text, from)
        const lines = text.split("\n").length
        for (const { line = 1 } of problems) expect(line).toBeLessThanOrEqual(lines)
        const all = makeSnapshot([
          limitLayer({ source: from, file: "f", tree, problems }, { gate: CLOSED_GATE, secure: false })
        ])
        for (const { path } of settingsInForce(all)) explainSetting(all, path)
      }),
      { numRuns: 300 }
    )
  })

  it("reads two megabytes of small entries in linear time", () => {
    const rules = Array.from({ length: 70_000 }, (_, index) => `Bash(echo number ${index})`)
    const text = JSON.stringify({ permissions: { allow: rules } }, null, 2)
    expect(text.length).toBeGreaterThan(2_000_000)
    expect(settingOf(snapshot(text), "permissions.allow")).toHaveLength(70_000)
    const long = JSON.stringify({ model: "x".repeat(2_000_000) })
    expect(settingOf(snapshot(long), "model")).toHaveLength(2_000_000)
  })
})

describe("scopes", () => {
  it.each<[SettingsSource, unknown, string]>([
    ["projectSettings", { apiKeyHelper: "x", processWrapper: "y" }, "processWrapper"],
    ["projectSettings", { nacre: { tui: { mouse: true } } }, "nacre.tui.mouse"],
    ["userSettings", { allowManagedPermissionRulesOnly: true }, "allowManagedPermissionRulesOnly"],
    ["flagSettings", { projects: {} }, "projects"],
    ["localSettings", { permissions: { defaultMode: "bypassPermissions" } }, "permissions.defaultMode"],
    ["projectSettings", { nacre: { secretFiles: "off" } }, "nacre.secretFiles"]
  ])("%s may not set %j", (from, value, path) => {
    const read = snapshot(JSON.stringify(value), from)
    expect(read.problems).toMatchObject([{ level: "warning", path }])
    expect(explainSetting(read, path.split(".")).ignored).toHaveLength(1)
    expect(explainSetting(read, path.split(".")).effective).toBeUndefined()
  })
})

describe("managed files", () => {
  it("with one wrong key keep the others, and security keys become strict", () => {
    const read = snapshot(
      '{"model": 3, "permissions": {"deny": ["WebFetch"], "disableBypassPermissionsMode": true}, "nacre": {"secretFiles": 1}}',
      "policySettings"
    )
    expect(settingOf(read, "permissions.deny")).toEqual(["WebFetch"])
    expect(settingOf(read, "permissions.disableBypassPermissionsMode")).toBe("disable")
    expect(settingOf(read, "nacre.secretFiles")).toBe("deny")
    expect(read.problems.map(({ path, line }) => [path, line])).toEqual([
      ["model", 1],
      ["permissions.disableBypassPermissionsMode", 1],
      ["nacre.secretFiles", 1]
    ])
  })

  it("that break in the middle keep what stood before, and bypass mode is gone", () => {
    const read = snapshot(
      '{"theme": "dark", "permissions": {"deny": ["Bash(rm *)"], "ask": ["Edit" // x\n]}}',
      "policySettings"
    )
    expect(settingOf(read, "permissions.deny")).toEqual(["Bash(rm *)"])
    expect(settingOf(read, "permissions.ask")).toEqual(["Edit"])
    expect(settingOf(read, "permissions.disableBypassPermissionsMode")).toBe("disable")
    expect(settingOf(snapshot('{"theme": "dark", }', "userSettings"), "theme")).toBeUndefined()
  })

  it("that others can write only tighten", () => {
    const text = '{"permissions": {"allow": ["Bash"], "deny": ["Read"]}, "env": {"A": "1"}}'
    const { tree, ignored } = limitLayer(layer(text, "policySettings"), { gate: OPEN_GATE, secure: false })
    expect(plainTree(tree)).toEqual({ permissions: { deny: ["Read"] } })
    expect(ignored).toHaveLength(2)
  })
})

describe("explaining", () => {
  it("names the value in force, what it hides and what does not count", () => {
    const files = (["userSettings", "projectSettings", "localSettings"] as const).map((from, index) =>
      limitLayer(layer(`{\n\n"model": "${"abc"[index] ?? ""}"}`, from), {
        gate: from === "projectSettings" ? CLOSED_GATE : OPEN_GATE,
        secure: true
      })
    )
    const { effective, shadowed, ignored } = explainSetting(makeSnapshot(files), ["model"])
    expect(effective).toMatchObject({ value: "c", origin: { source: "localSettings", line: 3 } })
    expect(shadowed).toMatchObject([{ value: "a", origin: { source: "userSettings", line: 3 } }])
    expect(ignored).toMatchObject([{ value: "b", why: "the workspace is not trusted" }])
  })
})

describe("auto mode in settings", () => {
  const places = { home: "/home/u", configHome: "/home/u/.claude", startDir: "/work" }
  const auto = (settings: object, from: SettingsSource = "userSettings") =>
    permissionsOf(snapshot(JSON.stringify(settings), from), places)

  it("lists in plain words stand in place of the built-in ones, or around them", () => {
    expect(auto({}).auto).toEqual(DEFAULT_AUTO)
    const lists = { environment: ["a shared server"], soft_deny: ["$defaults", "drop caches"], hard_deny: [] }
    expect(auto({ autoMode: { ...lists, classifyAllShell: true } }).auto).toMatchObject({
      environment: ["a shared server"],
      allow: DEFAULT_AUTO.allow,
      softDeny: [...DEFAULT_AUTO.softDeny, "drop caches"],
      hardDeny: [],
      classifyAllShell: true
    })
  })

  it.each(["projectSettings", "localSettings"] as const)("are none of %s's business", (from) => {
    expect(auto({ autoMode: { allow: ["everything"], hard_deny: [] } }, from).auto).toEqual(DEFAULT_AUTO)
  })

  it("can be taken away under either name, and used in plan mode only when that was said", () => {
    expect(auto({}).autoLocked).toBe(false)
    expect(auto({ disableAutoMode: "disable" }, "projectSettings").autoLocked).toBe(true)
    expect(auto({ permissions: { disableAutoMode: "disable" } }).autoLocked).toBe(true)
    expect(auto({ useAutoModeDuringPlan: true }).auto.duringPlan).toBe(true)
    expect(auto({ useAutoModeDuringPlan: true }, "projectSettings").auto.duringPlan).toBe(false)
  })
})
