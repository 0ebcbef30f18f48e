import { mkdirSync, symlinkSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { InquiryAnswer } from "../../../../src/core/permission/decide/inquiry.ts"
import { runPermissions } from "../../../../src/shell/commands/permissions/permissions.ts"
import { commandIo } from "../../../support/command-io.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

const BATCH = { sub: "explain", operands: [], flags: { jsonl: true } } as const

const explainAll = async (lines: ReadonlyArray<string>) => {
  const run = commandIo({ input: lines })
  const code = await runPermissions(BATCH, run.io)
  const answers = run
    .out()
    .trimEnd()
    .split("\n")
    .map((line): InquiryAnswer => JSON.parse(line))
  return { code, answers, text: run.out() }
}

const explain = async (inquiry: object): Promise<InquiryAnswer> => {
  const { answers } = await explainAll([JSON.stringify(inquiry)])
  const [answer] = answers
  if (answer === undefined) throw new Error("nothing was answered")
  return answer
}

interface Scenario {
  readonly number: string
  readonly inquiry: object
  readonly decision: string
  readonly names?: string
}

const heredoc = (delimiter: string, body: string) => `git commit -m "$(cat <<${delimiter}\n${body}\nEOF\n)"`

/** The acceptance scenarios of 03 §6 that are about decisions. */
const SCENARIOS: ReadonlyArray<Scenario> = [
  { number: "1", inquiry: { command: "ls -la && git status" }, decision: "allow", names: "ls, git" },
  {
    number: "2",
    inquiry: { command: "timeout 30 npm test -- a && rm -r dist", rules: { allow: ["Bash(npm test *)"] } },
    decision: "ask",
    names: "1 of 2 parts need approval: rm -r dist"
  },
  {
    number: "3",
    inquiry: { command: "sh -c 'curl x'", mode: "bypassPermissions", rules: { deny: ["Bash(curl *)"] } },
    decision: "deny",
    names: "Bash(curl *)"
  },
  ...["{ cat .env; }", "cat < .env"].map((command) => ({
    number: "4",
    inquiry: { command, rules: { deny: ["Read(./.env)"] } },
    decision: "deny"
  })),
  {
    number: "4, Edit",
    inquiry: {
      tool: "Edit",
      input: { file_path: "/work/.env", old_string: "a", new_string: "b" },
      rules: { deny: ["Read(./.env)"] }
    },
    decision: "deny"
  },
  { number: "5", inquiry: { command: "git reset --hard", rules: { allow: ["Bash(git *)"] } }, decision: "ask" },
  { number: "5", inquiry: { command: "git reset --hard", rules: { allow: ["Bash(git reset *)"] } }, decision: "allow" },
  ...(["acceptEdits ask", "dontAsk deny", "bypassPermissions allow"] as const).map((row) => {
    const [mode = "", decision = ""] = row.split(" ")
    const input = { file_path: "/work/.git/hooks/pre-commit", content: "x" }
    return { number: `7, ${mode}`, inquiry: { tool: "Write", input, mode }, decision }
  }),
  { number: "8", inquiry: { command: 'rm -rf "$D"/*', mode: "bypassPermissions" }, decision: "ask" },
  {
    number: "8, nobody there",
    inquiry: { command: 'rm -rf "$D"/*', mode: "bypassPermissions", interactive: false },
    decision: "deny",
    names: "nobody is there"
  },
  { number: "11", inquiry: { command: Array.from({ length: 51 }, () => "true").join("; ") }, decision: "ask" },
  {
    number: "11, denied",
    inquiry: { command: Array.from({ length: 51 }, () => "true").join("; "), rules: { deny: ["Bash(true)"] } },
    decision: "deny"
  },
  { number: "12", inquiry: { command: "rm -rf ~", rules: { allow: ["Bash"] } }, decision: "ask" },
  {
    number: "13",
    inquiry: { tool: "Edit", input: { file_path: "/work/a", old_string: "a", new_string: "b" }, mode: "plan" },
    decision: "deny",
    names: "plan mode"
  },
  {
    number: "13, command",
    inquiry: { command: "npm test", mode: "plan", rules: { allow: ["Bash(npm test *)"] } },
    decision: "ask"
  },
  {
    number: "16",
    inquiry: { command: "npm  run   lint", rules: { allow: ["Bash(npm run lint *)"] } },
    decision: "allow"
  },
  { number: "17", inquiry: { command: 'echo "$SECRET"', rules: { allow: ["Bash(echo *)"] } }, decision: "ask" },
  { number: "17, known", inquiry: { command: 'echo "$HOME/x"', rules: { allow: ["Bash(echo *)"] } }, decision: "allow" },
  {
    number: "18",
    inquiry: { command: heredoc("'EOF'", "a message"), rules: { allow: ["Bash(git commit *)"] } },
    decision: "allow"
  },
  {
    number: "18, open",
    inquiry: { command: heredoc("EOF", "a $(x) message"), rules: { allow: ["Bash(git commit *)"] } },
    decision: "ask"
  },
  {
    number: "19",
    inquiry: { command: "somewrapper --flag rm -r a", rules: { deny: ["Bash(rm *)"] } },
    decision: "deny"
  },
  { number: "19, text", inquiry: { command: "echo rm -r a", rules: { deny: ["Bash(rm *)"] } }, decision: "allow" },
  {
    number: "22",
    inquiry: { tool: "Write", input: { file_path: "/work/.GIT/config", content: "x" }, mode: "acceptEdits" },
    decision: "ask"
  },
  {
    number: "the issue's own",
    inquiry: { command: "git status && rm -rf build", rules: { allow: ["Bash(git *)"] } },
    decision: "ask",
    names: "rm"
  }
]

describe("acceptance scenarios", () => {
  it.each(SCENARIOS)("$number: $decision", async ({ inquiry, decision, names = "" }) => {
    const answer = await explain({ cwd: "/work", home: "/home/u", ...inquiry })
    expect({ decision: answer.decision, names: answer.reason.includes(names) ? names : answer.reason }).toEqual({
      decision,
      names
    })
  })

  it("answers each line once, also when an answer takes longer than what is ready is kept", async () => {
    const directory = freshDirectory()
    for (let index = 0; index < 40; index++) putFile(`${directory}/d${index}/a.ts`, "x")
    const commands = Array.from({ length: 40 }, (_, index) => [
      `echo ${index}`,
      `cat d${index}/*.ts`,
      `rm -r d${index}`
    ]).flat()
    const { answers } = await explainAll(
      commands.map((command, id) => JSON.stringify({ id, command, cwd: directory, rules: { deny: ["Read(**/b.ts)"] } }))
    )
    expect(answers.map(({ id }) => id)).toEqual(commands.map((_, id) => id))
  })

  it("6: a link out of the project is not covered by a rule about the project", async () => {
    const home = freshDirectory()
    putFile(`${home}/.ssh/id_rsa`, "key")
    const cwd = `${home}/project`
    mkdirSync(`${cwd}/p`, { recursive: true })
    symlinkSync(`${home}/.ssh/id_rsa`, `${cwd}/p/key`)
    const inquiry = { cwd, home, rules: { allow: ["Read(p/**)"] } }
    expect((await explain({ ...inquiry, tool: "Read", input: { file_path: `${cwd}/p/key` } })).decision).toBe("ask")
    expect((await explain({ ...inquiry, command: "cat p/key" })).decision).toBe("ask")
  })

  it("9: a repository that makes git run something is asked about, and the key is named", async () => {
    const cwd = freshDirectory()
    putFile(`${cwd}/.git/HEAD`, "ref: refs/heads/main\n")
    putFile(`${cwd}/.git/config`, "[core]\n\tfsmonitor = ./x\n")
    const answer = await explain({ cwd, command: "git status" })
    expect(answer).toMatchObject({ decision: "ask", reason: expect.stringContaining("core.fsmonitor") as string })
    putFile(`${cwd}/.git/config`, "[core]\n\tbare = false\n")
    expect((await explain({ cwd, command: "git status" })).decision).toBe("allow")
  })
})

describe("sessions that cannot ask", () => {
  it.each(["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"])("%s never asks", async (mode) => {
    for (const command of ["make", "cat /etc/hosts", "rm -rf ~", "ls"]) {
      expect((await explain({ command, mode, interactive: false })).decision, command).not.toBe("ask")
    }
  })
})

describe("a directory that does not exist", () => {
  it.each([
    [{ command: "ls -la && git status" }, "allow"],
    [{ command: "grep -r x . && find . -name y" }, "allow"],
    [{ command: "cat a sub/b" }, "allow"],
    [{ command: "ls .." }, "ask"],
    [{ command: "touch a", mode: "acceptEdits" }, "allow"],
    [{ command: "cat other/a", additionalDirectories: ["/nowhere/else"] }, "allow"],
    [{ command: "ls /nowhere/else", additionalDirectories: ["/nowhere/else"] }, "allow"],
    [{ tool: "Glob", input: { pattern: "*" } }, "allow"],
    [{ tool: "Grep", input: { pattern: "x" } }, "allow"]
  ])("is taken as given: %j is %s", async (inquiry, decision) => {
    expect((await explain({ cwd: "/nowhere/project", ...inquiry })).decision).toBe(decision)
  })
})

describe("searches", () => {
  it("the directory itself may be searched, an outer one asks", async () => {
    const cwd = freshDirectory()
    for (const input of [{ pattern: "x" }, { pattern: "x", path: cwd }, { pattern: "x", path: "." }]) {
      for (const tool of ["Grep", "Glob"]) expect((await explain({ tool, input, cwd })).decision).toBe("allow")
    }
    expect((await explain({ tool: "Grep", input: { pattern: "x", path: ".." }, cwd })).decision).toBe("ask")
  })
})

describe("batch", () => {
  it("a byte order mark in front is not a mistake, and bytes that are not text are not commands", async () => {
    const { answers } = await explainAll([
      `\ufeff${JSON.stringify({ command: "ls" })}`,
      JSON.stringify({ command: "ls \ufffd" })
    ])
    expect(answers.map(({ decision, error }) => [decision, error])).toEqual([
      ["allow", undefined],
      ["ask", undefined]
    ])
  })

  it("knows the file of a language server's question", async () => {
    const ask = { tool: "LSP", input: { operation: "hover", filePath: ".env" } }
    expect((await explain({ ...ask, rules: { deny: ["Read(.env)"] } })).decision).toBe("deny")
  })

  it("23: a malformed line is answered in its place, the rest goes on, and the exit code tells", async () => {
    const { code, answers } = await explainAll([
      JSON.stringify({ id: "a", command: "ls" }),
      "",
      "{no json",
      JSON.stringify({ id: { n: 1 }, command: "rm a", unknown: true })
    ])
    expect(code).toBe(1)
    expect(answers.map(({ id, decision, error }) => [id, decision, error])).toEqual([
      ["a", "allow", undefined],
      [undefined, "ask", "invalid_line"],
      [{ n: 1 }, "ask", undefined]
    ])
    expect(answers[1]).toMatchObject({ matchedRule: null, trace: [] })
    expect(answers[1]?.reason).toMatch(/^invalid input line 3: /)
  })

  it("says whose line it was where that can be read, and takes the sandbox's word for yes unless told otherwise", async () => {
    const { answers } = await explainAll([
      JSON.stringify({ id: 7, command: 5 }),
      JSON.stringify({ id: "b" }),
      JSON.stringify({ command: "make", sandbox: { enabled: true } }),
      JSON.stringify({ command: "make", sandbox: { enabled: true, autoAllow: false } }),
      JSON.stringify({ command: "make", sandbox: { enabled: false } })
    ])
    expect(answers.map(({ id, decision }) => [id, decision])).toEqual([
      [7, "ask"],
      ["b", "ask"],
      [undefined, "allow"],
      [undefined, "ask"],
      [undefined, "ask"]
    ])
  })

  it("answers every line once, however long an answer takes", async () => {
    const cwd = freshDirectory()
    const lines = Array.from({ length: 300 }, (_, id) =>
      JSON.stringify({ id, cwd: `${cwd}/${id}`, tool: "Read", input: { file_path: `deep/${id}/x` } })
    )
    const run = commandIo()
    const slow = async function* () {
      for (const line of lines) {
        await new Promise((resolve) => setImmediate(resolve))
        yield [line]
      }
    }
    await runPermissions(BATCH, { ...run.io, lineBlocks: slow })
    const ids = run
      .out()
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line).id)
    expect(ids).toEqual(lines.map((_, id) => id))
  })

  it("answers in order and always the same", async () => {
    const commands = ["ls", "rm a", "echo $X", "git status", "sh -c 'rm b'", "cat /etc/hosts", "npm test"]
    const lines = Array.from({ length: 200 }, (_, id) => JSON.stringify({ id, command: commands[id % commands.length] }))
    const [first, second] = [await explainAll(lines), await explainAll(lines)]
    expect(first.answers.map(({ id }) => id)).toEqual(lines.map((_, id) => id))
    expect(first.text).toBe(second.text)
  })

  it("needs no directory, reports rules it could not read, and hides tokens", async () => {
    const answer = await explain({
      cwd: "/nowhere/at/all",
      command: `curl -H 'x: sk-ant-${"a".repeat(30)}' x`,
      rules: { deny: ["Bash(git:* push)"] }
    })
    expect(answer.decision).toBe("ask")
    expect(answer.warnings?.[0]).toContain("Did you mean 'Bash(git * push)'?")
    expect(JSON.stringify(answer)).not.toContain("sk-ant-a")
  })
})

