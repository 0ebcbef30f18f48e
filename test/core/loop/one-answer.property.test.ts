import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Occurrence, PermissionAnswer } from "../../../src/core/loop/machine/event.ts"
import { bash } from "./response-plan.ts"
import { called, type Script } from "./script.ts"

/**
 * Invariant 9 of spec 03: a request resolves exactly once, whatever the interleaving of those who decide. Dialog, host,
 * hook, classifier and prompt tool all speak with the same event; the first one counts.
 */
const ANSWERS: ReadonlyArray<PermissionAnswer> = [
  { behavior: "allow" },
  { behavior: "allow", updatedInput: { command: "git status" } },
  { behavior: "allow", updatedInput: { command: "git push --dry-run" } },
  {
    behavior: "allow",
    updates: [{ type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "session" }]
  },
  { behavior: "deny", message: "no" },
  { behavior: "deny", message: "stop", interrupt: true }
]

const asked = (): Script => called({}, bash("b", "git push"), bash("c", "git fetch"))

/** Everything that the request came to: how often it started and with what, how often it was refused, what was kept. */
const resolutionOf = (script: Script) => ({
  started: script
    .all("StartCall")
    .filter(({ callId }) => callId === "b")
    .map(({ input }) => input.value),
  refused: script.emitted("PermissionDenied").filter(({ callId }) => callId === "b").length,
  rules: script.state.permission.rules.map(({ behavior, tool }) => `${behavior} ${tool}`)
})

type Resolution = ReturnType<typeof resolutionOf>

/** What each answer comes to when it is the only one. */
const ALONE: ReadonlyMap<PermissionAnswer, Resolution> = new Map(
  ANSWERS.map((answer) => {
    const script = asked()
    script.answer("b", answer)
    script.prepare("b")
    return [answer, resolutionOf(script)]
  })
)

const expectOnce = ({ started, refused }: Resolution): void => {
  expect(started.length + refused).toBe(1)
}

describe("9: a request is resolved exactly once", () => {
  it("by the first of any three answers, before and after the changed input was looked at again", () => {
    for (const [first, expected] of ALONE) {
      expectOnce(expected)
      for (const second of ANSWERS) {
        for (const third of ANSWERS) {
          const script = asked()
          script.answer("b", first)
          script.answer("b", second)
          script.prepare("b")
          script.answer("b", third)
          expect(resolutionOf(script)).toEqual(expected)
        }
      }
    }
  })

  const NOISE: ReadonlyArray<Occurrence> = [
    { _tag: "CallProgressed", callId: "b", progress: {} },
    { _tag: "CallRefused", callId: "c", message: "gone" },
    { _tag: "PermissionAnswered", callId: "other", answer: { behavior: "allow" } },
    { _tag: "ModeChanged", mode: "acceptEdits" },
    { _tag: "HooksSettled", hookId: "pre:b", outcome: { decision: "allow" } },
    { _tag: "TimerFired", timerId: "none" }
  ]

  it("by the first of any number of answers among anything else that happens", () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...ANSWERS).map((answer) => ({ answer })) },
      { weight: 2, arbitrary: fc.constantFrom(...NOISE).map((noise) => ({ noise })) },
      { weight: 1, arbitrary: fc.constant({ prepare: true as const }) }
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const script = asked()
        const first = steps.flatMap((each) => ("answer" in each ? [each.answer] : []))[0]
        for (const each of steps) {
          if ("answer" in each) script.answer("b", each.answer)
          else if ("noise" in each) script.feed(each.noise)
          else script.prepare("b")
        }
        script.prepare("b")
        const resolution = resolutionOf(script)
        if (first === undefined) expect(resolution).toMatchObject({ started: [], refused: 0 })
        else {
          expectOnce(resolution)
          expect(resolution).toEqual(ALONE.get(first))
        }
      }),
      { numRuns: 300 }
    )
  })

  it("not at all by an answer that comes after the question was withdrawn", () => {
    for (const answer of ANSWERS) {
      const script = asked()
      script.interrupt()
      const before = resolutionOf(script)
      script.answer("b", answer)
      expect(resolutionOf(script)).toEqual(before)
      expect(before).toMatchObject({ started: [], refused: 0 })
    }
  })

  it("and has one result in the conversation, whoever answers how often", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ANSWERS), { minLength: 1, maxLength: 6 }), (answers) => {
        const script = asked()
        for (const answer of answers) script.answer("b", answer)
        script.prepare("b")
        for (const answer of answers) script.answer("b", answer)
        script.settle("b")
        script.settle("b")
        const written = script.all("Persist").flatMap(({ messages }) => messages)
        expect(written.filter((message) => isResultOf("b", message))).toHaveLength(1)
      }),
      { numRuns: 100 }
    )
  })
})

const isResultOf = (callId: string, message: unknown): boolean =>
  JSON.stringify(message).includes(`"tool_use_id":"${callId}"`)
