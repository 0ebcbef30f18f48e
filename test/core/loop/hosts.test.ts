import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import type { CheckOutcome } from "../../../src/core/permission/classifier/outcome.ts"
import { ruleHosts } from "../../../src/core/permission/rules/search-visibility.ts"
import { NETWORK_TOOL, rememberHost } from "../../../src/core/loop/machine/host-question.ts"
import { type LoopFixture, permissions } from "../../support/loop-fixture.ts"
import { bash } from "./response-plan.ts"
import { called, type Script } from "./script.ts"

/** Hosts that sandboxed commands ask for. */
const running = (fixture: LoopFixture = {}): Script => {
  const script = called({ permission: permissions({ allow: ["Bash"] }), ...fixture }, bash("b", "make"), bash("c", "make"))
  expect(script.startedCalls).toContain("b")
  return script
}

const request = (script: Script, requestId: string, host = "a.example", callId = "b"): void => {
  script.feed({ _tag: "HostRequested", requestId, callId, host, port: 443 })
}

const YES: PermissionAnswer = { behavior: "allow" }
const NO: PermissionAnswer = { behavior: "deny", message: "no" }

describe("a host that no rule names", () => {
  it("is asked about once, and one answer is for all that wait for it", () => {
    const script = running()
    request(script, "1")
    request(script, "2", "a.example", "c")
    request(script, "3", "b.example")
    expect(script.all("AskPermission").map(({ question }) => question.summary)).toEqual(["a.example:443", "b.example:443"])
    expect(script.newest("AskPermission").question).toMatchObject({
      tool: NETWORK_TOOL,
      input: { host: "b.example", port: 443 },
      suggestions: [rememberHost("b.example", "allow")],
      host: { command: "make" }
    })
    script.answer("1", YES)
    expect(script.all("AnswerHostRequests")).toEqual([
      { _tag: "AnswerHostRequests", requestIds: ["1", "2"], refused: undefined }
    ])
    script.answer("1", NO)
    expect(script.all("AnswerHostRequests")).toHaveLength(1)
  })

  it("is not asked about again by the commands that got the answer, and anew by others", () => {
    const script = running()
    request(script, "1")
    script.answer("1", NO)
    request(script, "2")
    expect(script.newest("AnswerHostRequests")).toMatchObject({ requestIds: ["2"], refused: "the user refused it" })
    request(script, "3", "a.example", "c")
    expect(script.all("AskPermission")).toHaveLength(2)
  })

  it("can be remembered: the rule holds at once and is written to the local settings", () => {
    for (const behavior of ["allow", "deny"] as const) {
      const script = running()
      request(script, "1")
      const updates = [rememberHost("a.example", behavior)]
      script.answer("1", behavior === "allow" ? { ...YES, updates } : { ...NO, updates })
      expect(ruleHosts(script.state.permission, behavior)).toEqual(["a.example"])
      expect(script.newest("SavePermissions").updates).toMatchObject([{ destination: "localSettings", behavior }])
    }
  })

  it("is refused with the reason where nobody can be asked", () => {
    const headless = running({ config: { canAsk: false } })
    request(headless, "1")
    expect(headless.newest("AnswerHostRequests").refused).toContain("nobody is there to ask")
    const quiet = running({ permission: permissions({ allow: ["Bash"], mode: "dontAsk" }) })
    request(quiet, "1")
    expect(quiet.newest("AnswerHostRequests").refused).toContain("dontAsk mode")
    expect([...headless.all("AskPermission"), ...quiet.all("AskPermission")]).toEqual([])
  })

  it("is no longer asked about when nobody waits for it", () => {
    const script = running()
    request(script, "1")
    request(script, "2")
    script.feed({ _tag: "HostRequestEnded", requestId: "1" })
    expect(script.all("WithdrawQuestion")).toEqual([])
    script.feed({ _tag: "HostRequestEnded", requestId: "2" })
    expect(script.all("WithdrawQuestion")).toEqual([{ _tag: "WithdrawQuestion", callId: "1" }])
    script.answer("1", YES)
    expect(script.all("AnswerHostRequests")).toEqual([])
  })
})

const move = fc.oneof(
  fc.record({ kind: fc.constant("ask" as const), host: fc.constantFrom("a", "b"), callId: fc.constantFrom("b", "c") }),
  fc.record({ kind: fc.constant("end" as const), at: fc.nat(12) }),
  fc.record({ kind: fc.constant("answer" as const), at: fc.nat(12), yes: fc.boolean() })
)

describe("requests for hosts", () => {
  it("are each answered at most once, never while their question is open, and never go on after a refusal", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
        const script = running()
        const asked = new Map<string, { readonly host: string; readonly callId: string }>()
        moves.forEach((each, index) => {
          if (each.kind === "ask") {
            asked.set(`r${index}`, each)
            request(script, `r${index}`, each.host, each.callId)
          } else if (each.kind === "end") script.feed({ _tag: "HostRequestEnded", requestId: `r${each.at}` })
          else script.answer(`r${each.at}`, each.yes ? YES : NO)
        })
        const answered = script.all("AnswerHostRequests").flatMap(({ requestIds }) => requestIds)
        const open = script.state.pending.hosts.open.flatMap(({ requests }) => requests.map(({ requestId }) => requestId))
        expect(new Set(answered).size).toBe(answered.length)
        expect(answered.filter((id) => open.includes(id))).toEqual([])
        expect(new Set(script.state.pending.hosts.open.map(({ host }) => host)).size).toBe(
          script.state.pending.hosts.open.length
        )
        const refusedPairs = new Set<string>()
        for (const { requestIds, refused } of script.all("AnswerHostRequests")) {
          for (const id of requestIds) {
            const pair = `${asked.get(id)?.host ?? ""} ${asked.get(id)?.callId ?? ""}`
            if (refused === undefined) expect(refusedPairs.has(pair)).toBe(false)
            else refusedPairs.add(pair)
          }
        }
      })
    )
  })
})

