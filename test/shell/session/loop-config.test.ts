import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Env } from "../../../src/core/domain/env.ts"
import type { LoopConfig } from "../../../src/core/loop/machine/state.ts"
import { backgroundTasksEnabled } from "../../../src/core/tools/bash/timeout.ts"
import { parseArgv } from "../../../src/shell/cli/parse.ts"
import { makeConfig } from "../../../src/shell/session/loop-config.ts"
import { planSession } from "../../../src/shell/plan/session-plan.ts"
import { builtInTools } from "../../../src/shell/tools/built-in-tools.ts"
import { freshDirectory } from "../../support/temp-world.ts"

const configOf = (model: string, env: Env): { config: LoopConfig; complaints: ReadonlyArray<string> } => {
  const complaints: Array<string> = []
  const invocation = Result.getOrThrow(parseArgv(["-p", "hi"], { stdoutIsTerminal: true }))
  if (invocation._tag !== "Start") throw new Error("the arguments start no session")
  const given = { NACRE_CONFIG_DIR: freshDirectory(), ...env }
  const plan = Result.getOrThrow(planSession(invocation, given, (text) => complaints.push(text)))
  const config = makeConfig({
    plan,
    chosen: { model, fallbacks: [] },
    sessionId: "s",
    sessionDir: "/s",
    toolNames: [],
    setup: {},
    hookEvents: [],
    canAsk: false,
    memoryDir: undefined,
    shows: []
  })
  return { config, complaints }
}

const windowOf = (model: string, env: Env): { tokens: number | undefined; complaints: ReadonlyArray<string> } => {
  const { config, complaints } = configOf(model, env)
  return { tokens: config.choice.windowTokens, complaints }
}

describe("the window", () => {
  it.each<[string, Env, number | undefined]>([
    ["claude-opus-4-6", {}, undefined],
    ["claude-opus-4-6[1m]", {}, undefined],
    ["claude-opus-4-6[1m]", { CLAUDE_CODE_DISABLE_1M_CONTEXT: "1" }, 200_000],
    ["claude-opus-4-6", { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "64000" }, undefined],
    ["claude-opus-4-6", { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "64000", DISABLE_COMPACT: "1" }, 64_000],
    ["some-model", { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "64000" }, 64_000],
    ["offline", { NACRE_OFFLINE_WINDOW: "5000" }, 5_000],
    ["claude-opus-4-6", { NACRE_OFFLINE_WINDOW: "5000" }, undefined]
  ])("of %s with %j is %s", (model, env, expected) => {
    expect(windowOf(model, env)).toEqual({ tokens: expected, complaints: [] })
  })

  it("stays as it is when the variable cannot be read", () => {
    const { tokens, complaints } = windowOf("some-model", { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "lots" })
    expect(tokens).toBeUndefined()
    expect(complaints).toEqual([expect.stringContaining("CLAUDE_CODE_MAX_CONTEXT_TOKENS=lots")])
  })
})

describe("the window to compact in", () => {
  const autoWindow = (model: string, value: string) => {
    const { config, complaints } = configOf(model, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: value })
    return { tokens: config.compaction.windowTokens, complaints }
  }

  it.each<[string, string, number]>([
    ["claude-opus-4-6[1m]", "300000", 300_000],
    ["claude-opus-4-6", "150000", 150_000]
  ])("of %s is %s when the variable says so", (model, value, expected) => {
    expect(autoWindow(model, value)).toEqual({ tokens: expected, complaints: [] })
  })

  it.each<[string, string, number]>([
    ["claude-opus-4-6", "300000", 200_000],
    ["claude-opus-4-6[1m]", "500k", 100_000],
    ["claude-opus-4-6", "7", 100_000]
  ])("of %s with %s is brought within its bounds, and the value used is told", (model, value, expected) => {
    const { tokens, complaints } = autoWindow(model, value)
    expect(tokens).toBe(expected)
    expect(complaints).toEqual([`CLAUDE_CODE_AUTO_COMPACT_WINDOW=${value} is used as ${expected} tokens`])
  })

  it("is the whole window when the variable is not set or cannot be read", () => {
    expect(configOf("claude-opus-4-6", {}).config.compaction.windowTokens).toBeUndefined()
    const { tokens, complaints } = autoWindow("claude-opus-4-6", "auto")
    expect([tokens, complaints.length]).toEqual([undefined, 1])
  })
})

describe("background tasks", () => {
  it.each<[Env, boolean]>([
    [{}, true],
    [{ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" }, false],
    [{ NACRE_DISABLE_BACKGROUND_TASKS: "1" }, false],
    [{ NACRE_DISABLE_BACKGROUND_TASKS: "0", CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" }, true]
  ])("with %j: the offered tool and the timeout agree", (env, expected) => {
    const bash = builtInTools(backgroundTasksEnabled(env)).find(({ entry }) => entry.definition.name === "Bash")
    expect(JSON.stringify(bash?.entry.definition.input_schema).includes("run_in_background")).toBe(expected)
    expect(backgroundTasksEnabled(env)).toBe(expected)
  })
})
