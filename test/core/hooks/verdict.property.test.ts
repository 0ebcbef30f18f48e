import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Answer } from "../../../src/core/hooks/read-answer.ts"
import { outcomeOf } from "../../../src/core/hooks/verdict.ts"
import { answers } from "./answers.ts"

const heard = (all: ReadonlyArray<Answer>) => outcomeOf({ event: "PreToolUse", subject: "Bash", answers: all })

const RANK = { allow: 1, ask: 2, deny: 3 }
const rank = (all: ReadonlyArray<Answer>): number => {
  const { decision } = heard(all)
  return decision === undefined ? 0 : RANK[decision]
}

const shuffled = answers.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length }))
)

describe("what several hooks say together", () => {
  it("does not depend on the order in which they end, the order of contexts apart", () => {
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const { context: _first, ...one } = heard(all)
        const { context: _second, ...two } = heard(other)
        expect(two).toEqual(one)
      })
    )
  })

  it("is never loosened by one more answer", () => {
    fc.assert(
      fc.property(answers, (list) => {
        for (let count = 0; count < list.length; count++) {
          expect(rank(list.slice(0, count + 1))).toBeGreaterThanOrEqual(rank(list.slice(0, count)))
        }
      })
    )
  })

  it("tells the model of contexts in the order in which the hooks ended", () => {
    const [slow, quick] = ["slow", "quick"].map((text, by): Answer => ({
      label: text,
      by,
      ending: "success",
      effects: { additionalContext: text }
    }))
    if (slow === undefined || quick === undefined) throw new Error("two answers")
    expect(heard([quick, slow]).context).toBe(
      "PreToolUse:Bash hook additional context: quick\nPreToolUse:Bash hook additional context: slow"
    )
  })

  it("takes a changed input from the first handler in order", () => {
    const changing = (by: number, command: string): Answer => ({
      label: "",
      by,
      ending: "success",
      effects: { updatedInput: { command } }
    })
    expect(heard([changing(1, "second"), changing(0, "first")]).updatedInput).toEqual({ command: "first" })
  })
})
