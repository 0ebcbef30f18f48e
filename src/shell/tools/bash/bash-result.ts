/** After the end of a foreground command: reads its output back, keeps what is long, and follows its last directory. */
import { Effect } from "effect"
import { LIMITS } from "../../../core/domain/limits.ts"
import { type CommandExit, type OutputSnapshot, Process, type RunningCommand } from "../../../core/ports/Process.ts"
import type { Confined } from "../../../core/ports/Sandbox.ts"
import type { BashInput } from "../../../core/tools/bash/bash.ts"
import { withoutFinalNewlines } from "../../../core/tools/bash/clip.ts"
import { isOn } from "../../../core/domain/env.ts"
import { directoryAfter, type DirectoryOutcome, type Root } from "../../../core/tools/bash/directory.ts"
import { interpretExit } from "../../../core/tools/bash/exit.ts"
import {
  changedFilesNotice,
  endedResult,
  inlineChars,
  lostOutputNotice,
  overflowNotice,
  type ReadBack
} from "../../../core/tools/bash/result.ts"
import { directoryFromNote } from "../../../core/tools/bash/invocation.ts"
import { outputWindowChars } from "../../../core/tools/bash/timeout.ts"
import type { Files } from "../../../core/ports/Files.ts"
import { CommandPolicy } from "../../sandbox/command-policy.ts"
import type { ToolContext, ToolOutput } from "../contract/executor.ts"

export interface ShellCall {
  readonly input: BashInput
  readonly context: ToolContext
  /** Where the command runs, as the session names it and as the file system does. */
  readonly directory: Root
  readonly notices: ReadonlyArray<string>
  /** Files that the model knows and that were changed since the command began. */
  readonly changedFiles: Effect.Effect<ReadonlyArray<string>, never, Files>
  /** The sandbox it runs in; undefined outside of any. */
  readonly confined: Confined | undefined
}

/** The call or a user wants it outside of the sandbox. */
export const leavesSandbox = ({ input, context }: Pick<ShellCall, "input" | "context">): boolean =>
  input.dangerouslyDisableSandbox === true || context.outside === true

export interface Ending {
  readonly exit: CommandExit
  readonly timedOutAfterMs?: number
}

/** No character of a JavaScript string takes more bytes in UTF-8. */
const BYTES_PER_CHAR = 3
/** Line ends after the last line, which are not shown. */
const FINAL_NEWLINES_BYTES = 64

/** The id comes from the model's endpoint and must not lead anywhere else. */
const keptPath = (context: ToolContext): string =>
  `${context.sessionDir}/tool-results/${context.callId.replace(/[^\w-]/g, "_")}.txt`

interface Reading {
  readonly seen: OutputSnapshot
  readonly maxChars: number
  readonly windowChars: number
  readonly keepAt: string
}

const readBack = Effect.fnUntraced(
  function* (running: RunningCommand, { seen, maxChars, windowChars, keepAt }: Reading) {
    const bytes = seen.totalBytes
    const mostBytes = maxChars * BYTES_PER_CHAR + FINAL_NEWLINES_BYTES
    if (bytes <= mostBytes) {
      const text = bytes === 0 ? "" : withoutFinalNewlines(yield* running.readHead(mostBytes))
      if (text.length <= maxChars) {
        yield* running.discardOutput
        return { kind: "whole", text } satisfies ReadBack
      }
    }
    const head = yield* running.readHead(Math.max(windowChars, maxChars) * BYTES_PER_CHAR)
    const tail = withoutFinalNewlines(yield* running.readTail(maxChars * BYTES_PER_CHAR))
    return yield* running.keepOutput(keepAt, LIMITS.spillBytes).pipe(
      Effect.as<ReadBack>({ kind: "ends", head, tail, bytes, path: keepAt }),
      Effect.catch(({ message }) =>
        Effect.as(running.discardOutput, { kind: "cut", head, tail, cause: message } satisfies ReadBack)
      )
    )
  },
  // Without the file the last bytes in memory are all there is.
  (effect, _running, { seen }) =>
    effect.pipe(
      Effect.catch(({ message }) => Effect.succeed<ReadBack>({ kind: "cut", head: "", tail: seen.tail, cause: message }))
    )
)

const resolveRoot = Effect.fnUntraced(function* (path: string) {
  const process = yield* Process
  return { path, realPath: (yield* process.resolveDirectory(path)) ?? path } satisfies Root
})

const followDirectory = Effect.fnUntraced(function* (call: ShellCall, ending: Ending) {
  const { context, directory } = call
  const stay: DirectoryOutcome = directory.path === context.cwd ? {} : { cwd: directory.path }
  // The directory of a command that was stopped half-way is an accident.
  const endedIn = ending.timedOutAfterMs === undefined ? directoryFromNote(ending.exit.note) : null
  if (endedIn === null || endedIn === directory.realPath) return stay
  const project = yield* resolveRoot(context.projectDir)
  const added = yield* Effect.forEach(context.additionalDirs, resolveRoot)
  const carryOver = !isOn(context.env["CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR"])
  const change = { startedIn: directory.realPath, endedIn, roots: [project, ...added], carryOver } as const
  return { ...stay, ...directoryAfter(change) }
})

const textOf = (output: ReadBack): string => (output.kind === "whole" ? output.text : `${output.head}\n${output.tail}`)

/** What our own doing may have to do with the end: a sandbox that refused, a variable that was kept back. */
const remarksOn = Effect.fnUntraced(function* (call: ShellCall, output: ReadBack, failed: boolean) {
  const policy = yield* CommandPolicy
  const { input, context, directory, confined } = call
  return policy.remarks({
    failed,
    command: input.command,
    env: context.env,
    scrub: context.scrub,
    cwd: directory.realPath,
    output: textOf(output),
    confined
  })
})

export const settleCommand = Effect.fnUntraced(function* (call: ShellCall, running: RunningCommand, ending: Ending) {
  const { context, input } = call
  const { exit, timedOutAfterMs } = ending
  const seen = yield* running.snapshot
  const windowChars = outputWindowChars(context.env)
  const isError = timedOutAfterMs !== undefined || interpretExit(input.command, exit).isError
  const maxChars = inlineChars(isError, windowChars)
  const output = yield* readBack(running, { seen, maxChars, windowChars, keepAt: keptPath(context) })
  const moved = yield* followDirectory(call, ending)
  const changed = yield* call.changedFiles
  const remarks = isError || call.confined !== undefined ? yield* remarksOn(call, output, isError) : []
  const result = endedResult({
    command: input.command,
    end: exit,
    output,
    windowChars,
    notices: [
      ...(seen.overflowed ? [overflowNotice(LIMITS.bashOutputKillBytes)] : []),
      ...(seen.lost === null ? [] : [lostOutputNotice(seen.lost)]),
      ...call.notices,
      ...(changed.length === 0 ? [] : [changedFilesNotice(changed)]),
      ...remarks,
      ...(moved.notice === undefined ? [] : [moved.notice])
    ],
    ...(timedOutAfterMs === undefined ? {} : { timedOutAfterMs }),
    unsandboxed: leavesSandbox(call) && call.confined === undefined
  })
  return { ...result, ...(moved.cwd === undefined ? {} : { cwd: moved.cwd }) } satisfies ToolOutput
})
