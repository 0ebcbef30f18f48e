import { describe, expect, it } from "vitest"
import { fromArray, type Log } from "../../../src/core/domain/append-list.ts"
import { Maker } from "../../support/session/build.ts"
import { read } from "./response-plan.ts"
import { Script } from "./script.ts"
import { patchConversation } from "../../../src/core/loop/machine/patch-state.ts"

/** Work per event must not grow with the conversation. Counted, not timed: every look at the arrays of the history. */
const conversation = (size: number) => {
  const maker = new Maker()
  return Array.from({ length: size / 4 }, (_, turn) => {
    const call = maker.calls(`m${turn}`, `c${turn}`)
    return [maker.prompt(`prompt ${turn}`), call, maker.result(call, `c${turn}`), maker.says(`e${turn}`, "done")]
  }).flat()
}

const counted = <A>(log: Log<A>, onTouch: () => void): Log<A> => ({
  length: log.length,
  backing: new Proxy(log.backing, {
    get: (target, key, receiver) => {
      onTouch()
      return Reflect.get(target, key, receiver)
    }
  })
})

/** A prompt, a call, its result and an answer after so many messages; touches of the history on the way. */
const touchesAfter = (size: number) => {
  const messages = conversation(size)
  const script = new Script({
    config: { windowTokens: 1_000_000_000 },
    restored: {
      messages,
      replacements: new Map(),
      totals: { models: {}, costUsd: 0, apiMs: 0 },
      tip: messages.at(-1)?.uuid ?? null,
      queue: []
    }
  })
  let touches = 0
  const onTouch = (): void => void touches++
  const { history, messages: earlier } = script.state.conversation
  script.state = patchConversation(script.state, {
    messages: counted(earlier, onTouch),
    history: { ...history, earlier: () => [], closed: counted(fromArray(history.earlier()), onTouch) }
  })
  script.begin()
  script.respond({ text: "a look", calls: [read("fresh")] })
  script.runCalls("fresh")
  script.respond({ text: "done" })
  expect(script.phase).toBe("Done")
  const inStep = touches
  const sent = script.requests.map((request) => request.messages.length)
  return { inStep, sent, whenRead: touches - inStep }
}

describe("the work of a turn", () => {
  it("is the same after 100, 1,000 and 10,000 messages, requests included", () => {
    const [small, middle, large] = [100, 1_000, 10_000].map(touchesAfter)
    expect(small?.inStep).toBeGreaterThan(0)
    expect(middle?.inStep).toBe(small?.inStep)
    expect(large?.inStep).toBe(small?.inStep)
  })

  it("leaves the messages of a request to whoever reads them, and they are all there", () => {
    const { sent, whenRead } = touchesAfter(1_000)
    expect(sent).toEqual([1_001, 1_003])
    expect(whenRead).toBeGreaterThan(1_000)
  })
})

describe("a request that is read late", () => {
  it("holds the conversation of its own moment", () => {
    const script = new Script()
    script.begin("first words")
    const [request] = script.requests
    script.respond({ text: "an answer" })
    script.begin("later words")
    expect(JSON.stringify(request)).toContain("first words")
    expect(JSON.stringify(request)).not.toContain("later words")
    expect(request?.messages).toBe(request?.messages)
  })
})
