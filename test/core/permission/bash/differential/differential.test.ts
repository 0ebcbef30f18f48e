import { describe, expect, it } from "vitest"
import { loadWasm } from "../../../../../src/adapters/shell-parser/engine.ts"
import { lower } from "../../../../../src/core/permission/bash/parse/lower.ts"
import { isOneSeed, seedsFor } from "../../../../support/seeds.ts"
import { freshDirectory } from "../../../../support/temp-world.ts"
import { programFrom } from "./grammar.ts"
import { makePlace, observe } from "./observe.ts"
import { isUnderstood, surprise, unseenPrograms } from "./predict.ts"
import { snippetFrom } from "./snippets.ts"

/**
 * Whenever the analyser says that a text is understood, bash runs nothing but what it predicted (spec 03, invariant 5).
 * What is not understood must not start a program that the analyser did not see at all.
 */
const programs = seedsFor({ fixed: 3_000, fresh: 300, soak: 50_000 })
const snippets = seedsFor({ fixed: 1_000, fresh: 100, soak: 15_000 })
const doubtfulPrograms = seedsFor({ first: 10_001, fixed: 1_000, fresh: 100, soak: 15_000 })
/** How long the texts are that are all tried. */
const SHORT = 3
const BATCH = 1_000

const parse = await loadWasm()

interface Case {
  readonly name: string
  readonly text: string
}

interface Batch {
  /** How many of them ran. */
  readonly ran: number
  readonly surprises: ReadonlyArray<string>
}

const runBatch = async (cases: ReadonlyArray<Case>): Promise<Batch> => {
  const place = makePlace(freshDirectory())
  const understood = cases
    .map(({ name, text }) => ({ name, text, program: lower(text, parse(text), place.home, place.work) }))
    .filter(({ program }) => isUnderstood(program))
  const observations = await observe(
    place,
    understood.map(({ text }) => text)
  )
  const surprises = understood.flatMap(({ name, text, program }, index) => {
    const why = surprise(program, observations[index] ?? { runs: [], files: [] }, place)
    return why === undefined ? [] : [`${name}: ${JSON.stringify(text)}\n${why}`]
  })
  return { ran: understood.length, surprises }
}

/** Texts that are not understood: bash must not start a program that the analyser did not see at all. */
const runDoubtful = async (cases: ReadonlyArray<Case>): Promise<Batch> => {
  const place = makePlace(freshDirectory())
  const doubtful = cases
    .map(({ name, text }) => ({ name, text, program: lower(text, parse(text), place.home, place.work) }))
    // Without a slash such a text cannot write outside of its directory.
    .filter(({ text, program }) => !isUnderstood(program) && !text.includes("/"))
  const observations = await observe(
    place,
    doubtful.map(({ text }) => text)
  )
  const surprises = doubtful.flatMap(({ name, text, program }, index) =>
    unseenPrograms(program, observations[index] ?? { runs: [], files: [] }).map(
      (unseen) => `${name}: ${JSON.stringify(text)}\nran ${unseen}, which was not seen`
    )
  )
  return { ran: doubtful.length, surprises }
}

/** Two at a time: bash waits for its children as much as it works. */
const runAll = async (cases: ReadonlyArray<Case>, run = runBatch): Promise<Batch> => {
  const starts = Array.from({ length: Math.ceil(cases.length / BATCH) }, (_, index) => index * BATCH).values()
  const batches: Array<Batch> = []
  const worker = async (): Promise<void> => {
    for (const start of starts) batches.push(await run(cases.slice(start, start + BATCH)))
  }
  await Promise.all([worker(), worker()])
  return {
    ran: batches.reduce((sum, batch) => sum + batch.ran, 0),
    surprises: batches.flatMap(({ surprises }) => surprises)
  }
}

const casesFrom = (seeds: ReadonlyArray<number>, textFrom: (seed: number) => string, kind = "program"): Array<Case> =>
  seeds.map((seed) => ({ name: `${kind} of NACRE_SEED=${seed}`, text: textFrom(seed) }))

const expectNoSurprise = ({ surprises }: Batch): void => {
  expect(surprises.slice(0, 10).join("\n\n")).toBe("")
}

/** Characters that mean something to the shell, and one that does not. */
const ALPHABET = [
  "p",
  " ",
  "\n",
  "'",
  '"',
  "\\",
  "$",
  "#",
  ";",
  "&",
  "|",
  "(",
  ")",
  "{",
  "}",
  "<",
  ">",
  "!",
  "~",
  "=",
  "`",
  "*"
]

/** The text whose digits in base 22 are its characters. */
const shortText = (index: number, length: number): string => {
  let text = ""
  for (let left = index; text.length < length; left = Math.floor(left / ALPHABET.length)) {
    text += ALPHABET[left % ALPHABET.length] ?? ""
  }
  return text
}

describe("real bash", () => {
  it("runs nothing but what was predicted, in programs of the grammar", async () => {
    const all = await runAll(casesFrom(programs, programFrom))
    expectNoSurprise(all)
    // A grammar that the analyser never understands would prove nothing.
    if (!isOneSeed) expect(all.ran).toBeGreaterThan(programs.length * 0.3)
  })

  it("runs nothing but what was predicted, in commands from real life with damages", async () => {
    const all = await runAll(casesFrom(snippets, snippetFrom, "command"))
    expectNoSurprise(all)
    if (!isOneSeed) expect(all.ran).toBeGreaterThan(snippets.length * 0.1)
  })

  it("starts no program that rules could not see, in texts that are not understood", async () => {
    expectNoSurprise(await runAll(casesFrom(doubtfulPrograms, programFrom), runDoubtful))
    const some = snippets.filter((_, index) => index % 3 === 0)
    expectNoSurprise(await runAll(casesFrom(some, snippetFrom, "command"), runDoubtful))
  })

  it.skipIf(isOneSeed)(`runs nothing but what was predicted, in all texts of ${SHORT} special characters`, async () => {
    const count = ALPHABET.length ** SHORT
    const all = await runAll(
      Array.from({ length: count }, (_, index) => ({ name: "short", text: `p ${shortText(index, SHORT)}p` }))
    )
    expectNoSurprise(all)
    expect(all.ran).toBeGreaterThan(count / ALPHABET.length)
  })
})
