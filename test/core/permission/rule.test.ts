import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { OTHER_FIELDS, parameterOf, PRIMARY_FIELDS } from "../../../src/core/permission/rules/parameter.ts"
import { parseRule, readRules, ruleWarning } from "../../../src/core/permission/rules/parse.ts"
import { printRule, type RuleText } from "../../../src/core/permission/rule.ts"
import { BUILT_IN_TOOLS } from "../../../src/core/tools/built-in-tools.ts"

const parsed = (text: string, behavior: "allow" | "ask" | "deny" = "deny"): RuleText | string =>
  Result.match(parseRule(text, behavior), { onSuccess: (rule) => rule, onFailure: ({ why }) => why })

describe("rule grammar", () => {
  it.each([
    ["Bash", { tool: "Bash" }],
    ["Bash()", { tool: "Bash" }],
    ["Bash(*)", { tool: "Bash" }],
    [" Bash(ls) ", { tool: "Bash", specifier: "ls" }],
    ["Bash(git log *)", { tool: "Bash", specifier: "git log *" }],
    ["Bash(echo (a) b)", { tool: "Bash", specifier: "echo (a) b" }],
    [String.raw`Bash(echo \(a)`, { tool: "Bash", specifier: "echo (a" }],
    [String.raw`Bash(echo \\)`, { tool: "Bash", specifier: "echo \\" }],
    [String.raw`Read(a\*b)`, { tool: "Read", specifier: String.raw`a\*b` }],
    ["Task", { tool: "Agent" }],
    ["KillShell", { tool: "TaskStop" }],
    ["BashOutput", { tool: "TaskOutput" }],
    ["mcp__github", { tool: "mcp__github" }],
    ["mcp__github__*", { tool: "mcp__github__*" }],
    ["WebFetch(domain:example.com)", { tool: "WebFetch", specifier: "domain:example.com" }],
    ["Agent(model:opus)", { tool: "Agent", specifier: "model:opus" }],
    ["*", { tool: "*" }],
    ["constructor", { tool: "constructor" }]
  ])("%s", (text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })

  it.each([
    "",
    "(x)",
    "Bash(ls",
    String.raw`Bash(ls\)`,
    "Ba sh",
    "a,b",
    "Bash)",
    "Bash( )",
    "WebSearch(x)",
    "WebFetch(https://a.b)"
  ])("refuses %j", (text) => {
    expect(parsed(text)).toBeTypeOf("string")
  })

  it("names the correction of a misplaced prefix mark", () => {
    const { problems, rules } = readRules(["Bash(git:* push)"], {
      behavior: "deny",
      source: "userSettings",
      file: "settings.json:12"
    })
    expect(rules).toEqual([])
    expect(problems).toEqual([
      "Ignored rule 'Bash(git:* push)' (settings.json:12): ':*' is only special at the end. " +
        "Did you mean 'Bash(git * push)'?"
    ])
  })

  it("accepts patterns in tool names of deny rules, and of allow rules only inside one server", () => {
    expect(parsed("mcp__*", "deny")).toEqual({ tool: "mcp__*" })
    expect(parsed("mcp__*", "allow")).toBeTypeOf("string")
    expect(parsed("*", "allow")).toBeTypeOf("string")
    expect(parsed("mcp__a*__x", "allow")).toBeTypeOf("string")
    expect(parsed("mcp__a__get_*", "allow")).toEqual({ tool: "mcp__a__get_*" })
  })

  it("refuses field rules where they would loosen or where the field has its own rules", () => {
    expect(parsed("Cron(durable:true)", "ask")).toEqual({ tool: "Cron", specifier: "durable:true" })
    expect(parsed("Cron(durable:true)", "allow")).toBeTypeOf("string")
    expect(parsed("Cron(command:x)", "deny")).toBeTypeOf("string")
    expect(parsed("Cron(durable)", "deny")).toBeTypeOf("string")
  })

  it.each(
    [
      [
        "Bash(run_in_background:true)",
        "Edit(replace_all : true)",
        "Write(content:*KEY*)",
        "Grep(-i:true)",
        "WebFetch(prompt:x)"
      ],
      ["mcp__a__b(repo-name:x)", "mcp__a__*(n:1)", "*(description:x)", "Agent(model:opus)", "Read(pages:1-*)"]
    ].flat()
  )("takes %s for a field of the input", (text) => {
    const read = readRules([text], { behavior: "deny", source: "userSettings" })
    expect(read).toMatchObject({ problems: [], banners: [] })
    expect(read.rules.map(parameterOf)).not.toContain(undefined)
  })

  it.each([
    ["Bash(command:ls)", "Bash(ls)"],
    ["Read(file_path:a.txt)", "Read(a.txt)"],
    ["WebFetch(url:https://a.b)", "WebFetch"],
    ["mcp__a__b(path:/x)", "mcp__a__b"],
    ["WebFetch(localhost:8080)", "WebFetch(domain:localhost)"],
    ["WebFetch(https://u@[::1]:80/x)", "WebFetch(domain:[::1])"],
    ["bash(ls -l)", "Bash(ls -l)"],
    ["WebFetsh(x)", "WebFetch(x)"]
  ])("refuses %s and names %s", (text, suggestion) => {
    const { rules, banners } = readRules([text], { behavior: "deny", source: "userSettings" })
    expect(rules).toEqual([])
    expect(banners.join()).toContain(`Did you mean '${suggestion}'?`)
  })

  it("guesses no tool where none is alike", () => {
    expect(readRules(["Qqq(x)"], { behavior: "ask", source: "cliArg" }).problems).toEqual([
      "Ignored rule 'Qqq(x)': Qqq is not a known tool."
    ])
  })

  it("a prefix is a prefix, whatever fields are called", () => {
    expect(parameterOf({ tool: "Bash", specifier: "timeout:*" })).toBeUndefined()
    expect(parameterOf({ tool: "Bash", specifier: "npm run test:unit" })).toBeUndefined()
    expect(parsed("Bash(command:*)")).toEqual({ tool: "Bash", specifier: "command:*" })
  })

  it("knows the fields of every tool whose specifiers mean something else", () => {
    for (const tool of BUILT_IN_TOOLS.filter(({ name }) => Object.hasOwn(OTHER_FIELDS, name))) {
      const fields = Object.keys(tool.inputSchema()["properties"] ?? {})
      expect(OTHER_FIELDS[tool.name]?.toSorted(), tool.name).toEqual(
        fields.filter((field) => !PRIMARY_FIELDS.has(field)).toSorted()
      )
    }
  })

  it("warns about path rules that nobody reads", () => {
    expect(ruleWarning({ tool: "Write", specifier: "src/**" })).toContain("Edit(src/**)")
    expect(ruleWarning({ tool: "Grep", specifier: "src/**" })).toContain("Read(src/**)")
    expect(ruleWarning({ tool: "Write" })).toBeUndefined()
  })

  it("prints what it parses: text to rule to text to rule", () => {
    const specifier = fc.string({ minLength: 1, unit: fc.constantFrom("a", "(", ")", "\\", "*", " ", ":", "/", ".") })
    fc.assert(
      fc.property(fc.constantFrom("Bash", "Read", "Edit", "Agent", "mcp__a__b"), specifier, (tool, text) => {
        const rule = parseRule(printRule({ tool, specifier: text }), "deny")
        fc.pre(Result.isSuccess(rule))
        if (rule.success.specifier !== undefined) expect(rule.success).toEqual({ tool, specifier: text })
        expect(parseRule(printRule(rule.success), "deny")).toEqual(rule)
      })
    )
  })
})
