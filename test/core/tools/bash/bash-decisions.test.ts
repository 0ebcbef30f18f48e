import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { directoryAfter } from "../../../../src/core/tools/bash/directory.ts"
import { exitCodeOf, interpretExit } from "../../../../src/core/tools/bash/exit.ts"
import { childEnv, directoryFromNote, shellInvocation } from "../../../../src/core/tools/bash/invocation.ts"
import type { EnvironmentScrub } from "../../../../src/core/domain/env.ts"
import { afterTimeout, isStandaloneSleep, outputWindowChars, timeoutMs } from "../../../../src/core/tools/bash/timeout.ts"

const code = (value: number) => ({ code: value, signal: null })

describe("what an exit means", () => {
  it.each(["grep x f", "cat f | grep x", "cd a && rg x", "egrep x", "fgrep x", "find . -name x", "diff a b"])(
    "exit code 1 of %j is an answer",
    (command) => {
      expect(interpretExit(command, code(1))).toMatchObject({ isError: false, interpretation: expect.any(String) })
      expect(interpretExit(command, code(2)).isError).toBe(true)
      expect(interpretExit(command, code(0))).toEqual({ isError: false, headline: "Exit code 0" })
    }
  )

  it.each(["test -f x", "[ -f x ]", "git diff --quiet", "git -C dir --no-pager grep x", "LC_ALL=C /usr/bin/grep x"])(
    "exit code 1 of %j is an answer too",
    (command) => expect(interpretExit(command, code(1)).isError).toBe(false)
  )

  it.each(["grep x f | head", "git status", "git -c diff=x push", "make", "(grep x f)", "constructor", "git toString"])(
    "exit code 1 of %j is a failure",
    (command) => expect(interpretExit(command, code(1)).isError).toBe(true)
  )

  it("names signals, whether the shell or its child died of them", () => {
    expect(interpretExit("x", { code: null, signal: "SIGKILL" }).headline).toBe("Exit code 137 (SIGKILL)")
    expect(interpretExit("x", code(139)).headline).toBe("Exit code 139 (SIGSEGV)")
    expect(interpretExit("x", code(3)).headline).toBe("Exit code 3")
    expect(exitCodeOf({ code: null, signal: "SIGTERM" })).toBe(143)
  })
})

