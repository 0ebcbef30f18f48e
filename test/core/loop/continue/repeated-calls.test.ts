import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { judgeRepeats } from "../../../../src/core/loop/continue/repeated-calls.ts"
import type { RepeatedCall } from "../../../../src/core/loop/machine/state.ts"
import { turnOf } from "../../../../src/core/loop/machine/transition.ts"
import { read, returned } from "../response-plan.ts"
import { Script } from "../script.ts"

/** Responses with one call each, until the turn ends or there are so many. */
const play = (
  script: Script,
  rounds: number,
  path: (round: number) => string,
  content: (round: number) => string
): number => {
  script.begin()
  for (let round = 0; round < rounds; round++) {
    if (turnOf(script.state) === undefined) return round
    script.respond({ calls: [read(`c${round}`, path(round))] })
    script.prepare(`c${round}`)
    script.settle(`c${round}`, returned(content(round)))
  }
  return rounds
}

const advice = (script: Script): number =>
  script.state.conversation.messages.length === 0
    ? 0
    : script.emitted("MessageAdded").filter(({ message }) => JSON.stringify(message).includes("times in a row")).length

const SAME = (): string => "/project/a.txt"

describe("the same call again and again", () => {
  it("is spoken of after the third time and ends the turn after the fifth", () => {
    const script = new Script()
    expect(play(script, 9, SAME, () => "same")).toBe(5)
    expect(advice(script)).toBe(1)
    expect(script.result).toMatchObject({ terminalReason: "hook_stopped", subtype: "success" })
    expect(script.result.text).toMatch(/same Read call gave the same result 5 times/)
  })

  it.each<[string, (round: number) => string, (round: number) => string]>([
    ["another input", (round) => `/project/${round % 2}.txt`, () => "same"],
    ["another result", SAME, (round) => `line ${round}`]
  ])("is not meant with %s", (_name, path, content) => {
    const script = new Script()
    expect(play(script, 9, path, content)).toBe(9)
    expect(advice(script)).toBe(0)
  })

  it("goes on where the setting says so", () => {
    const script = new Script({ config: { repeatedCalls: 0 } })
    expect(play(script, 9, SAME, () => "same")).toBe(9)
    expect(advice(script)).toBe(0)
  })
})

describe("the judgement", () => {
  const series = (count: number): RepeatedCall => ({ tool: "Read", input: "{}", outcome: "ok", count })

  it("tells exactly once in a series and stops at its end, however many calls come at once", () => {
    const steps = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 40 }), (added, most) => {
        let [count, told] = [0, 0]
        for (const more of added) {
          const before = count === 0 ? undefined : series(count)
          count += more
          const verdict = judgeRepeats(before, series(count), most)
          expect(verdict === "stop").toBe(count >= most)
          if (verdict === "stop") break
          if (verdict === "tell") told++
          expect(told).toBe(count >= Math.max(2, most - 2) ? 1 : 0)
        }
      })
    )
  })

  it("never says anything when it is off", () => {
    fc.assert(fc.property(fc.nat(), (count) => judgeRepeats(undefined, series(count), 0) === "goOn"))
  })
})
