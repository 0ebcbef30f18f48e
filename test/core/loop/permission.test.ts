import { describe, expect, it } from "vitest"
import { isToolResult } from "../../../src/core/domain/block.ts"
import type { LoopConfig } from "../../../src/core/loop/state.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { bash, type CallPlan, grep, lastWords, read, returned, Script, write } from "./script.ts"

/** From a finished block to a started call: hooks, rules, mode, and the answer of a person or host. */
const HOOKS: Partial<LoopConfig> = { hookEvents: ["PreToolUse", "PostToolUse", "PostToolUseFailure"] }

/** A conversation whose first response holds these calls; they are prepared as far as they may be. */
const called = (fixture: ConstructorParameters<typeof Script>[0], ...calls: ReadonlyArray<CallPlan>): Script => {
  const script = new Script(fixture)
  script.begin()
  script.respond({ calls })
  for (const { callId } of script.all("PrepareCall")) script.prepare(callId)
  return script
}

const started = (script: Script): ReadonlyArray<string> => script.all("StartCall").map(({ callId }) => callId)

const question = (id: string) => ({
  id,
  name: "AskUserQuestion",
  input: { questions: [{ question: "Which?", header: "Pick", options: [{ label: "A", description: "" }, { label: "B", description: "" }] }] }
})

const resultOf = (script: Script, id: string): unknown =>
  script.messages
    .flatMap((message) => (message.type === "user" && typeof message.message.content !== "string" ? message.message.content : []))
    .filter(isToolResult)
    .find((block) => block.tool_use_id === id)?.content

describe("rules and mode", () => {
  it("reading inside the project starts, writing asks, what is denied never runs", () => {
    const script = called({ permission: permissions({ deny: ["Bash(rm *)"] }) }, read("r"))
    expect(started(script)).toEqual(["r"])
    const asking = called({}, write("w"))
    expect(asking.newest("AskPermission").question).toMatchObject({ callId: "w", tool: "Write" })
    const denied = called({ permission: permissions({ deny: ["Bash(rm *)"], mode: "bypassPermissions" }) }, bash("b", "rm -rf x"))
    expect([started(denied), denied.all("AskPermission")]).toEqual([[], []])
    expect(denied.state.turn?.denials).toHaveLength(1)
    expect(lastWords(denied.requests[1])).toMatch(/Permission denied.*Bash\(rm \*\)/)
  })

  it("plan mode refuses to write and says how to leave it", () => {
    const script = called({ permission: permissions({ mode: "plan" }) }, write("w"))
    expect(started(script)).toEqual([])
    expect(lastWords(script.requests[1])).toContain("plan mode")
  })

  it("where nobody can answer, what would ask is denied with a way out", () => {
    const script = called({ config: { canAsk: false } }, write("w"))
    expect(script.all("AskPermission")).toEqual([])
    expect(lastWords(script.requests[1])).toMatch(/Nobody is there to approve it.*allowedTools/)
    expect(script.emitted("PermissionDenied")).toHaveLength(1)
  })

  it("a call that cannot be prepared fails without a question", () => {
    const script = new Script()
    script.begin()
    script.respond({ calls: [write("w")] })
    script.feed({ _tag: "CallRefused", callId: "w", message: "read it first" })
    expect([script.all("AskPermission"), resultOf(script, "w")]).toEqual([[], "read it first"])
    expect(script.state.turn?.denials).toEqual([])
  })

  it("unknown tools and wrong inputs are answered at once", () => {
    const script = called({}, { id: "u", name: "Raed", input: {} }, { id: "v", name: "Read", input: { wrong: 1 } })
    expect(script.all("PrepareCall")).toEqual([])
    expect(lastWords(script.requests[1])).toMatch(/No such tool available: Raed.*Read/)
    expect(lastWords(script.requests[1])).toContain("InputValidationError")
  })

  it("a changed directory counts for what a later command touches", () => {
    const script = called({ permission: permissions({ mode: "bypassPermissions" }) }, bash("a", "cd sub"))
    script.settle("a", returned("", { cwd: "/project/sub" }))
    script.respond({ calls: [bash("b", "ls"), grep("g")] })
    expect(script.all("PrepareCall").at(-1)?.cwd).toBe("/project/sub")
  })
})

