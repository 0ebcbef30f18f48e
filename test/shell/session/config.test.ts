import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Env } from "../../../src/core/domain/env.ts"
import { parseArgv } from "../../../src/shell/cli/parse.ts"
import { makeConfig } from "../../../src/shell/session/config.ts"
import { planSession } from "../../../src/shell/session/plan.ts"
import { contextFor } from "../../core/permission/fixture.ts"

const windowOf = (model: string, env: Env): { tokens: number | undefined; complaints: ReadonlyArray<string> } => {
  const complaints: Array<string> = []
  const invocation = Result.getOrThrow(parseArgv(["-p", "hi"], { stdoutIsTerminal: true }))
  if (invocation._tag !== "Start") throw new Error("the arguments start no session")
  const plan = Result.getOrThrow(planSession(invocation, env, (text) => complaints.push(text)))
  const config = makeConfig({
    plan,
    chosen: { model, fallbacks: [] },
    sessionId: "s",
    sessionDir: "/s",
    permission: contextFor({}),
    isGitRepo: false,
    date: "2026-01-01",
    setup: { hookEvents: [] },
    canAsk: false
  })
  return { tokens: config.windowTokens, complaints }
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
