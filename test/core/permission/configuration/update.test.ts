import * as fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { denialText, headlessDenial, rejectionText, wireReasonType } from "../../../../src/core/permission/decide/explain.ts"
import { bypassRefusal, changeMode, resumedMode, parseMode } from "../../../../src/core/permission/mode.ts"
import type { Need } from "../../../../src/core/permission/need.ts"
import {
  applyUpdates,
  decodePermissionUpdates,
  describeUpdate,
  suggestionsFor,
  type PermissionUpdate
} from "../../../../src/core/permission/configuration/update.ts"
import { contextFor, decideIn, edit, decidePlainly, fetch, read, shell, type Setting } from "../fixture.ts"

const rules = (
  type: "addRules" | "removeRules" | "replaceRules",
  names: ReadonlyArray<readonly [string, string?]>,
  behavior: "allow" | "deny" = "allow",
  destination: PermissionUpdate["destination"] = "session"
): PermissionUpdate => ({
  type,
  rules: names.map(([toolName, ruleContent]) => ({ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) })),
  behavior,
  destination
})

describe("updates", () => {
  it("add, replace and remove rules of their own place only", () => {
    const start = contextFor({ allow: ["Read"] })
    const added = applyUpdates(start, [
      rules("addRules", [["Bash", "ls *"], ["Task"]]),
      rules("addRules", [["Bash", "ls *"]])
    ])
    expect(added.rules.map(({ tool, specifier, source }) => [tool, specifier, source])).toEqual([
      ["Read", undefined, "cliArg"],
      ["Agent", undefined, "session"],
      ["Bash", "ls *", "session"]
    ])
    const replaced = applyUpdates(added, [rules("replaceRules", [["WebSearch"]])])
    expect(replaced.rules.map(({ tool }) => tool)).toEqual(["Read", "WebSearch"])
    expect(applyUpdates(replaced, [rules("removeRules", [["WebSearch"], ["Read"]])]).rules.map(({ tool }) => tool)).toEqual([
      "Read"
    ])
  })

  it("leave out rules that cannot be understood", () => {
    const bad = [rules("addRules", [["*"], ["Bash", "a:* b"], ["Bash", "ls"]])]
    expect(applyUpdates(contextFor({}), bad).rules.map(({ specifier }) => specifier)).toEqual(["ls"])
  })

  it("change the mode, but never to a bypass that is not available", () => {
    const update: PermissionUpdate = { type: "setMode", mode: "bypassPermissions", destination: "session" }
    const context = { ...contextFor({}), bypassAvailable: false }
    expect(applyUpdates(context, [update]).mode).toBe("default")
    expect(applyUpdates({ ...context, bypassAvailable: true }, [update]).mode).toBe("bypassPermissions")
    expect(Result.isFailure(changeMode(context, "bypassPermissions"))).toBe(true)
  })

  it("add and remove directories, never the one the session was started in", () => {
    const extra: PermissionUpdate = {
      type: "addDirectories",
      directories: ["/extra", "sub/.."],
      destination: "session"
    }
    const added = applyUpdates(contextFor({}), [extra, extra])
    expect(added.workingDirs.map(({ path }) => path)).toEqual(["/work", "/extra"])
    const removed = applyUpdates(added, [
      { type: "removeDirectories", directories: ["/extra", "/work"], destination: "session" }
    ])
    expect(removed.workingDirs.map(({ path }) => path)).toEqual(["/work"])
  })

  it("say in one line what they do", () => {
    const texts = [
      rules("addRules", [["Bash", "ls *"], ["Read"]]),
      rules("replaceRules", [["Edit"]], "deny"),
      rules("removeRules", [["Edit"]])
    ].map(describeUpdate)
    expect(texts).toEqual(["allow Bash(ls *), Read", "deny only Edit", "no longer allow Edit"])
    expect(describeUpdate({ type: "setMode", mode: "acceptEdits", destination: "session" })).toBe(
      "switch to acceptEdits mode"
    )
    expect(describeUpdate({ type: "addDirectories", directories: ["/a", "/b"], destination: "session" })).toBe(
      "work in /a, /b"
    )
    expect(describeUpdate({ type: "removeDirectories", directories: ["/a"], destination: "session" })).toBe(
      "no longer work in /a"
    )
  })

  it("decode what is understood and drop the rest", () => {
    const good = { type: "setMode", mode: "plan", destination: "localSettings" }
    expect(
      decodePermissionUpdates([good, { type: "setMode", mode: "bubble", destination: "session" }, { type: "x" }, null, 1])
    ).toEqual([good])
    expect(decodePermissionUpdates("x")).toEqual([])
    const manual = { type: "setMode", mode: "manual", destination: "session" }
    expect(decodePermissionUpdates([manual])).toEqual([{ ...manual, mode: "default" }])
  })
})

