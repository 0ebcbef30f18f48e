import { Result } from "effect"
import { type Inquiry, invalidAnswer, readInquiry } from "../../core/permission/inquiry.ts"
import { nearMisses } from "../../core/permission/near-miss.ts"
import { mayHoldSecret, redactDeep, redactText } from "../../core/session/redact.ts"
import type { CommandInvocation, CommandIo } from "./command-io.ts"
import { type Answered, makeAnswering } from "./inquiry-answers.ts"
import { inquiryPlace } from "./permissions-rules.ts"
import { describeAnswer } from "./permissions-text.ts"

/** Tokens in a command are not shown again. */
const printed = (text: string): string => redactText(text, NO_OWN)
const printedJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return mayHoldSecret(text, NO_OWN) ? JSON.stringify(redactDeep(value, NO_OWN)) : text
}

const NO_OWN = { secrets: [] }

/** Answers lines in their order, those that came together together. */
export const explainLines = async ({ flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  const answer = await makeAnswering(await inquiryPlace(io, flags["with-settings"] === true))
  let isSound = true
  let number = 0
  for await (const lines of io.lineBlocks()) {
    const asked = lines
      .map((line) => ({ line, number: (number += 1), read: readInquiry(line) }))
      .filter(({ line }) => line.trim() !== "")
    const answers = await answer(asked.flatMap(({ read }) => (Result.isSuccess(read) ? [read.success] : [])))
    isSound &&= answers.size === asked.length
    io.out(
      asked
        .map(({ line, number: at, read }) => {
          const found = Result.isSuccess(read) ? answers.get(read.success)?.answer : invalidAnswer(line, at, read.failure)
          return `${printedJson(found)}\n`
        })
        .join("")
    )
  }
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
    Result.try({ try: (): unknown => JSON.parse(input ?? "{}"), catch: () => "--input is no JSON object" }),
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
