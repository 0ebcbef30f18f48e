import { Effect, Result } from "effect"
import { LIMITS } from "../../../../core/domain/limits.ts"
import { type CommandExit, Process, type RunningCommand } from "../../../../core/ports/Process.ts"
import { headAndTail, withoutFinalNewlines } from "../../../../core/tools/bash/clip.ts"
import { missedVariables, scrubHint } from "../../../../core/tools/bash/invocation.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { ShellRun } from "../../../../tui/transcript/entries/shell-run.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import { sessionDirOf } from "../../../plan/session-plan.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"
import { withSession } from "../sessions/session-commands.ts"
import { settingOf } from "../../../../core/settings/snapshot.ts"
import { userShell } from "../context/user-shell.ts"

/** Commands that the user runs from the prompt: beside the conversation, with their output for the model. */
type RunShell = Extract<Cmd, { readonly _tag: "RunShell" }>

interface Job {
  readonly id: string
  readonly command: string
  readonly inContext: boolean
  readonly session: SessionHandle
}

const SHOWN_EVERY_MS = 1_000 / LIMITS.progressPerSecond
const BYTES_PER_CHAR = 3

const start = Effect.fnUntraced(function* ({ id, command, session }: Job, context: PerformContext) {
  const processes = yield* Process
  return yield* processes.start({
    ...userShell(command, session, context.plan.settings.current().env),
    outputPath: `${sessionDirOf(session.facts.transcriptPath)}/tasks/shell-${id}.output`,
    outputLimitBytes: LIMITS.bashOutputKillBytes
  })
})

/** Everything it printed, or both ends and where the rest is. */
const printed = Effect.fnUntraced(function* (running: RunningCommand, { id, session }: Job) {
  const { totalBytes, tail } = yield* running.snapshot
  const mostBytes = LIMITS.bashOutputChars * BYTES_PER_CHAR
  if (totalBytes <= mostBytes) {
    const text = yield* Effect.orElseSucceed(running.readHead(mostBytes), () => tail)
    yield* running.discardOutput
    return withoutFinalNewlines(text)
  }
  const path = `${sessionDirOf(session.facts.transcriptPath)}/tool-results/shell-${id}.txt`
  const head = yield* Effect.orElseSucceed(running.readHead(mostBytes), () => "")
  const end = yield* Effect.orElseSucceed(running.readTail(mostBytes), () => tail)
  const kept = yield* Effect.result(running.keepOutput(path, LIMITS.spillBytes))
  const ends = { head, tail: withoutFinalNewlines(end), maxChars: LIMITS.bashOutputChars }
  return headAndTail(Result.isSuccess(kept) ? { ...ends, path } : ends)
})

/** What is printed cannot end the tag that it stands in. */
const tagged = (tag: string, text: string): string => `<bash-${tag}>${text.replaceAll("</bash-", "<\\/bash-")}</bash-${tag}>`

const exitNote = ({ code, signal }: CommandExit, isCancelled: boolean): string => {
  if (isCancelled) return "The user stopped the command."
  if (signal !== null) return `The command was ended by ${signal}.`
  return code === 0 ? "" : `Exit code ${code ?? "unknown"}`
}

const wantsAnswer = ({ plan }: PerformContext): boolean =>
  settingOf(plan.settings.current().snapshot, "respondToBashCommands") !== false

interface Ended {
  readonly exit: CommandExit
  readonly output: string
  readonly isCancelled: boolean
}

export class ShellRuns {
  /** Variables whose absence was reported already. */
  private readonly hinted = new Set<string>()
  /** What runs now, by session. */
  private readonly running = new Map<string, Map<string, () => void>>()

  constructor(private readonly context: PerformContext) {}

  run({ session: id, command, inContext }: RunShell): void {
    if (command.trim() === "") return
    withSession(this.context, id, (session) => {
      const job: Job = { id: crypto.randomUUID(), command, inContext, session }
      this.context
        .withPorts(this.perform(job))
        .catch((error: unknown) => this.failed(job, messageOf(error)))
        .finally(() => this.running.get(id)?.delete(job.id))
    })
  }

  /** Whether there was anything to stop. */
  interrupt(session: string): boolean {
    const stops = [...(this.running.get(session)?.values() ?? [])]
    for (const stop of stops) stop()
    return stops.length > 0
  }

  stopAll(): void {
    for (const session of this.running.keys()) this.interrupt(session)
  }

  private perform(job: Job) {
    return Effect.gen({ self: this }, function* () {
      this.show(job, { output: "", state: "running" })
      const running = yield* start(job, this.context)
      let isCancelled = false
      const sessionId = job.session.facts.sessionId
      const stop = (): void => {
        isCancelled = true
        Effect.runFork(running.beginCancel)
      }
      this.running.set(sessionId, (this.running.get(sessionId) ?? new Map<string, () => void>()).set(job.id, stop))
      const exit = yield* Effect.raceFirst(running.exit, this.follow(job, running))
      this.settle(job, { exit, isCancelled, output: yield* printed(running, job) })
    })
  }

  /** Shows what it prints as it goes, at a bounded rate. */
  private follow(job: Job, running: RunningCommand): Effect.Effect<never> {
    let shownBytes = 0
    const show = Effect.map(running.snapshot, ({ totalBytes, tail }) => {
      if (totalBytes === shownBytes) return
      shownBytes = totalBytes
      this.show(job, { output: tail, state: "running" })
    })
    return Effect.forever(Effect.andThen(Effect.sleep(SHOWN_EVERY_MS), show))
  }

  /** A failed command that names a variable it did not get may have failed because of that; said once for each. */
  private hintFor({ command }: Job): string {
    const { children, scrub } = this.context.plan.settings.current().env
    const fresh = missedVariables(command, children, scrub).filter((name) => !this.hinted.has(name))
    for (const name of fresh) this.hinted.add(name)
    return fresh.length === 0 ? "" : scrubHint(fresh)
  }

  private settle(job: Job, { exit, output, isCancelled }: Ended): void {
    const end = exitNote(exit, isCancelled)
    const note = [end, isCancelled || end === "" ? "" : this.hintFor(job)].filter((part) => part !== "").join("\n")
    const state = isCancelled ? "cancelled" : note === "" ? "ok" : "failed"
    this.show(job, { output: [output, note].filter((part) => part !== "").join("\n"), state }, job.inContext)
    if (!job.inContext) return
    const { session } = job
    // While a turn runs this waits for its end; the run stays on the screen until a message with its id comes.
    session.submit(tagged("input", job.command), { uuid: job.id, priority: "later", appendOnly: true })
    session.submit(tagged("stdout", output) + tagged("stderr", note), {
      priority: "later",
      appendOnly: isCancelled || !wantsAnswer(this.context)
    })
  }

  private failed(job: Job, why: string): void {
    this.show(job, { output: why, state: "failed" })
    this.context.notice(`the command was not run: ${why}`, "error")
  }

  private show({ id, command, session }: Job, seen: Pick<ShellRun, "output" | "state">, isTold = false): void {
    const run: ShellRun = { id, command, ...seen }
    const news = { _tag: "Shell" as const, run, ...(isTold ? { isTold } : {}) }
    this.context.tell({ _tag: "Session", session: session.facts.sessionId, news })
  }
}