describe("the answer", () => {
  it("allow starts the call with the input that was shown", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "allow" })
    expect(script.newest("StartCall")).toMatchObject({ callId: "w", input: write("w").input })
    expect(script.state.turn?.denials).toEqual([])
  })

  it("allow with rules lets the next one pass without a question", () => {
    const script = called({}, write("w"))
    const { suggestions } = script.newest("AskPermission").question
    script.answer("w", { behavior: "allow", updates: suggestions })
    script.settle("w")
    script.respond({ calls: [write("w2")] })
    script.prepare("w2")
    expect(started(script)).toEqual(["w", "w2"])
  })

  it("a changed input is prepared and judged again before it runs", () => {
    const script = called({}, bash("b", "git push"))
    script.answer("b", { behavior: "allow", updatedInput: { command: "git status" } })
    expect(started(script)).toEqual([])
    script.prepare("b")
    expect(script.newest("StartCall")).toMatchObject({ input: { command: "git status" } })
  })

  it("a changed input is still bound by deny rules and the mode", () => {
    const rule = called({ permission: permissions({ deny: ["Bash(rm *)"] }) }, bash("b", "git push"))
    rule.answer("b", { behavior: "allow", updatedInput: { command: "rm -rf build" } })
    rule.prepare("b")
    expect(started(rule)).toEqual([])
    expect(String(resultOf(rule, "b"))).toContain("Permission denied")
    const mode = called({}, write("w"))
    mode.answer("w", {
      behavior: "allow",
      updatedInput: { file_path: "/project/other.txt", content: "y" },
      updates: [{ type: "setMode", mode: "plan", destination: "session" }]
    })
    mode.prepare("w")
    expect(started(mode)).toEqual([])
  })

  it("a changed input that is no input for the tool is refused", () => {
    const script = called({}, bash("b", "git push"))
    script.answer("b", { behavior: "allow", updatedInput: { wrong: true } })
    expect(started(script)).toEqual([])
    expect(String(resultOf(script, "b"))).toContain("InputValidationError")
  })

  it("comes too late for a rule or mode that has changed meanwhile", () => {
    const mode = called({}, write("w"))
    mode.feed({ _tag: "ModeChanged", mode: "plan" })
    mode.answer("w", { behavior: "allow" })
    expect(started(mode)).toEqual([])
    const rule = called({}, write("w"))
    rule.feed({
      _tag: "PermissionsUpdated",
      updates: [{ type: "addRules", rules: [{ toolName: "Write" }], behavior: "deny", destination: "session" }]
    })
    rule.answer("w", { behavior: "allow" })
    expect(started(rule)).toEqual([])
    const pool = called({}, write("w"))
    pool.feed({ _tag: "ConfigChanged", config: { tools: [] } })
    pool.answer("w", { behavior: "allow" })
    expect(started(pool)).toEqual([])
  })

  it("deny gives the model the reason and the turn goes on", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "deny", message: "not that file" })
    expect(script.phase).toBe("Requesting")
    expect(resultOf(script, "w")).toBe("not that file")
    expect(script.state.turn?.denials).toEqual([{ tool_name: "Write", tool_use_id: "w", tool_input: write("w").input }])
  })

  it("deny with interrupt ends the turn in the tool and sends nothing more", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "deny", message: "stop", interrupt: true })
    expect(script.requests).toHaveLength(1)
    expect(script.result).toMatchObject({ terminalReason: "aborted_tools", subtype: "error_during_execution", isError: true })
    expect(resultOf(script, "w")).toBe("stop")
  })

  it("deny with interrupt cancels what else runs, also while the answer still streams", () => {
    const script = new Script()
    script.begin()
    script.startResponse()
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "w", name: "Write", input: {} } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: JSON.stringify(write("w").input) } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }
    )
    script.prepare("w")
    script.answer("w", { behavior: "deny", message: "stop", interrupt: true })
    expect(script.all("AbortRequest")).toHaveLength(1)
    expect(script.result.terminalReason).toBe("aborted_tools")
  })

  it("counts once; a second one and one for a withdrawn question change nothing", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "allow" })
    const { state } = script
    script.answer("w", { behavior: "deny", message: "changed my mind" })
    expect(script.state).toBe(state)
    const gone = called({}, write("w"))
    gone.interrupt()
    expect(gone.all("WithdrawQuestion")).toMatchObject([{ callId: "w" }])
    const ended = gone.state
    gone.answer("w", { behavior: "allow" })
    expect(gone.state).toBe(ended)
  })

  it("a mode that comes with it is reported", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "allow", updates: [{ type: "setMode", mode: "acceptEdits", destination: "session" }] })
    expect(script.emitted("ModeReported").map(({ mode }) => mode)).toEqual(["acceptEdits"])
    expect(started(script)).toEqual(["w"])
  })
})

