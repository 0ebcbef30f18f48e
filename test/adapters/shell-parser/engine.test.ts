import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { loadNative, loadWasm } from "../../../src/adapters/shell-parser/engine.ts"
import { enginesFor, layerOf } from "../../../src/adapters/shell-parser/layer.ts"
import type { ParseShell, SyntaxNode } from "../../../src/core/permission/bash/syntax.ts"
import { ShellParser } from "../../../src/core/ports/ShellParser.ts"
import { SHELL_TEXTS } from "../../support/shell-texts.ts"

let scripts = 0

/** The engine's options as they are written into prepared code: where they differ it is refused. */
const optionsInCode = (): number => {
  scripts += 1
  return new Script(`${scripts}`).createCachedData().readUInt32LE(12)
}

const optionsBefore = optionsInCode()
const wasm = await loadWasm()
const optionsAfter = optionsInCode()
const native = await loadNative().catch((): ParseShell | undefined => undefined)

const load = Effect.flatMap(ShellParser, (parser) => parser.load)

const nodes = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => [node, ...node.children.flatMap(nodes)]

describe("shell parser", () => {
  it("gives offsets in UTF-16 units", () => {
    const text = "echo 'é𝒳' 日本 \"$x\""
    const tree = wasm(text)
    const words = tree === undefined ? [] : nodes(tree.root).filter(({ field }) => field === "argument")
    expect(words.map(({ start, end }) => text.slice(start, end))).toEqual(["'é𝒳'", "日本", '"$x"'])
  })

  it("says that a text is broken, and where", () => {
    expect(wasm("echo 'x")?.hasError).toBe(true)
    expect(wasm("if a; then b")?.hasError).toBe(true)
    expect(wasm("echo x")?.hasError).toBe(false)
  })

  it("gives the same trees in both engines", () => {
    // Where the compiled engine does not load there is nothing to compare.
    for (const text of SHELL_TEXTS) expect((native ?? wasm)(text), text).toEqual(wasm(text))
  })

  it.each([
    ["wasm", wasm],
    ["native", native ?? wasm]
  ] as const)("%s is bounded and keeps working", (_name, parse) => {
    expect(parse("a".repeat(100_001))).toBeUndefined()
    expect(parse("echo ".repeat(2_000))?.hasError).toBe(false)
    expect(parse("a;".repeat(8_000))).toBeUndefined()
    expect(parse(`a${"&&a".repeat(2_000)}`)).toBeUndefined()
    expect(parse("$(".repeat(3_000))?.hasError ?? true).toBe(true)
    expect(parse("ls")?.root.children).toHaveLength(1)
  })

  it("runs everywhere unless the compiled engine is asked for", () => {
    expect(enginesFor({})).toEqual([loadWasm])
    expect(enginesFor({ NACRE_SHELL_PARSER: "" })).toEqual([loadWasm])
    expect(enginesFor({ NACRE_SHELL_PARSER: "native" })).toEqual([loadNative, loadWasm])
  })

  it("leaves the options of the engine as they were", () => {
    setFlagsFromString("--liftoff-only")
    const meanwhile = optionsInCode()
    setFlagsFromString("--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering")
    expect(optionsAfter).toBe(optionsBefore)
    expect(meanwhile).not.toBe(optionsBefore)
  })

  it("takes the next engine when one does not load", async () => {
    const layer = layerOf([() => Promise.reject(new Error("no binary")), loadWasm])
    const parse = await Effect.runPromise(Effect.provide(load, layer))
    expect(parse("ls")?.hasError).toBe(false)
  })

  it("says how to fix it when none loads", async () => {
    const layer = layerOf([() => Promise.reject(new Error("no binary")), () => Promise.reject(new Error("no file"))])
    const result = await Effect.runPromise(Effect.result(Effect.provide(load, layer)))
    expect(Result.isFailure(result) ? result.failure.message : "").toMatch(/no file.*Fix: install/)
  })

  it("loads once", async () => {
    let loads = 0
    const layer = layerOf([() => Promise.resolve(((loads += 1), wasm))])
    await Effect.runPromise(Effect.provide(Effect.andThen(load, load), layer))
    expect(loads).toBe(1)
  })
})
