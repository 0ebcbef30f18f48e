import { describe, expect, it } from "vitest"
import type { ContinueReason, TerminalReason } from "../../../../src/core/loop/machine/reasons.ts"
import type { TurnResult } from "../../../../src/core/loop/machine/emission.ts"
import { permissions, toolsFor } from "../../../support/loop-fixture.ts"
import { LONG } from "../arbitrary-event.ts"
import { bash, failure, malformed, OVERLOADED, read, returned, TOO_LONG } from "../response-plan.ts"
import { afterOneTurn, Script } from "../script.ts"
import { phaseOf, turnOf } from "../../../../src/core/loop/machine/transition.ts"

/** Every way a turn goes on and every way it ends, each reached once; a reason without a way does not compile. */
const SCHEMA = { type: "object", properties: { n: { type: "number" } } }
const WITH_SCHEMA = { config: { jsonSchema: SCHEMA }, tools: toolsFor({ schema: SCHEMA }) }
const IMAGE_REFUSED = failure({ status: 400, message: "image exceeds 5 MB maximum" })
const ALLOWED = permissions({ mode: "bypassPermissions" })

const begun = (...parameters: ConstructorParameters<typeof Script>): Script => {
  const script = new Script(...parameters)
  script.begin()
  return script
}

/** Answers and calls so large that the window is full again after every compaction. */
const refilled = (): Script => {
  const script = afterOneTurn({ config: { windowTokens: 12_000 } })
  script.begin("again")
  for (let round = 0; turnOf(script.state) !== undefined && round < 30; round++) {
    if (script.phase === "Compacting") script.compacted()
    script.respond({ calls: [read(`call${round}`)] })
    script.prepare(`call${round}`)
    script.settle(`call${round}`, returned(LONG))
  }
  return script
}

const WAYS_ON: Readonly<Record<ContinueReason, () => Script>> = {
  token_budget_continuation: () => {
    const script = new Script()
    script.begin("think about it +50k")
    script.respond({ text: "done" })
    return script
  },
  next_turn: () => {
    const script = begun()
    script.respond({ calls: [read("a")] })
    script.runCalls("a")
    return script
  },
  reactive_compact_retry: () => {
    const script = afterOneTurn()
    script.begin()
    script.fail(TOO_LONG)
    script.compacted()
    return script
  },
  media_strip_retry: () => {
    const script = begun()
    script.fail(IMAGE_REFUSED)
    return script
  },
  max_output_tokens_escalate: () => {
    const script = begun()
    script.respond({ text: "cut", stop: "max_tokens" })
    return script
  },
  max_output_tokens_recovery: () => {
    const script = begun({ config: { explicitOutputTokens: 4_000 } })
    script.respond({ text: "cut", stop: "max_tokens" })
    return script
  },
  stop_hook_blocking: () => {
    const script = begun({ config: { hookEvents: ["Stop"] } })
    script.respond({ text: "done?" })
    script.hooks({ block: "not yet" })
    return script
  },
  structured_output_retry: () => {
    const script = begun(WITH_SCHEMA)
    script.respond({ text: "no output" })
    return script
  },
  fallback_retry: () => {
    const script = begun({ config: { fallbackModels: ["offline-b"] } })
    script.fail(failure({ status: 404, message: "model: offline" }))
    return script
  },
  malformed_tool_retry: () => {
    const script = begun()
    script.respond({ calls: [malformed("a")] })
    return script
  },
  empty_response_retry: () => {
    const script = begun()
    script.respond({})
    return script
  },
  refusal_retry: () => {
    const script = begun()
    script.respond({ text: "I will not", stop: "refusal" })
    return script
  }
}

describe.each(Object.entries(WAYS_ON))("the turn goes on: %s", (reason, reach) => {
  it("with one more request, and the reason is kept", () => {
    const script = reach()
    expect(turnOf(script.state)?.transition).toBe(reason)
    expect(script.phase).toBe("Requesting")
    expect(script.results.length).toBeLessThan(script.all("Persist").filter(({ ack }) => ack !== undefined).length)
  })
})

interface End {
  readonly reach: () => Script
  readonly result: Partial<TurnResult>
}