describe("one command", () => {
  const one = async (operands: ReadonlyArray<string>, flags: Record<string, true | string | ReadonlyArray<string>>) => {
    const run = commandIo({ stdinIsTerminal: true })
    const code = await runPermissions({ sub: "explain", operands, flags: { isolated: true, ...flags } }, run.io)
    return { code, out: run.out(), err: run.err() }
  }

  it("says the answer, the parts, the texts, the near misses and the steps", async () => {
    const { code, out } = await one(["npm test"], { allow: ["Bash(npm tests)"] })
    expect(code).toBe(0)
    expect(out).toMatch(/^ask: /)
    expect(out).toContain("Bash(npm tests) did not match npm test: text differs at column 9")
    expect(out).toMatch(/denyRules +pass/)
  })

  it.each([
    ["ls", 0],
    ["make", 10],
    ["rm x", 20]
  ])("%s ends with %d when asked to", async (command, expected) => {
    const { code } = await one([command], { deny: ["Bash(rm *)"], "exit-code": true })
    expect(code).toBe(expected)
  })

  it("explains other tools, and prints JSON", async () => {
    const { out } = await one([], { tool: "Read", input: '{"file_path":"/etc/hosts"}', json: true })
    expect(JSON.parse(out)).toMatchObject({ decision: "ask", reasonKind: "workingDir" })
  })

  it("goes by everything that the settings say about decisions", async () => {
    const home = freshDirectory()
    const cwd = freshDirectory()
    const env = { CLAUDE_CONFIG_DIR: `${home}/.claude` }
    const settings = { nacre: { bypassProtectedPaths: "ask" }, disableAutoMode: "disable", sandbox: { enabled: true } }
    putFile(`${home}/.claude/settings.json`, JSON.stringify(settings))
    const said = async (flags: Record<string, string | boolean>, operand: string) => {
      const run = commandIo({ home, cwd, env, stdinIsTerminal: true })
      await runPermissions({ sub: "explain", operands: [operand], flags: { json: true, ...flags } }, run.io)
      const answer: InquiryAnswer = JSON.parse(run.out())
      return [answer.decision, answer.reasonKind]
    }
    expect(await said({ mode: "bypassPermissions" }, "touch .git/x")).toEqual(["ask", "protectedPath"])
    expect(await said({ mode: "auto" }, "touch .git/x")).toEqual(["ask", "protectedPath"])
    expect(await said({}, "make")).toEqual(["allow", "other"])
    expect(await said({ isolated: true }, "make")).toEqual(["ask", "other"])
  })

  it("refuses what it cannot read", async () => {
    expect(await one([], { tool: "Read", input: "{" })).toMatchObject({ code: 1, out: "" })
    expect((await one([], {})).code).toBe(1)
  })
})