const FINE: CheckOutcome = { _tag: "Judged", block: false, reason: "", category: "none" }
const BLOCKED: CheckOutcome = { _tag: "Judged", block: true, reason: "it is foreign", category: "exfiltration" }
const SILENT: CheckOutcome = { _tag: "NoVerdict", why: "unavailable", detail: "" }

describe("a host in auto mode", () => {
  const auto = (config: LoopFixture["config"] = {}): Script =>
    running({ permission: permissions({ mode: "auto", allow: ["Bash(make)"] }), config: { ...config } })

  it("is the classifier's to answer, once per host and port", () => {
    const script = auto()
    request(script, "1")
    request(script, "2", "a.example", "c")
    expect(script.all("CheckCall")).toHaveLength(1)
    const { action, record } = script.newest("CheckCall").inquiry
    expect(action).toMatchObject({ tool: NETWORK_TOOL, input: expect.stringContaining("a.example") as string })
    expect(record).toContainEqual({ call: "Bash", input: '{"command":"make"}' })
    script.checked(FINE)
    expect(script.newest("AnswerHostRequests")).toMatchObject({ requestIds: ["1", "2"], refused: undefined })
    request(script, "3", "a.example", "c")
    expect(script.newest("AnswerHostRequests")).toMatchObject({ requestIds: ["3"], refused: undefined })
    script.feed({ _tag: "HostRequested", requestId: "4", callId: "b", host: "a.example", port: 22 })
    expect(script.all("CheckCall")).toHaveLength(2)
    script.checked(BLOCKED)
    const refused = "the auto mode classifier blocked it: it is foreign"
    expect(script.newest("AnswerHostRequests")).toMatchObject({ requestIds: ["4"], refused })
    expect([script.all("AskPermission"), script.state.objections.total]).toEqual([[], 0])
  })

  it("is a user's to answer when there is no verdict, and refused where nobody is", () => {
    const script = auto()
    request(script, "1")
    script.fireTimer()
    expect(script.newest("AskPermission").question.summary).toBe("a.example:443")
    script.answer("1", YES)
    expect(script.newest("AnswerHostRequests")).toMatchObject({ requestIds: ["1"], refused: undefined })
    const headless = auto({ canAsk: false })
    request(headless, "1")
    headless.checked(SILENT)
    expect(headless.newest("AnswerHostRequests").refused).toContain("no verdict")
  })

  it("is judged anew when mode or rules change, and not looked at when nobody waits", () => {
    const script = auto()
    request(script, "1")
    script.checked(FINE)
    request(script, "2", "b.example")
    const { checkId } = script.newest("CheckCall")
    script.feed({ _tag: "ModeChanged", mode: "default" })
    expect(script.all("AbortCheck")).toMatchObject([{ checkId }])
    expect(script.newest("AskPermission").question.summary).toBe("b.example:443")
    script.checked(FINE, checkId)
    request(script, "3")
    expect(script.all("AnswerHostRequests")).toHaveLength(1)
    const gone = auto()
    request(gone, "1")
    gone.feed({ _tag: "HostRequestEnded", requestId: "1" })
    expect([gone.all("AbortCheck").length, gone.all("WithdrawQuestion")]).toEqual([1, []])
  })

  it("gets each request one answer whatever happens", () => {
    const outcome = fc.constantFrom(FINE, BLOCKED, SILENT)
    const deed = fc.oneof(
      move,
      fc.record({ kind: fc.constant("check" as const), at: fc.nat(6), outcome }),
      fc.record({ kind: fc.constant("mode" as const), mode: fc.constantFrom("auto" as const, "default" as const) })
    )
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
        const script = auto()
        deeds.forEach((each, index) => {
          if (each.kind === "ask") request(script, `r${index}`, each.host, each.callId)
          else if (each.kind === "end") script.feed({ _tag: "HostRequestEnded", requestId: `r${each.at}` })
          else if (each.kind === "answer") script.answer(`r${each.at}`, each.yes ? YES : NO)
          else if (each.kind === "mode") script.feed({ _tag: "ModeChanged", mode: each.mode })
          else {
            const checkId = script.all("CheckCall")[each.at]?.checkId ?? "none"
            script.feed({ _tag: "CallChecked", checkId, callId: "b", outcome: each.outcome, spent: [] })
          }
        })
        const answered = script.all("AnswerHostRequests").flatMap(({ requestIds }) => requestIds)
        const open = script.state.pending.hosts.open.flatMap(({ requests }) => requests.map(({ requestId }) => requestId))
        expect(new Set([...answered, ...open]).size).toBe(answered.length + open.length)
      })
    )
  })
})
