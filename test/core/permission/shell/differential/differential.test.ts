import { describe, expect, it } from "vitest"
import { loadWasm } from "../../../../../src/adapters/shell-parser/engine.ts"
import { lower } from "../../../../../src/core/permission/shell/lower.ts"
import { freshDirectory } from "../../../../support/temp-world.ts"
import { programFrom } from "./grammar.ts"
import { makePlace, observe } from "./observe.ts"
import { isUnderstood, surprise } from "./predict.ts"

/**
 * Whenever the analyser says that a text is understood, bash runs nothing but what it predicted (spec 03, invariant 5).
 * NACRE_SHELL_PROGRAMS says how many programs, NACRE_SHELL_SEED where to begin.
 */
const PROGRAMS = Number(process.env["NACRE_SHELL_PROGRAMS"] ?? 10_000)
const SEED = Number(process.env["NACRE_SHELL_SEED"] ?? 1)
const BATCH = 2_500
const MINUTES = Math.max(2, Math.ceil(PROGRAMS / 2_000))

const parse = await loadWasm()

interface Batch {
  readonly understood: number
  readonly surprises: ReadonlyArray<string>
}

const runBatch = async (first: number, count: number): Promise<Batch> => {
  const place = makePlace(freshDirectory())
  const cases = Array.from({ length: count }, (_, offset) => {
    const text = programFrom(first + offset)
    return { seed: first + offset, text, program: lower(text, parse(text), place.home, place.work) }
  }).filter(({ program }) => isUnderstood(program))
  const observations = await observe(place, cases.map(({ text }) => text))
  const surprises = cases.flatMap(({ seed, text, program }, index) => {
    const why = surprise(program, observations[index] ?? { runs: [], files: [] }, place.work)
    return why === undefined ? [] : [`seed ${seed}: ${JSON.stringify(text)}\n${why}`]
  })
  return { understood: cases.length, surprises }
}

describe("real bash", () => {
  it(
    `runs nothing but what was predicted, in ${PROGRAMS} programs`,
    async () => {
      const starts = Array.from({ length: Math.ceil(PROGRAMS / BATCH) }, (_, index) => index * BATCH)
      const batches: Array<Batch> = []
      const next = starts.values()
      const worker = async (): Promise<void> => {
        for (const start of next) batches.push(await runBatch(SEED + start, Math.min(BATCH, PROGRAMS - start)))
      }
      await Promise.all([worker(), worker()])
      expect(batches.flatMap(({ surprises }) => surprises).slice(0, 10).join("\n\n")).toBe("")
      // A grammar that the analyser never understands would prove nothing.
      const understood = batches.reduce((sum, batch) => sum + batch.understood, 0)
      expect(understood).toBeGreaterThan(PROGRAMS * 0.3)
    },
    MINUTES * 60_000
  )
})
