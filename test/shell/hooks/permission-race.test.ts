import { describe, expect, it } from "vitest"
import type { PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import type { Decision } from "../../../src/core/permission/verdict.ts"
import { firstAnswer, readHookDecision, type Decider } from "../../../src/shell/hooks/permission-race.ts"

const ALLOW: PermissionAnswer = { behavior: "allow", updates: [] }
const DENY: PermissionAnswer = { behavior: "deny", message: "no" }
const OTHERWISE: PermissionAnswer = { behavior: "deny", message: "nobody" }

/** Deciders whose answers the test gives, and what became of them. */
const racing = (count: number) => {
  const settles: Array<(answer: PermissionAnswer | undefined) => void> = []
  const calledOff: Array<number> = []
  const replies: Array<PermissionAnswer> = []
  const deciders = Array.from({ length: count }, (_, index): Decider => (settle) => {
    settles[index] = settle
    return () => void calledOff.push(index)
  })
  const withdraw = firstAnswer({ deciders, reply: (answer) => void replies.push(answer), otherwise: OTHERWISE })
  return { settle: (index: number, answer?: PermissionAnswer) => settles[index]?.(answer), calledOff, replies, withdraw }
}

describe("several who may answer one question", () => {
  it("the first one does, and the others are called off", () => {
    const race = racing(3)
    race.settle(1, DENY)
    race.settle(0, ALLOW)
    race.settle(2, ALLOW)
    expect(race.replies).toEqual([DENY])
    expect(race.calledOff).toEqual(expect.arrayContaining([0, 2]))
  })

  it("whoever has nothing to say does not end it for the others", () => {
    const race = racing(2)
    race.settle(0)
    expect(race.replies).toEqual([])
    race.settle(1, ALLOW)
    expect(race.replies).toEqual([ALLOW])
  })

  it("nobody says anything, or nobody is there: that is a refusal", async () => {
    const race = racing(2)
    race.settle(1)
    race.settle(0)
    expect(race.replies).toEqual([OTHERWISE])
    const empty: Array<PermissionAnswer> = []
    firstAnswer({ deciders: [], reply: (answer) => void empty.push(answer), otherwise: OTHERWISE })
    await Promise.resolve()
    expect(empty).toEqual([OTHERWISE])
  })

  it("one that answers at once leaves the rest alone", () => {
    const begun: Array<string> = []
    const replies: Array<PermissionAnswer> = []
    const quick: Decider = (settle) => {
      settle(ALLOW)
      return () => {}
    }
    const slow: Decider = () => {
      begun.push("slow")
      return () => {}
    }
    firstAnswer({ deciders: [quick, slow], reply: (answer) => void replies.push(answer), otherwise: OTHERWISE })
    expect({ begun, replies }).toEqual({ begun: [], replies: [ALLOW] })
  })

  it("a question that is withdrawn gets no answer, and all are called off once", () => {
    const race = racing(2)
    race.withdraw()
    race.withdraw()
    race.settle(0, ALLOW)
    expect(race.replies).toEqual([])
    expect(race.calledOff).toEqual([0, 1])
  })
})

describe("the word of a PermissionRequest hook", () => {
  const plain: Decision = { verdict: "ask", reason: { type: "mode", mode: "default", sentence: "" } }
  it.each([
    [
      { behavior: "allow", updatedInput: { command: "ls" } },
      { behavior: "allow", updatedInput: { command: "ls" } }
    ],
    [
      { behavior: "deny", message: "not now", interrupt: true },
      { behavior: "deny", message: "not now", interrupt: true }
    ]
  ])("%j counts", (output, answer) => {
    expect(readHookDecision(output, plain)).toMatchObject(answer)
  })

  it("is none where no hook said anything", () => {
    expect(readHookDecision(undefined, plain)).toBeUndefined()
  })

  it.each<[string, Partial<Decision>]>([
    ["a rule asks", { reason: { type: "rule", rule: "Bash(x)", source: "userSettings", sentence: "" } }],
    ["nothing may turn it into allow", { immune: true }],
    ["a user has to answer", { reason: { type: "requiresInteraction", sentence: "" } }]
  ])("allows nothing where %s, but may deny", (_why, fields) => {
    const decision = { ...plain, ...fields }
    expect(readHookDecision({ behavior: "allow" }, decision)).toBeUndefined()
    expect(readHookDecision({ behavior: "deny" }, decision)).toMatchObject({ behavior: "deny" })
  })
})
