import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FLAGS, type Flag } from "../../../src/shell/cli/tables/flags.ts"
import { LATER_FLAGS, REFUSED_FLAGS } from "../../../src/shell/cli/tables/later-flags.ts"
import { RESERVED_COMMANDS } from "../../../src/shell/cli/tables/commands.ts"
import type { Invocation, Start } from "../../../src/shell/cli/options.ts"
import { parseArgv } from "../../../src/shell/cli/parse.ts"
import type { UsageError } from "../../../src/shell/cli/usage-error.ts"

const TERMINAL = { stdoutIsTerminal: true }
const ID = "0a1b2c3d-0000-4000-8000-00000000000f"

const parse = (...argv: ReadonlyArray<string>): Invocation => Result.getOrThrow(parseArgv(argv, TERMINAL))

const start = (...argv: ReadonlyArray<string>): Start => {
  const invocation = parse(...argv)
  if (invocation._tag !== "Start") throw new Error(`not a start: ${invocation._tag}`)
  return invocation
}

const failure = (...argv: ReadonlyArray<string>): UsageError => {
  const parsed = parseArgv(argv, TERMINAL)
  if (Result.isSuccess(parsed)) throw new Error(`accepted: ${JSON.stringify(argv)}`)
  return parsed.failure
}

describe("forms", () => {
  it("takes flags before and after the prompt, with blank or equals sign", () => {
    for (const argv of [
      ["-p", "hi", "--model", "x"],
      ["--model=x", "hi", "--print"],
      ["--model", "x", "-p", "--", "hi"]
    ]) {
      expect(start(...argv)).toMatchObject({ prompt: "hi", printBecause: "flag", model: { model: "x" } })
    }
  })

  it("ends the flags at --", () => {
    expect(start("-p", "--", "--model")).toMatchObject({ prompt: "--model" })
    expect(start("--", "replay")).toMatchObject({ prompt: "replay" })
    expect(start("--").prompt).toBeUndefined()
  })

  it("bundles short flags and lets one take the rest", () => {
    expect(start("-pc", "hi")).toMatchObject({ printBecause: "flag", session: { from: { _tag: "Continue" } } })
    expect(start(`-r${ID}`).session.from).toEqual({ _tag: "Resume", session: ID })
    expect(start("-nwork").session.name).toBe("work")
  })

  it.each([["-print"], ["-model", "x"], ["-resume"], ["-help"]])("says that %s has two dashes", (...argv) => {
    expect(failure(...argv).message).toContain("two dashes")
  })

  it("takes the last of a repeated flag and all of a repeated list", () => {
    expect(start("--model", "a", "--model", "b").model.model).toBe("b")
    expect(start("--add-dir", "a", "--add-dir=b", "--add-dir", "c,d").permissions.addDirs).toEqual(["a", "b", "c,d"])
  })

  it("keeps an empty prompt apart from none", () => {
    expect(start("-p", "").prompt).toBe("")
    expect(start("-p").prompt).toBeUndefined()
  })
})

describe("lists", () => {
  it("split at commas and blanks outside parentheses", () => {
    const expected = ["Bash(git log *, x)", "Read", "Edit(a (b).md)"]
    expect(start("--allowedTools", "Bash(git log *, x),Read", "Edit(a (b).md)", "-p", "hi").permissions.allow).toEqual(
      expected
    )
    expect(start("--allowed-tools=Bash(git log *, x) Read,Edit(a (b).md)", "hi").permissions.allow).toEqual(expected)
  })

  it("go on until a flag or until an argument is not a value of such a list", () => {
    expect(start("-p", "--allowedTools", "Read", "mcp__x__y", "Bash(ls *)", "fix the bug")).toMatchObject({
      prompt: "fix the bug",
      permissions: { allow: ["Read", "mcp__x__y", "Bash(ls *)"] }
    })
    expect(start("-p", "--allowedTools", "Bash(ls)", "run `ls`").prompt).toBe("run `ls`")
    expect(start("-p", "--add-dir", "../a", "b", "look into both").permissions.addDirs).toEqual(["../a", "b"])
  })

  it("say so when a prompt that looks like a value got lost", () => {
    expect(start("-p", "--add-dir", "a", "hello").promptHint).toContain("--add-dir")
    expect(start("-p", "--allowedTools=Read", "fix it")).toMatchObject({
      prompt: "fix it",
      permissions: { allow: ["Read"] }
    })
    expect(start("--add-dir", "a", "--", "go")).toMatchObject({ prompt: "go", permissions: { addDirs: ["a"] } })
  })

  it("tell no tools from all tools", () => {
    expect(start().permissions.tools).toBeUndefined()
    expect(start("--tools", "").permissions.tools).toEqual([])
    expect(start("--tools=").permissions.tools).toEqual([])
    expect(start("--tools", "default").permissions.tools).toBe("default")
    expect(start("--tools", "Bash,Read").permissions.tools).toEqual(["Bash", "Read"])
  })

  it("refuse a deny rule that cannot be read, because losing it would loosen", () => {
    expect(failure("--disallowedTools", "Bash(rm *", "-p").message).toContain("Bash(rm *)")
    expect(failure("--disallowedTools=Bash(a:* b)").message).toContain("Bash(a * b)")
    expect(start("--allowedTools", "Bash(rm *").permissions.allow).toEqual(["Bash(rm *"])
  })
})