describe("suggestions", () => {
  const suggested = (setting: Setting, need: Need, tool: string) => {
    const decision = decideIn(setting, { need })
    return suggestionsFor({ context: contextFor(setting), tool, decision, input: {} })
  }

  it.each([
    ["npm run lint --fix", "npm run lint *"],
    ["git commit -m x", "git commit *"],
    ["cargo test", "cargo test *"],
    ["python3 a.py", "python3 a.py"],
    ["git reset --hard", "git reset --hard"],
    ["git -C x status", "git -C x status"],
    ["cd . && make", "make"]
  ])("for `%s` offers Bash(%s)", (command, content) => {
    expect(suggested({}, shell(command), "Bash")).toEqual([
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: content }],
        behavior: "allow",
        destination: "localSettings"
      }
    ])
  })

  it("offers one rule per part that needs approval, and the file of a redirect for the session", () => {
    expect(suggested({}, shell("ls && make && npm test > out.txt"), "Bash")).toEqual([
      rules(
        "addRules",
        [
          ["Bash", "make"],
          ["Bash", "npm test *"]
        ],
        "allow",
        "localSettings"
      ),
      rules("addRules", [["Edit", "//work/out.txt"]], "allow", "session")
    ])
  })

  it.each([
    [{ kind: "read", path: "/opt/lib/a.txt" }, "//opt/lib/**"],
    [{ kind: "read", path: "/opt/lib", below: true }, "//opt/lib/**"],
    [{ kind: "read", path: "/usr", below: true }, "//usr/**"],
    [{ kind: "read", path: "/", below: true }, "//"],
    [{ kind: "read", path: "/file" }, "//file"],
    [{ kind: "read", path: "/work/.env" }, "//work/.env"]
  ] as const)("for %j offers Read(%s), no wider than what was asked about", (need, content) => {
    expect(suggested({}, need, "Read")).toEqual([rules("addRules", [["Read", content]], "allow", "session")])
  })

  it.each([
    ["/work/.claude/notes.md", true],
    ["/work/.claude/deep/plan.txt", true],
    ["/work/.claude/settings.json", false],
    ["/work/.claude/Settings.Local.JSON", false],
    ["/work/.claude/hooks/a.md", false],
    ["/work/.claude/helper.sh", false],
    ["/work/.claude/bin/statusline", false],
    ["/work/.claude/.mcp.json", false],
    ["/work/.git/notes.md", false]
  ])("the question about %s can be lifted for a session: %s", (path, isLifted) => {
    const context = contextFor({})
    const request = { context, tool: { name: "Write", aliases: [] }, needs: [edit(path)], input: {} }
    const offered = suggestionsFor({ context, tool: "Write", decision: decidePlainly(request), input: {} })
    expect(offered.length > 0).toBe(isLifted)
    const grant = rules("addRules", [["Edit", "//work/.claude/**"]], "allow", "session")
    expect(decidePlainly({ ...request, context: applyUpdates(context, [grant]) }).verdict).toBe(isLifted ? "allow" : "ask")
  })

  it.each([
    ["Skill", { skill: "deploy", args: "x" }, ["Skill", "deploy"], "localSettings"],
    ["ReadMcpResource", { server: "s", uri: "x" }, ["mcp__s", undefined], "localSettings"],
    ["WebSearch", { query: "x" }, ["WebSearch", undefined], "localSettings"],
    ["mcp__s__t", {}, ["mcp__s__t", undefined], "localSettings"],
    ["CronCreate", {}, ["CronCreate", undefined], "session"]
  ] as const)("for %s %j offers %j, and then it does not ask again", (name, input, [toolName, ruleContent], destination) => {
    const context = contextFor({})
    const request = { context, tool: { name, aliases: [] }, needs: [{ kind: "other" }] as const, input }
    const offered = suggestionsFor({ context, tool: name, decision: decidePlainly(request), input })
    const rule = { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }
    expect(offered).toEqual([{ type: "addRules", rules: [rule], behavior: "allow", destination }])
    expect(decidePlainly({ ...request, context: applyUpdates(context, offered) }).verdict).toBe("allow")
  })

  it("offers nothing that would not help or says too much", () => {
    for (const command of ["rm -rf /", "cat .env", "touch .git/x", "make *", `make ${"x".repeat(600)}`]) {
      expect(suggested({}, shell(command), "Bash"), command).toEqual([])
    }
    expect(suggested({ ask: ["Bash"] }, shell("ls"), "Bash")).toEqual([])
    expect(suggested({ mode: "plan" }, shell("ls"), "Bash")).toEqual([])
    expect(suggested({}, { kind: "interaction" }, "AskUserQuestion")).toEqual([])
  })

  it("accepting every suggestion allows the same call from then on", () => {
    const need: fc.Arbitrary<Need> = fc.oneof(
      fc
        .constantFrom(
          "make -j2",
          "git commit -m 'a b'",
          "npm run x",
          "make | tee log",
          "cat /etc/hosts",
          "echo $X",
          "git push -f",
          "X=1 y",
          "foo \u{1f600} 'a b'"
        )
        .map(shell),
      fc.constantFrom("/etc/a b*[x]", "/x", "/work/.env", "/home/u/n(o)tes/a").map(read),
      fc.constantFrom("/work/a", "/etc/a", "/opt/b c/d").map(edit),
      fc.constantFrom("a.b", "::1", "127.0.0.1", "xn--bcher-kva.de").map(fetch),
      fc.constantFrom("/opt/lib", "/usr").map((path): Need => ({ kind: "read", path, below: true })),
      fc.constant<Need>({ kind: "other" })
    )
    fc.assert(
      fc.property(need, (asked) => {
        const context = contextFor({})
        const tool =
          {
            shell: "Bash",
            read: "Read",
            edit: "Write",
            fetch: "WebFetch"
          }[asked.kind as "shell"] ?? "WebSearch"
        const request = { context, tool: { name: tool, aliases: [] }, needs: [asked], input: {} }
        const decision = decidePlainly(request)
        expect(decision.verdict).toBe("ask")
        const after = applyUpdates(context, suggestionsFor({ context, tool, decision, input: {} }))
        expect(decidePlainly({ ...request, context: after }).verdict).toBe("allow")
      })
    )
  })
})

