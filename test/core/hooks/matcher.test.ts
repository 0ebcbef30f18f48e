import { describe, expect, it } from "vitest"
import type { HookEvent } from "../../../src/core/hooks/hook-event.ts"
import { mismatch, readMatcher } from "../../../src/core/hooks/matcher.ts"

const matching = (text: string | undefined, names: ReadonlyArray<string>, event: HookEvent = "PreToolUse") =>
  names.filter((name) => mismatch(readMatcher(event, text), name) === undefined)

const TOOLS = ["Write", "Bash", "Read", "NotebookEdit", "Agent", "mcp__tiny__echo"]

describe("matchers", () => {
  it.each<[string | undefined, ReadonlyArray<string>]>([
    [undefined, TOOLS],
    ["", TOOLS],
    ["*", TOOLS],
    ["Write", ["Write"]],
    ["Write|Bash", ["Write", "Bash"]],
    ["Write, Read", ["Write", "Read"]],
    ["Bash | Write", ["Write", "Bash"]],
    ["Wri", []],
    ["write", []],
    ["Task", ["Agent"]],
    ["mcp__tiny__echo", ["mcp__tiny__echo"]],
    ["mcp__tiny__.*", ["mcp__tiny__echo"]],
    ["mcp__tiny", []],
    ["Wri.*", ["Write"]],
    ["^(Write|Read)$", ["Write", "Read"]],
    ["regex:Edit", ["NotebookEdit"]],
    ["[", []]
  ])("%j matches %j", (text, names) => {
    expect(matching(text, TOOLS)).toEqual(names)
  })

  it("mean nothing for events without a name", () => {
    expect(mismatch(readMatcher("Stop", "anything"), undefined)).toBeUndefined()
  })

  it("read file names as patterns unless they are plain words", () => {
    expect(matching("package.json", ["package.json", "package-json"], "FileChanged")).toEqual([
      "package.json",
      "package-json"
    ])
    expect(matching("Makefile|README", ["Makefile", "README", "Make"], "FileChanged")).toEqual(["Makefile", "README"])
  })

  it.each(["(a+)+$", "(a*)*b", "([a-z]+)*!", "(?=x)y", "(a|aa)+\\1"])("refuse %s, which could take forever", (text) => {
    expect(readMatcher("PreToolUse", text)._tag).toBe("Unusable")
  })
})
