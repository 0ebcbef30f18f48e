import { Context, Effect, Result } from "effect"
import { factsWanted, placeFor } from "../../core/permission/facts-wanted.ts"
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
import { type Location, locationOf, resolvePath } from "../../core/permission/path-scope.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { mayHoldSecret, redactDeep, redactText } from "../../core/session/redact.ts"
import { type FactPorts, gather, type Gathered } from "../facts/gather.ts"
import { lookBelow, type LookBelow } from "../facts/look-below.ts"
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

/** Lines that work on the same directory need not walk through it each. */
const rememberingLook = (): LookBelow => {
  const known = new Map<string, ReturnType<LookBelow>>()
  return (path, watched) => {
    const key = [path, ...watched].join("\0")
    const found = known.get(key) ?? Effect.runSync(Effect.cached(lookBelow(path, watched)))
    if (known.size < MOST_REMEMBERED) known.set(key, found)
    return found
  }
}

const rememberingGit = (git: Git["Service"]): Git["Service"] => ({
  ...git,
  configuration: remembered((directory) => git.configuration(directory)),
  trackedFiles: remembered((directory) => git.trackedFiles(directory))
})

const makeAnswering = async (place: InquiryPlace) => {
  const ports = await factPorts()
  const files = rememberingFiles(Context.get(ports, Files))
  const git = rememberingGit(Context.get(ports, Git))
  const run = Effect.runPromiseWith(ports.pipe(Context.add(Files, files), Context.add(Git, git)))
  const look = rememberingLook()
  return (inquiry: Inquiry) => run(answered(inquiry, place, look))
}

interface Answered {
  readonly answer: InquiryAnswer
  readonly gathered: Gathered
  readonly prepared: ReturnType<typeof prepareInquiry>
}

/** The directories were located just now, and need not exist; one that is searched or read is still looked at. */
const isAskedAbout = (path: string, { request }: Answered["prepared"]): boolean =>
  request.needs.some((need) => "path" in need && resolvePath(placeFor(request).cwd, need.path) === path) ||
  !request.context.workingDirs.some((directory) => directory.path === path)

const answered = Effect.fnUntraced(function* (
  inquiry: Inquiry,
  place: InquiryPlace,
  look: LookBelow
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
  const paths = wanted.paths.filter((path) => isAskedAbout(path, prepared))
  const gathered = yield* gather({ ...wanted, paths }, { look })
  return { answer: answerInquiry(inquiry, prepared, gathered), gathered, prepared }
})

/** Tokens in a command are not shown again. */
const printed = (text: string): string => redactText(text, NO_OWN)
const printedJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return mayHoldSecret(text, NO_OWN) ? JSON.stringify(redactDeep(value, NO_OWN)) : text
}

const NO_OWN = { secrets: [] }

/** Answers go out when so many characters have come together, and at the latest when the input pauses. */
const FULL_CHARS = 16_384

export const explainLines = async ({ flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  const place = { ...(await inquiryPlace(io, flags["with-settings"] === true)), contexts: new Map() }
  const answer = await makeAnswering(place)
  let ready = ""
  const flush = (): void => {
    if (ready !== "") io.out(ready)
    ready = ""
  }
  let isSound = true
  let lineNumber = 0
  const answerLine = async (line: string): Promise<InquiryAnswer> => {
    const inquiry = readInquiry(line)
    if (Result.isSuccess(inquiry)) return (await answer(inquiry.success)).answer
    isSound = false
    return invalidAnswer(line, lineNumber, inquiry.failure)
  }
  for await (const line of io.lines()) {
    lineNumber += 1
    if (line.trim() === "") continue
    // Awaited first: what is added to must be read after the wait, or answers that went out meanwhile go out again.
    const text = printedJson(await answerLine(line))
    if (ready === "") setImmediate(flush)
    ready += `${text}\n`
    if (ready.length >= FULL_CHARS) flush()
  }
  flush()
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
  const answer = await makeAnswering(place)
  const found = await answer(inquiry.success)
  io.out(flags["json"] === true ? `${printedJson(found.answer)}\n` : printed(wordsFor(found)))
  return flags["exit-code"] === true ? EXIT_CODES[found.answer.decision] : 0
}