const interruptedWhile =
  (act: (script: Script) => void): (() => Script) =>
  () => {
    const script = begun({ permission: ALLOWED })
    act(script)
    script.interrupt()
    return script
  }

const ENDS: Readonly<Record<TerminalReason, End>> = {
  completed: {
    reach: () => {
      const script = begun()
      script.respond({ text: "fine" })
      return script
    },
    result: { subtype: "success", isError: false, errors: [], numTurns: 1, text: "fine", stopReason: "end_turn" }
  },
  aborted_streaming: {
    reach: interruptedWhile((script) => script.startResponse()),
    result: {
      subtype: "error_during_execution",
      isError: true,
      numTurns: 1,
      errors: ["Request was interrupted by the user."]
    }
  },
  aborted_tools: {
    reach: interruptedWhile((script) => script.respond({ calls: [bash("a", "ls")] })),
    result: {
      subtype: "error_during_execution",
      isError: true,
      numTurns: 1,
      errors: ["Request was interrupted by the user while tools were running."]
    }
  },
  hook_stopped: {
    reach: () => {
      const script = begun({ config: { hookEvents: ["UserPromptSubmit"] } })
      script.hooks({ block: "not on a Friday" })
      return script
    },
    result: { subtype: "success", isError: false, errors: [], text: expect.stringContaining("not on a Friday"), numTurns: 1 }
  },
  stop_hook_prevented: {
    reach: () => {
      const script = begun({ config: { hookEvents: ["Stop"] } })
      script.respond({ text: "fine" })
      script.hooks({ stop: "enough for today" })
      return script
    },
    result: { subtype: "success", isError: false, errors: [], text: "enough for today" }
  },
  max_turns: {
    reach: () => {
      const script = begun({ config: { maxTurns: 2 } })
      for (const id of ["a", "b"]) {
        script.respond({ calls: [read(id)] })
        script.runCalls(id)
      }
      return script
    },
    result: { subtype: "error_max_turns", isError: true, numTurns: 3, errors: ["Reached maximum number of turns (2)"] }
  },
  budget_exhausted: {
    reach: () => {
      const script = begun({ config: { model: "claude-opus-4-6", maxBudgetUsd: 0.01 } })
      script.respond({ calls: [read("a")], usage: { input_tokens: 50_000 } })
      script.runCalls("a")
      return script
    },
    result: { subtype: "error_max_budget_usd", isError: true, numTurns: 1, errors: ["Reached maximum budget ($0.01)"] }
  },
  structured_output_retry_exhausted: {
    reach: () => {
      const script = begun({ ...WITH_SCHEMA, config: { jsonSchema: SCHEMA, structuredRetries: 1 } })
      script.respond({ calls: [{ id: "a", name: "StructuredOutput", input: { n: "x" } }] })
      script.prepare("a")
      script.settle("a", { _tag: "Failed", message: "n: must be a number" })
      return script
    },
    result: { subtype: "error_max_structured_output_retries", isError: true, numTurns: 1 }
  },
  prompt_too_long: {
    reach: () => {
      const script = begun()
      script.fail(TOO_LONG)
      return script
    },
    result: {
      subtype: "success",
      isError: true,
      text: "Prompt is too long",
      apiErrorStatus: 400,
      errors: [],
      numTurns: 1
    }
  },
  image_error: {
    reach: () => {
      const script = begun()
      script.fail(IMAGE_REFUSED)
      script.fail(IMAGE_REFUSED)
      return script
    },
    result: {
      subtype: "success",
      isError: true,
      apiErrorStatus: 400,
      text: "API Error: 400 image exceeds 5 MB maximum"
    }
  },
  model_error: {
    reach: () => {
      const script = begun()
      script.respond({ text: "I will not.", stop: "refusal" })
      script.respond({ text: "I still will not.", stop: "refusal" })
      return script
    },
    result: { subtype: "success", isError: true, text: expect.stringContaining("declined"), errors: [] }
  },
  api_error: {
    reach: () => {
      const script = begun()
      script.fail(failure({ status: 403, message: "no access" }))
      return script
    },
    result: {
      subtype: "success",
      isError: true,
      apiErrorStatus: 403,
      text: expect.stringMatching(/^API Error: 403 no access/)
    }
  },
  blocking_limit: {
    reach: () => {
      const script = afterOneTurn({ config: { autoCompact: false, windowTokens: 12_000 } })
      script.begin("x".repeat(80_000))
      return script
    },
    result: {
      subtype: "error_during_execution",
      isError: true,
      errors: [
        "Context limit reached · /compact or /clear to continue · auto-compact is off (autoCompactEnabled turns it on)"
      ]
    }
  },
  rapid_refill_breaker: {
    reach: refilled,
    result: {
      subtype: "error_during_execution",
      isError: true,
      errors: [expect.stringContaining("filled up again"), expect.stringMatching(/a tool result \(about \d+ tokens\)/)]
    }
  },
  malformed_tool_use_exhausted: {
    reach: () => {
      const script = begun()
      for (const id of ["a", "b", "c"]) script.respond({ calls: [malformed(id)] })
      return script
    },
    result: {
      subtype: "error_during_execution",
      isError: true,
      numTurns: 3,
      errors: [expect.stringContaining("invalid JSON")]
    }
  }
}

