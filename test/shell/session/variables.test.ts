import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import type { Env } from "../../../src/core/domain/env.ts"
import { namesOf, VARIABLES, type Variable, variableFault, variableIn } from "../../../src/core/settings/variables.ts"
import { childEnv, shellInvocation } from "../../../src/core/tools/bash/invocation.ts"
import { backgroundTasksEnabled, outputWindowChars, timeoutMs } from "../../../src/core/tools/bash/timeout.ts"
import { sideModel } from "../../../src/core/model/catalog/side-model.ts"
import { parseArgv } from "../../../src/shell/cli/parse.ts"
import { chooseInterface } from "../../../src/shell/interactive/start/choose-interface.ts"
import { appendHistory } from "../../../src/shell/interactive/stores/history-file.ts"
import { terminalChoices } from "../../../src/shell/interactive/terminal/terminal-overrides.ts"
import { memoryPlaceOf } from "../../../src/shell/memory/memory-place.ts"
import { loadUiOptions } from "../../../src/shell/interactive/options/ui-options.ts"
import { lineModeOf, wantsLines } from "../../../src/shell/plan/line-mode.ts"
import { chosenTools } from "../../../src/shell/session/session-tools.ts"
import { makeConfig } from "../../../src/shell/session/loop-config.ts"
import { configHome, trustOptions } from "../../../src/shell/plan/environment.ts"
import { chooseModel, effortOf } from "../../../src/shell/plan/choose-model.ts"
import { debugOf, debugPathOf, environmentOf, planSession, type SessionPlan } from "../../../src/shell/plan/session-plan.ts"
import { portOptions } from "../../../src/shell/plan/port-options.ts"
import { readTokens } from "../../../src/shell/tools/files/read-text.ts"
import { detectCapabilities } from "../../../src/tui/terminal/device/detect.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

/** Every variable of the table does something: what is observed with it differs from what is observed without. */

const ROOT = join(import.meta.dirname, "../../..")
const HOME = freshDirectory()
const SCRATCH = freshDirectory()
const TMPDIR = process.env["TMPDIR"]

const restoreTempDirectory = (): void => {
  if (TMPDIR === undefined) delete process.env["TMPDIR"]
  else process.env["TMPDIR"] = TMPDIR
}
afterAll(restoreTempDirectory)

const planOf = (env: Env): SessionPlan => {
  const invocation = Result.getOrThrow(parseArgv(["-p", "hi"], { stdoutIsTerminal: true }))
  if (invocation._tag !== "Start") throw new Error("the arguments start no session")
  return Result.getOrThrow(
    planSession(invocation, { NACRE_CONFIG_DIR: HOME, ...env }, () => {}, { cwd: SCRATCH, home: HOME })
  )
}

const configWith = (model: string) => (env: Env) =>
  makeConfig({
    plan: planOf(env),
    chosen: { model, fallbacks: [] },
    sessionId: "s",
    sessionDir: "/s",
    toolNames: [],
    setup: {},
    hookEvents: [],
    canAsk: false,
    memoryDir: undefined,
    shows: ["prompt_suggestion"]
  })

/** A plan whose key a command prints. */
const helped = (env: Env): SessionPlan => ({ ...planOf(env), credential: { helper: "true", source: "apiKeyHelper" } })

const ports = (env: Env): unknown => portOptions(planOf(env))
const key = { ANTHROPIC_API_KEY: "k" }
const modelWith = (alias?: string) => (env: Env) =>
  chooseModel(planOf({ ...key, ...env }), alias === undefined ? {} : { session: alias })
const opus = configWith("claude-opus-4-6")
const wide = configWith("claude-opus-4-6[1m]")
const options = (env: Env): unknown => loadUiOptions(planOf(env)).options
const chosen = (env: Env): unknown =>
  chooseInterface({ wantsLines: false, env, inlineFlag: false, setting: undefined, controlMode: false, failedStarts: false })
const capabilities = (env: Env): unknown => detectCapabilities({ TERM: "xterm-256color", ...env })
const shell = (env: Env): unknown => {
  const { file, args } = shellInvocation({ command: "ls", env, sessionId: "s", projectDir: "/p", notePath: "/n" })
  return { file, args }
}
const children = (env: Env): unknown =>
  childEnv({ env: { MY_TOKEN: "x", ...env }, sessionId: "s", projectDir: "/p", scrub: { enabled: false, keep: [] } })[
    "MY_TOKEN"
  ]
