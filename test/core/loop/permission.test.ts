import { describe, expect, it } from "vitest"
import { decisionDigest } from "../../../src/core/permission/decide/digest.ts"
import { NO_FACTS } from "../../../src/core/permission/facts.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { bash, grep, question, read, returned, write } from "./response-plan.ts"
import { called, lastWords, Script } from "./script.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

/** From a finished block to a started call: rules, mode, and the answer of a user or host. */
describe("rules and mode", () => {
  it("reading inside the project starts, writing asks, what is denied never runs", () => {
    const script = called({ permission: permissions({ deny: ["Bash(rm *)"] }) }, read("r"))
    expect(script.startedCalls).toEqual(["r"])
    const asking = called({}, write("w"))
    expect(asking.newest("AskPermission").question).toMatchObject({ callId: "w", tool: "Write" })
    const denied = called(
      { permission: permissions({ deny: ["Bash(rm *)"], mode: "bypassPermissions" }) },
      bash("b", "rm -rf x")
    )
    expect([denied.startedCalls, denied.all("AskPermission")]).toEqual([[], []])
    expect(turnOf(denied.state)?.denials).toHaveLength(1)
    expect(lastWords(denied.requests[1])).toMatch(/Permission denied.*Bash\(rm \*\)/)
  })

  it("plan mode refuses to write and says how to leave it", () => {
    const script = called({ permission: permissions({ mode: "plan" }) }, write("w"))
    expect(script.startedCalls).toEqual([])
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
    expect([script.all("AskPermission"), script.resultOf("w")]).toEqual([[], "read it first"])
    expect(turnOf(script.state)?.denials).toEqual([])
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
    expect(script.newest("StartCall")).toMatchObject({ callId: "w", input: { value: write("w").input } })
    expect(turnOf(script.state)?.denials).toEqual([])
  })

  it("allow with rules lets the next one pass without a question", () => {
    const script = called({}, write("w"))
    const { suggestions } = script.newest("AskPermission").question
    script.answer("w", { behavior: "allow", updates: suggestions })
    script.settle("w")
    script.respond({ calls: [write("w2")] })
    script.prepare("w2")
    expect(script.startedCalls).toEqual(["w", "w2"])
  })

  it("a changed input is prepared and judged again before it runs", () => {
    const script = called({}, bash("b", "git push"))
    script.answer("b", { behavior: "allow", updatedInput: { command: "git status" } })
    expect(script.startedCalls).toEqual([])
    script.prepare("b")
    expect(script.newest("StartCall")).toMatchObject({ input: { value: { command: "git status" } } })
  })

  it("a changed input is still bound by deny rules and the mode", () => {
    const rule = called({ permission: permissions({ deny: ["Bash(rm *)"] }) }, bash("b", "git push"))
    rule.answer("b", { behavior: "allow", updatedInput: { command: "rm -rf build" } })
    rule.prepare("b")
    expect(rule.startedCalls).toEqual([])
    expect(rule.resultOf("b")).toContain("Permission denied")
    const mode = called({}, write("w"))
    mode.answer("w", {
      behavior: "allow",
      updatedInput: { file_path: "/project/other.txt", content: "y" },
      updates: [{ type: "setMode", mode: "plan", destination: "session" }]
    })
    mode.prepare("w")
    expect(mode.startedCalls).toEqual([])
  })

  it("a change to something grave asks again, and is settled by an answer to that", () => {
    const ask = permissions({ ask: ["Bash(git push *)"] })
    for (const command of ["rm -rf ~", "git push --tags"]) {
      const script = called({ permission: ask }, bash("b", "touch x"))
      script.answer("b", { behavior: "allow", updatedInput: { command } })
      script.prepare("b")
      expect(script.startedCalls).toEqual([])
      expect(script.newest("AskPermission").question).toMatchObject({ input: { command }, decision: { immune: true } })
      script.answer("b", { behavior: "allow", updatedInput: { command } })
      expect(script.newest("StartCall")).toMatchObject({ input: { value: { command } } })
    }
  })

  it("a change under the same ask rule does not ask again, nor do the answers to a question", () => {
    const script = called({ permission: permissions({ ask: ["Bash(git push *)"] }) }, bash("b", "git push"))
    script.answer("b", { behavior: "allow", updatedInput: { command: "git push --tags" } })
    script.prepare("b")
    expect(script.startedCalls).toEqual(["b"])
    const answered = called({}, question("q"))
    answered.answer("q", { behavior: "allow", updatedInput: { ...question("q").input, answers: { "Which?": "A" } } })
    answered.prepare("q")
    expect(answered.startedCalls).toEqual(["q"])
  })

  it("a directory that an answer adds counts where it led at the first look, and no longer when it leads elsewhere", () => {
    const script = called({}, write("w"))
    script.answer("w", {
      behavior: "allow",
      updates: [{ type: "addDirectories", directories: ["/link"], destination: "session" }]
    })
    script.settle("w")
    const leadingTo = (target: string) => ({
      ...NO_FACTS,
      paths: ["", "/a.txt"].map((tail) => ({ path: `/link${tail}`, realPath: `${target}${tail}`, exists: true }))
    })
    for (const [id, target] of [
      ["r1", "/real"],
      ["r2", "/real"],
      ["r3", "/elsewhere"]
    ] as const) {
      script.respond({ calls: [{ id, name: "Read", input: { file_path: "/link/a.txt" } }] })
      script.feed({ _tag: "CallPrepared", callId: id, facts: leadingTo(target) })
      if (script.startedCalls.includes(id)) script.settle(id)
    }
    expect(script.startedCalls).toEqual(["w", "r1", "r2"])
  })

  it("a changed input that is not an input for the tool is refused", () => {
    const script = called({}, bash("b", "git push"))
    script.answer("b", { behavior: "allow", updatedInput: { wrong: true } })
    expect(script.startedCalls).toEqual([])
    expect(script.resultOf("b")).toContain("InputValidationError")
  })

  it("comes too late for a rule or mode that has changed meanwhile", () => {
    const mode = called({}, write("w"))
    mode.feed({ _tag: "ModeChanged", mode: "plan" })
    mode.answer("w", { behavior: "allow" })
    expect(mode.startedCalls).toEqual([])
    const rule = called({}, write("w"))
    rule.feed({
      _tag: "PermissionsUpdated",
      updates: [{ type: "addRules", rules: [{ toolName: "Write" }], behavior: "deny", destination: "session" }]
    })
    rule.answer("w", { behavior: "allow" })
    expect(rule.startedCalls).toEqual([])
    const pool = called({}, write("w"))
    pool.feed({ _tag: "ToolsChanged", tools: [] })
    pool.answer("w", { behavior: "allow" })
    expect(pool.startedCalls).toEqual([])
  })

  it("deny gives the model the reason and the turn goes on", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "deny", message: "not that file" })
    expect(script.phase).toBe("Requesting")
    expect(script.resultOf("w")).toBe("not that file")
    expect(turnOf(script.state)?.denials).toEqual([{ tool_name: "Write", tool_use_id: "w", tool_input: write("w").input }])
  })

  it("deny with interrupt ends the turn in the tool and sends nothing more", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "deny", message: "stop", interrupt: true })
    expect(script.requests).toHaveLength(1)
    expect(script.result).toMatchObject({
      terminalReason: "aborted_tools",
      subtype: "error_during_execution",
      isError: true
    })
    expect(script.resultOf("w")).toBe("stop")
  })

  it("deny with interrupt cancels what else runs, also while the answer still streams", () => {
    const script = new Script()
    script.begin()
    script.startResponse()
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "w", name: "Write", input: {} } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: JSON.stringify(write("w").input) }
      },
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
    expect(script.startedCalls).toEqual(["w"])
  })
})