describe.each(Object.entries(ENDS))("the turn ends: %s", (reason, { reach, result }) => {
  it("with exactly one result, of this shape", () => {
    const script = reach()
    const last = script.results.at(-1)
    expect(last).toMatchObject({ ...result, terminalReason: reason })
    expect(script.results.filter(({ promptUuid }) => promptUuid === last?.promptUuid)).toHaveLength(1)
    expect(phaseOf(script.state)).toEqual({ _tag: "Done", reason })
    expect(turnOf(script.state)).toBeUndefined()
  })
})

describe("a result", () => {
  it("carries times, usage, cost and denials of its turn", () => {
    const script = new Script({ config: { model: "claude-opus-4-6", canAsk: false } })
    script.begin()
    script.respond({ calls: [bash("a", "rm -rf build")], usage: { input_tokens: 1_000, output_tokens: 100 } })
    script.prepare("a")
    script.respond({ text: "could not", usage: { input_tokens: 2_000, output_tokens: 200 } })
    const { usage, totalCostUsd, denials, durationMs, durationApiMs, ttftMs } = script.result
    expect(usage).toMatchObject({ input_tokens: 3_000, output_tokens: 300 })
    expect(totalCostUsd).toBeCloseTo((3_000 * 5 + 300 * 25) / 1_000_000)
    expect(denials).toEqual([{ tool_name: "Bash", tool_use_id: "a", tool_input: { command: "rm -rf build" } }])
    expect(durationMs).toBeGreaterThan(durationApiMs)
    expect(durationApiMs).toBeGreaterThan(0)
    expect(ttftMs).toBeGreaterThan(0)
  })

  it("counts its own turn's usage and the conversation's cost", () => {
    const script = afterOneTurn({ config: { model: "claude-opus-4-6" } })
    const [first] = script.results
    script.begin("second")
    script.respond({ text: "fine" })
    expect(script.result.usage).toEqual(first?.usage)
    expect(script.result.totalCostUsd).toBeCloseTo(2 * (first?.totalCostUsd ?? 0))
  })

  it("pays for a summary without counting it as the turn's own usage", () => {
    const script = afterOneTurn({ config: { model: "claude-opus-4-6" } })
    script.begin("second")
    script.fail(TOO_LONG)
    script.compacted()
    script.respond({ text: "fine" })
    expect(script.result.usage.input_tokens).toBe(100)
    expect(script.result.models["claude-opus-4-6"]?.usage.input_tokens).toBe(700)
  })

  it("pays for what an interrupted response had used", () => {
    const script = new Script({ config: { model: "claude-opus-4-6" } })
    script.begin()
    script.startResponse({ usage: { input_tokens: 1_000 } })
    script.interrupt()
    expect(script.result.usage.input_tokens).toBe(1_000)
    expect(script.result.totalCostUsd).toBeGreaterThan(0)
  })

  it("is not changed by a retry that brought nothing", () => {
    const script = new Script({ config: { model: "claude-opus-4-6" } })
    script.begin()
    script.failAndWait(OVERLOADED)
    script.respond({ text: "fine" })
    expect(script.result.usage).toMatchObject({ input_tokens: 100, output_tokens: 20 })
  })
})