describe("values", () => {
  it.each([
    ["--max-turns", "0"],
    ["--max-turns", "1.5"],
    ["--max-turns", "-1"],
    ["--max-turns", "x"],
    ["--max-turns", ""],
    ["--max-turns", "0x10"],
    ["--max-turns", "99999999999999999999"],
    ["--max-budget-usd", "0"],
    ["--max-budget-usd", "-2"],
    ["--max-budget-usd", "Infinity"],
    ["--max-budget-usd", "1,5"],
    ["--max-thinking-tokens", "-1"],
    ["--session-id", "abc"],
    ["--effort", "hgh"],
    ["--output-format", "jsn"],
    ["--permission-mode", "accept"],
    ["--permission-prompt-tool", "mcp__x__y"],
    ["--thinking", "on"],
    ["--model", " "],
    ["--add-dir", ""],
    ["--setting-sources", "user,team"],
    ["--task-budget", "x"]
  ])("%s does not accept %j", (flag, value) => {
    expect(failure("-p", "hi", flag, value).message).toMatch(new RegExp(`^nacre: ${flag} does not accept .* — .*\\. Fix: `))
    expect(failure("-p", "hi", `${flag}=${value}`).message).toContain(flag)
  })

  it("names the nearest choice", () => {
    expect(failure("--effort", "hgh").fix).toBe("--effort high")
    expect(failure("-p", "--output-format", "stream").fix).toBe("--output-format stream-json")
    expect(failure("--permission-mode", "bypass").fix).toBe("--permission-mode bypassPermissions")
  })

  it("accepts numbers as programs print them", () => {
    expect(start("-p", "x", "--max-budget-usd", "1e-7").output.maxBudgetUsd).toBe(1e-7)
    expect(start("-p", "x", "--max-budget-usd=.5", "--max-turns", "3").output).toMatchObject({
      maxBudgetUsd: 0.5,
      maxTurns: 3
    })
    expect(start("--max-thinking-tokens=0").model.maxThinkingTokens).toBe(0)
  })

  it.each([
    ['{"a": }', 1, 7],
    ['{"a":1', 1, 7],
    ["{\n  a: 1\n}", 2, 3],
    ['{"a":1}}', 1, 8],
    ['{"a":[1,]}', 1, 8],
    ["{'a':1}", 1, 2],
    ['{"a":"\n"}', 1, 6],
    ['{"a" 1}', 1, 6],
    ["", 1, 1]
  ])("points at the fault in %j", (json, line, column) => {
    for (const flag of ["--json-schema", "--agents"]) {
      if (json === "") expect(failure("-p", "x", flag, json).message).toContain("empty")
      else expect(failure("-p", "x", flag, json).message).toContain(`(${flag}:${line}:${column})`)
    }
    if (json.startsWith("{")) {
      for (const flag of ["--settings", "--mcp-config", "--managed-settings"]) {
        expect(failure(flag, json).place).toMatchObject({ line, column })
      }
    }
  })

  it("says what is wrong there and how to correct it", () => {
    const { message } = failure("-p", "x", "--json-schema", "{'a':1}")
    expect(message).toContain("names and texts stand in double quotes")
    expect(message).toContain("in a shell put the JSON in single quotes")
  })

  it("wants objects where objects are meant and leaves paths alone", () => {
    expect(failure("-p", "x", "--json-schema", "[1]").message).toContain("must be an object")
    expect(start("-p", "x", "--json-schema", '{"type":"object"}').output.jsonSchema).toEqual({ type: "object" })
    expect(start("-p", "x", "--json-schema", '\ufeff{"type":"object"}').output.jsonSchema).toEqual({ type: "object" })
    expect(start("--settings", "./s.json").settings).toEqual({ flag: "./s.json", strict: false })
  })

  it("reads modes, never loosely", () => {
    expect(start("--permission-mode", "manual").permissions.mode).toBe("default")
    expect(start("--permission-mode", "auto").permissions.mode).toBe("auto")
    expect(start().permissions).toMatchObject({ bypassAvailable: false })
    expect(start("--dangerously-skip-permissions").permissions).toMatchObject({
      mode: "bypassPermissions",
      bypassAvailable: true
    })
    expect(start("--allow-dangerously-skip-permissions").permissions).toMatchObject({ bypassAvailable: true })
    expect(start("--allow-dangerously-skip-permissions").permissions.mode).toBeUndefined()
    expect(start("--dangerously-skip-permissions", "--permission-mode", "plan").permissions).toMatchObject({
      mode: "plan",
      bypassAvailable: true
    })
  })

  it("takes the debug filter only with an equals sign", () => {
    expect(start("--debug", "hi")).toMatchObject({ prompt: "hi", debug: { enabled: true } })
    expect(start("--debug=api,!ui", "hi")).toMatchObject({ debug: { enabled: true, filter: "api,!ui" } })
    expect(start("--debug-file", "x").debug).toEqual({ enabled: true, file: "x" })
  })

  it("takes the value of --resume only when there is one", () => {
    expect(start("--resume").session.from).toEqual({ _tag: "Resume" })
    expect(start("--resume", "--fork-session").session).toMatchObject({ from: { _tag: "Resume" }, fork: true })
    expect(start("-r", "my work", "go on")).toMatchObject({
      prompt: "go on",
      session: { from: { _tag: "Resume", session: "my work" } }
    })
  })
})

