import { describe, expect, it } from "vitest"
import { type ConfigPatch, permissions } from "../../support/loop-fixture.ts"
import { bash, type CallPlan, question, read, returned, write } from "./response-plan.ts"
import { called, lastWords, Script } from "./script.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

/** What hooks may do: before a call, after it, with a prompt, and at the end of a turn. */
const HOOKS: ConfigPatch = { hookEvents: ["PreToolUse", "PostToolUse", "PostToolUseFailure"] }

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
    expect(script.startedCalls).toEqual([])
    expect(script.resultOf("w")).toContain("frozen files")
    expect(turnOf(script.state)?.denials).toHaveLength(1)
  })

  it("allow takes the place of a question, not of a deny rule", () => {
    const asked = hooked(write("w"))
    asked.hooks({ decision: "allow" })
    expect(asked.startedCalls).toEqual(["w"])
    const denied = hooked(bash("b", "rm x"), permissions({ deny: ["Bash(rm *)"] }))
    denied.hooks({ decision: "allow" })
    expect(denied.startedCalls).toEqual([])
  })

  it("ask is asked even in bypass mode, and denied where nobody can answer", () => {
    const script = hooked(write("w"), permissions({ mode: "bypassPermissions" }))
    script.hooks({ decision: "ask", reason: "please look" })
    expect(script.newest("AskPermission").question.decision.reason).toEqual({ type: "hook", sentence: "please look" })
    script.answer("w", { behavior: "allow" })
    expect(script.startedCalls).toEqual(["w"])
    const alone = called(
      { config: { ...HOOKS, canAsk: false }, permission: permissions({ mode: "bypassPermissions" }) },
      write("w")
    )
    alone.hooks({ decision: "ask" })
    expect(alone.startedCalls).toEqual([])
  })

  it("a changed input is prepared and judged again, and hooks are not asked twice", () => {
    const script = hooked(bash("b", "git push"), permissions({ allow: ["Bash(git status)"], deny: ["Bash(rm *)"] }))
    script.hooks({ updatedInput: { command: "git status" } })
    script.prepare("b")
    expect(script.all("RunHooks")).toHaveLength(1)
    expect(script.newest("StartCall").input.value).toEqual({ command: "git status" })
    const denied = hooked(bash("b", "git push"), permissions({ deny: ["Bash(rm *)"] }))
    denied.hooks({ decision: "allow", updatedInput: { command: "rm -rf build" } })
    denied.prepare("b")
    expect(denied.startedCalls).toEqual([])
  })

  it("what they decide holds for the input they changed", () => {
    const asked = hooked(bash("b", "git push"), permissions({ allow: ["Bash(git status)"] }))
    asked.hooks({ decision: "ask", updatedInput: { command: "git status" } })
    asked.prepare("b")
    expect([asked.startedCalls, asked.all("AskPermission").length]).toEqual([[], 1])
    const allowed = hooked(bash("b", "git push"))
    allowed.hooks({ decision: "allow", updatedInput: { command: "git pull" } })
    allowed.prepare("b")
    expect(allowed.startedCalls).toEqual(["b"])
  })

  it("answer a question to the user only together with the answers", () => {
    const without = hooked(question("q"))
    without.hooks({ decision: "allow" })
    expect(without.all("AskPermission")).toHaveLength(1)
    const answered = hooked(question("q"))
    answered.hooks({ decision: "allow", updatedInput: { ...question("q").input, answers: { "Which?": "A" } } })
    answered.prepare("q")
    expect(answered.startedCalls).toEqual(["q"])
  })

  it("add context beside the result, whatever becomes of the call, ahead of what hooks after it say", () => {
    const ran = called({ config: { hookEvents: ["PreToolUse"] } }, read("a"))
    ran.hooks({ context: "the file is generated" })
    ran.settle("a", returned("fine"))
    expect(ran.resultOf("a")).toBe("fine")
    expect(lastWords(ran.requests.at(-1))).toContain(
      "fine\\n\\n<system-reminder>\\nthe file is generated\\n</system-reminder>"
    )
    const denied = called({ config: HOOKS }, read("a"))
    denied.hooks({ decision: "deny", reason: "not now", context: "ask the owner" })
    expect(lastWords(denied.requests.at(-1))).toMatch(/not now[\s\S]*ask the owner/)
    const both = called({ config: HOOKS }, read("a"))
    both.hooks({ context: "first" })
    both.settle("a", returned("fine"))
    both.hooks({ updatedOutput: "clean", context: "second" })
    expect(both.resultOf("a")).toBe("clean")
    expect(lastWords(both.requests.at(-1))).toContain("<system-reminder>\\nfirst\\nsecond\\n</system-reminder>")
  })

  it("keep their context when they change the input", () => {
    const script = called({ config: { hookEvents: ["PreToolUse"] } }, read("a"))
    script.hooks({ updatedInput: { file_path: "/project/b.txt" }, context: "b instead of a" })
    script.prepare("a")
    script.settle("a", returned("fine"))
    expect(lastWords(script.requests.at(-1))).toContain("b instead of a")
  })

  it("stop ends the turn once everything has run and settled", () => {
    const script = called({ config: HOOKS }, read("a"), read("b"))
    script.feed({ _tag: "HooksSettled", hookId: "pre:a", outcome: { stop: "enough" } })
    expect(script.phase).toBe("Tools")
    script.feed({ _tag: "HooksSettled", hookId: "pre:b", outcome: {} })
    expect(script.startedCalls).toEqual(["a", "b"])
    for (const id of ["a", "b"]) {
      script.settle(id)
      script.hooks({})
    }
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
    expect(replaced.resultOf("a")).toBe("clean")
    const commented = settled(returned("fine"))
    commented.hooks({ block: "run the linter", context: "line 3" })
    expect(lastWords(commented.requests.at(-1))).toMatch(/fine[\s\S]*run the linter[\s\S]*line 3/)
    const stopped = settled(returned("fine"))
    stopped.hooks({ stop: "enough" })
    expect(stopped.result.terminalReason).toBe("hook_stopped")
  })

  it("an interrupt does not wait for them: the result counts as it is", () => {
    const script = settled(returned("fine"))
    script.interrupt()
    expect([script.phase, script.resultOf("a")]).toEqual(["Done", "fine"])
  })
})

