import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, run } from "../support/built-cli.ts"
import { putFile } from "../support/temp-world.ts"

/** Hooks of settings files: real programs, run by the built program. */

type Hooks = Readonly<Record<string, ReadonlyArray<object>>>

interface Case {
  readonly hooks: Hooks
  readonly prompt: string
  readonly settings?: object
  readonly args?: ReadonlyArray<string>
  readonly place?: Place
}

interface Line {
  readonly type: string
  readonly subtype?: string
  readonly [field: string]: unknown
}

const command = (text: string, more: object = {}): object => ({ type: "command", command: text, ...more })

/** Keeps what it is told in a file of its own. */
const keeps = (file: string, more = ""): object => command(`cat > ${file}; ${more}`)

const group = (handler: object, matcher?: string): ReadonlyArray<object> => [
  { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] }
]

const talk = async ({ hooks, prompt, settings = {}, args = [], place = makePlace() }: Case) => {
  putFile(join(place.config, "settings.json"), JSON.stringify({ hooks, ...settings }))
  const stream = ["--output-format", "stream-json", "--verbose", "--allowedTools", "Bash"]
  const { stdout, stderr, code } = await run(["-p", ...stream, ...args, prompt], { place })
  const lines = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line))
  const result = lines.findLast(({ type }) => type === "result")
  const path = (file: string): string => join(place.cwd, file)
  return {
    lines,
    stderr,
    code,
    result,
    has: (file: string): boolean => existsSync(path(file)),
    read: (file: string): Record<string, unknown> => JSON.parse(readFileSync(path(file), "utf8")),
    text: (file: string): string => readFileSync(path(file), "utf8"),
    notices: lines.filter(({ subtype }) => subtype === "informational").map(({ content }) => String(content))
  }
}

const bash = (text: string): string => `@tool Bash ${JSON.stringify({ command: text })}`

const says = (event: string, fields: object): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...fields } })}'`

describe("a command of the settings", () => {
  it("is told of the call, in the folder of the session, with its variables", async () => {
    const hook = command("cat > told; env > variables; pwd > place")
    const { read, text, result } = await talk({ hooks: { PreToolUse: group(hook, "Bash") }, prompt: bash("echo hello") })
    expect(read("told")).toMatchObject({
      hook_event_name: "PreToolUse",
      session_id: result?.["session_id"],
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "echo hello" },
      tool_use_id: expect.stringMatching(/^toolu_/),
      prompt_id: expect.any(String)
    })
    expect(text("variables")).toMatch(/^CLAUDE_PROJECT_DIR=/m)
    expect(text("variables")).toMatch(/^CLAUDECODE=1$/m)
    expect(text("place").trim()).toBe(String(read("told")["cwd"]))
  })

  it("refuses a call with exit code 2, and the model hears why", async () => {
    const { has, result } = await talk({
      hooks: { PreToolUse: group(command("echo frozen files >&2; exit 2"), "Bash") },
      prompt: `${bash("touch made")}\n@expect PreToolUse:Bash hook error: [\n@expect frozen files\n@say understood`
    })
    expect([has("made"), result?.["result"]]).toEqual([false, "understood"])
    expect(result?.["permission_denials"]).toHaveLength(1)
  })

  it("that allows does not override a rule that denies", async () => {
    const { has } = await talk({
      hooks: { PreToolUse: group(command(says("PreToolUse", { permissionDecision: "allow" }))) },
      settings: { permissions: { deny: ["Bash(touch *)"] } },
      prompt: bash("touch made")
    })
    expect(has("made")).toBe(false)
  })

  it("hears of commands inside commands with `if`, and of no other", async () => {
    const hook = (file: string, condition: string): object => command(`touch ${file}`, { if: condition })
    const { has } = await talk({
      hooks: { PreToolUse: [{ hooks: [hook("echoed", "Bash(echo *)"), hook("pushed", "Bash(git *)")] }] },
      prompt: bash("true && echo hi")
    })
    expect([has("echoed"), has("pushed")]).toEqual([true, false])
  })

  it("changes the input, and what runs is what it wrote", async () => {
    const answer = says("PreToolUse", { updatedInput: { command: "touch other" } })
    const { has } = await talk({ hooks: { PreToolUse: group(command(answer), "Bash") }, prompt: bash("touch made") })
    expect([has("made"), has("other")]).toEqual([false, true])
  })

  it("written in two files runs once", async () => {
    const place = makePlace()
    const hook = group(command("echo run >> runs"), "Bash")
    putFile(join(place.cwd, ".claude", "settings.json"), JSON.stringify({ hooks: { PreToolUse: hook } }))
    const { text } = await talk({ place, hooks: { PreToolUse: hook }, args: ["--trust"], prompt: bash("true") })
    expect(text("runs")).toBe("run\n")
  })

  it("of a folder that nobody trusts does not run", async () => {
    const place = makePlace()
    const hooks = { PreToolUse: group(command("touch ran"), "Bash") }
    putFile(join(place.cwd, ".claude", "settings.json"), JSON.stringify({ hooks }))
    const { has } = await talk({ place, hooks: {}, prompt: bash("true") })
    expect(has("ran")).toBe(false)
  })

  it("does not run when all hooks are off", async () => {
    const hooks = { PreToolUse: group(command("touch ran"), "Bash") }
    const { has } = await talk({ hooks, settings: { disableAllHooks: true }, prompt: bash("true") })
    expect(has("ran")).toBe(false)
  })
})