describe("print mode", () => {
  const STREAM = ["--input-format", "stream-json", "--output-format", "stream-json"]

  it("is implied by a pair of streams or a stdout that is not a terminal", () => {
    expect(start(...STREAM).printBecause).toBe("streamJson")
    expect(Result.getOrThrow(parseArgv(["hi"], { stdoutIsTerminal: false }))).toMatchObject({
      printBecause: "stdoutIsNoTerminal"
    })
    expect(start("hi").printBecause).toBeUndefined()
  })

  it.each([
    [["--continue", "--resume", "x"]],
    [["--resume", "x", "--session-id", ID]],
    [["--continue", "--session-id", ID]],
    [["--system-prompt", "a", "--system-prompt-file", "b"]],
    [["--append-system-prompt", "a", "--append-system-prompt-file", "b"]],
    [["--include-partial-messages"]],
    [["-p", "x", "--include-partial-messages"]],
    [["-p", "x", "--forward-subagent-text"]],
    [["-p", "x", "--prompt-suggestions", "--output-format", "json"]],
    [["-p", "x", "--replay-user-messages", "--output-format", "stream-json", "--verbose"]],
    [["--no-session-persistence"]],
    [["--max-turns", "3"]],
    [["--max-budget-usd", "3"]],
    [["--json-schema", "{}"]],
    [["--output-format", "json"]],
    [["--permission-prompt-tool", "stdio", "-p", "x"]],
    [["-p", "x", "--output-format", "stream-json"]],
    [["-p", "x", "--input-format", "stream-json"]],
    [["-p", "x", "--input-format", "stream-json", "--output-format", "json"]],
    [["-p", "x", "--resume"]],
    [["--resume-session-at", ID]],
    [["--all"]]
  ])("refuses %j", (argv) => {
    expect(failure(...argv).message).toMatch(/^nacre: --\S+ .*— .*\. Fix: /)
  })

  it.each([
    [["--resume", "x", "--session-id", ID, "--fork-session"]],
    [["-p", "x", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]],
    [[...STREAM, "--replay-user-messages", "--permission-prompt-tool=stdio", "--no-session-persistence"]],
    [["-p", "x", "--max-turns", "3", "--max-budget-usd", "0.5", "--json-schema", "{}"]]
  ])("accepts %j", (argv) => {
    expect(start(...argv)._tag).toBe("Start")
  })
})

