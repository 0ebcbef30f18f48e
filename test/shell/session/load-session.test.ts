import { writeFileSync } from "node:fs"
import path from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import { Records } from "../../../src/core/ports/Records.ts"
import { emptyChain, recordMessages } from "../../../src/core/session/transcript/chain.ts"
import type { Span } from "../../../src/core/session/load/transcript-index.ts"
import { collectGarbage } from "../../../src/shell/process/collect-garbage.ts"
import { loadSession } from "../../../src/shell/session/load-session.ts"
import { context, Maker } from "../../support/session/build.ts"
import { makeDirectory } from "../../support/session/disk.ts"

const KIB = 1024

/** Turns whose answers are so long together that no line is kept while they are read. */
const longSession = () => {
  const maker = new Maker()
  const said = Array.from({ length: 900 }, (_, turn) => {
    const chars = turn === 450 ? 700 * KIB : 6 * KIB
    return [maker.prompt(`prompt ${turn}`), maker.says(`m${turn}`, `${turn} `.repeat(chars).slice(0, chars))]
  }).flat()
  const file = path.join(makeDirectory(), "session.jsonl")
  const { lines } = recordMessages(emptyChain, said, { context })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  return { said, file }
}

/** The records of a directory; what is read again is noted. */
const noting = (home: string, reads: Array<ReadonlyArray<Span>>) =>
  Layer.effect(
    Records,
    Effect.map(Records, (records) =>
      Records.of({
        ...records,
        readSpans: (file, spans) => {
          reads.push(spans)
          return records.readSpans(file, spans)
        }
      })
    )
  ).pipe(Layer.provide(layer({ home })))

describe("loading a long session", () => {
  it("gives back all of it, reading a little at a time", async () => {
    const { said, file } = longSession()
    const reads: Array<ReadonlyArray<Span>> = []
    const loaded = await Effect.runPromise(loadSession(file).pipe(Effect.provide(noting(path.dirname(file), reads))))
    expect(loaded.messages).toEqual(said)
    expect(loaded.chain.tip).toBe(said.at(-1)?.uuid)
    expect([loaded.cwd, loaded.gitBranch]).toEqual([context.cwd, context.gitBranch])
    expect(reads.length).toBeGreaterThan(20)
    for (const spans of reads) {
      const bytes = spans.reduce((sum, { length }) => sum + length, 0)
      expect(spans.length === 1 || (spans.length <= 200 && bytes <= 256 * KIB)).toBe(true)
    }
  })
})

describe("collecting what was left behind", () => {
  it("takes what nobody holds, and leaves no option of V8 changed", async () => {
    const make = (): WeakRef<object> => new WeakRef({ text: "x".repeat(KIB) })
    const left = make()
    await collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
    await collectGarbage()
    expect(left.deref()).toBeUndefined()
    const { runInNewContext } = await import("node:vm")
    expect(runInNewContext("typeof gc")).toBe("undefined")
  })
})
