/** Runs shell commands: in the foreground until they end, run out of time or are sent away; or in the background. */
import { Effect, Option } from "effect"
import { type CommandExit, Process, type ProcessFailure, type RunningCommand } from "../../../core/ports/Process.ts"
import type { CallId } from "../../../core/domain/id.ts"
import { LIMITS } from "../../../core/domain/limits.ts"
import type { BashInput } from "../../../core/tools/bash/bash.ts"
import { backgroundResult, missingDirectoryNotice } from "../../../core/tools/bash/result.ts"
import { shellInvocation } from "../../../core/tools/bash/invocation.ts"
import { afterTimeout, backgroundTasksEnabled, timeoutMs } from "../../../core/tools/bash/timeout.ts"
import type { Confined, SandboxFailure } from "../../../core/ports/Sandbox.ts"
import type { Files } from "../../../core/ports/Files.ts"
import { CommandPolicy } from "../../sandbox/command-policy.ts"
import { BackgroundTasks } from "../services/background-tasks.ts"
import type { FileState } from "../services/file-state.ts"
import { watchKnownFiles } from "../services/known-files.ts"
import { withProgress } from "./bash-progress.ts"
import { leavesSandbox, settleCommand, type ShellCall } from "./bash-result.ts"
import { type ToolContext, type ToolExecutor, type ToolOutput, ToolRefusal } from "../contract/executor.ts"

export interface BashSettings {
  /** The setting `defaultShell`; bash without it. */
  readonly defaultShell?: string
}

interface Call extends ShellCall {
  readonly taskId: string
}

const refusal = (failure: ProcessFailure | SandboxFailure): ToolRefusal =>
  new ToolRefusal({ message: `Bash: the command was not run. ${failure.message}` })

/** A directory that was deleted meanwhile is replaced by the project's. */
const startDirectory = Effect.fnUntraced(function* (context: ToolContext) {
  const process = yield* Process
  const realPath = yield* process.resolveDirectory(context.cwd)
  if (realPath !== null) return { directory: { path: context.cwd, realPath }, notices: [] }
  const project = yield* process.resolveDirectory(context.projectDir)
  if (project !== null) {
    return {
      directory: { path: context.projectDir, realPath: project },
      notices: [missingDirectoryNotice(context.cwd, context.projectDir)]
    }
  }
  return yield* new ToolRefusal({
    message:
      `Bash: the command was not run. The project directory ${context.projectDir} does not exist any more; ` +
      "ask the user how to go on."
  })
})

interface StartedCommand {
  readonly running: RunningCommand
  readonly confined: Confined | undefined
}

type Startable = Omit<Call, "confined">

type Starting = Effect.fn.Return<StartedCommand, ProcessFailure | SandboxFailure, Process | CommandPolicy>

/** Starts the command with its files in this directory. */
const startIn = Effect.fnUntraced(function* (directory: string, call: Startable, settings: BashSettings): Starting {
  const process = yield* Process
  const policy = yield* CommandPolicy
  const { context, input } = call
  const notePath = `${directory}/${call.taskId}.note`
  const { noteText, ...invocation } = shellInvocation({
    ...settings,
    command: input.command,
    env: context.env,
    sessionId: context.sessionId,
    projectDir: context.projectDir,
    onlyReads: context.onlyReads === true,
    ...(context.effort === undefined ? {} : { effort: context.effort }),
    ...(context.scrub === undefined ? {} : { scrub: context.scrub }),
    notePath
  })
  const confined = yield* policy.confine({
    callId: context.callId,
    command: input.command,
    cwd: call.directory.realPath,
    writableFiles: noteText === undefined ? [] : [notePath],
    outside: leavesSandbox(call)
  })
  const running = yield* process.start({
    ...invocation,
    cwd: call.directory.path,
    outputPath: `${directory}/${call.taskId}.output`,
    outputLimitBytes: LIMITS.bashOutputKillBytes,
    ...(noteText === undefined ? {} : { note: { path: notePath, text: noteText } }),
    ...(confined === undefined ? {} : { confinement: confined.confinement })
  })
  return { running, confined }
})

/** A session that cannot be written (a full disk, a read-only home) does not keep commands from running. */
const start = Effect.fnUntraced(function* (call: Startable, settings: BashSettings): Starting {
  const { scratchDirectory } = yield* Process
  return yield* startIn(`${call.context.sessionDir}/tasks`, call, settings).pipe(
    Effect.catchIf(
      (failure) => failure._tag === "ProcessFailure" && failure.reason === "output",
      () => Effect.flatMap(scratchDirectory, (directory) => startIn(directory, call, settings))
    )
  )
})

type Outcome =
  | { readonly kind: "ended"; readonly exit: CommandExit }
  | { readonly kind: "timeout" }
  | { readonly kind: "moved" }

