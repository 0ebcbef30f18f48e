import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  describeModelProblem,
  isModelAllowed,
  resolveFallbacks,
  resolveModel,
  type ModelSources
} from "../../../../src/core/model/catalog/resolve-model.ts"

const base: ModelSources = { hasCredential: true }
const choice = (sources: Partial<ModelSources>) => Result.getOrThrow(resolveModel({ ...base, ...sources }))
const problem = (sources: Partial<ModelSources>) => Result.getOrThrow(Result.flip(resolveModel({ ...base, ...sources })))

describe("resolveModel", () => {
  it("lets the strongest source decide", () => {
    const all = { turn: "claude-a-1", session: "claude-b-1", flag: "claude-c-1", env: "claude-d-1", setting: "opus" }
    expect(choice(all)).toMatchObject({ model: "claude-a-1", source: "turn" })
    expect(choice({ ...all, turn: "" })).toMatchObject({ model: "claude-b-1", source: "session" })
    expect(choice({ env: "opus", setting: "haiku" })).toMatchObject({ source: "env", requested: "opus" })
  })

  it("uses the offline model only when nothing is named and no credential is there", () => {
    expect(choice({ hasCredential: false }).model).toBe("offline")
    expect(choice({ hasCredential: false, flag: "default" }).model).toBe("offline")
    expect(choice({ hasCredential: false, flag: "sonnet" }).model).toMatch(/^claude-sonnet/)
    expect(choice({}).model).toMatch(/^claude-/)
    expect(choice({ flag: "offline-b" }).model).toBe("offline-b")
  })

  it("takes ids as they are and refuses words it does not know, with the nearest names", () => {
    expect(choice({ flag: "claude-opus-9-9" }).model).toBe("claude-opus-9-9")
    expect(choice({ flag: "gateway/model:7b" }).model).toBe("gateway/model:7b")
    const unknown = problem({ flag: "sonet" })
    expect(unknown).toMatchObject({ _tag: "UnknownModel", nearest: ["sonnet"] })
    expect(describeModelProblem(unknown)).toContain("sonnet")
    expect(describeModelProblem(problem({ flag: "zzz" }))).toContain("opus")
  })

  it("honours the list of available models on every path", () => {
    expect(problem({ flag: "opus", available: ["sonnet"] })).toMatchObject({ _tag: "ModelNotAllowed" })
    expect(choice({ flag: "sonnet", available: ["sonnet"] }).source).toBe("flag")
    expect(isModelAllowed("claude-opus-4-5-20251101", ["opus-4-5"])).toBe(true)
    expect(isModelAllowed("claude-opus-4-6", ["claude-opus-4-5"])).toBe(false)
    expect(isModelAllowed("claude-opus-5-5", ["claude-opus-5"])).toBe(true)
    expect(isModelAllowed("offline", [])).toBe(true)
    expect(choice({ available: [] }).source).toBe("default")
  })

  it("cleans the fallback chain", () => {
    const names = ["opus", "claude-x-1", "claude-x-1", "nonsense", "default", "haiku", "fable"]
    expect(resolveFallbacks(names, "claude-opus-5-5", base)).toEqual(["claude-x-1", "claude-sonnet-5-5", "claude-haiku-5-5"])
    expect(resolveFallbacks(names, "claude-opus-5-5", { ...base, available: ["haiku"] })).toEqual(["claude-haiku-5-5"])
  })
})
