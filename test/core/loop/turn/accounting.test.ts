import { describe, expect, it } from "vitest"
import { type Usage, zeroUsage } from "../../../../src/core/domain/usage.ts"
import type { Occurrence } from "../../../../src/core/loop/machine/event.ts"
import { recordUsage, type ResponseUsage, spentOn } from "../../../../src/core/loop/turn/accounting.ts"
import { loopState } from "../../../support/loop-fixture.ts"

const used = (input: number, output: number): Usage => ({
  ...zeroUsage,
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: 7,
  cache_creation: { ephemeral_1h_input_tokens: 3, ephemeral_5m_input_tokens: 4 },
  server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
  service_tier: "standard"
})

const response: Occurrence = { _tag: "StreamEnded", requestId: "r" }

describe("what an event spent", () => {
  it("is what was added, also for models with names that every object has", () => {
    const first = recordUsage(loopState(), { model: "constructor", usage: used(100, 10) })
    const second = recordUsage(first, { model: "constructor", usage: used(1_000, 20) })
    const third = recordUsage(second, { model: "other", usage: used(5, 1) })
    expect(spentOn(response, loopState().totals, first.totals)).toEqual([
      { model: "constructor", usage: { ...used(100, 10), service_tier: "standard" } }
    ])
    expect(spentOn(response, first.totals, second.totals)).toEqual([{ model: "constructor", usage: used(1_000, 20) }])
    expect(spentOn(response, second.totals, third.totals)).toEqual([{ model: "other", usage: used(5, 1) }])
    expect(spentOn(response, third.totals, { ...third.totals, apiMs: 9 })).toEqual([])
  })

  it("keeps responses apart that came with one event, because long ones have other prices", () => {
    const spent: ReadonlyArray<ResponseUsage> = [
      { model: "m", usage: used(150_000, 1) },
      { model: "m", usage: used(150_000, 2) }
    ]
    const before = loopState()
    const after = spent.reduce(recordUsage, before)
    expect(spentOn({ _tag: "SpentBeside", spent }, before.totals, after.totals)).toBe(spent)
  })
})
