import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bannerText } from "../../../src/core/settings/origin.ts"
import { settingsQuestion, problemsToReport } from "../../../src/core/settings/startup-question.ts"
import { permissionsOf } from "../../../src/core/permission/configuration/from-settings.ts"
import { readLayer } from "../../../src/core/settings/read-layer.ts"
import { limitLayer } from "../../../src/core/settings/limit-layer.ts"
import { makeSnapshot } from "../../../src/core/settings/snapshot.ts"
import { fittedExcerpt } from "../../../src/core/domain/json/syntax-error.ts"
import { OPEN_GATE } from "../../../src/core/settings/trust/gate.ts"
import type { SettingsSource } from "../../../src/core/domain/settings-source.ts"
import { settingsText, source } from "./arbitrary.ts"

const problemsOf = (text: string, from: SettingsSource = "userSettings") => {
  const layer = limitLayer(readLayer({ source: from, file: `/${from}.json`, text }), { gate: OPEN_GATE, secure: true })
  const snapshot = makeSnapshot([layer])
  const { problems } = permissionsOf(snapshot, { home: "/h", configHome: "/h/.claude", startDir: "/w" })
  return [...snapshot.problems, ...problems]
}

describe("the question about settings at the start", () => {
  it("is about errors, and leads to the first that can be fixed", () => {
    const managed = problemsOf("{,}", "policySettings")
    const own = problemsOf('{\n"theme": 3, "hook": {}, "permissions": {"allow": ["*"]}}')
    const question = settingsQuestion([...managed, ...own], true)
    expect(question?.problems.map(({ path }) => path)).toEqual(["", "theme"])
    expect(question?.fixable).toEqual({ file: "/userSettings.json", line: 2 })
    expect(settingsQuestion(managed, true)?.fixable).toBeUndefined()
    expect(settingsQuestion(problemsOf('{"theme": "dark"}'), true)).toBeUndefined()
  })

  it("leads nobody into files of a folder without trust", () => {
    expect(settingsQuestion(problemsOf("{,}", "projectSettings"), false)).toBeUndefined()
    expect(settingsQuestion(problemsOf("{,}", "projectSettings"), true)).toBeDefined()
  })

  it("leaves no problem out: each is asked about, told, or a mere remark", () => {
    fc.assert(
      fc.property(settingsText, source, fc.boolean(), fc.boolean(), (text, from, isTrusted, isCut) => {
        const problems = problemsOf(isCut ? text.slice(0, -2) : text, from)
        const asked = settingsQuestion(problems, isTrusted)?.problems ?? []
        const told = problemsToReport(problems, isTrusted)
        expect(asked.length + told.length).toBe(problems.filter(({ level }) => level !== "remark").length)
      })
    )
  })
})

describe("what stays in sight", () => {
  const open = (text: string) =>
    problemsOf(text)
      .filter(({ leavesOpen }) => leavesOpen === true)
      .map(bannerText)

  it.each([
    [
      '{"permissions": {"deny": ["Bash(rm"]}}',
      ["userSettings.json:1: Ignored rule 'Bash(rm': the closing parenthesis is missing at the end"]
    ],
    ['{"permissions": {"ask": [7]}}', ["userSettings.json:1: permissions.ask: expected a string, found 7; it is ignored"]],
    [
      '{"permissions": {"deny": "Edit"}}',
      ['userSettings.json:1: permissions.deny: expected a list, found "Edit"; it is ignored']
    ],
    ['{"permissions": []}', ["userSettings.json:1: permissions: expected an object, found a list; it is ignored"]],
    [
      '{\n"permissions": {"deny": ["Edit"]},}',
      ["userSettings.json:2: not JSON: a comma must not stand before the closing bracket; its rules do not hold"]
    ],
    [
      '{"permissions": {"deny": ["A"], "deny": ["B"]}}',
      ["userSettings.json:1: permissions.deny: this name stands twice; the last one counts"]
    ],
    ['{"permissions": {"allow": ["*", 3], "defaultMode": 1}, "theme": 3, "hook": {}}', []]
  ])("of %j", (text, banners) => expect(open(text)).toEqual(banners))
})

describe("an excerpt in little room", () => {
  it("keeps the caret under its character and marks what is cut", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,100}$/), fc.nat(100), fc.integer({ min: 3, max: 60 }), (line, at, columns) => {
        const column = at % (line.length + 1)
        const [shown = "", caret = ""] = fittedExcerpt(`${line}\n${" ".repeat(column)}^`, columns).split("\n")
        expect(shown.length).toBeLessThanOrEqual(columns)
        expect(caret.length).toBeLessThanOrEqual(columns)
        const under = shown[caret.length - 1] ?? ""
        if (under !== "…") expect(under).toBe(line[column] ?? "")
        if (shown.length < line.length) expect(shown).toContain("…")
      })
    )
  })
})
