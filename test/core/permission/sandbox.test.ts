import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SandboxSummary } from "../../../src/core/permission/context.ts"
import { decide } from "../../../src/core/permission/decide/decide.ts"
import type { SandboxProblem } from "../../../src/core/permission/facts.ts"
import { factsWanted } from "../../../src/core/permission/decide/facts-wanted.ts"
import type { HookVerdict } from "../../../src/core/permission/permission-request.ts"
import { isAsStrict, PERMISSION_MODES } from "../../../src/core/permission/verdict.ts"
import { plainFacts } from "../../support/plain-facts.ts"
import { bash } from "../loop/response-plan.ts"
import { called } from "../loop/script.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { requestIn, type Setting, shell } from "./fixture.ts"

/** Commands that must be confined. */
const ON: SandboxSummary = { enabled: true, autoAllow: true, excluded: [], mayLeave: true }
const PROBLEM: SandboxProblem = { sentence: "The sandbox cannot start: no bwrap. Fix: install it", mayLeave: true }
const STRICT: SandboxProblem = { ...PROBLEM, mayLeave: false }

interface Given {
  readonly setting?: Setting
  readonly sandbox?: SandboxSummary
  readonly input?: unknown
  readonly problem?: SandboxProblem | undefined
  readonly hook?: HookVerdict | undefined
}

const decideOn = (command: string, { setting = {}, sandbox = ON, input = {}, problem, hook }: Given = {}) => {
  const request = requestIn(setting, { need: shell(command), input, ...(hook === undefined ? {} : { hook }) })
  const confined = { ...request, context: { ...request.context, sandbox } }
  const facts = plainFacts(factsWanted(confined))
  return decide({ ...confined, facts: problem === undefined ? facts : { ...facts, sandboxProblem: problem } })
}

const OUT = { dangerouslyDisableSandbox: true }

describe("a sandbox that cannot start", () => {
  it("makes every command ask, with the one fix, and offers to run this one outside", () => {
    expect(decideOn("make", { problem: PROBLEM })).toMatchObject({
      verdict: "ask",
      immune: true,
      reason: {
        type: "sandboxOverride",
        sentence: expect.stringMatching(
          /^The sandbox cannot start: no bwrap\. Fix: install it\. Yes runs this one command outside it/
        )
      }
    })
    expect(decideOn("ls", { problem: PROBLEM })).toMatchObject({ verdict: "ask", immune: true })
  })

  it("still says what else is to be known about the command", () => {
    expect(decideOn("rm -rf /", { problem: PROBLEM }).reason.sentence).toMatch(/outside it\. .*remove/i)
  })

  it("means no where the settings leave no way out, and in don't-ask mode", () => {
    expect(decideOn("ls", { problem: STRICT })).toMatchObject({ verdict: "deny", reason: { type: "sandboxOverride" } })
    expect(decideOn("ls", { problem: PROBLEM, setting: { mode: "dontAsk" } }).verdict).toBe("deny")
  })

  it("does not concern commands that leave the sandbox anyway, nor sessions without one", () => {
    const excluded = { ...ON, excluded: ["make *"] }
    const allow = ["Bash(make *)"]
    expect(decideOn("make all", { problem: PROBLEM, sandbox: excluded, setting: { allow } }).verdict).toBe("allow")
    expect(decideOn("make all", { problem: PROBLEM, input: OUT, setting: { allow } }).verdict).toBe("allow")
    expect(decideOn("ls", { problem: PROBLEM, sandbox: { ...ON, enabled: false } }).verdict).toBe("allow")
  })

  it("is never got around: no rule, mode or hook lets a command run that was to be confined", () => {
    const hook = fc.option(
      fc.constantFrom<HookVerdict>(
        { verdict: "allow", reason: "h" },
        { verdict: "ask", reason: "h" },
        { verdict: "deny", reason: "h" }
      ),
      { nil: undefined }
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...PERMISSION_MODES),
        fc.subarray(["Bash", "Bash(make *)", "Bash(ls *)"]),
        fc.constantFrom("ls", "make", "rm -rf build", "echo $X"),
        fc.constantFrom(PROBLEM, STRICT),
        hook,
        (mode, allow, command, problem, said) => {
          const given = { setting: { mode, allow }, hook: said }
          const found = decideOn(command, { ...given, problem })
          expect(found.verdict).not.toBe("allow")
          if (!problem.mayLeave) expect(found.verdict).toBe("deny")
          expect(isAsStrict(found.verdict, decideOn(command, given).verdict)).toBe(true)
        }
      )
    )
  })
})

describe("leaving the sandbox", () => {
  it("is asked about as such, without the sandbox's own allowance", () => {
    expect(decideOn("make").verdict).toBe("allow")
    expect(decideOn("make", { input: OUT })).toMatchObject({
      verdict: "ask",
      reason: {
        type: "sandboxOverride",
        sentence: expect.stringContaining("Runs outside the sandbox (dangerouslyDisableSandbox)")
      }
    })
    expect(decideOn("make x", { sandbox: { ...ON, excluded: ["make *"] } }).reason.sentence).toContain("excludedCommands")
  })

  it("does not happen where the settings forbid it: the wish changes nothing", () => {
    expect(decideOn("make", { input: OUT, sandbox: { ...ON, mayLeave: false } }).verdict).toBe("allow")
  })
})

describe("an answer", () => {
  const permission = { ...permissions(), sandbox: ON }
  const prepared = (problem: SandboxProblem | undefined) => {
    const script = called({ permission }, bash("first", "ls"))
    script.settle("first")
    script.respond({ calls: [bash("b", "make")] })
    const wanted = script.newest("PrepareCall").wanted
    expect(wanted.confined).toBe(true)
    const facts = plainFacts(wanted)
    script.feed({
      _tag: "CallPrepared",
      callId: "b",
      facts: problem === undefined ? facts : { ...facts, sandboxProblem: problem }
    })
    return script
  }

  it("yes starts this one outside; without a problem a command starts inside", () => {
    const inside = prepared(undefined)
    expect(inside.newest("StartCall")).toMatchObject({ callId: "b", outside: false })
    const asked = prepared(PROBLEM)
    expect(asked.newest("AskPermission").question.suggestions).toEqual([])
    asked.answer("b", { behavior: "allow" })
    expect(asked.newest("StartCall")).toMatchObject({ callId: "b", outside: true })
  })

  it("no keeps it from running at all", () => {
    const script = prepared(PROBLEM)
    script.answer("b", { behavior: "deny", message: "no" })
    expect(script.startedCalls).toEqual(["first"])
  })
})
