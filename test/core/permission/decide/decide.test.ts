import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { removedBy } from "../../../../src/core/permission/decide/decide.ts"
import type { Need } from "../../../../src/core/permission/need.ts"
import { isAsStrict, PERMISSION_MODES, type PermissionMode, type Verdict } from "../../../../src/core/permission/verdict.ts"
import { plainPath } from "../../../support/plain-facts.ts"
import { contextFor, decideIn, decidePlainly, edit, fetch, read, shell, verdictOn, type Setting } from "../fixture.ts"

const RANK: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

/** Without auto, which matrix.test.ts has. */
const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const
type Row = readonly [Verdict, Verdict, Verdict, Verdict, Verdict]

const NEEDS: ReadonlyArray<readonly [string, Need, string, Row]> = [
  ["read inside", read("/work/a"), "Read", ["allow", "allow", "allow", "allow", "allow"]],
  ["read outside", read("/etc/passwd"), "Read", ["ask", "ask", "ask", "deny", "allow"]],
  ["read of a secret", read("/work/.env"), "Read(.env)", ["ask", "ask", "ask", "deny", "allow"]],
  [
    "read of the session's own files",
    read("/home/u/.claude/projects/work/session/1.txt"),
    "Read",
    ["allow", "allow", "allow", "allow", "allow"]
  ],
  ["edit inside", edit("/work/a"), "Edit", ["ask", "allow", "deny", "deny", "allow"]],
  ["edit outside", edit("/etc/hosts"), "Edit", ["ask", "ask", "deny", "deny", "allow"]],
  ["protected edit", edit("/work/.git/hooks/pre-commit"), "Edit", ["ask", "ask", "deny", "deny", "allow"]],
  ["command", shell("make"), "Bash", ["ask", "ask", "ask", "deny", "allow"]],
  ["protected write by command", shell("cp a .git/config"), "Bash", ["ask", "ask", "ask", "deny", "allow"]],
  ["critical removal", shell("rm -rf /"), "Bash", ["ask", "ask", "ask", "deny", "ask"]],
  ["unsafe path form", read("\\\\host\\share"), "Read", ["ask", "ask", "ask", "deny", "ask"]],
  ["fetch", fetch("example.com"), "WebFetch", ["ask", "ask", "ask", "deny", "allow"]],
  ["nothing", { kind: "nothing" }, "TodoWrite", ["allow", "allow", "allow", "allow", "allow"]],
  ["interaction", { kind: "interaction" }, "AskUserQuestion", ["ask", "ask", "ask", "deny", "ask"]],
  ["other", { kind: "other" }, "WebSearch", ["ask", "ask", "ask", "deny", "allow"]]
]

/** What an allow rule for the need changes, where it may: the rest is fixed by safety or mode. */
const LIFTED: Readonly<Record<string, Row>> = {
  "read outside": ["allow", "allow", "allow", "allow", "allow"],
  "read of a secret": ["allow", "allow", "allow", "allow", "allow"],
  "edit inside": ["allow", "allow", "deny", "allow", "allow"],
  "edit outside": ["allow", "allow", "deny", "allow", "allow"],
  command: ["allow", "allow", "ask", "allow", "allow"],
  fetch: ["allow", "allow", "allow", "allow", "allow"],
  other: ["allow", "allow", "ask", "allow", "allow"]
}

describe("every mode, every need, every kind of rule", () => {
  const cases = NEEDS.flatMap(([label, need, rule, row]) =>
    MODES.map((mode, index) => ({
      label,
      need,
      rule,
      mode,
      plain: row[index],
      lifted: LIFTED[label]?.[index] ?? row[index]
    }))
  )

  it.each(cases)("$label in $mode without a rule: $plain", ({ need, mode, plain }) => {
    expect(verdictOn({ mode }, need)).toBe(plain)
  })

  it.each(cases)("$label in $mode with an allow rule: $lifted", ({ need, mode, rule, lifted }) => {
    expect(verdictOn({ mode, allow: [rule] }, need)).toBe(lifted)
  })

  it.each(cases)("$label in $mode with an ask rule", ({ need, mode, rule }) => {
    const expected = mode === "dontAsk" || (mode === "plan" && need.kind === "edit") ? "deny" : "ask"
    expect(verdictOn({ mode, ask: [rule], allow: [rule] }, need)).toBe(expected)
  })

  it.each(cases)("$label in $mode with a deny rule", ({ need, mode, rule }) => {
    expect(verdictOn({ mode, deny: [rule], ask: [rule], allow: [rule] }, need)).toBe("deny")
  })
})

