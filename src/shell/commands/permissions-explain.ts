import { Context, Effect, Result } from "effect"
import { factsWanted } from "../../core/permission/facts-wanted.ts"
import {
  answerInquiry,
  dirsOf,
  type Inquiry,
  type InquiryAnswer,
  type InquiryPlace,
  invalidAnswer,
  prepareInquiry,
  readInquiry
} from "../../core/permission/inquiry.ts"
import { nearMisses } from "../../core/permission/near-miss.ts"
import { remembered } from "../../core/permission/remember.ts"
import { type Location, locationOf } from "../../core/permission/path-scope.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { redactText } from "../../core/session/redact.ts"
import { type FactPorts, gather, type Gathered } from "../facts/gather.ts"
import { factPorts } from "../layers.ts"
import type { CommandInvocation, CommandIo } from "./command-io.ts"
import { inquiryPlace } from "./permissions-rules.ts"
import { describeAnswer } from "./permissions-text.ts"

/** Explains decisions: one in words, or one per line of JSON. Looks at files, runs nothing, needs no trust. */
const located = (path: string): Effect.Effect<Location, never, Files> =>
  Effect.flatMap(Files, (files) =>
    files.resolve(path).pipe(
      Effect.map(({ realPath }): Location => locationOf(path, realPath)),
      Effect.orElseSucceed(() => locationOf(path))
    )
  )

const MOST_REMEMBERED = 10_000

/** The first answer for a path is the answer for it from then on. */
const firstAnswer = <A, E>(look: (path: string) => Effect.Effect<A, E>): ((path: string) => Effect.Effect<A, E>) => {
  const known = new Map<string, A>()
  return (path) => {
    const found = known.get(path)
    if (found !== undefined) return Effect.succeed(found)
    return Effect.tap(look(path), (answer) =>
      Effect.sync(() => {
        if (known.size < MOST_REMEMBERED) known.set(path, answer)
      })
    )
  }
}

/** Lines of a batch name the same paths again and again; within one run they lead to the same places. */
const rememberingFiles = (files: Files["Service"]): Files["Service"] => ({
  ...files,
  resolve: firstAnswer(files.resolve),
  list: firstAnswer(files.list)
})

const rememberingGit = (git: Git["Service"]): Git["Service"] => ({
  ...git,
  configuration: remembered((directory) => git.configuration(directory))
})

const makeRun = async () => {
  const ports = await factPorts()
  const files = rememberingFiles(Context.get(ports, Files))
  const git = rememberingGit(Context.get(ports, Git))
  return Effect.runPromiseWith(ports.pipe(Context.add(Files, files), Context.add(Git, git)))
}

interface Answered {
  readonly answer: InquiryAnswer
  readonly gathered: Gathered
  readonly prepared: ReturnType<typeof prepareInquiry>
}

const answered = Effect.fnUntraced(function* (
  inquiry: Inquiry,
  place: InquiryPlace
): Effect.fn.Return<Answered, never, FactPorts> {
  const dirs = dirsOf(inquiry, place)
  const prepared = prepareInquiry(
    inquiry,
    {
      cwd: yield* located(dirs.cwd),
      home: yield* located(dirs.home),
      additional: yield* Effect.forEach(dirs.additional, located)
    },
    place
  )
  const wanted = factsWanted(prepared.request)
  // The directories were located just now.
  const paths = wanted.paths.filter((path) => !prepared.request.context.workingDirs.some((dir) => dir.path === path))
  const gathered = yield* gather({ ...wanted, paths })
  return { answer: answerInquiry(inquiry, prepared, gathered), gathered, prepared }
})

/** Tokens in a command are not shown again. */
const printed = (text: string): string => redactText(text, { secrets: [] })

/** Lines that are worked on at the same time; their answers come out in order. */
const AHEAD = 32

export const explainLines = async ({ flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  const place = { ...(await inquiryPlace(io, flags["with-settings"] === true)), contexts: new Map() }
  const run = await makeRun()
  const waiting: Array<Promise<InquiryAnswer>> = []
  let isSound = true
  let lineNumber = 0
  const answerLine = async (line: string, number: number): Promise<InquiryAnswer> => {
    const inquiry = readInquiry(line)
    if (Result.isSuccess(inquiry)) return (await run(answered(inquiry.success, place))).answer
    isSound = false
    return invalidAnswer(number, inquiry.failure)
  }
  const writeNext = async (): Promise<void> => {
    const answer = await waiting.shift()
    if (answer !== undefined) io.out(`${printed(JSON.stringify(answer))}\n`)
  }
  for await (const line of io.lines()) {
    lineNumber += 1
    if (line.trim() === "") continue
    waiting.push(answerLine(line, lineNumber))
    if (waiting.length >= AHEAD) await writeNext()
  }
  while (waiting.length > 0) await writeNext()
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
    return 2
  }
  const place = await inquiryPlace(io, flags["isolated"] !== true)
  const run = await makeRun()
  const found = await run(answered(inquiry.success, place))
  io.out(printed(flags["json"] === true ? `${JSON.stringify(found.answer)}\n` : wordsFor(found)))
  return flags["exit-code"] === true ? EXIT_CODES[found.answer.decision] : 0
}
