import { describe, expect, it } from "vitest"
import { PromptCacheModel } from "../../support/prompt-cache-model.ts"
import { read, type ResponsePlan } from "./response-plan.ts"
import { Script } from "./script.ts"

/** How much of what is sent the endpoint has kept, by a model of its cache, over long conversations. */
interface Sums {
  read: number
  sent: number
}

const shareOver = (turns: number, callsIn: (turn: number) => number): number => {
  const cache = new PromptCacheModel()
  const sums: Sums = { read: 0, sent: 0 }
  const script = new Script({ config: { windowTokens: 100_000_000, parallelCalls: 30 } })
  const respond = (plan: ResponsePlan): void => {
    const { readTokens, promptTokens } = cache.answer(script.newest("StartRequest").request)
    sums.read += readTokens
    sums.sent += promptTokens
    script.respond(plan)
  }
  for (let turn = 0; turn < turns; turn++) {
    script.begin(`prompt ${turn}: ${"words ".repeat(20)}`)
    const ids = Array.from({ length: callsIn(turn) }, (_, index) => `c${turn}x${index}`)
    if (ids.length > 0) {
      respond({ text: "looking", calls: ids.map((id) => read(id)) })
      script.runCalls(...ids)
    }
    respond({ text: `answer ${turn}: ${"words ".repeat(50)}` })
  }
  return sums.read / sums.sent
}

describe("of what a long conversation sends", () => {
  it.each<[number, string, (turn: number) => number]>([
    [300, "without calls", () => 0],
    [300, "with up to 25 calls at once", (turn) => (turn % 10 === 0 ? turn % 26 : turn % 3)],
    [40, "with 25 calls at once", () => 25]
  ])("%i turns %s: at least 95 percent come from the cache", (turns, _name, callsIn) => {
    expect(shareOver(turns, callsIn)).toBeGreaterThanOrEqual(0.95)
  })
})