const setting: fc.Arbitrary<Required<Setting>> = fc.record({
  mode: fc.constantFrom(...PERMISSION_MODES),
  allow: fc.subarray([
    "Bash",
    "Bash(ls *)",
    "Bash(git *)",
    "Bash(rm -rf /)",
    "Read",
    "Read(.env)",
    "Read(//etc/**)",
    "Edit",
    "Edit(src/**)",
    "WebFetch(domain:a.b)",
    "WebSearch"
  ]),
  ask: fc.subarray(["Bash(git *)", "Read(secrets)", "Edit(*.md)", "WebFetch", "TodoWrite"]),
  deny: fc.subarray(["Bash(rm *)", "Bash(curl *)", "Read(.env)", "Edit(src/**)", "WebFetch(domain:*.b)", "Edit", "mcp__*"]),
  dirs: fc.subarray(["/extra"])
})

const need: fc.Arbitrary<Need> = fc.oneof(
  fc
    .constantFrom(
      "/work/a",
      "/work/.env",
      "/work/src/a.md",
      "/work/secrets/x",
      "/etc/x",
      "/extra/y",
      "/work/.git/config",
      "/home/u/.ssh/id"
    )
    .chain((path) => fc.constantFrom(read(path), edit(path))),
  fc
    .constantFrom(
      "ls -l",
      "git status",
      "git reset --hard",
      "rm a",
      "rm -rf /",
      "ls; curl x",
      "echo $(rm a)",
      "cat .env",
      "$X",
      "cat *.ts",
      "cp a .git/x"
    )
    .map(shell),
  fc.constantFrom("a.b", "x.a.b", "evil.com").map(fetch),
  fc.constantFrom<Need>({ kind: "nothing" }, { kind: "interaction" }, { kind: "other" })
)

const RULES = [
  "Bash",
  "Bash(ls *)",
  "Bash(rm *)",
  "Bash(* reset *)",
  "Read",
  "Read(.env)",
  "Read(/**)",
  "Edit",
  "Edit(src/**)",
  "WebFetch",
  "WebFetch(domain:a.b)",
  "TodoWrite",
  "AskUserQuestion"
]

describe("laws", () => {
  it("adding a deny or ask rule never loosens", () => {
    fc.assert(
      fc.property(
        setting,
        need,
        fc.constantFrom(...RULES),
        fc.constantFrom("ask", "deny"),
        (given, asked, rule, behavior) => {
          const before = RANK[verdictOn(given, asked)]
          const after = RANK[verdictOn({ ...given, [behavior]: [...given[behavior], rule] }, asked)]
          expect(after).toBeGreaterThanOrEqual(before)
        }
      ),
      { numRuns: 600 }
    )
  })

  it("adding an allow rule never tightens", () => {
    fc.assert(
      fc.property(setting, need, fc.constantFrom(...RULES), (given, asked, rule) => {
        expect(RANK[verdictOn({ ...given, allow: [...given.allow, rule] }, asked)]).toBeLessThanOrEqual(
          RANK[verdictOn(given, asked)]
        )
      }),
      { numRuns: 600 }
    )
  })

  it("what a deny rule stops in default mode is stopped in every mode and with every allow rule", () => {
    fc.assert(
      fc.property(setting, need, (given, asked) => {
        fc.pre(decideIn({ ...given, mode: "default", allow: [] }, { need: asked }).verdict === "deny")
        expect(verdictOn(given, asked)).toBe("deny")
      }),
      { numRuns: 600 }
    )
  })

  it("don't-ask mode never asks, and no allow is reached without the steps before it", () => {
    fc.assert(
      fc.property(setting, need, (given, asked) => {
        expect(verdictOn({ ...given, mode: "dontAsk" }, asked)).not.toBe("ask")
        const { verdict, trace = [] } = decideIn(given, { need: asked })
        const passed = trace.filter(({ result }) => result === "pass").map(({ step }) => step)
        if (verdict === "allow") {
          expect(passed).toEqual(
            expect.arrayContaining(["denyRules", "planMode", "askRules", "possibleDeny", "interaction", "immuneSafety"])
          )
        }
      })
    )
  })

  it("a call is allowed only when every need is", () => {
    fc.assert(
      fc.property(setting, need, need, (given, one, other) => {
        const request = { context: contextFor(given), tool: { name: "Mixed", aliases: [] }, input: {} }
        const both = decidePlainly({ ...request, needs: [one, other] }).verdict
        for (const single of [one, other]) {
          expect(isAsStrict(both, decidePlainly({ ...request, needs: [single] }).verdict)).toBe(true)
        }
      })
    )
  })
})

