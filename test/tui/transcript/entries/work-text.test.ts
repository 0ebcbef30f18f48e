import { describe, expect, it } from "vitest"
import type { AgentState, Phase } from "../../../../src/core/loop/machine/state.ts"
import { assemble, emptyAssembly } from "../../../../src/core/model/stream/assemble.ts"
import type { ModelEvent } from "../../../../src/core/model/stream/model-event.ts"
import { emptyTranscript } from "../../../../src/tui/transcript/state.ts"
import { workText } from "../../../../src/tui/transcript/entries/work-text.ts"
import { loopState } from "../../../support/loop-fixture.ts"
import { played } from "../sample.ts"
import { openTurn } from "../../../../src/core/loop/turn/start-turn.ts"
import { setPhase } from "../../../../src/core/loop/machine/patch-state.ts"

const inPhase = (phase: Phase): AgentState => setPhase(openTurn(loopState(), "p"), phase)
const NOW = { now: 5_000, heardAt: 4_000 }

const streaming = (events: ReadonlyArray<ModelEvent>): AgentState =>
  inPhase({
    _tag: "Streaming",
    requestId: "r",
    apiRequestId: undefined,
    held: undefined,
    assembly: events.reduce((assembly, event) => assemble(assembly, event).assembly, emptyAssembly)
  })

const START: ModelEvent = { type: "message_start", message: { id: "m", model: "x" } }
const begun = (type: string): ModelEvent => ({
  type: "content_block_start",
  index: 0,
  content_block: { type, text: "", thinking: "", signature: "", id: "c", name: "Bash", input: {} }
})

describe("what the turn is doing", () => {
  it.each<[string, AgentState, string | undefined]>([
    ["nothing", loopState(), undefined],
    ["a request", inPhase({ _tag: "Requesting", requestId: "r" }), "waiting for the model"],
    ["an empty stream", streaming([START]), "waiting for the model"],
    ["a thought", streaming([START, begun("thinking")]), "thinking"],
    ["an answer", streaming([START, begun("text")]), "writing"],
    [
      "a compaction",
      inPhase({ _tag: "Compacting", compactionId: "c", rescue: undefined, leaveOut: 0, tooLong: 0 }),
      "compacting"
    ]
  ])("names %s", (_, state, words) => {
    expect(workText(state, emptyTranscript, NOW)).toBe(words)
  })

  it("says how long nothing came", () => {
    expect(workText(streaming([START, begun("text")]), emptyTranscript, { now: 30_000, heardAt: 6_000 })).toBe("stalled 24s")
  })

  it("counts down to the next try", () => {
    const transcript = played([
      {
        _tag: "RetryScheduled",
        uuid: "r",
        attempt: 2,
        maxRetries: 10,
        delayMs: 10_000,
        status: 529,
        errorClass: "overloaded",
        text: "busy"
      }
    ])
    const state = inPhase({ _tag: "Waiting" })
    expect(workText(state, transcript, { now: 2_000, heardAt: 0 })).toBe("retrying in 8s (attempt 2/10)")
  })
})