describe("words", () => {
  it("say what was asked, what decided and how to allow it", () => {
    const asked = decideIn({}, { need: shell("make -j2") })
    expect(asked.reason.sentence).toBe(
      "The command `make -j2` needs approval: no rule allows it and make is not known to only read"
    )
    expect(asked.remedy).toBe('run with --allowedTools "Bash(make -j2)"')
    const compound = decideIn({ allow: ["Bash(npm test *)"] }, { need: shell("timeout 30 npm test -- a && rm -r dist") })
    expect(compound.reason.sentence).toBe("1 of 2 parts need approval: rm -r dist")
    expect(compound.subcommands?.map(({ text, verdict }) => [text, verdict])).toEqual([
      ["timeout 30 npm test -- a", "allow"],
      ["rm -r dist", "ask"]
    ])
    const outside = decideIn({}, { need: read("/etc/passwd") })
    expect(outside.reason.sentence).toBe("Reading /etc/passwd needs approval: /etc/passwd is outside /work")
    expect(outside.remedy).toBe('run with --allowedTools "Read(//etc/passwd)"')
    expect(outside.blockedPath).toBe("/etc/passwd")
    const rule = decideIn({ deny: ["Bash(rm *)"] }, { need: shell("rm a") })
    expect(rule.reason.sentence).toBe("Denied by Bash(rm *) in CLI argument")
    expect(rule.matchedRule).toEqual({ toolName: "Bash", ruleContent: "rm *", behavior: "deny", source: "cliArg" })
    expect(decideIn({ mode: "plan" }, { need: edit("/work/a") }).remedy).toBe("leave plan mode")
  })

  it("quote the remedy for a shell", () => {
    expect(decideIn({}, { need: shell(`echo "$X" 'y'`) }).remedy).toBe(
      String.raw`run with --allowedTools 'Bash(echo "$X" '\''y'\'')'`
    )
  })

  it("show hidden characters of a command", () => {
    expect(decideIn({}, { need: shell("ls \u202e\u001b[2J") }).reason.sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it("tell the model what happened and what to do", () => {
    const decision = decideIn({}, { need: shell("make") })
    expect(denialText("Bash", decision)).toMatch(
      /^Permission denied: Bash was not run\. .*allowedTools.*do not try to get around/s
    )
    expect(headlessDenial("Bash", decision)).toContain("Nobody is there to approve it.")
    expect(rejectionText("Bash")).toContain("wait for instructions")
    expect(rejectionText("Bash", "use make")).toContain("use make")
    expect(wireReasonType(decideIn({}, { need: { kind: "nothing" } }).reason)).toBe("other")
  })
})

describe("modes", () => {
  it("reads names, never loosely", () => {
    expect(parseMode("plan")).toEqual({ mode: "plan" })
    expect(parseMode("auto")).toEqual({ mode: "auto" })
    expect(parseMode("manual")).toEqual({ mode: "default" })
    for (const text of ["AUTO", "bubble", "", "BYPASS"])
      expect(parseMode(text)).toMatchObject({
        mode: "default",
        warning: expect.any(String) as string
      })
  })

  it.each([
    ["default", "default"],
    ["acceptEdits", "acceptEdits"],
    ["dontAsk", "dontAsk"],
    ["auto", "auto"],
    ["plan", undefined],
    ["bypassPermissions", undefined],
    ["bubble", undefined],
    ["", undefined]
  ])("a continued session that was in %j goes on in %j", (recorded, mode) => {
    expect(resumedMode(recorded)).toBe(mode)
  })

  it("refuses bypass to root outside a container", () => {
    expect(bypassRefusal({ isRoot: true, isContainer: false })).toBeTypeOf("string")
    expect(bypassRefusal({ isRoot: true, isContainer: true })).toBeUndefined()
  })
})