describe("tools", () => {
  const on = (given: Setting, name: string, asked: Need, aliases: ReadonlyArray<string> = []) =>
    decideIn(given, { need: asked, tool: { name, aliases } }).verdict

  it("knows tools by their other names", () => {
    expect(on({ deny: ["Task"] }, "Agent", { kind: "nothing" })).toBe("deny")
    expect(on({ deny: ["Agent"] }, "Task", { kind: "nothing" })).toBe("deny")
    expect(on({ deny: ["KillShell"] }, "TaskStop", { kind: "nothing" })).toBe("deny")
    expect(on({ deny: ["Old"] }, "New", { kind: "nothing" }, ["Old"])).toBe("deny")
  })

  it.each(["mcp__gh", "mcp__gh__", "mcp__gh__*", "mcp__gh__get"])("covers a server's tool with %s", (rule) => {
    expect(on({ allow: [rule] }, "mcp__gh__get", { kind: "other" })).toBe("allow")
    expect(on({ deny: [rule] }, "mcp__gh__get", { kind: "other" })).toBe("deny")
    expect(on({ allow: [rule] }, "mcp__ghost__get", { kind: "other" })).toBe("ask")
  })

  it("refuses servers that may change something in plan mode", () => {
    const call = { need: { kind: "other" }, tool: { name: "mcp__gh__get", aliases: [] } } as const
    expect(decideIn({ mode: "plan", allow: ["mcp__gh"] }, call).verdict).toBe("deny")
    const reading = { ...call, tool: { ...call.tool, readOnly: true } }
    expect(decideIn({ mode: "plan", allow: ["mcp__gh"] }, reading).verdict).toBe("allow")
  })

  it("Edit rules cover every tool that edits, Write rules only Write", () => {
    for (const tool of ["Edit", "Write", "NotebookEdit"]) {
      expect(on({ deny: ["Edit(src/**)"] }, tool, edit("/work/src/a"))).toBe("deny")
      expect(on({ deny: ["Edit"] }, tool, edit("/work/src/a"))).toBe("deny")
      expect(on({ allow: ["Edit(src/**)"] }, tool, edit("/work/src/a"))).toBe("allow")
      expect(on({ allow: ["Write(src/**)"] }, tool, edit("/work/src/a"))).toBe("ask")
    }
    expect(on({ mode: "bypassPermissions", deny: ["Write"] }, "Write", edit("/work/a"))).toBe("deny")
    expect(on({ mode: "bypassPermissions", deny: ["Write"] }, "Edit", edit("/work/a"))).toBe("allow")
  })

  it("a path that must not be read must not be edited, searched or printed", () => {
    const deny = { mode: "bypassPermissions", deny: ["Read(./.env)"] } as const
    expect(on(deny, "Edit", edit("/work/.env"))).toBe("deny")
    expect(on(deny, "Grep", read("/work/.env"))).toBe("deny")
    expect(on(deny, "Read", read("/work/.ENV"))).toBe("deny")
    for (const command of [
      "{ cat .env; }",
      "cat < .env",
      "cat <(ls) .env",
      "cat ./x/../.env",
      "cd /work && cat .env",
      "cp .env x",
      "tool --file=.env",
      "cat $HOME/../../work/.env"
    ]) {
      expect(verdictOn(deny, shell(command)), command).toBe("deny")
    }
    expect(verdictOn(deny, shell("cat $F"))).toBe("ask")
    expect(verdictOn(deny, shell("echo .env"))).toBe("allow")
  })

  it("Edit deny stops shell writes, not shell reads", () => {
    const deny = { mode: "bypassPermissions", deny: ["Edit(src/**)"] } as const
    for (const command of [
      "echo x > src/a",
      "echo x >> src/a",
      "tee src/a",
      "cp x src/a",
      "cd src && touch a",
      "unknown src/a"
    ]) {
      expect(verdictOn(deny, shell(command)), command).toBe("deny")
    }
    for (const command of ["cat src/a", "grep x src/a", "ls src", "cat src/a 2>&1", "cat src/a > /dev/null"]) {
      expect(verdictOn(deny, shell(command)), command).toBe("allow")
    }
    expect(verdictOn({ mode: "bypassPermissions", deny: ["Edit"] }, shell("echo x > a"))).toBe("deny")
    expect(verdictOn({ mode: "bypassPermissions", deny: ["Edit"] }, shell("git status 2>&1"))).toBe("allow")
  })

  it("matches single fields of the input in deny and ask rules", () => {
    const call = {
      need: { kind: "nothing" },
      tool: { name: "Agent", aliases: ["Task"] },
      input: { subagent_type: "Explore", model: "opus" }
    } as const
    expect(decideIn({ deny: ["Agent(Explore)"] }, call).verdict).toBe("deny")
    expect(decideIn({ deny: ["Agent(model:opus)"] }, call).verdict).toBe("deny")
    expect(decideIn({ deny: ["Agent(Other)"] }, call).verdict).toBe("allow")
    const cron = {
      need: { kind: "other" },
      tool: { name: "CronCreate", aliases: [] },
      input: { durable: true }
    } as const
    expect(decideIn({ allow: ["CronCreate"], deny: ["CronCreate(durable : tr*)"] }, cron).verdict).toBe("deny")
    expect(decideIn({ allow: ["CronCreate"], deny: ["CronCreate(missing:*)"] }, cron).verdict).toBe("allow")
  })

  it.each([
    ["Bash", shell("ls"), "Bash(run_in_background:true)", { command: "ls", run_in_background: true }, "deny"],
    ["Bash", shell("ls"), "Bash(run_in_background:true)", { command: "ls", run_in_background: false }, "allow"],
    ["Bash", shell("ls"), "Bash(run_in_background:true)", { command: "ls" }, "allow"],
    ["Bash", shell("ls"), "Bash(timeout:*)", { command: "ls", timeout: 5 }, "allow"],
    ["Bash", shell("timeout 5 ls"), "Bash(timeout:*)", { command: "timeout 5 ls" }, "deny"],
    ["Edit", edit("/work/a"), "Edit(replace_all:true)", { file_path: "/work/a", replace_all: true }, "deny"],
    ["Write", edit("/work/a"), "Edit(replace_all:true)", { file_path: "/work/a", replace_all: true }, "allow"],
    ["Write", edit("/work/a"), "Write(content:*KEY*)", { file_path: "/work/a", content: "A KEY" }, "deny"],
    ["Read", read("/work/a"), "Read(limit:5)", { file_path: "/work/a", limit: 5 }, "deny"],
    ["WebFetch", fetch("a.b"), "WebFetch(prompt:*secret*)", { prompt: "my secret" }, "deny"],
    ["mcp__a__b", { kind: "other" }, "mcp__a(repo-name:x)", { "repo-name": "x" }, "deny"],
    ["mcp__a__b", { kind: "other" }, "*(text:\u{1f600}*)", { text: "\u{1f600} x" }, "deny"]
  ] as const)("%s, %j: the field rule %s on %j: %s", (name, need, rule, input, expected) => {
    const call = { need, tool: { name, aliases: [] }, input }
    expect(decideIn({ mode: "bypassPermissions", deny: [rule] }, call).verdict).toBe(expected)
  })

  it.each([
    ["ReadMcpResource", { server: "s" }, { deny: ["mcp__s"] }, "deny"],
    ["ReadMcpResource", { server: "s" }, { deny: ["mcp__*"] }, "deny"],
    ["ReadMcpResource", { server: "s" }, { allow: ["mcp__s"] }, "allow"],
    ["ReadMcpResource", { server: "s" }, { allow: ["mcp__s__*"] }, "allow"],
    ["ReadMcpResource", { server: "t" }, { allow: ["mcp__s"], deny: ["mcp__s__tool"] }, "ask"],
    ["ListMcpResources", { server: "s" }, { deny: ["mcp__s__"] }, "deny"],
    ["Agent", { prompt: "x" }, { deny: ["Agent(general-purpose)"] }, "deny"],
    ["Agent", { prompt: "x", subagent_type: "Explore" }, { deny: ["Task(general-purpose)"], allow: ["Agent"] }, "allow"]
  ] as const)("%s with %j under %j: %s", (name, input, rules, expected) => {
    expect(decideIn(rules, { need: { kind: "other" }, tool: { name, aliases: [] }, input }).verdict).toBe(expected)
  })

  it("characters beyond the basic plane are characters like any others", () => {
    expect(verdictOn({ allow: ["Bash(foo \u{1f600} bar)"] }, shell("foo \u{1f600} bar"))).toBe("allow")
    expect(verdictOn({ mode: "bypassPermissions", deny: ["Bash(foo \u{1f600}*)"] }, shell("foo \u{1f600} x"))).toBe("deny")
  })

  it.each([
    ["domain:example.com", "example.com", true],
    ["domain:example.com", "EXAMPLE.com.", true],
    ["domain:example.com", "a.example.com", false],
    ["domain:*.example.com", "a.b.example.com", true],
    ["domain:*.example.com", "example.com", false],
    ["domain:*.example.com", "evilexample.com", false],
    ["domain:*", "anything.at.all", true],
    ["domain:api-*.x.com", "api-1.x.com", true],
    ["domain:api-*.x.com", "api-1.y.x.com", false],
    ["domain:b\u00fccher.de", "xn--bcher-kva.de", true],
    ["domain:*.b\u00fccher.de", "a.xn--bcher-kva.de", true],
    ["domain:[::1]", "::1", true],
    ["domain:[0:0:0:0:0:0:0:1]", "::1", true],
    ["domain:[::1]", "::2", false],
    ["domain:127.1", "127.0.0.1", true],
    ["domain:0x7f.1", "127.0.0.1", true],
    ["domain:127.*.0.1", "127.0.0.1", true]
  ])("WebFetch(%s) on %s", (specifier, host, expected) => {
    expect(verdictOn({ allow: [`WebFetch(${specifier})`] }, fetch(host))).toBe(expected ? "allow" : "ask")
    expect(verdictOn({ mode: "bypassPermissions", deny: [`WebFetch(${specifier})`] }, fetch(host))).toBe(
      expected ? "deny" : "allow"
    )
  })

  it("documentation is fetched without a question, unless a rule says otherwise", () => {
    expect(verdictOn({}, fetch("nodejs.org"))).toBe("allow")
    expect(verdictOn({}, fetch("evil.nodejs.org"))).toBe("ask")
    expect(verdictOn({ ask: ["WebFetch(domain:nodejs.org)"] }, fetch("nodejs.org"))).toBe("ask")
    expect(verdictOn({ deny: ["WebFetch"] }, fetch("nodejs.org"))).toBe("deny")
  })

  it("takes denied tools from the pool", () => {
    const context = contextFor({ deny: ["WebSearch", "mcp__*", "Bash(rm *)"] })
    expect(removedBy(context, { name: "WebSearch", aliases: [] })?.tool).toBe("WebSearch")
    expect(removedBy(context, { name: "mcp__a__b", aliases: [] })?.tool).toBe("mcp__*")
    expect(removedBy(context, { name: "Bash", aliases: [] })).toBeUndefined()
  })
})

