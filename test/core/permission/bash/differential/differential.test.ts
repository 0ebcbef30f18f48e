import { describe, expect, it } from "vitest"
import { loadWasm } from "../../../../../src/adapters/shell-parser/engine.ts"
import { lower } from "../../../../../src/core/permission/bash/parse/lower.ts"
import { freshDirectory } from "../../../../support/temp-world.ts"
import { programFrom } from "./grammar.ts"
import { makePlace, observe } from "./observe.ts"
import { isUnderstood, surprise, unseenPrograms } from "./predict.ts"
import { snippetFrom } from "./snippets.ts"

/**
 * Whenever the analyser says that a text is understood, bash runs nothing but what it predicted (spec 03, invariant 5).
 * NACRE_SHELL_PROGRAMS says how many programs, NACRE_SHELL_SEED where to begin, NACRE_SHELL_SHORT how long the texts are
 * that are all tried.
 */
const PROGRAMS = Number(process.env["NACRE_SHELL_PROGRAMS"] ?? 10_000)
const SEED = Number(process.env["NACRE_SHELL_SEED"] ?? 1)
const SHORT = Number(process.env["NACRE_SHELL_SHORT"] ?? 3)
const SNIPPETS = Math.ceil(PROGRAMS / 4)
const BATCH = 2_500
const MINUTES = Math.max(2, Math.ceil(PROGRAMS / 2_000))

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
const runAll = async (count: number, caseAt: (index: number) => Case, run = runBatch): Promise<Batch> => {
  const starts = Array.from({ length: Math.ceil(count / BATCH) }, (_, index) => index * BATCH).values()
  const batches: Array<Batch> = []
  const worker = async (): Promise<void> => {
    for (const start of starts) {
      const size = Math.min(BATCH, count - start)
      batches.push(await run(Array.from({ length: size }, (_, offset) => caseAt(start + offset))))
    }
  }
  await Promise.all([worker(), worker()])
  return {
    ran: batches.reduce((sum, batch) => sum + batch.ran, 0),
    surprises: batches.flatMap(({ surprises }) => surprises)
  }
}

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
  it(
    `runs nothing but what was predicted, in ${PROGRAMS} programs`,
    async () => {
      const all = await runAll(PROGRAMS, (index) => ({ name: `seed ${SEED + index}`, text: programFrom(SEED + index) }))
      expectNoSurprise(all)
      // A grammar that the analyser never understands would prove nothing.
      if (PROGRAMS >= 1_000) expect(all.ran).toBeGreaterThan(PROGRAMS * 0.3)
    },
    MINUTES * 60_000
  )

  it(
    `runs nothing but what was predicted, in ${SNIPPETS} commands from real life with damages`,
    async () => {
      const all = await runAll(SNIPPETS, (index) => ({ name: `snippet ${SEED + index}`, text: snippetFrom(SEED + index) }))
      expectNoSurprise(all)
      if (SNIPPETS >= 1_000) expect(all.ran).toBeGreaterThan(SNIPPETS * 0.1)
      expectNoSurprise(
        await runAll(
          Math.ceil(SNIPPETS / 3),
          (index) => ({ name: `snippet ${SEED + index}`, text: snippetFrom(SEED + index) }),
          runDoubtful
        )
      )
    },
    MINUTES * 60_000
  )

  it(
    "starts no program that rules could not see, in texts that are not understood",
    async () => {
      const seedOf = (index: number): number => SEED + PROGRAMS + index
      const count = Math.ceil(PROGRAMS / 3)
      const all = await runAll(
        count,
        (index) => ({ name: `seed ${seedOf(index)}`, text: programFrom(seedOf(index)) }),
        runDoubtful
      )
      expectNoSurprise(all)
    },
    MINUTES * 60_000
  )

  it(
    `runs nothing but what was predicted, in all texts of ${SHORT} special characters`,
    async () => {
      const all = await runAll(ALPHABET.length ** SHORT, (index) => ({
        name: "short",
        text: `p ${shortText(index, SHORT)}p`
      }))
      expectNoSurprise(all)
      expect(all.ran).toBeGreaterThan(ALPHABET.length ** (SHORT - 1))
    },
    MINUTES * 60_000
  )
})