describe("time", () => {
  it("clamps to the ceiling, which is never below the default", () => {
    expect(timeoutMs(undefined, {})).toBe(120_000)
    expect(timeoutMs(5_000, {})).toBe(5_000)
    expect(timeoutMs(9_999_999, {})).toBe(600_000)
    expect(timeoutMs(9_999_999, { BASH_MAX_TIMEOUT_MS: "700000" })).toBe(700_000)
    expect(timeoutMs(undefined, { BASH_DEFAULT_TIMEOUT_MS: "900000" })).toBe(900_000)
    expect(timeoutMs(-1, { BASH_DEFAULT_TIMEOUT_MS: "nonsense" })).toBe(120_000)
    expect(timeoutMs(0.2, {})).toBe(1)
  })

  it("is always a positive whole number within the ceiling", () => {
    fc.assert(
      fc.property(fc.option(fc.double({ noNaN: true }), { nil: undefined }), (wish) => {
        const ms = timeoutMs(wish, {})
        expect(Number.isInteger(ms) && ms >= 1 && ms <= 600_000).toBe(true)
      })
    )
  })

  it("bounds the read-back window", () => {
    expect(outputWindowChars({})).toBe(30_000)
    expect(outputWindowChars({ BASH_MAX_OUTPUT_LENGTH: "1000000" })).toBe(150_000)
    expect(outputWindowChars({ BASH_MAX_OUTPUT_LENGTH: "500" })).toBe(500)
  })

  it.each([
    ["npm run dev", "background"],
    ["cd app && python3 -m http.server 0", "background"],
    ["sleep 0; sleep 300", "cancel"],
    ["git fetch", "cancel"],
    ["cd x && git pull | cat", "cancel"],
    ["while :; do date; done", "cancel"],
    ["echo $(date)", "cancel"]
  ])("after the timeout of %j: %s", (command, expected) => {
    expect(afterTimeout(command, {})).toBe(expected)
    expect(afterTimeout(command, { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" })).toBe("cancel")
  })

  it.each(["sleep 300", "  sleep 5 ", "sleep 1.5m", "/bin/sleep 2 3", "sleep 5 # wait"])("%j only sleeps", (command) =>
    expect(isStandaloneSleep(command)).toBe(true)
  )

  it.each(["sleep 0; sleep 300", "sleep 5 && curl x", "sleep", "sleep $N", "echo sleep 5", "sleep --help"])(
    "%j does more than sleep",
    (command) => expect(isStandaloneSleep(command)).toBe(false)
  )
})

describe("the shell and its environment", () => {
  const request = { command: "a 'b'", env: {}, sessionId: "s", projectDir: "/p", notePath: "/n's/1" }

  it("runs exactly the given text in bash", () => {
    expect(shellInvocation(request)).toMatchObject({ file: "bash", args: ["--noprofile", "--norc", "-c", "a 'b'"] })
  })

  it("lets the variable go before the setting, and the setting before bash", () => {
    expect(shellInvocation({ ...request, defaultShell: "/bin/dash" })).toMatchObject({ file: "/bin/dash" })
    const env = { CLAUDE_CODE_SHELL: "/usr/bin/fish" }
    expect(shellInvocation({ ...request, env, defaultShell: "/bin/dash" })).toEqual({
      file: "/usr/bin/fish",
      args: ["-c", "a 'b'"],
      env: childEnv({ ...request, env })
    })
  })

  it("hands the command to the prefix as one word", () => {
    const invocation = shellInvocation({ ...request, env: { CLAUDE_CODE_SHELL_PREFIX: "/opt/log --all" } })
    expect(invocation.args.at(-1)).toBe(`/opt/log --all 'a '\\''b'\\'''`)
  })

  it("withholds what sounds like a secret, unless it is kept, and the state of another shell", () => {
    const env = {
      PATH: "/bin",
      GITHUB_TOKEN: "t",
      MY_PASSWORD: "p",
      AWS_SECRET_ACCESS_KEY: "k",
      "BASH_FUNC_ls%%": "() { x; }",
      CDPATH: "/",
      SHELLOPTS: "x",
      EDITOR: "vi"
    }
    const names = (scrub?: EnvironmentScrub, more = {}) =>
      Object.keys(childEnv({ ...request, env: { ...env, ...more }, ...(scrub === undefined ? {} : { scrub }) })).filter(
        (name) => Object.hasOwn(env, name)
      )
    expect(names()).toEqual(["PATH", "EDITOR"])
    expect(names({ enabled: true, keep: ["GITHUB_TOKEN"] })).toEqual(["PATH", "GITHUB_TOKEN", "EDITOR"])
    expect(names({ enabled: false, keep: [] })).toEqual([
      "PATH",
      "GITHUB_TOKEN",
      "MY_PASSWORD",
      "AWS_SECRET_ACCESS_KEY",
      "EDITOR"
    ])
    expect(names({ enabled: false, keep: [] }, { CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: "1" })).toEqual(["PATH", "EDITOR"])
  })

  it("runs a command that only reads so that neither git nor the project can make it do more", () => {
    const env = {
      PATH: `${request.projectDir}/node_modules/.bin:.::/bin`,
      GIT_DIR: "/x",
      GIT_EXTERNAL_DIFF: "x",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.pager",
      GIT_CONFIG_VALUE_0: "less",
      RIPGREP_CONFIG_PATH: "/x"
    }
    const reading = shellInvocation({ ...request, env, onlyReads: true }).env
    expect(reading).toMatchObject({
      PATH: "/bin",
      GIT_CONFIG_COUNT: "5",
      GIT_CONFIG_KEY_1: "core.fsmonitor",
      GIT_CONFIG_VALUE_1: "false",
      GIT_CONFIG_KEY_2: "core.hooksPath",
      GIT_CONFIG_VALUE_2: "/dev/null",
      GIT_CONFIG_KEY_3: "core.pager",
      GIT_CONFIG_VALUE_3: "cat",
      GIT_CONFIG_KEY_4: "diff.autoRefreshIndex",
      GIT_CONFIG_VALUE_4: "false",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0"
    })
    expect(reading).not.toHaveProperty("GIT_DIR")
    expect(reading).not.toHaveProperty("GIT_EXTERNAL_DIFF")
    expect(reading).not.toHaveProperty("RIPGREP_CONFIG_PATH")
    expect(shellInvocation({ ...request, env }).env).toMatchObject(env)
  })

  it("adds what commands may know and withholds the product's credentials", () => {
    const env = childEnv({
      env: {
        PATH: "/bin",
        ANTHROPIC_API_KEY: "k",
        ANTHROPIC_AUTH_TOKEN: "t",
        CLAUDE_CODE_OAUTH_TOKEN: "o",
        NACRE_REMOTE_TOKEN: "r",
        OTEL_EXPORTER_OTLP_HEADERS: "h",
        ANTHROPIC_MODEL: "m"
      },
      sessionId: "s1",
      projectDir: "/p"
    })
    expect(env).toEqual({
      PATH: "/bin",
      ANTHROPIC_MODEL: "m",
      NACRE: "1",
      CLAUDECODE: "1",
      CLAUDE_CODE_CHILD_SESSION: "1",
      CLAUDE_CODE_SESSION_ID: "s1",
      CLAUDE_PROJECT_DIR: "/p",
      GIT_EDITOR: "true"
    })
  })

  it("reads the directory from the note", () => {
    expect(directoryFromNote(null)).toBeNull()
    expect(directoryFromNote(shellInvocation(request).noteText ?? "")).toBeNull()
    expect(directoryFromNote("/a\nb\n")).toBe("/a\nb")
    expect(directoryFromNote("")).toBe("")
  })

  it.each(["ls -la", "npm run test", "git status", "./build.sh --fast", "make"])(
    "asks for no directory after %s",
    (command) => {
      const { args, env, noteText } = shellInvocation({ ...request, command })
      expect([args.at(-1), noteText, env["BASH_ENV"]]).toEqual([command, undefined, undefined])
    }
  )

  it.each(["cd x", "ls; cd x", "ls && cd x", "A=1 cd x", "$X", "'cd' x", "command cd x", "rm -r .", "eval x", "ls\ncd x"])(
    "asks for the directory after %j",
    (command) => {
      expect(shellInvocation({ ...request, command }).noteText).toContain("trap --")
    }
  )

  it("asks for the directory where the user has a file for shells to begin with", () => {
    const asked = shellInvocation({ ...request, command: "ls", env: { ...request.env, BASH_ENV: "/home/me/env" } })
    expect(asked.noteText).toContain("BASH_ENV='/home/me/env'")
  })
})

describe("where the next command starts", () => {
  const roots = [
    { path: "/link/project", realPath: "/real/project" },
    { path: "/added", realPath: "/added" }
  ] as const
  const change = { startedIn: "/real/project", roots, carryOver: true } as const
  const reset = { cwd: "/link/project", notice: "Shell cwd was reset to /link/project" }

  it("stays when nothing changed or nothing is known", () => {
    expect(directoryAfter({ ...change, endedIn: null })).toEqual({})
    expect(directoryAfter({ ...change, endedIn: "/real/project" })).toEqual({})
  })

  it("carries over inside the roots, in the session's spelling", () => {
    expect(directoryAfter({ ...change, endedIn: "/real/project/src/a" })).toEqual({ cwd: "/link/project/src/a" })
    expect(directoryAfter({ ...change, endedIn: "/added" })).toEqual({ cwd: "/added" })
  })

  it("returns to the project from anywhere else", () => {
    expect(directoryAfter({ ...change, endedIn: "/real/project-evil" })).toEqual(reset)
    expect(directoryAfter({ ...change, endedIn: "/tmp" })).toEqual(reset)
    expect(directoryAfter({ ...change, endedIn: "" })).toEqual(reset)
    expect(directoryAfter({ ...change, endedIn: "/added", carryOver: false })).toEqual(reset)
  })
})