describe("hosts", () => {
  it("understands what the agent SDK passes", () => {
    const given = start(
      "--output-format",
      "stream-json",
      "--verbose",
      "--input-format",
      "stream-json",
      "--thinking=adaptive",
      "--thinking-display=summarized",
      "--effort=high",
      "--max-turns=3",
      "--max-budget-usd=1",
      "--task-budget=1000",
      "--model=opus",
      "--agent=reviewer",
      "--betas=a,b",
      '--json-schema={"type":"object"}',
      "--debug-file=/x",
      "--permission-prompt-tool=stdio",
      "--permission-prompts=none",
      `--resume=${ID}`,
      "--allowedTools=Bash(ls *),Read",
      "--disallowedTools=WebFetch",
      "--tools=default",
      "--mcp-config",
      '{"mcpServers":{}}',
      "--setting-sources=",
      "--strict-mcp-config",
      "--permission-mode=acceptEdits",
      "--allow-dangerously-skip-permissions",
      "--fallback-model=x,y",
      "--include-hook-events",
      "--include-partial-messages",
      "--session-mirror",
      "--project-config-root=/p",
      "--add-dir=/a",
      "--add-dir=/b",
      "--await-initialize",
      "--plugin-dir=/q",
      "--plugin-dir-no-mcp=/r",
      "--fork-session",
      `--resume-session-at=${ID}`,
      `--resume-drops-turn=${ID}`,
      `--session-id=${ID}`,
      "--no-session-persistence",
      "--managed-settings",
      "{}",
      "--settings",
      '{"a":1}',
      "--replay-user-messages",
      "--workload",
      "w"
    )
    expect(given).toMatchObject({
      printBecause: "streamJson",
      settings: { sources: [], managed: "{}", flag: '{"a":1}', strict: false },
      awaitInitialize: true,
      dumpsSystemPrompt: false,
      model: {
        model: "opus",
        effort: "high",
        thinking: "adaptive",
        thinkingDisplay: "summarized",
        betas: ["a", "b"],
        fallbackModels: ["x", "y"]
      },
      permissions: {
        mode: "acceptEdits",
        askHost: true,
        neverAsk: true,
        allow: ["Bash(ls *)", "Read"],
        deny: ["WebFetch"],
        tools: "default",
        addDirs: ["/a", "/b"]
      },
      session: { from: { _tag: "Resume", session: ID }, fork: true, resumeAt: ID, sessionId: ID, persist: false }
    })
    expect(given.later.map(({ flag }) => flag)).toEqual([
      "--task-budget",
      "--agent",
      "--mcp-config",
      "--strict-mcp-config",
      "--project-config-root",
      "--plugin-dir",
      "--plugin-dir-no-mcp",
      "--resume-drops-turn"
    ])
  })
})

describe("words", () => {
  it("runs commands", () => {
    const replay = (file: string) => ({
      _tag: "Command",
      command: "replay",
      invocation: { sub: undefined, operands: [file], flags: {} }
    })
    expect(parse("replay", "f.jsonl")).toEqual(replay("f.jsonl"))
    expect(parse("replay", "--", "-f")).toEqual(replay("-f"))
    expect(parse("replay", "--help")).toEqual({ _tag: "Help", all: false, command: "replay" })
    for (const argv of [["replay"], ["replay", "a", "b"], ["-p", "replay", "a"]]) {
      expect(failure(...argv).message).toContain("nacre replay [flags] <file>")
    }
    expect(failure("replay", "a", "--model", "x").message).toContain("nacre replay --help")
  })

  it("stops at a slip in a command, never at a sentence", () => {
    for (const word of ["replya", "repla", "Replay", "reply"])
      expect(failure(word).message).toContain("Did you mean nacre replay?")
    for (const prompt of ["hello", "replay the tape", "replay!", "deploy it"]) expect(start(prompt).prompt).toBe(prompt)
  })

  it("knows a slip in a command word with others behind it", () => {
    expect(failure("confg", "list").message).toContain("Did you mean nacre config list?")
    expect(failure("confg", "list").message).toContain('nacre -- "confg list"')
    expect(failure("fix", "the", "bug").message).toContain("put the whole prompt in quotes")
  })

  it("does not know commands of later versions", () => {
    for (const word of RESERVED_COMMANDS) {
      expect(failure(word).message).toContain(`nacre: ${word} is not a command of this version`)
    }
    expect(failure("mcp", "list").message).toContain("mcp is not a command")
    expect(start("--", "doctor").prompt).toBe("doctor")
  })

  it("takes one prompt", () => {
    expect(failure("-p", "explain", "this code").message).toContain("in quotes")
  })

  it("answers --version and --help, and nothing beside --version", () => {
    for (const flag of ["--version", "-v", "-V"]) expect(parse(flag)).toEqual({ _tag: "Version" })
    expect(failure("--version", "extra").message).toContain("--version takes no other argument")
    expect(failure("--version", "--verbose").message).toContain("--version")
    expect(parse("-h")).toEqual({ _tag: "Help", all: false })
    expect(parse("--help", "--all")).toEqual({ _tag: "Help", all: true })
    expect(parse("-p", "x", "--max-turns", "y", "--help")).toEqual({ _tag: "Help", all: false })
    expect(failure("--help", "--nonsense").message).toContain("unknown flag")
  })
})