describe("around a prompt", () => {
  it("a hook refuses it: no request, and the reason is the result", async () => {
    const hooks = { UserPromptSubmit: group(command("echo 'not on a Friday' >&2; exit 2")) }
    const { result, code } = await talk({ hooks, prompt: "@say hello" })
    expect(result?.["result"]).toContain("not on a Friday")
    expect([result?.["is_error"], code]).toEqual([false, 0])
  })

  it("a hook after the answer sends the model back to work, once", async () => {
    const hook = keeps("told", "[ -e again ] && exit 0; touch again; echo more >&2; exit 2")
    const { read, result } = await talk({ hooks: { Stop: group(hook) }, prompt: "@say hello" })
    expect(read("told")).toMatchObject({ stop_hook_active: true, last_assistant_message: expect.any(String) })
    expect(result?.["terminal_reason"]).toBe("completed")
  })
})

it("Stop hooks send the model back to work as often as the settings say", async () => {
  const hook = command("echo run >> runs; echo more >&2; exit 2")
  const settings = { nacre: { maxStopHookContinuations: 2 } }
  const { text, result } = await talk({ hooks: { Stop: group(hook) }, settings, prompt: "@say hello" })
  expect([text("runs"), result?.["terminal_reason"]]).toEqual(["run\nrun\nrun\n", "completed"])
})

describe("around a session", () => {
  it("hooks hear of its beginning before the first prompt, which the model reads behind their words", async () => {
    const { read, lines, result } = await talk({
      hooks: { SessionStart: group(keeps("told", "echo the moon is full"), "startup") },
      prompt: "@expect SessionStart:startup hook success: the moon is full\n@say noted"
    })
    expect(read("told")).toMatchObject({ source: "startup", hook_event_name: "SessionStart" })
    expect(read("told")["permission_mode"]).toBeUndefined()
    expect(result?.["result"]).toBe("noted")
    expect(lines.filter(({ subtype }) => subtype === "hook_response")).toMatchObject([{ hook_name: "SessionStart:startup" }])
  })

  it("hooks leave variables for later commands", async () => {
    const hook = command("echo 'export MOON=full' > $CLAUDE_ENV_FILE")
    const { text } = await talk({ hooks: { SessionStart: group(hook) }, prompt: bash("echo $MOON > moon") })
    expect(text("moon").trim()).toBe("full")
  })

  it("hooks hear of its end, and have a moment for it", async () => {
    const { read } = await talk({ hooks: { SessionEnd: group(keeps("told")) }, prompt: "@say bye" })
    expect(read("told")).toMatchObject({ hook_event_name: "SessionEnd", reason: "other" })
  })
})

describe("around results", () => {
  it("hooks are told what came of a call, and of all calls of a response", async () => {
    const { read } = await talk({
      hooks: { PostToolUse: group(keeps("one")), PostToolBatch: group(keeps("all")) },
      prompt: bash("echo hello")
    })
    expect(read("one")).toMatchObject({
      tool_response: { stdout: "hello", interrupted: false },
      duration_ms: expect.any(Number)
    })
    expect(read("all")).toMatchObject({ tool_calls: [{ tool_name: "Bash", tool_response: "hello" }] })
  })

  it("a failure has its own event, with what it said", async () => {
    const { read } = await talk({ hooks: { PostToolUseFailure: group(keeps("told")) }, prompt: bash("echo oh; exit 3") })
    expect(read("told")).toMatchObject({ error: expect.stringMatching(/3[\s\S]*oh/), is_interrupt: false })
  })
})

describe("a hook that misbehaves", () => {
  it.each<[string, string, object]>([
    ["hangs", "sleep 60", { timeout: 0.3 }],
    ["ignores every request to end", "trap '' TERM INT; sleep 60 & wait; sleep 60", { timeout: 0.3 }],
    ["floods", "yes", { timeout: 5 }],
    ["is not there", "/no/such/program", {}],
    ["dies", "kill -9 $$", {}],
    ["closes its input", "exec 0<&-; exit 0", {}],
    ["leaves a child with its pipes", "sleep 60 &", {}],
    ["prints half of an object", "printf '{\"decision\": '", {}]
  ])("%s: the call runs and the turn ends", async (_what, text, more) => {
    const { has, result } = await talk({
      hooks: { PreToolUse: group(command(text, more), "Bash") },
      prompt: bash("touch made")
    })
    expect([has("made"), result?.["terminal_reason"]]).toEqual([true, "completed"])
  })

  it("is reported in a line with its place", async () => {
    const { notices } = await talk({
      hooks: { PreToolUse: group(command("echo broken >&2; exit 1")) },
      prompt: bash("true")
    })
    expect(notices).toEqual([expect.stringMatching(/^PreToolUse:Bash hook error \[User .*settings\.json:1\] .*broken$/)])
  })
})

it("is shown as it runs to whoever asks for that", async () => {
  const { lines } = await talk({
    hooks: { PreToolUse: group(command("echo words"), "Bash") },
    args: ["--include-hook-events"],
    prompt: bash("true")
  })
  const shown = lines.filter(({ subtype }) => subtype?.startsWith("hook_"))
  expect(shown).toMatchObject([
    { subtype: "hook_started", hook_name: "PreToolUse:Bash", hook_event: "PreToolUse" },
    { subtype: "hook_response", outcome: "success", stdout: "words\n", exit_code: 0 }
  ])
})