describe("UserPromptSubmit hooks", () => {
  it("add context before the prompt, which is the last thing the model reads", () => {
    const script = new Script({ config: { hookEvents: ["UserPromptSubmit"] } })
    script.begin("do it")
    expect(script.newest("RunHooks")).toMatchObject({ event: "UserPromptSubmit" })
    script.hooks({ context: "the build is red" })
    expect(lastWords(script.requests[0])).toMatch(/the build is red[\s\S]*do it/)
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
    expect(script.newest("RunHooks").input).toMatchObject({ stop_hook_active: false, last_assistant_message: "done?" })
    script.hooks({ block: "tests fail" })
    expect(lastWords(script.requests.at(-1))).toContain("tests fail")
    script.respond({ text: "now?" })
    expect(script.newest("RunHooks").input).toMatchObject({ stop_hook_active: true, last_assistant_message: "now?" })
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

describe("hooks that nobody waits for any more", () => {
  const busy = (): Script => {
    const script = called({ config: { hookEvents: ["PreToolUse"] } }, read("a"), read("b"))
    script.feed({ _tag: "HooksSettled", hookId: "pre:a", outcome: {} })
    return script
  }
  const late = (script: Script): void => {
    const { state } = script
    script.feed({ _tag: "HooksSettled", hookId: "pre:b", outcome: { stop: "late" } })
    expect(script.state).toBe(state)
  }

  it("of a call that was stopped are forgotten at once", () => {
    const script = busy()
    expect(script.state.pending.hooks).toMatchObject([{ id: "pre:b", event: "PreToolUse", then: { callId: "b" } }])
    script.feed({ _tag: "CallStopped", callId: "b" })
    expect(script.state.pending.hooks).toEqual([])
    late(script)
    expect(script.phase).toBe("Tools")
  })

  it("of an interrupted turn are forgotten while other calls still settle", () => {
    const script = busy()
    script.interrupt()
    expect([script.phase, script.state.pending.hooks]).toEqual(["Settling", []])
    late(script)
  })
})
