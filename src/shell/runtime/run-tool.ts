import { Cause, Effect } from "effect"
import { cutText } from "../../core/tools/contract/result-size.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import type { CallOutcome, Occurrence } from "../../core/loop/machine/event.ts"
import { decisionDigest } from "../../core/permission/decide/digest.ts"
import type { SandboxProblem } from "../../core/permission/facts.ts"
import type { Files } from "../../core/ports/Files.ts"
import { type FactPorts, gather, gatherFacts } from "../facts/gather-facts.ts"
import { lossesOf } from "../facts/uncommitted-losses.ts"
import { boundResult } from "./spill.ts"
import type { BoundExecutor } from "../tools/contract/bound-executor.ts"
import type { SessionContext, ToolContext, ToolProgress } from "../tools/contract/executor.ts"

export interface ToolRun<R> {
  readonly executorOf: (tool: string) => BoundExecutor<R> | undefined
  readonly offer: (occurrence: Occurrence) => void
  /** The part of a tool's context that is the same for every call of the session. */
  readonly session: SessionContext
  /** Why commands that must be confined cannot be; undefined when they can. */
  readonly sandboxProblem: Effect.Effect<SandboxProblem | undefined, never, R>
}

const PROGRESS_GAP_MS = 1_000 / LIMITS.progressPerSecond

type CallPlace = Pick<ToolContext, "callId" | "cwd" | "model" | "pathFacts" | "onlyReads" | "outside">

const contextOf = <R>(run: ToolRun<R>, call: CallPlace, progress: ToolContext["progress"]): ToolContext => ({
  ...run.session,
  ...call,
  spent: (spent) => run.offer({ _tag: "SpentBeside", spent }),
  progress
})

type PrepareCall = Extract<Command, { _tag: "PrepareCall" }>
type StartCall = Extract<Command, { _tag: "StartCall" }>

/** Lets a tool look before it leaps, and gathers what the permission decision depends on. */
export const prepareCall = <R>(run: ToolRun<R>, command: PrepareCall): Effect.Effect<void, never, R | FactPorts> =>
  Effect.gen(function* () {
    const executor = run.executorOf(command.tool)
    const { callId } = command
    if (executor === undefined) {
      return run.offer({ _tag: "CallRefused", callId, message: `Error: No such tool available: ${command.tool}` })
    }
    const gathered = yield* gather(command.wanted)
    const lost = yield* lossesOf([...gathered.analysed.values()], { directory: command.cwd, env: run.session.env })
    const sandboxProblem = command.wanted.confined ? yield* run.sandboxProblem : undefined
    const facts = {
      ...gathered.facts,
      ...(lost.length === 0 ? {} : { lost }),
      ...(sandboxProblem === undefined ? {} : { sandboxProblem })
    }
    const context = contextOf(run, { callId, cwd: command.cwd, model: "" }, () => Effect.void)
    yield* executor.prepare(command.input, context).pipe(
      Effect.match({
        onSuccess: () => run.offer({ _tag: "CallPrepared", callId, facts }),
        onFailure: (refusal) => run.offer({ _tag: "CallRefused", callId, message: refusal.message })
      })
    )
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.sync(() => run.offer({ _tag: "CallRefused", callId: command.callId, message: describeDefect(cause) }))
    )
  )

const describeDefect = (cause: Cause.Cause<unknown>): string =>
  `Error: ${cutText(Cause.pretty(cause), LIMITS.toolErrorChars, "the message is too long")}`

/** Remembers what a running call last showed, so that a cancelled one can still say what it had printed. */
const makeProgress = <R>(run: ToolRun<R>, callId: string) => {
  let shown = ""
  let lastAt = 0
  return {
    shown: () => shown,
    report: (progress: ToolProgress): Effect.Effect<void> =>
      Effect.clockWith((clock) =>
        Effect.sync(() => {
          if (progress.type === "bash_progress") shown = progress.output
          const now = clock.currentTimeMillisUnsafe()
          if (now - lastAt < PROGRESS_GAP_MS) return
          lastAt = now
          run.offer({ _tag: "CallProgressed", callId, progress })
        })
      )
  }
}

const cancelled = (shown: string): CallOutcome => ({
  _tag: "Cancelled",
  content: shown.trim() === "" ? "[Interrupted before it finished.]" : `${shown}\n[Interrupted before it finished.]`,
  data: { stdout: shown, stderr: "", interrupted: true }
})

/** Runs a call, if what was decided is still what would run; otherwise it goes back to be decided anew. */
export const startCall = <R>(run: ToolRun<R>, command: StartCall): Effect.Effect<void, never, R | FactPorts> => {
  const { callId, cwd, input } = command
  const settle = (outcome: CallOutcome) => Effect.sync(() => run.offer({ _tag: "CallSettled", callId, outcome }))
  return gatherFacts(command.wanted, command.facts).pipe(
    Effect.onInterrupt(() => settle(cancelled(""))),
    Effect.matchCauseEffect({
      onSuccess: (facts) =>
        decisionDigest({ tool: { name: command.tool }, input: input.value, cwd, facts }) === command.digest
          ? runCall(run, command)
          : Effect.sync(() => run.offer({ _tag: "CallOutdated", callId, facts })),
      onFailure: (cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.void : settle({ _tag: "Failed", message: describeDefect(cause) })
    })
  )
}

/** Runs a call to its end. However it ends, exactly one outcome is reported. */
const runCall = <R>(run: ToolRun<R>, command: StartCall): Effect.Effect<void, never, R | Files> => {
  const { callId } = command
  const progress = makeProgress(run, callId)
  const settle = (outcome: CallOutcome): void => run.offer({ _tag: "CallSettled", callId, outcome })
  const executor = run.executorOf(command.tool)
  if (executor === undefined) {
    return Effect.sync(() => settle({ _tag: "Failed", message: `Error: No such tool available: ${command.tool}` }))
  }
  const { cwd, model, effort, onlyReads, outside } = command
  const asked = effort === undefined ? {} : { effort }
  const place = { callId, cwd, model, ...asked, pathFacts: command.facts.paths, onlyReads, outside }
  const context = contextOf(run, place, progress.report)
  return executor.run(command.input, context).pipe(
    Effect.flatMap((output) =>
      boundResult({
        tool: command.tool,
        callId,
        content: output.content,
        limitChars: executor.maxResultChars,
        sessionDir: run.session.sessionDir
      }).pipe(
        Effect.map((content): CallOutcome => ({
          _tag: "Returned",
          content,
          data: output.data,
          isError: output.isError === true,
          ...(output.cwd === undefined ? {} : { cwd: output.cwd })
        }))
      )
    ),
    Effect.catch((refusal) =>
      Effect.succeed<CallOutcome>({
        _tag: "Failed",
        message: cutText(
          refusal.message,
          Math.max(LIMITS.toolErrorChars, executor.maxResultChars),
          "the message is too long"
        ),
        ...("data" in refusal && refusal.data !== undefined ? { data: refusal.data } : {})
      })
    ),
    Effect.map(settle),
    Effect.onInterrupt(() => Effect.sync(() => settle(cancelled(progress.shown())))),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : Effect.sync(() => settle({ _tag: "Failed", message: describeDefect(cause) }))
    )
  )
}