const memory = (env: Env): unknown => memoryPlaceOf(planOf(env), { checkout: () => undefined })
const history = (env: Env): boolean => {
  const home = freshDirectory()
  appendHistory({ display: "x", chips: [], timestamp: 1, project: "/p", sessionId: "s" }, { configHome: home, env })
  return existsSync(join(home, "history.jsonl"))
}
const temporary = (env: Env): string => {
  restoreTempDirectory()
  planOf(env)
  return tmpdir()
}

const script = join(SCRATCH, "script.json")
putFile(script, "[]")

type Row = readonly [name: string, value: string, observe: (env: Env) => unknown]

const EFFECTS: ReadonlyArray<Row> = [
  ["ANTHROPIC_API_KEY", "k", (env) => planOf(env).credential],
  ["ANTHROPIC_AUTH_TOKEN", "t", (env) => planOf(env).credential],
  ["ANTHROPIC_BASE_URL", "http://127.0.0.1:1", ports],
  ["ANTHROPIC_CUSTOM_HEADERS", "X-A: b", ports],
  ["ANTHROPIC_MODEL", "claude-haiku-4-5", modelWith()],
  ["ANTHROPIC_DEFAULT_OPUS_MODEL", "own-opus", modelWith("opus")],
  ["ANTHROPIC_DEFAULT_SONNET_MODEL", "own-sonnet", modelWith("sonnet")],
  ["ANTHROPIC_DEFAULT_HAIKU_MODEL", "own-haiku", modelWith("haiku")],
  ["ANTHROPIC_SMALL_FAST_MODEL", "small", (env) => sideModel(env, "m")],
  ["NACRE_CONFIG_DIR", "/c", configHome],
  ["CLAUDE_CONFIG_DIR", "/c", (env) => trustOptions(env, "/h")],
  ["NACRE_REQUIRE_CREDENTIAL", "1", (env) => chooseModel(planOf(env))],
  ["DO_NOT_TRACK", "1", opus],
  ["API_TIMEOUT_MS", "5", ports],
  ["CLAUDE_STREAM_IDLE_TIMEOUT_MS", "400000", ports],
  ["API_FORCE_IDLE_TIMEOUT", "0", ports],
  ["HTTPS_PROXY", "http://p:1", ports],
  ["https_proxy", "http://p:1", ports],
  ["HTTP_PROXY", "http://p:1", (env) => ports({ ANTHROPIC_BASE_URL: "http://127.0.0.1:1", ...env })],
  ["http_proxy", "http://p:1", (env) => ports({ ANTHROPIC_BASE_URL: "http://127.0.0.1:1", ...env })],
  ["ALL_PROXY", "http://p:1", ports],
  ["all_proxy", "http://p:1", ports],
  ["NO_PROXY", "anthropic.com", (env) => ports({ HTTPS_PROXY: "http://p:1", ...env })],
  ["no_proxy", "anthropic.com", (env) => ports({ HTTPS_PROXY: "http://p:1", ...env })],
  ["CLAUDE_CODE_API_KEY_HELPER_TTL_MS", "7", (env) => portOptions(helped(env)).model.helper?.ttlMs],
  ["NACRE_DEBUG", "api,!ui", (env) => debugOf(planOf(env))],
  ["CLAUDE_CODE_DEBUG_LOGS_DIR", "/logs", (env) => debugPathOf(planOf(env), "s")],
  ["CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "1", opus],
  ["CLAUDE_CODE_REMOTE", "1", opus],
  ["CLAUDE_CODE_DISABLE_ATTACHMENTS", "1", opus],
  ["DISABLE_AUTO_COMPACT", "1", opus],
  ["DISABLE_COMPACT", "1", opus],
  ["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "50", opus],
  ["DISABLE_PROMPT_CACHING", "1", opus],
  ["ENABLE_PROMPT_CACHING_1H", "1", opus],
  ["FORCE_PROMPT_CACHING_5M", "1", (env) => opus({ ENABLE_PROMPT_CACHING_1H: "1", ...env })],
  ["MAX_THINKING_TOKENS", "0", configWith("claude-sonnet-4-5")],
  ["MAX_STRUCTURED_OUTPUT_RETRIES", "2", opus],
  ["BASH_DEFAULT_TIMEOUT_MS", "7", (env) => timeoutMs(undefined, env)],
  ["BASH_MAX_TIMEOUT_MS", "130000", (env) => timeoutMs(9_999_999, env)],
  ["BASH_MAX_OUTPUT_LENGTH", "10", outputWindowChars],
  ["CLAUDE_AX_SCREEN_READER", "1", (env) => wantsLines({ flag: false, env: { TERM: "xterm", ...env }, setting: undefined })],
  ["CLAUDE_AX_STARTUP_QUIET_MS", "1", (env) => lineModeOf({ flag: true, env, setting: undefined }, () => {}).quietMs],
  ["CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1", memory],
  ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1", (env) => configWith("claude-opus-4-6")(env).side],
  ["CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "0", (env) => configWith("claude-opus-4-6")(env).side],
  ["NACRE_MEMORY_DIR", "/m", memory],
  ["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/m", memory],
  ["CLAUDE_CODE_SHELL", "/bin/dash", shell],
  ["CLAUDE_CODE_SHELL_PREFIX", "wrap", shell],
  ["CLAUDE_CODE_EFFORT_LEVEL", "low", (env) => effortOf(planOf(env), "claude-opus-4-6")],
  ["CLAUDE_CODE_ALWAYS_ENABLE_EFFORT", "1", (env) => effortOf(planOf({ NACRE_EFFORT_LEVEL: "low", ...env }), "some-model")],
  ["CLAUDE_CODE_TMPDIR", SCRATCH, temporary],
  ["CLAUDE_CODE_PROJECT_DIR_NAME", "fixed", ports],
  ["CLAUDE_CODE_AUTO_COMPACT_WINDOW", "150000", opus],
  ["CLAUDE_CODE_MAX_OUTPUT_TOKENS", "1000", opus],
  ["CLAUDE_CODE_MAX_CONTEXT_TOKENS", "64000", configWith("some-model")],
  ["CLAUDE_CODE_MAX_RETRIES", "1", opus],
  ["CLAUDE_CODE_RETRY_WATCHDOG", "1", opus],
  ["CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY", "2", opus],
  ["CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS", "99", readTokens],
  ["CLAUDE_CODE_SCROLL_SPEED", "9", options],
  ["CLAUDE_CODE_SIMPLE", "1", (env) => chosenTools(planOf(env))],
  ["CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "1", children],
  ["CLAUDE_CODE_SKIP_PROMPT_HISTORY", "1", history],
  ["NACRE_NO_HISTORY", "1", history],
  ["CLAUDE_CODE_DISABLE_MOUSE", "1", options],
  ["CLAUDE_CODE_DISABLE_MOUSE_CLICKS", "1", options],
  ["CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN", "1", chosen],
  ["CLAUDE_CODE_NO_FLICKER", "0", chosen],
  ["CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "1", capabilities],
  ["CLAUDE_CODE_FORCE_SYNC_OUTPUT", "1", capabilities],
  ["CLAUDE_CODE_TMUX_TRUECOLOR", "1", capabilities],
  ["NACRE_TRUECOLOR", "1", capabilities],
  ["CLAUDE_CODE_DISABLE_THINKING", "1", opus],
  ["CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING", "1", opus],
  ["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1", backgroundTasksEnabled],
  ["CLAUDE_CODE_DISABLE_1M_CONTEXT", "1", wide],
  ["COLORTERM", "truecolor", capabilities],
  ["NO_COLOR", "1", capabilities],
  ["FORCE_COLOR", "3", capabilities],
  ["FORCE_HYPERLINK", "0", capabilities],
  ["CLAUDE_CODE_ACCESSIBILITY", "1", options],
  ["CLAUDE_CODE_FORCE_STRIKETHROUGH", "1", (env) => terminalChoices(planOf(env))],
  ["TERM", "linux", (env) => detectCapabilities({ TERM: "xterm", ...env })],
  ["SHELL", "/bin/zsh", (env) => environmentOf(planOf(env), { cwd: "/", additionalDirs: [], isGitRepo: false })],
  ["NACRE_OFFLINE_SCRIPT", script, ports],
  ["NACRE_OFFLINE_DELAY_MS", "9", ports],
  ["NACRE_OFFLINE_WINDOW", "5000", ports]
]

/** Seen only where a whole program or a tool runs; the test named here sets it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  NACRE_RECORD: "test/e2e/flight.test.ts",
  NACRE_TRUST: "test/e2e/trust.test.ts",
  NACRE_CLASSIFIER_TIMEOUT_MS: "test/e2e/auto-mode.test.ts",
  NODE_ENV: "test/e2e/sdk-permissions.test.ts",
  IS_SANDBOX: "test/e2e/permissions.test.ts",
  NACRE_PROFILE_STARTUP: "test/e2e/startup-profile.test.ts",
  NACRE_EXIT_AFTER_FIRST_RENDER: "test/e2e/startup-profile.test.ts",
  CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: "test/shell/tools/bash/bash.test.ts",
  USE_BUILTIN_RIPGREP: "test/adapters/search/ripgrep.test.ts",
  NACRE_SHELL_PARSER: "test/adapters/shell-parser/engine.test.ts",
  CLAUDE_CODE_ENTRYPOINT: "test/e2e/transcripts.test.ts",
  CLAUDE_CODE_WEBFETCH_CACHE_TTL_MS: "test/shell/tools/web-fetch.test.ts",
  CLAUDE_CODE_MAX_WEB_SEARCHES_PER_SESSION: "test/shell/tools/web-search.test.ts",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "test/shell/instructions/read-instructions.test.ts",
  CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "test/shell/instructions/read-instructions.test.ts",
  CLAUDE_CODE_BS_AS_CTRL_BACKSPACE: "test/e2e/tui/editing.test.ts",
  CLAUDE_CODE_GLOB_HIDDEN: "test/shell/tools/files/search.test.ts",
  CLAUDE_CODE_GLOB_NO_IGNORE: "test/shell/tools/files/search.test.ts",
  NACRE_FRAME_LOG: "test/e2e/tui/frame-log.test.ts",
  NACRE_FULL_REPAINT: "test/e2e/tui/frame-log.test.ts",
  CLAUDE_CODE_ALT_SCREEN_FULL_REPAINT: "test/e2e/tui/frame-log.test.ts",
  VISUAL: "test/shell/interactive/person.test.ts",
  EDITOR: "test/e2e/settings-error.test.ts",
  NODE_EXTRA_CA_CERTS: ""
}

const variableNamed = (name: string): Variable => VARIABLES.find((each) => each.name === name) ?? expect.fail(name)

const stable = (value: unknown): string => JSON.stringify(value) ?? "undefined"

describe("variables of the environment", () => {
  it.each(EFFECTS)("%s", (name, value, observe) => {
    const variable = variableNamed(name)
    const without = stable(observe({}))
    const names = namesOf(variable)
    for (const each of names) expect(stable(observe({ [each]: value })), each).not.toBe(without)
    expect(variableFault(variable, value)).toBeUndefined()
    expect(variableIn({ [names[0] ?? ""]: value }, variable)).toBe(value)
    expect(stable(observe({ [name]: "" })), "empty counts as none").toBe(without)
  })

  it.each(EFFECTS.filter(([name]) => name.startsWith("CLAUDE_CODE_")))(
    "%s gives way to its NACRE_ name",
    (name, value, observe) => {
      const [own = ""] = namesOf(variableNamed(name))
      expect(stable(observe({ [own]: value, [name]: "0" }))).toBe(stable(observe({ [own]: value })))
    }
  )

  it("are all covered here or where the test says", () => {
    const covered = new Set([...EFFECTS.map(([name]) => name), ...Object.keys(ELSEWHERE)])
    expect(VARIABLES.filter(({ name, unused }) => unused !== true && !covered.has(name)).map(({ name }) => name)).toEqual([])
    for (const [name, file] of Object.entries(ELSEWHERE)) {
      if (file !== "") expect(readFileSync(join(ROOT, file), "utf8"), file).toContain(name)
    }
  })

  it("that the program reads are all in the table", () => {
    const known = new Set(VARIABLES.flatMap(namesOf))
    const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".ts")
    )
    const read = files.flatMap((path) => {
      const text = readFileSync(join(ROOT, "src", path), "utf8")
      const direct = [...text.matchAll(/env\["([A-Z][A-Z0-9_]*)"\]/g)].map(([, name = ""]) => name)
      const shared = [...text.matchAll(/readVariable\([\w.]+, "([A-Z0-9_]+)"\)/g)].map(
        ([, name = ""]) => `CLAUDE_CODE_${name}`
      )
      return [...direct, ...shared]
    })
    /** What the terminal, the desktop and the system say about themselves. */
    const facts =
      /^(?:TERM_PROGRAM|TMUX|STY|SSH_|KITTY_|GHOSTTY_|WT_SESSION|XTERM_|ITERM_|LC_|LANG|WSL_|WAYLAND_|DISPLAY|PATH|PWD|HOME|TMPDIR|XDG_|GIT_|BASH_ENV|NACRE_WRITE_CODE_CACHE|CLAUDE_CODE_ENTRYPOINT)/
    expect([...new Set(read)].filter((name) => !known.has(name) && !facts.test(name))).toEqual([])
  })

  it.each([
    ["API_TIMEOUT_MS", "soon", "it is not a number from 1 to 2147483647"],
    ["API_TIMEOUT_MS", "0", "it is not a number from 1 to 2147483647"],
    ["DISABLE_COMPACT", "maybe", "it is neither on (1, true, yes) nor off (0, false, no)"],
    ["CLAUDE_CODE_SCROLL_SPEED", "0.5", undefined]
  ])("%s=%s", (name, value, fault) => expect(variableFault(variableNamed(name), value)).toBe(fault))
})
