import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { judgeTarget, targetOf } from "../../../../src/core/loop/continue/token-target.ts"
import type { TokenTarget } from "../../../../src/core/loop/machine/state.ts"
import { turnOf } from "../../../../src/core/loop/machine/transition.ts"
import { Script } from "../script.ts"

const words = (script: Script): string => JSON.stringify(script.newest("StartRequest").request.messages.at(-1))

const answer = (script: Script, output_tokens: number): void => script.respond({ text: "done", usage: { output_tokens } })

describe("a prompt with a target", () => {
  it("sends the model on until nine tenths are spent, says how much is, and says in the end why it stopped", () => {
    const script = new Script()
    script.begin("find every bug +10k")
    expect(words(script)).toContain("10k tokens of work")
    answer(script, 4_000)
    expect(words(script)).toContain("4k of 10k (40%) tokens are spent")
    answer(script, 4_999)
    expect(turnOf(script.state)?.target).toMatchObject({ continuations: 2, spentBefore: 8_999, gainedBefore: 4_999 })
    answer(script, 1)
    expect(script.result.terminalReason).toBe("completed")
    expect(script.emitted("Notice").at(-1)?.text).toBe("token target: 9k of 10k (90%), reached, continued 2 times")
  })

  it("gives up when little comes of it", () => {
    const script = new Script()
    script.begin("+1m")
    for (let round = 0; turnOf(script.state) !== undefined && round < 10; round++) answer(script, 100)
    expect(script.result.terminalReason).toBe("completed")
    expect(script.emitted("Notice").at(-1)?.text).toMatch(/little gain, continued 3 times$/)
  })

  it("keeps to the number of turns, and is not set by tasks", () => {
    const limited = new Script({ config: { maxTurns: 1 } })
    limited.begin("+1m")
    answer(limited, 100)
    expect(limited.result.terminalReason).toBe("completed")
    const task = new Script()
    task.feed({
      _tag: "PromptSubmitted",
      uuid: "t",
      content: "+1m",
      priority: "next",
      origin: "task",
      appendOnly: false
    })
    expect(turnOf(task.state)?.wishes.targetTokens).toBeUndefined()
  })

  it("always ends: whatever is gained, either the target comes nearer by 500 tokens in two rounds, or it stops", () => {
    const gains = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 300, maxLength: 300 })
    fc.assert(
      fc.property(gains, (all) => {
        let target: TokenTarget = targetOf(50_000)
        let spent = 0
        for (const gain of all) {
          spent += gain
          const verdict = judgeTarget(target, spent)
          if (verdict._tag === "Stop") return
          target = {
            tokens: target.tokens,
            continuations: target.continuations + 1,
            spentBefore: spent,
            gainedBefore: verdict.gained
          }
        }
        throw new Error("it never ended")
      })
    )
  })
})

describe("ultrathink", () => {
  it("is told beside the prompt, once, and changes nothing else of the request", () => {
    const script = new Script()
    script.begin("ultrathink about it")
    const { messages, thinking } = script.newest("StartRequest").request
    expect(JSON.stringify(messages).match(/deepest thinking/g)).toHaveLength(1)
    const plain = new Script()
    plain.begin("think about it")
    expect(thinking).toEqual(plain.newest("StartRequest").request.thinking)
    expect(JSON.stringify(plain.newest("StartRequest").request.messages)).not.toContain("deepest thinking")
  })
})