describe("a call whose paths lead elsewhere when it is to run", () => {
  const LINKED = { ...NO_FACTS, paths: [{ path: "/project/a.txt", realPath: "/etc/shadow", exists: true }] }

  it("is decided anew, and asks where it was allowed before", () => {
    const script = called({}, read("r"))
    expect(script.startedCalls).toEqual(["r"])
    script.feed({ _tag: "CallOutdated", callId: "r", facts: LINKED })
    expect(script.newest("AskPermission").question).toMatchObject({ callId: "r" })
    script.answer("r", { behavior: "allow" })
    expect(script.startedCalls).toEqual(["r", "r"])
    expect(script.newest("StartCall").facts).toEqual(LINKED)
  })

  it("is asked about again, because what was approved was another place", () => {
    const script = called({}, write("w"))
    script.answer("w", { behavior: "allow" })
    script.feed({ _tag: "CallOutdated", callId: "w", facts: LINKED })
    expect(script.all("AskPermission")).toHaveLength(2)
  })

  it("is given up when that goes on for ever, and never answered twice", () => {
    const script = called({ permission: permissions({ mode: "bypassPermissions" }) }, write("w"))
    for (let time = 0; time < 5; time++) script.feed({ _tag: "CallOutdated", callId: "w", facts: LINKED })
    expect(script.startedCalls).toHaveLength(4)
    expect(lastWords(script.requests[1])).toContain("keep changing places")
  })

  it("starts with a digest that another input, directory or place changes", () => {
    const digestOf = (facts = NO_FACTS, input: unknown = { a: 1, b: 2 }, cwd = "/project") =>
      decisionDigest({ tool: { name: "Read" }, input, cwd, facts })
    const all = [digestOf(), digestOf(LINKED), digestOf(NO_FACTS, { a: 1 }), digestOf(NO_FACTS, { a: 1, b: 2 }, "/x")]
    expect(new Set(all).size).toBe(all.length)
    expect(digestOf(NO_FACTS, { b: 2, a: 1 })).toBe(digestOf())
    expect(called({}, read("r")).newest("StartCall").digest).toMatch(/^[0-9a-f]{32}$/)
  })
})
