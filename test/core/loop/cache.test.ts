import { describe, expect, it } from "vitest"
import { text } from "../../../src/core/domain/block.ts"
import { Script } from "./script.ts"

/** What the cache gave back is compared from request to request, across turns. */
const answered = (script: Script, readTokens: number): void => {
  script.begin(`prompt ${readTokens}`)
  script.respond({ text: "done", usage: { input_tokens: 10, cache_read_input_tokens: readTokens } })
}

const breaksOf = ({ state }: Script) => state.conversation.cache.breaks

describe("a conversation", () => {
  it("notices that the endpoint read much less from its cache, and that nothing of its own had changed", () => {
    const script = new Script()
    answered(script, 40_000)
    answered(script, 5_000)
    expect(breaksOf(script)).toMatchObject([{ lostTokens: 35_000, changed: { _tag: "Nothing" } }])
  })

  it("says that it was the system prompt", () => {
    const script = new Script()
    answered(script, 40_000)
    script.configure({ system: [text("another")] })
    answered(script, 5_000)
    expect(breaksOf(script)).toMatchObject([{ changed: { _tag: "System" } }])
  })

  it("does not wonder about another model, other tools or a pause", () => {
    const script = new Script()
    answered(script, 40_000)
    script.configure({ model: "offline-b" })
    answered(script, 0)
    answered(script, 40_000)
    script.feed({ _tag: "ToolsChanged", tools: script.state.toolbox.entries.slice(1) })
    answered(script, 0)
    answered(script, 40_000)
    script.now += 3_600_000
    answered(script, 0)
    expect(breaksOf(script)).toEqual([])
  })
})