describe("PreToolUse hooks", () => {
  const hooked = (call: CallPlan, permission = permissions()): Script => called({ config: HOOKS, permission }, call)

  it("are asked before the rules, with the input", () => {
    const script = hooked(write("w"))
    expect(script.newest("RunHooks")).toMatchObject({
      event: "PreToolUse",
      input: { tool_name: "Write", tool_use_id: "w", tool_input: write("w").input }
    })
    expect(script.all("AskPermission")).toEqual([])
  })

  it("with nothing to say leave it to the rules", () => {
    const script = hooked(write("w"))
    script.hooks({})
    expect(script.all("AskPermission")).toHaveLength(1)
  })

  it("deny ends the call in every mode, with the reason", () => {
    const script = hooked(write("w"), permissions({ mode: "bypassPermissions" }))
    script.hooks({ decision: "deny", reason: "frozen files" })
    expect(started(script)).toEqual([])
    expect(String(resultOf(script, "w"))).toContain("frozen files")
    expect(script.state.turn?.denials).toHaveLength(1)
  })

  it("allow takes the place of a question, not of a deny rule", () => {
    const asked = hooked(write("w"))
    asked.hooks({ decision: "allow" })
    expect(started(asked)).toEqual(["w"])
    const denied = hooked(bash("b", "rm x"), permissions({ deny: ["Bash(rm *)"] }))
    denied.hooks({ decision: "allow" })
    expect(started(denied)).toEqual([])
  })

  it("ask is asked even in bypass mode, and denied where nobody can answer", () => {
    const script = hooked(write("w"), permissions({ mode: "bypassPermissions" }))
    script.hooks({ decision: "ask", reason: "please look" })
    expect(script.newest("AskPermission").question.decision.reason).toEqual({ type: "hook", sentence: "please look" })
    script.answer("w", { behavior: "allow" })
    expect(started(script)).toEqual(["w"])
    const alone = called({ config: { ...HOOKS, canAsk: false }, permission: permissions({ mode: "bypassPermissions" }) }, write("w"))
    alone.hooks({ decision: "ask" })
    expect(started(alone)).toEqual([])
  })

  it("a changed input is prepared and judged again, and hooks are not asked twice", () => {
    const script = hooked(bash("b", "git push"), permissions({ allow: ["Bash(git status)"], deny: ["Bash(rm *)"] }))
    script.hooks({ updatedInput: { command: "git status" } })
    script.prepare("b")
    expect(script.all("RunHooks")).toHaveLength(1)
    expect(script.newest("StartCall").input).toEqual({ command: "git status" })
    const denied = hooked(bash("b", "git push"), permissions({ deny: ["Bash(rm *)"] }))
    denied.hooks({ decision: "allow", updatedInput: { command: "rm -rf build" } })
    denied.prepare("b")
    expect(started(denied)).toEqual([])
  })

  it("what they decide holds for the input they changed", () => {
    const asked = hooked(bash("b", "git push"), permissions({ allow: ["Bash(git status)"] }))
    asked.hooks({ decision: "ask", updatedInput: { command: "git status" } })
    asked.prepare("b")
    expect([started(asked), asked.all("AskPermission").length]).toEqual([[], 1])
    const allowed = hooked(bash("b", "git push"))
    allowed.hooks({ decision: "allow", updatedInput: { command: "git pull" } })
    allowed.prepare("b")
    expect(started(allowed)).toEqual(["b"])
  })

  it("answer a question to the user only together with the answers", () => {
    const without = hooked(question("q"))
    without.hooks({ decision: "allow" })
    expect(without.all("AskPermission")).toHaveLength(1)
    const answered = hooked(question("q"))
    answered.hooks({ decision: "allow", updatedInput: { ...question("q").input, answers: { "Which?": "A" } } })
    answered.prepare("q")
    expect(started(answered)).toEqual(["q"])
  })

  it("stop ends the turn once everything has settled", () => {
    const script = called({ config: HOOKS }, read("a"), read("b"))
    script.feed({ _tag: "HooksSettled", hookId: "pre:a", outcome: { stop: "enough" } })
    expect(script.phase).toBe("Tools")
    script.feed({ _tag: "HooksSettled", hookId: "pre:b", outcome: {} })
    script.settle("b")
    script.hooks({})
    expect(script.result).toMatchObject({ terminalReason: "hook_stopped", subtype: "success", text: "enough" })
    expect(script.requests).toHaveLength(1)
  })
})

