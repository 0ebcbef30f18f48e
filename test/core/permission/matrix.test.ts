import { describe, expect, it } from "vitest"
import type { Need } from "../../../src/core/permission/need.ts"
import { PERMISSION_MODES, type PermissionMode } from "../../../src/core/permission/verdict.ts"
import { decideIn, edit, fetch, read, shell, type Call, type Setting } from "./fixture.ts"

/** The outcome of every kind of action in every mode (03 §3.4b); `classifier` asks, and a classifier may answer. */
type Outcome = "allow" | "ask" | "deny" | "classifier"

interface Row {
  readonly action: string
  readonly calls: ReadonlyArray<Call>
  readonly setting?: Setting
  readonly outcomes: Readonly<Record<PermissionMode, Outcome>>
}

const row = (action: string, needs: ReadonlyArray<Need | Call>, outcomes: string, setting: Setting = {}): Row => {
  const words = outcomes.split(" ")
  return {
    action,
    calls: needs.map((need) => ("kind" in need ? { need } : need)),
    setting,
    outcomes: {
      default: words[0] as Outcome,
      acceptEdits: words[1] as Outcome,
      plan: words[2] as Outcome,
      auto: words[3] as Outcome,
      dontAsk: words[4] as Outcome,
      bypassPermissions: words[5] as Outcome
    }
  }
}

const server = (readOnly: boolean): Call => ({
  need: { kind: "other" },
  tool: { name: "mcp__gh__get", aliases: [], readOnly }
})

const ROWS: ReadonlyArray<Row> = [
  row(
    "read inside, proven read-only command",
    [read("/work/a"), shell("ls -la"), shell("git status"), shell("cat a | wc -l"), { kind: "nothing" }],
    "allow allow allow allow allow allow"
  ),
  row("read outside", [read("/etc/passwd"), shell("cat /etc/passwd")], "ask ask ask classifier deny allow"),
  row("secret file read", [read("/work/.env"), shell("cat .env")], "ask ask ask classifier deny allow"),
  row("edit inside", [edit("/work/a")], "ask allow deny allow deny allow"),
  row("edit outside", [edit("/etc/hosts")], "ask ask deny classifier deny allow"),
  row("protected write by file tool", [edit("/work/.git/hooks/pre-commit")], "ask ask deny classifier deny allow"),
  row(
    "protected write by command",
    [shell("cp a .git/config"), shell("echo x > .bashrc")],
    "ask ask ask classifier deny allow"
  ),
  row(
    "mkdir/touch/rm/mv/cp inside",
    [shell("mkdir -p a/b"), shell("touch a"), shell("rm -r a"), shell("mv a b"), shell("cp a b"), shell("rmdir a")],
    "ask allow ask classifier deny allow"
  ),
  row(
    "other command, network, unknown flag",
    [shell("make"), shell("curl https://example.com"), shell("ls --unknown"), shell("echo $X")],
    "ask ask ask classifier deny allow"
  ),
  row(
    "unparsable or over limit",
    [shell("echo 'a"), shell(Array.from({ length: 51 }, () => "true").join("; "))],
    "ask ask ask classifier deny allow"
  ),
  row("unparsable, with a rule that might match", [shell("echo 'a")], "ask ask ask ask deny ask", {
    deny: ["Bash(rm *)"]
  }),
  row("critical removal", [shell("rm -rf /"), shell("rm -rf ~"), shell("rm -rf .")], "ask ask ask ask deny ask"),
  row(
    "unsafe path form",
    [read("\\\\host\\share"), read("/work/a\nb"), shell("cat '\\\\host\\share'")],
    "ask ask ask ask deny ask"
  ),
  row("ask rule", [shell("git push"), read("/work/a")], "ask ask ask ask deny ask", {
    ask: ["Bash(git push *)", "Read(a)"],
    allow: ["Bash", "Read"]
  }),
  row("interaction tool", [{ kind: "interaction" }], "ask ask ask ask deny ask"),
  row("deny rule", [shell("git push"), read("/work/a"), edit("/work/a")], "deny deny deny deny deny deny", {
    deny: ["Bash(git push *)", "Read(a)"],
    allow: ["Bash", "Read", "Edit"]
  }),
  row("WebFetch of another host, WebSearch", [fetch("example.com"), { kind: "other" }], "ask ask ask classifier deny allow"),
  row("MCP tool that may change something", [server(false)], "ask ask deny classifier deny allow"),
  row("MCP tool that only reads", [server(true)], "ask ask ask classifier deny allow")
]

const outcomeOf = (setting: Setting, call: Call): Outcome => {
  const { verdict, immune, classifierApprovable } = decideIn(setting, call)
  if (verdict !== "ask" || setting.mode !== "auto") return verdict
  expect(classifierApprovable === true).toBe(immune !== true)
  return classifierApprovable === true ? "classifier" : "ask"
}

describe("every action in every mode", () => {
  const cases = ROWS.flatMap(({ action, calls, setting = {}, outcomes }) =>
    PERMISSION_MODES.flatMap((mode) => calls.map((call) => ({ action, call, mode, setting, expected: outcomes[mode] })))
  )

  it.each(cases)("$action in $mode: $expected ($call.need)", ({ call, mode, setting, expected }) => {
    expect(outcomeOf({ ...setting, mode }, call)).toBe(expected)
  })
})
