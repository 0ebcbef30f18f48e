import { describe, expect, it } from "vitest"
import { MOST_OBJECTIONS, NO_OBJECTIONS } from "../../../../src/core/permission/classifier/objections.ts"
import { DEFAULT_AUTO } from "../../../../src/core/permission/auto-mode-lists.ts"
import { type Route, type Routed, routeOf } from "../../../../src/core/permission/classifier/route.ts"
import type { Need } from "../../../../src/core/permission/need.ts"
import { type Decision, PERMISSION_MODES, type Verdict } from "../../../../src/core/permission/verdict.ts"
import { contextFor, shell } from "../fixture.ts"

const VERDICTS: ReadonlyArray<Verdict> = ["allow", "ask", "deny"]
const FLAGS = [false, true]
const NEEDS: ReadonlyArray<Need> = [shell("make"), { kind: "read", path: "/etc/passwd" }, { kind: "other" }]
const COUNTS = [
  NO_OBJECTIONS,
  { consecutive: 2, total: 19 },
  { ...NO_OBJECTIONS, consecutive: MOST_OBJECTIONS.consecutive },
  { ...NO_OBJECTIONS, total: MOST_OBJECTIONS.total }
]
const INPUTS = ["", "input", "x".repeat(100_001)]

/** Every combination, and what the specification says about it in one place. */
const cases = PERMISSION_MODES.flatMap((mode) =>
  VERDICTS.flatMap((verdict) =>
    FLAGS.flatMap((immune) =>
      FLAGS.flatMap((approvable) =>
        NEEDS.flatMap((need) =>
          FLAGS.flatMap((available) =>
            FLAGS.flatMap((wide) =>
              INPUTS.flatMap((input) =>
                COUNTS.map((objections) => ({ mode, verdict, immune, approvable, need, available, wide, input, objections }))
              )
            )
          )
        )
      )
    )
  )
)

type Each = (typeof cases)[number]

const routed = ({ mode, verdict, immune, approvable, need, available, wide, input, objections }: Each): Routed => {
  const decision: Decision = {
    verdict,
    reason: { type: "other", sentence: "why" },
    ...(immune ? { immune } : {}),
    ...(approvable ? { classifierApprovable: approvable } : {})
  }
  const auto = { ...DEFAULT_AUTO, classifyAllShell: wide, duringPlan: wide }
  return { decision, context: { ...contextFor({}), mode, autoAvailable: available, auto }, needs: [need], input, objections }
}

const expected = (each: Each): Route["to"] => {
  const { mode, verdict, immune, approvable, need, available, wide, input, objections } = each
  const isShell = need.kind === "shell"
  const isAuto = mode === "auto" && available
  const answers = isAuto || (mode === "plan" && available && wide && isShell)
  const isAsk = verdict === "ask" && approvable && !immune && answers
  const isLookedAt = verdict === "allow" && isAuto && wide && isShell
  if (!isAsk && !isLookedAt) return "decision"
  if (input === "") return "allow"
  return input.length > 100_000 || objections.consecutive >= 3 || objections.total >= 20 ? "person" : "classifier"
}

describe("who answers", () => {
  it("is the same in every combination of mode, verdict, need, setting, input and count", () => {
    expect(cases.length).toBeGreaterThan(5_000)
    for (const each of cases) expect([each, routeOf(routed(each)).to]).toEqual([each, expected(each)])
  })

  it("is never the classifier for a denial or an immune question", () => {
    for (const each of cases.filter(({ verdict, immune }) => verdict === "deny" || (verdict === "ask" && immune))) {
      expect(routeOf(routed(each)).to).toBe("decision")
    }
  })

  it("is a user after three objections in a row or twenty in all", () => {
    const [ask] = cases.filter(
      ({ mode, verdict, approvable, immune, input, available }) =>
        mode === "auto" && verdict === "ask" && approvable && !immune && input === "input" && available
    )
    if (ask === undefined) throw new Error("no case")
    const routeAfter = (objections: Each["objections"]) => routeOf(routed({ ...ask, objections }))
    expect(routeAfter({ consecutive: 3, total: 3 })).toMatchObject({
      to: "person",
      because: expect.stringContaining("3 actions in a row") as string
    })
    expect(routeAfter({ consecutive: 0, total: 20 })).toMatchObject({
      to: "person",
      because: expect.stringContaining("20 actions") as string
    })
  })
})
