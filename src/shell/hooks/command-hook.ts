import { Deferred, Effect } from "effect"
import type { Env } from "../../core/domain/env.ts"
import { readVariable } from "../../core/domain/env.ts"
import type { CommandHandler } from "../../core/hooks/handler.ts"
import { jsonIn, type RawAnswer } from "../../core/hooks/read-answer.ts"
import { Process, type RunResult } from "../../core/ports/Process.ts"
import { quoteWord } from "../../core/tools/bash/invocation.ts"

/** A handler that is a program: it reads the event from stdin, and says what it wants with its exit code and stdout. */

const MIB = 1_024 * 1_024
/** So much of each stream is kept; at the second bound the program is ended. */
const KEEP_BYTES = MIB
const MOST_BYTES = 64 * MIB
const FOREVER_MS = 24 * 3_600_000

export interface CommandRun {
  readonly handler: CommandHandler
  /** One line of JSON. */
  readonly input: string
  readonly cwd: string
  readonly env: Env
  /** The program goes on in the background; what it says then comes here. */
  readonly inBackground: (rest: Effect.Effect<RawAnswer, never, Process>, timeoutMs: number | undefined) => void
}

const PLACEHOLDER = /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g

/** Without a shell nobody else fills them in. */
const filledIn = (text: string, env: Env): string => text.replaceAll(PLACEHOLDER, (_, name: string) => env[name] ?? "")

const programOf = (
  { command, args, shell }: CommandHandler,
  env: Env
): { readonly file: string; readonly args: ReadonlyArray<string> } => {
  if (args !== undefined) return { file: filledIn(command, env), args: args.map((arg) => filledIn(arg, env)) }
  if (shell === "powershell") return { file: "pwsh", args: ["-NoProfile", "-NonInteractive", "-Command", command] }
  const prefix = readVariable(env, "SHELL_PREFIX")
  const text = prefix === undefined ? command : `${prefix} ${quoteWord(command)}`
  return { file: shell ?? "sh", args: ["-c", text] }
}

const exited = ({ code, stdout, stderr }: RunResult): RawAnswer => ({ _tag: "Exited", code, stdout, stderr })

const run = (
  { handler, input, cwd, env }: CommandRun,
  onFirstLine?: (line: string) => void
): Effect.Effect<RawAnswer, never, Process> =>
  Effect.flatMap(Process, (process) =>
    process.run({
      ...programOf(handler, env),
      cwd,
      env,
      stdin: `${input}\n`,
      timeoutMs: FOREVER_MS,
      maxOutputBytes: MOST_BYTES,
      keepBytes: KEEP_BYTES,
      ...(onFirstLine === undefined ? {} : { onFirstLine })
    })
  ).pipe(
    Effect.map(exited),
    Effect.catch(({ message }) => Effect.succeed<RawAnswer>({ _tag: "Failed", why: message }))
  )

/** The first line may say that the program wants to go on in the background. */
const asksForBackground = (line: string): { readonly timeoutMs: number | undefined } | undefined => {
  const said = jsonIn(line)
  if (said?.["async"] !== true) return undefined
  const timeout = said["asyncTimeout"]
  return { timeoutMs: typeof timeout === "number" && timeout > 0 ? timeout : undefined }
}

/** Interrupted, the program's whole group is ended. */
export const runCommand = (spec: CommandRun): Effect.Effect<RawAnswer, never, Process> => {
  const background: RawAnswer = { _tag: "InBackground" }
  if (spec.handler.isAsync) {
    return Effect.sync(() => {
      spec.inBackground(run(spec), spec.handler.timeoutMs)
      return background
    })
  }
  return Effect.gen(function* () {
    const services = yield* Effect.context<Process>()
    const done = Deferred.makeUnsafe<RawAnswer>()
    const moved = Deferred.makeUnsafe<number | undefined>()
    const work = run(spec, (line) => {
      const wish = asksForBackground(line)
      if (wish !== undefined) Deferred.doneUnsafe(moved, Effect.succeed(wish.timeoutMs))
    }).pipe(Effect.tap((answer) => Deferred.succeed(done, answer)))
    const fiber = Effect.runFork(Effect.provideContext(work, services))
    const ended = Effect.map(Deferred.await(done), (answer) => ({ answer }))
    const left = Effect.map(Deferred.await(moved), (timeoutMs) => ({ timeoutMs }))
    const first = yield* Effect.raceFirst(ended, left).pipe(
      Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe()))
    )
    if ("answer" in first) return first.answer
    const rest = Deferred.await(done).pipe(Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe())))
    spec.inBackground(rest, first.timeoutMs)
    return background
  })
}
