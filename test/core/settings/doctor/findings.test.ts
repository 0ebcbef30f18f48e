import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { credentialFindings, settingsFinding, variableFindings } from "../../../../src/core/settings/doctor/configuration.ts"
import { shadowedRules } from "../../../../src/core/permission/configuration/shadowed-rules.ts"
import { inOrder, isSound, mergeExaminations } from "../../../../src/core/settings/doctor/finding.ts"
import { serverFindings } from "../../../../src/core/settings/doctor/servers.ts"
import type { Rule } from "../../../../src/core/permission/rule.ts"
import { readLayer } from "../../../../src/core/settings/read-layer.ts"
import { settingsText } from "../arbitrary.ts"

const settings = (text: string) => readLayer({ source: "userSettings", file: "/s.json", text }).problems.map(settingsFinding)

describe("findings about settings", () => {
  it.each([
    ['{\n"theme": 3}', { id: "settings.value", level: "error", area: "settings", line: 2, fix: "set it to a string" }],
    ["{,}", { id: "settings.file", level: "error", line: 1 }],
    ['{"hook": {}}', { id: "settings.unknown-key", level: "warning", fix: "write hooks" }],
    ['{"somethingElse": {}}', { id: "settings.unknown-key", level: "info" }],
    ['{"permissions": {"deny": [3]}}', { id: "rules.skipped", level: "warning", area: "rules" }],
    ['{"env": {"A": {}}}', { id: "settings.entry", level: "warning" }]
  ])("of %s", (text, expected) => expect(settings(text)).toMatchObject([{ file: "/s.json", ...expected }]))
})

const rule = (behavior: Rule["behavior"], tool: string, specifier?: string): Rule => ({
  behavior,
  tool,
  source: "userSettings",
  ...(specifier === undefined ? {} : { specifier })
})

describe("rules that never decide", () => {
  it("are those under a stricter one of the same text, or of the whole tool", () => {
    const found = shadowedRules([
      rule("allow", "Bash", "ls"),
      rule("deny", "Bash", "ls"),
      rule("ask", "Edit", "/x"),
      rule("deny", "Edit"),
      rule("allow", "Read", "/a"),
      rule("deny", "Read", "/b")
    ])
    expect(found.map(({ message }) => message.split(":", 1)[0])).toEqual([
      "allow Bash(ls) never decides",
      "ask Edit(/x) never decides"
    ])
  })
})

describe("findings about variables", () => {
  it("list what is set, what cannot be read and what does nothing, without secrets", () => {
    const found = variableFindings({
      ANTHROPIC_API_KEY: "sk-secret-0123456789",
      API_TIMEOUT_MS: "soon",
      HTTPS_PROXY: "http://me:secret@p",
      NACRE_DISABLE_MOUSE: "1",
      ENABLE_TOOL_SEARCH: "1",
      CLAUDE_CODE_OAUTH_TOKEN: "secret-0123456789",
      OTHER: "x"
    })
    expect(found.map(({ id, message }) => [id, message])).toEqual([
      ["environment.set", "ANTHROPIC_API_KEY=****6789"],
      ["environment.set", "HTTPS_PROXY=http://****@p"],
      ["environment.value", "API_TIMEOUT_MS=soon: it is not a number from 1 to 2147483647"],
      ["environment.set", "NACRE_DISABLE_MOUSE=1"],
      ["environment.reserved", "CLAUDE_CODE_OAUTH_TOKEN=****6789 is reserved for the vendor's own client and is never used"],
      ["environment.unused", "ENABLE_TOOL_SEARCH=1 is known, but not used in this version"]
    ])
  })

  it("name the spelling that counts, and slips", () => {
    const found = variableFindings({
      NACRE_MAX_RETRIES: "99",
      CLAUDE_CODE_MAX_RETRIES: "3",
      NACRE_TRSUT: "1",
      NACRE_MINE: "1"
    })
    expect(found.map(({ level, message, fix }) => [level, message, fix])).toEqual([
      ["warning", "NACRE_MAX_RETRIES=99: it is not a number from 0 to 15", "correct NACRE_MAX_RETRIES, or unset it"],
      ["warning", "NACRE_TRSUT is not a known variable", "write NACRE_TRUST"],
      ["info", "NACRE_MINE is not a known variable", "unset it"]
    ])
  })

  it("tell where the credential comes from", () => {
    expect(credentialFindings({ ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" })).toEqual({
      fact: "from ANTHROPIC_AUTH_TOKEN",
      findings: []
    })
    expect(credentialFindings({}).findings).toMatchObject([{ id: "credential.none", level: "info" }])
    expect(credentialFindings({ NACRE_REQUIRE_CREDENTIAL: "1" }).findings).toMatchObject([{ level: "error" }])
  })
})

describe("findings about MCP servers", () => {
  it.each([
    ['{"mcpServers": {"a": {"command": "x"}, "b": {"type": "http", "url": "http://x"}}}', []],
    ['{"mcpServers": {"a": {}}}', ['the server "a" cannot be used: it has no command']],
    ['{"mcpServers": {"a": {"type": "http"}}}', ['the server "a" cannot be used: it has no url']],
    [
      '{"mcpServers": {"a": {"type": "smoke", "command": "x"}}}',
      ['the server "a" cannot be used: its type is none of stdio, sse, http, ws']
    ],
    [
      '{"mcpServers": {"a b": {"command": "x"}, "c": 3}}',
      [
        'the server "a b" cannot be used: its name holds characters other than letters, digits, dot, hyphen and underscore',
        'the server "c" cannot be used: it is not an object'
      ]
    ],
    ['{"servers": {}}', ["there is no object mcpServers"]],
    ['{"mcpServers": {},}', ["not JSON: a comma must not stand before the closing bracket"]],
    ["", []]
  ])("of %s", (text, messages) =>
    expect(serverFindings("/w/.mcp.json", text).map(({ message }) => message)).toEqual(messages)
  )

  it("whatever the file holds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), settingsText), (text) => {
        for (const { line = 1 } of serverFindings("/f", text)) expect(line).toBeLessThanOrEqual(text.split("\n").length)
      })
    )
  })
})

describe("an examination", () => {
  it("is sound without errors, and lists areas in order with the worst first", () => {
    const all = mergeExaminations([
      { facts: { a: "1" }, findings: [{ id: "f", level: "info", area: "files", message: "f" }] },
      { facts: { b: "2" }, findings: settings('{"hook": {}, "theme": 3}') }
    ])
    expect(all.facts).toEqual({ a: "1", b: "2" })
    expect(inOrder(all.findings).map(({ id }) => id)).toEqual(["settings.value", "settings.unknown-key", "f"])
    expect(isSound(all)).toBe(false)
    expect(isSound({ ...all, findings: all.findings.slice(0, 1) })).toBe(true)
  })
})