describe("unknown and refused flags", () => {
  it("names the nearest flag", () => {
    expect(failure("--modle", "x").message).toBe(
      "nacre: unknown flag --modle — no flag has that name. Fix: did you mean --model?"
    )
    expect(failure("--allowdTools").message).toContain("--allowedTools")
    expect(failure("--output").message).toContain("--output-format")
    expect(failure("--zzz").message).toContain("nacre --help")
    expect(failure("-x").message).toContain("unknown flag -x")
    expect(failure("- item").message).toContain("--")
    expect(failure("--print=yes").message).toContain("takes no value")
    expect(failure("--model").message).toContain("--model <model>")
  })

  it("explains what needs a cloud or a later version", () => {
    for (const [name, { why }] of REFUSED_FLAGS) expect(failure(name, "x").message).toContain(why)
  })

  it("shows no control characters of an argument", () => {
    expect(failure("--\u001b[2Jx\nnacre: all is well").message).not.toMatch(/\p{Cc}/u)
    expect(failure(`--${"x".repeat(500)}`).message.length).toBeLessThan(300)
  })
})

describe("laws", () => {
  const valued: ReadonlyArray<Flag> = FLAGS.filter(({ value }) => value.kind === "text" && !("form" in value))

  it("a value is never read as a flag, whatever it looks like", () => {
    const value = fc.oneof(
      fc.constantFrom("--settings={}", "-p", "--", "--help", "--version", "--dangerously-skip-permissions", "-"),
      fc.string({ minLength: 1 }).map((text) => `-${text}`),
      fc.string().map((text) => `${text} --settings={"a":1}`)
    )
    fc.assert(
      fc.property(fc.constantFrom(...valued), value, fc.boolean(), (flag, text, attached) => {
        fc.pre(text.trim() !== "")
        const given = start(...(attached ? [`${flag.name}=${text}`] : [flag.name, text]))
        const expected = start(`${flag.name}=x`)
        expect(JSON.parse(JSON.stringify(given).replaceAll(JSON.stringify(text), '"x"'))).toEqual(
          JSON.parse(JSON.stringify(expected))
        )
      })
    )
  })

  it("the same holds for the first value of a list and for text after --", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).map((text) => `-${text}`),
        (text) => {
          expect(start("--add-dir", text).permissions.addDirs).toEqual([text])
          expect(start("--", text).prompt).toBe(text)
        }
      )
    )
  })

  it("any command line gives an invocation or a usage error in the one form, and always the same one", () => {
    const token = fc.oneof(
      fc.constantFrom(...[...FLAGS, ...LATER_FLAGS].flatMap(({ name }) => [name, `${name}=x`])),
      fc.constantFrom("-p", "-c", "-r", "x", "replay", "a b", "--", "-", "1", "{}", "stream-json", "json"),
      fc.string()
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 6 }), fc.boolean(), (argv, stdoutIsTerminal) => {
        const parsed = parseArgv(argv, { stdoutIsTerminal })
        if (Result.isFailure(parsed)) expect(parsed.failure.message).toMatch(/^nacre: [^\n]+ — [^\n]+\. Fix: [^\n]+$/)
        expect(JSON.stringify(parseArgv(argv, { stdoutIsTerminal }))).toBe(JSON.stringify(parsed))
      }),
      { numRuns: 1_000 }
    )
  })

  it("no unknown flag ever starts a session", () => {
    const known = new Set<string>([...FLAGS, ...LATER_FLAGS].flatMap((flag: Flag) => [flag.name, ...(flag.aliases ?? [])]))
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z][a-zA-Z-]{0,20}$/), (name) => {
        fc.pre(!known.has(`--${name}`))
        expect(failure("-p", "hi", `--${name}`).message).toContain(`--${name.slice(0, 20)}`)
      })
    )
  })
})