describe("paths", () => {
  const through = (given: Setting, asked: Need, real: string, path = "path" in asked ? asked.path : "") =>
    decideIn(given, { need: asked, world: { paths: [plainPath(path, real)] } }).verdict

  it("a link out of the directories is outside, whatever rule covers its name", () => {
    expect(through({}, read("/work/p/key"), "/home/u/.ssh/id_rsa")).toBe("ask")
    expect(through({ allow: ["Read(p/**)"] }, read("/work/p/key"), "/home/u/.ssh/id_rsa")).toBe("ask")
    expect(through({ allow: ["Read"] }, read("/work/p/key"), "/home/u/.ssh/id_rsa")).toBe("ask")
    expect(through({ mode: "acceptEdits" }, edit("/work/a"), "/etc/hosts")).toBe("ask")
    expect(through({ mode: "acceptEdits" }, edit("/work/a"), "/work/.git/config")).toBe("ask")
    expect(through({ deny: ["Read(//etc/**)"] }, read("/work/a"), "/etc/hosts")).toBe("deny")
  })

  it("nothing is allowed about a path nobody looked at", () => {
    for (const allow of [[], ["Read"], ["Read(a)"]]) {
      expect(decideIn({ allow }, { need: read("/work/a"), world: null }).verdict).toBe("ask")
    }
    expect(decideIn({ mode: "acceptEdits", allow: ["Edit"] }, { need: edit("/work/a"), world: null }).verdict).toBe("ask")
  })

  it.each(["\\\\host\\share", "\\\\?\\C:", "\\??\\x", "a\nb", "a\0b"])(
    "%j as the model wrote it is asked about in every mode, although it seems to lie inside",
    (given) => {
      const input = { file_path: given }
      for (const mode of ["default", "acceptEdits", "auto", "bypassPermissions"] as const) {
        for (const need of [read(`/work/${given}`), edit(`/work/${given}`)]) {
          const { verdict, immune, reason } = decideIn({ mode, allow: ["Read", "Edit"] }, { need, input })
          expect([verdict, immune, reason.type]).toEqual(["ask", true, "unsafePath"])
        }
      }
    }
  )

  it("secrets open only for a rule that names them", () => {
    for (const rule of ["Read", "Read(**)", "Read(//work/**)", "Read(//work/*)", "Grep"])
      expect(verdictOn({ allow: [rule] }, read("/work/.env"))).toBe("ask")
    for (const rule of ["Read(.env)", "Read(.env*)", "Read(//work/.env)"])
      expect(verdictOn({ allow: [rule] }, read("/work/.env"))).toBe("allow")
    for (const path of [
      "/work/.env.local",
      "/work/a/server.PEM",
      "/work/id_rsa.old",
      "/home/u/.aws/credentials",
      "/home/u/.claude/nacre-credentials.json"
    ]) {
      expect(verdictOn({ allow: ["Read"] }, read(path)), path).toBe("ask")
    }
    for (const path of ["/work/.env.example", "/work/environment.ts", "/work/keys.md"])
      expect(verdictOn({}, read(path)), path).toBe("allow")
    expect(verdictOn({ allow: ["Bash"] }, shell("cat .env"))).toBe("ask")
    expect(verdictOn({ allow: ["Bash(cat *)"] }, shell("cat .env"))).toBe("ask")
    expect(verdictOn({ allow: ["Bash(cat .env)"] }, shell("cat .env"))).toBe("ask")
    expect(verdictOn({ allow: ["Bash(cat *)", "Read(.env)"] }, shell("cat .env"))).toBe("allow")
  })

  it.each([
    ".git/config",
    ".GIT/config",
    "a/.vscode/x",
    ".claude/settings.json",
    "sub/.bashrc",
    ".config/git/ignore",
    ".mcp.json",
    ".claude/worktrees/x/.git/y"
  ])("writing %s asks although a rule allows it", (path) => {
    for (const given of [{ allow: ["Edit", `Edit(${path})`] }, { mode: "acceptEdits" as const }])
      expect(verdictOn(given, edit(`/work/${path}`))).toBe("ask")
    expect(verdictOn({ allow: ["Bash", `Bash(touch ${path})`] }, shell(`touch ${path}`))).toBe("ask")
    expect(verdictOn({ mode: "bypassPermissions" }, edit(`/work/${path}`))).toBe("allow")
  })

  it("a directory too large to be looked through is not removed without a question", () => {
    const below = (complete: boolean) => [
      { path: "/work/big", protectedPaths: [], secrets: [], watched: [], watchedAll: true, links: [], complete }
    ]
    const removing = (complete: boolean) =>
      decideIn({ mode: "acceptEdits" }, { need: shell("rm -r big"), world: { below: below(complete) } }).verdict
    expect([removing(true), removing(false)]).toEqual(["allow", "ask"])
  })

  it("a secret is not carried away by a move, and that it is there is no secret", () => {
    expect(verdictOn({ mode: "acceptEdits" }, shell("mv .env a"))).toBe("ask")
    expect(verdictOn({ allow: ["Bash(mv *)"] }, shell("mv .env a"))).toBe("ask")
    expect(verdictOn({ mode: "acceptEdits" }, shell("rm .env"))).toBe("allow")
    for (const command of ["ls -l .env", "stat .env", "test -f .env", "[ -s .env ]", "du .env", "find .env"]) {
      expect(verdictOn({}, shell(command)), command).toBe("allow")
      expect(verdictOn({ deny: ["Read(.env)"] }, shell(command)), command).toBe("deny")
    }
    expect(verdictOn({ allow: ["Bash(find *)", "Bash(du *)"] }, shell("find . -files0-from .env"))).toBe("ask")
    expect(verdictOn({ allow: ["Bash(find *)", "Bash(du *)"] }, shell("du --files0-from=.env"))).toBe("ask")
    for (const command of ["wc .env", "ls < .env", "file .env", "md5sum .env", "git diff ':(top).env'"]) {
      expect(verdictOn({}, shell(command)), command).toBe("ask")
    }
  })

  it("the terminal is not a stream of the command", () => {
    for (const command of [
      "echo x > /dev/tty",
      "printf x >> /dev/tty",
      "cat /dev/tty",
      "cat < /dev/tty",
      "ls > /dev/fd/9",
      "ls > /dev/pts/0"
    ]) {
      expect(verdictOn({}, shell(command)), command).toBe("ask")
    }
    for (const command of ["echo x > /dev/null", "echo x > /dev/stderr", "cat - /dev/stdin", "ls 2>/dev/fd/1"]) {
      expect(verdictOn({}, shell(command)), command).toBe("allow")
    }
  })

  it("a dash behind >& is not part of the word that it touches", () => {
    for (const command of ["cat <& -/etc/x", "cat <&-/etc/x", "cat 0<& -/etc/x", "p >& -e a"]) {
      expect(verdictOn({ allow: ["Bash(p *)"] }, shell(command)), command).toBe("ask")
    }
    for (const command of ["<& -rm x", "<&-rm x", "env <& -rm x", "2>& -rm x"]) {
      expect(verdictOn({ mode: "bypassPermissions", deny: ["Bash(rm *)"] }, shell(command)), command).not.toBe("allow")
    }
    expect(verdictOn({}, shell("ls 2>&-"))).toBe("allow")
    expect(verdictOn({}, shell("ls 2>& -"))).toBe("allow")
  })

  it("two directories are compared file by file", () => {
    const below = ["/work/a", "/work/b"].map((path) => ({
      path,
      protectedPaths: [],
      secrets: [`${path}/.env`],
      watched: [],
      watchedAll: true,
      links: [],
      complete: true
    }))
    expect(decideIn({}, { need: shell("diff a b"), world: { below } }).verdict).toBe("ask")
    expect(decideIn({}, { need: shell("diff a b") }).verdict).toBe("allow")
  })

  it("ordinary files of a worktree below .claude are ordinary", () => {
    expect(verdictOn({ mode: "acceptEdits" }, edit("/work/.claude/worktrees/x/src/a.ts"))).toBe("allow")
    expect(verdictOn({ mode: "acceptEdits" }, edit("/work/.gitignore"))).toBe("allow")
  })

  it("bypass holds only where it is available", () => {
    const context = { ...contextFor({ mode: "bypassPermissions" }), bypassAvailable: false }
    const request = { context, tool: { name: "Bash", aliases: [] }, needs: [shell("make")], input: {} }
    expect(decidePlainly(request).verdict).toBe("ask")
  })

  it("a call without declared needs is not waved through", () => {
    const modes: ReadonlyArray<PermissionMode> = ["default", "acceptEdits", "plan"]
    for (const mode of modes)
      expect(
        decidePlainly({ context: contextFor({ mode }), tool: { name: "X", aliases: [] }, needs: [], input: {} }).verdict
      ).toBe("ask")
  })
})