/** The command's own time is over. What it waited for somebody's answer about a host does not count. */
const timeIsOver = Effect.fnUntraced(function* (callId: CallId, limitMs: number) {
  const { waitedMs } = yield* CommandPolicy
  let granted = 0
  for (let left = limitMs; left > 0;) {
    yield* Effect.sleep(left)
    const waited = waitedMs(callId)
    left = waited - granted
    granted = waited
  }
})

/** The first of: the end, the end of its time, the user's wish to move it. */
const watch = Effect.fnUntraced(function* (running: RunningCommand, context: ToolContext, limitMs: number) {
  const tasks = yield* BackgroundTasks
  return yield* Effect.raceAllFirst([
    Effect.map(running.exit, (exit): Outcome => ({ kind: "ended", exit })),
    Effect.as(timeIsOver(context.callId, limitMs), { kind: "timeout" } satisfies Outcome),
    Effect.as(tasks.moveRequested(context.callId), { kind: "moved" } satisfies Outcome)
  ])
})

const sendToBackground = Effect.fnUntraced(function* (
  call: Call,
  running: RunningCommand,
  why: { readonly reason: "asked" | "timeout" | "user"; readonly limitMs: number }
) {
  const tasks = yield* BackgroundTasks
  const { context, input, taskId } = call
  const { tail } = yield* running.snapshot
  const output: ToolOutput = backgroundResult({
    taskId,
    outputPath: running.outputPath,
    reason: why.reason,
    timeoutMs: why.limitMs,
    tail,
    endsWithAnswer: context.nonInteractive,
    notices: call.notices,
    unsandboxed: leavesSandbox(call) && call.confined === undefined
  })
  yield* tasks.adopt(running, { taskId, callId: context.callId, command: input.command })
  return call.directory.path === context.cwd ? output : { ...output, cwd: call.directory.path }
})

/** The signal leaves at once and the fiber goes free; the registry sees the group to its end, then the file goes. */
const abandon = (running: RunningCommand): Effect.Effect<void> =>
  Effect.andThen(running.beginCancel, Effect.forkDetach(Effect.andThen(running.exit, running.discardOutput)))

const exitAfterCancel = (running: RunningCommand): Effect.Effect<CommandExit> =>
  Effect.map(
    Effect.timeoutOption(running.exit, LIMITS.cancelTermMs),
    Option.getOrElse((): CommandExit => ({ code: null, signal: "SIGKILL", note: null }))
  )

type Interruptible = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Only waiting can be interrupted: a command handed over to the background is never abandoned by accident. */
const runForeground = Effect.fnUntraced(function* (call: Call, running: RunningCommand, interruptible: Interruptible) {
  const { context, input } = call
  const limitMs = timeoutMs(input.timeout, context.env)
  // Begun here too, because the last progress report must not come before the signal.
  const watched = Effect.onInterrupt(watch(running, context, limitMs), () => running.beginCancel)
  const outcome = yield* interruptible(withProgress(watched, running, context))
  if (outcome.kind === "ended") return yield* interruptible(settleCommand(call, running, { exit: outcome.exit }))
  if (outcome.kind === "moved") return yield* sendToBackground(call, running, { reason: "user", limitMs })
  if (afterTimeout(input.command, context.env) === "background") {
    return yield* sendToBackground(call, running, { reason: "timeout", limitMs })
  }
  yield* interruptible(running.cancel)
  const exit = yield* exitAfterCancel(running)
  return yield* interruptible(settleCommand(call, running, { exit, timedOutAfterMs: limitMs }))
})

const NOTHING_CHANGED: ShellCall["changedFiles"] = Effect.succeed([])

const run = Effect.fnUntraced(function* (input: BashInput, context: ToolContext, settings: BashSettings) {
  const tasks = yield* BackgroundTasks
  const taskId = yield* tasks.newId
  const changedFiles = context.onlyReads === true ? NOTHING_CHANGED : yield* watchKnownFiles
  const prepared = { input, context, taskId, changedFiles, ...(yield* startDirectory(context)) }
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { running, confined } = yield* Effect.mapError(start(prepared, settings), refusal)
      const call: Call = { ...prepared, confined }
      if (input.run_in_background === true && backgroundTasksEnabled(context.env)) {
        return yield* sendToBackground(call, running, { reason: "asked", limitMs: 0 })
      }
      return yield* runForeground(call, running, (effect) => Effect.onInterrupt(restore(effect), () => abandon(running)))
    })
  )
})

type BashServices = Process | BackgroundTasks | CommandPolicy | Files | FileState

export const bashExecutor = (settings: BashSettings = {}): ToolExecutor<BashInput, BashServices> => ({
  run: (input, context) => run(input, context, settings)
})
