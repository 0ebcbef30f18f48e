import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  afterAllow,
  afterApproval,
  afterObjection,
  type ObjectionCount,
  tooManyObjections,
  NO_OBJECTIONS
} from "../../../../src/core/permission/classifier/objections.ts"
import { BUILT_IN_LISTS, withDefaults } from "../../../../src/core/permission/auto-mode-lists.ts"
import { applyOutcome, readVerdict } from "../../../../src/core/permission/classifier/outcome.ts"
import type { Decision } from "../../../../src/core/permission/verdict.ts"

describe("the answer of a classifier", () => {
  it.each([
    ['{"block": false}', false],
    ['{"block": true}', true],
    ['```json\n{"block": true, "reason": "r", "category": "c"}\n```', true],
    ['<reasoning>it says {"block": false} but</reasoning>\n{"block": true, "reason": "r"}', true],
    ['  {"block":false,"reason":"has } and { in it","more":1}\n', false]
  ])("%s", (text, block) => {
    expect(readVerdict(text)).toMatchObject({ _tag: "Judged", block })
  })

  it.each([
    "",
    "   ",
    "no",
    "{}",
    "null",
    "[]",
    '{"block": "false"}',
    '{"block": 0}',
    '{"block": null}',
    '{"allow": true}',
    '{"block": false',
    "block: false",
    '{"block": false} {"block": true}',
    '{"block": false, "reason": 3}',
    '<reasoning>{"block": false}</reasoning>'
  ])("is none when it is %j", (text) => {
    expect(readVerdict(text)).toMatchObject({ _tag: "NoVerdict", why: "unparsable" })
  })

  it("never throws and never lets through what does not say so in JSON", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readVerdict(text)
        expect(read._tag === "NoVerdict" || text.includes('"block"')).toBe(true)
      })
    )
  })
})

const asked: Decision = {
  verdict: "ask",
  reason: { type: "other", sentence: "The command `x` needs approval" },
  classifierApprovable: true,
  remedy: "do y",
  trace: [{ step: "ask", result: "hit", detail: "d" }]
}

describe("a decision with the classifier's word", () => {
  it("is an allow, a denial with the reason, or still a question", () => {
    const said = { _tag: "Judged", reason: "It harms.", category: "destructive" } as const
    expect(applyOutcome(asked, { ...said, block: false })).toMatchObject({
      verdict: "allow",
      reason: { type: "classifier" }
    })
    expect(applyOutcome(asked, { ...said, block: true })).toMatchObject({
      verdict: "deny",
      remedy: "do y",
      reason: { type: "classifier", sentence: "The auto mode classifier blocked it (destructive): It harms" }
    })
    for (const why of ["unavailable", "timeout", "unparsable", "refused"] as const) {
      const folded = applyOutcome(asked, { _tag: "NoVerdict", why, detail: "d" })
      expect(folded.verdict).toBe("ask")
      expect(folded.reason.sentence).toMatch(/needs approval; the classifier/)
    }
  })

  it("shows what the classifier wrote without its control characters", () => {
    const { reason } = applyOutcome(asked, { _tag: "Judged", block: true, reason: "a\u001b[2Jb\u202e", category: "x\n" })
    expect(reason.sentence).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it("says in its trace that it was asked", () => {
    const { trace } = applyOutcome(asked, { _tag: "Judged", block: false, reason: "", category: "" })
    expect(trace?.map(({ step }) => step)).toEqual(["ask", "classifier"])
  })
})

/** The rule in words: what each of the three does to the two counts. */
const after = (count: ObjectionCount, deed: "block" | "allow" | "approve"): ObjectionCount => {
  if (deed === "block") return afterObjection(count)
  return deed === "allow" ? afterAllow(count) : afterApproval(count)
}

describe("counting objections", () => {
  it("asks a user at three in a row and at twenty in all, and not before", () => {
    const deeds = fc.array(fc.constantFrom("block" as const, "block" as const, "allow" as const), { maxLength: 60 })
    fc.assert(
      fc.property(deeds, (list) => {
        const count = list.reduce(after, NO_OBJECTIONS)
        const total = list.filter((deed) => deed === "block").length
        const consecutive = total === 0 ? 0 : list.length - 1 - list.lastIndexOf("allow")
        expect(count).toEqual({ consecutive, total })
        expect(tooManyObjections(count) !== undefined).toBe(consecutive >= 3 || total >= 20)
      })
    )
  })

  it("goes on after an approval", () => {
    for (const count of [
      { consecutive: 3, total: 3 },
      { consecutive: 5, total: 19 },
      { consecutive: 1, total: 20 },
      { consecutive: 4, total: 24 }
    ]) {
      expect(tooManyObjections(count)).toBeDefined()
      expect(tooManyObjections(afterApproval(count))).toBeUndefined()
    }
    expect(afterApproval({ consecutive: 3, total: 3 })).toEqual({ consecutive: 0, total: 3 })
  })
})

describe("lists of the settings", () => {
  it("replace the built-in ones, or hold them where they say so", () => {
    const { allow } = BUILT_IN_LISTS
    expect(withDefaults(undefined, allow)).toEqual(allow)
    expect(withDefaults([], allow)).toEqual([])
    expect(withDefaults(["mine"], allow)).toEqual(["mine"])
    expect(withDefaults(["mine", "$defaults", "more"], allow)).toEqual(["mine", ...allow, "more"])
    expect(withDefaults(["$defaults", "$defaults"], allow)).toEqual(allow)
  })
})
