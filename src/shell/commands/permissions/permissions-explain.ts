import { setFlagsFromString } from "node:v8"
import { Result } from "effect"
import { type Inquiry, invalidAnswer, readInquiry } from "../../../core/permission/decide/inquiry.ts"
import { nearMisses } from "../../../core/permission/rules/near-miss.ts"
import { mayHoldSecret, redactDeep, redactText } from "../../../core/domain/secrets/redact.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"
import { type Answered, makeAnswering } from "./explain-answers.ts"
import { inquiryPlace } from "./permissions-rules.ts"
import { describeAnswer } from "./explanation-text.ts"
import type { LineAnswerer } from "../io/line-worker.ts"

/** Tokens in a command are not shown again. */
const printed = (text: string): string => redactText(text, NO_OWN)
const printedJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return mayHoldSecret(text, NO_OWN) ? JSON.stringify(redactDeep(value, NO_OWN)) : text
}

const NO_OWN = { secrets: [] }

/**
 * A batch ends before most of its code is worth compiling well, and where there are two processors the compiler takes one
 * of them from the answers: it waits longer than usual. Larger batches get there all the same.
 */
const compileLater = (): void => setFlagsFromString("--interrupt-budget=500000")

interface Asked {
  readonly line: string
  readonly inquiry: Inquiry
}

/** From so many lines on the start of a second thread pays. */
const LEAST_SHARED = 256

/** So many blocks may wait for the second thread before we wait for it too. */
const MOST_WAITING = 4

type Texts = ReadonlyMap<Inquiry, string>

/** Our part of the answers is there; the rest may still be on its way. */
interface Answering {
  readonly all: () => Promise<Texts>
}

/** Answers as they are printed; of many lines the second half is answered by a second thread. */
const makeAnswerTexts = async ({ flags }: CommandInvocation, io: CommandIo) => {
  const withSettings = flags["with-settings"] === true
  const answer = await makeAnswering(await inquiryPlace(io, withSettings))
  const alone = async (asked: ReadonlyArray<Asked>): Promise<Texts> => {
    const answers = await answer(asked.map(({ inquiry }) => inquiry))
    return new Map([...answers].map(([inquiry, found]) => [inquiry, printedJson(found.answer)]))
  }
  const args = ["permissions", "explain", "--jsonl", ...(withSettings ? ["--with-settings"] : [])]
  let beside: LineAnswerer | undefined
  return {
    answer: async (asked: ReadonlyArray<Asked>): Promise<Answering> => {
      const isMany = asked.length >= LEAST_SHARED
      if (isMany) {
        compileLater()
        beside ??= await io.secondThread?.(args)
      }
      const half = isMany && beside !== undefined ? Math.ceil(asked.length / 2) : asked.length
      const rest = asked.slice(half)
      const theirs = rest.length === 0 ? undefined : beside?.answer(rest.map(({ line }) => line))
      const ours = await alone(asked.slice(0, half))
      return {
        all: async () => {
          const texts = await theirs
          if (texts === undefined) return new Map([...ours, ...(await alone(rest))])
          return new Map([...ours, ...rest.map(({ inquiry }, index) => [inquiry, texts[index] ?? ""] as const)])
        }
      }
    },
    end: () => beside?.end()
  }
}

interface GivenLine {
  readonly line: string
  readonly number: number
  readonly read: Result.Result<Inquiry, string>
}

const printedLine = ({ line, number, read }: GivenLine, texts: Texts): string =>
  (Result.isSuccess(read) ? texts.get(read.success) : printedJson(invalidAnswer(line, number, read.failure))) ?? ""

/** Answers lines in their order, those that came together together. */
export const explainLines = async (invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const { answer, end } = await makeAnswerTexts(invocation, io)
  let isSound = true
  let number = 0
  const printing: Array<Promise<void>> = []
  for await (const lines of io.lineBlocks()) {
    const given = lines
      .map((line): GivenLine => ({ line, number: (number += 1), read: readInquiry(line) }))
      .filter(({ line }) => line.trim() !== "")
    const asked = given.flatMap(({ line, read }) => (Result.isSuccess(read) ? [{ line, inquiry: read.success }] : []))
    isSound &&= asked.length === given.length
    const { all } = await answer(asked)
    const before = printing.at(-1)
    const print = async (): Promise<void> => {
      await before
      const texts = await all()
      io.out(given.map((each) => `${printedLine(each, texts)}\n`).join(""))
    }
    printing.push(print())
    if (printing.length > MOST_WAITING) await printing.shift()
  }
  await Promise.all(printing)
  end()
  return isSound ? 0 : 1
}

const EXIT_CODES = { allow: 0, ask: 10, deny: 20 } as const

const textOf = (flags: CommandInvocation["flags"], name: string): string | undefined => {
  const value = flags[name]
  return typeof value === "string" ? value : undefined
}

const listOf = (flags: CommandInvocation["flags"], name: string): ReadonlyArray<string> => {
  const value = flags[name]
  return typeof value === "string" ? [value] : Array.isArray(value) ? value : []
}

/** The inquiry of a command line, in the form of the batch. */
const inquiryOf = ({ flags, operands }: CommandInvocation): Result.Result<Inquiry, string> => {
  const input = textOf(flags, "input")
  const tool = textOf(flags, "tool")
  const mode = textOf(flags, "mode")
  const cwd = textOf(flags, "cwd")
  return Result.flatMap(
    Result.try({ try: (): unknown => JSON.parse(input ?? "{}"), catch: () => "--input is not a JSON object" }),
    (given) =>
      readInquiry(
        JSON.stringify({
          ...(tool === undefined ? { command: operands.join(" ") } : { tool, input: given }),
          ...(mode === undefined ? {} : { mode }),
          ...(cwd === undefined ? {} : { cwd }),
          rules: { allow: listOf(flags, "allow"), ask: listOf(flags, "ask"), deny: listOf(flags, "deny") }
        })
      )
  )
}

const wordsFor = ({ answer, gathered, prepared }: Answered): string => {
  const { context } = prepared.request
  const analyses = [...gathered.analysed.values()]
  return describeAnswer({
    answer,
    tried: analyses.flatMap(({ parts }) => parts.flatMap(({ candidates }) => candidates.map(({ text }) => text))),
    misses: analyses.flatMap((analysis) => nearMisses(context.rules, analysis))
  })
}

export const explainOne = async (invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const { flags } = invocation
  const inquiry = inquiryOf(invocation)
  if (Result.isFailure(inquiry)) {
    io.err(`nacre: nothing was explained — ${inquiry.failure}. Fix: nacre permissions explain --help\n`)
    return 1
  }
  const place = await inquiryPlace(io, flags["isolated"] !== true)
  const answer = await makeAnswering(place)
  for (const found of (await answer([inquiry.success])).values()) {
    io.out(flags["json"] === true ? `${printedJson(found.answer)}\n` : printed(wordsFor(found)))
    if (flags["exit-code"] === true) return EXIT_CODES[found.answer.decision]
  }
  return 0
}