describe("hooks after a call", () => {
  const settled = (outcome: Parameters<Script["settle"]>[1]): Script => {
    const script = called({ config: { hookEvents: ["PostToolUse", "PostToolUseFailure"] } }, read("a"))
    script.settle("a", outcome)
    return script
  }

  it("hear of a success and of a failure, not of a cancelled call", () => {
    expect(settled(returned("fine")).newest("RunHooks").event).toBe("PostToolUse")
    expect(settled({ _tag: "Failed", message: "broken" }).newest("RunHooks").event).toBe("PostToolUseFailure")
    expect(settled(returned("exit code 1", { isError: true })).newest("RunHooks").event).toBe("PostToolUseFailure")
    expect(settled({ _tag: "Cancelled", content: "", data: {} }).all("RunHooks")).toEqual([])
  })

  it("may replace the output, comment it, or stop the turn", () => {
    const replaced = settled(returned("secret"))
    replaced.hooks({ updatedOutput: "clean" })
    expect(resultOf(replaced, "a")).toBe("clean")
    const commented = settled(returned("fine"))
    commented.hooks({ block: "run the linter", context: "line 3" })
    expect(String(resultOf(commented, "a"))).toMatch(/fine[\s\S]*run the linter[\s\S]*line 3/)
    const stopped = settled(returned("fine"))
    stopped.hooks({ stop: "enough" })
    expect(stopped.result.terminalReason).toBe("hook_stopped")
  })

  it("an interrupt does not wait for them: the result counts as it is", () => {
    const script = settled(returned("fine"))
    script.interrupt()
    expect([script.phase, resultOf(script, "a")]).toEqual(["Done", "fine"])
  })
})

describe("UserPromptSubmit hooks", () => {
  it("add context behind the prompt", () => {
    const script = new Script({ config: { hookEvents: ["UserPromptSubmit"] } })
    script.begin("do it")
    expect(script.newest("RunHooks")).toMatchObject({ event: "UserPromptSubmit" })
    script.hooks({ context: "the build is red" })
    expect(lastWords(script.requests[0])).toMatch(/do it[\s\S]*the build is red/)
  })
})

describe("Stop hooks", () => {
  const stopped = (): Script => {
    const script = new Script({ config: { hookEvents: ["Stop"] } })
    script.begin()
    return script
  }

  it("are asked after an answer without calls, and know whether they caused it", () => {
    const script = stopped()
    script.respond({ calls: [read("a")] })
    expect(script.all("RunHooks")).toEqual([])
    script.runCalls("a")
    script.respond({ text: "done?" })
    expect(script.newest("RunHooks").input).toEqual({ stop_hook_active: false })
    script.hooks({ block: "tests fail" })
    expect(lastWords(script.requests.at(-1))).toContain("tests fail")
    script.respond({ text: "now?" })
    expect(script.newest("RunHooks").input).toEqual({ stop_hook_active: true })
    script.hooks({})
    expect(script.result).toMatchObject({ terminalReason: "completed", text: "now?", numTurns: 3 })
  })

  it("are not asked after an error of the endpoint, so that a broken one cannot loop", () => {
    const script = stopped()
    script.fail({ kind: "http", status: 403, errorType: null, message: "no" })
    expect(script.all("RunHooks")).toEqual([])
    expect(script.result.terminalReason).toBe("api_error")
    const cut = new Script({ config: { hookEvents: ["Stop"], explicitOutputTokens: 4_000, maxTurns: 1 } })
    cut.begin()
    cut.respond({ text: "part", stop: "max_tokens" })
    expect(cut.all("RunHooks")).toEqual([])
  })
})
