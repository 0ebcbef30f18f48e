import { isRunning } from "../../core/loop/machine/transition.ts"
import type { OpenSession, PromptOptions, SessionHandle } from "../session/session-handle.ts"
import { Deferred, Effect } from "effect"
import type { ContentBlock } from "../../core/domain/block.ts"
import { MAIN_AGENT } from "../../core/domain/id.ts"
import { hasId } from "../../core/domain/id-set.ts"
import type { Emission, TurnResult } from "../../core/loop/machine/emission.ts"
import type { Start } from "../cli/options.ts"
import { lostOutput } from "../process/output-guard.ts"
import type { Audience } from "../runtime/audience.ts"
import { makeControlChannel, type ControlChannel } from "./host/control-channel.ts"
import type { ServerStatus } from "./output/init-line.ts"
import { answerHost } from "./host/host-requests.ts"
import { readHostMessage } from "./host/host-message.ts"
import type { InputLine } from "../process/line-cutter.ts"
import { commandIn } from "./print-commands.ts"
import { makePrintOutput, type PrintOutput } from "./output/print-output.ts"
import { writesLostLine } from "./output/sdk-message.ts"
import { onTerminationSignals } from "../process/signals.ts"
import { readHostLines, readPromptFromStdin, STDIN_SILENCE_MS } from "../process/stdin.ts"
import { makeLineWriter, type LineWriter } from "./output/line-writer.ts"

export const NO_PROMPT = "Error: Input must be provided either through stdin or as a prompt argument when using --print"

const diagnose = (text: string): void => {
  process.stderr.write(`nacre: ${text}\n`)
}

const newUuid = (): string => crypto.randomUUID()

/** The prompt of a one-shot run: the argument, then a line break and what was piped in. */
const readPrompt = Effect.fnUntraced(function* (start: Start) {
  if (process.stdin.isTTY === true) return start.prompt
  const piped = yield* readPromptFromStdin(start.prompt !== undefined)
  if (piped._tag === "TooLarge")
    return yield* Effect.fail("stdin holds more than 10 MB. Fix: pass a file name and let the model read it")
  if (piped._tag === "Unreadable") {
    diagnose(`stdin could not be read (${piped.why}); going on without it`)
    return start.prompt
  }
  if (piped._tag === "Silent") {
    diagnose(
      `nothing came on stdin for ${STDIN_SILENCE_MS / 1_000} s; going on with the prompt alone. Fix: redirect stdin with < /dev/null`
    )
    return start.prompt
  }
  if (piped.text.trim() === "") return start.prompt
  return start.prompt === undefined ? piped.text : `${start.prompt}\n${piped.text}`
})

interface Run {
  readonly writer: LineWriter
  readonly output: PrintOutput
  /** How the last turn ended: a host may ask for thousands, so no more is kept. */
  readonly lastResult: () => TurnResult | undefined
  readonly interrupted: () => boolean
  readonly markInterrupted: () => void
  session: SessionHandle | undefined
  /** Servers of the host, whose tools the session has. */
  servers: () => ReadonlyArray<ServerStatus>
}

const sessionOf = (run: Run): SessionHandle => {
  if (run.session === undefined) throw new Error("the session is not open")
  return run.session
}

const makeRun = (start: Start, onClosed: () => void): Run => {
  let lastResult: TurnResult | undefined
  const writer = makeLineWriter(process.stdout, onClosed)
  let interrupted = false
  const output = makePrintOutput({
    format: start.output,
    write: writer.write,
    diagnose,
    newUuid,
    session: () => sessionOf(run),
    servers: () => run.servers(),
    onResult: (result) => {
      lastResult = result
    }
  })
  const run: Run = {
    writer,
    output,
    lastResult: () => lastResult,
    interrupted: () => interrupted,
    markInterrupted: () => {
      interrupted = true
    },
    session: undefined,
    servers: () => []
  }
  return run
}

const exitCode = (run: Run): number => {
  if (run.interrupted()) return 130
  const last = run.lastResult()
  if (last === undefined) return 1
  return last.isError ? 1 : 0
}

const isIdle = (session: SessionHandle): boolean => {
  const state = session.state()
  return !isRunning(state) && state.queue.length === 0
}

/** A prompt is a command, or for the model. */
const say = (session: SessionHandle, content: string | ReadonlyArray<ContentBlock>, options?: PromptOptions): void => {
  const command = commandIn(content, session.state)
  if (command?._tag === "Offer") session.offer(command.occurrence)
  else session.submit(content, { ...options, ...(command === undefined ? {} : { answer: command.text }) })
}

/** Runs one prompt to its end. */
const runOnce = (run: Run, start: Start, open: OpenSession) =>
  Effect.gen(function* () {
    const prompt = yield* readPrompt(start)
    if (prompt === undefined || prompt.trim() === "") {
      process.stderr.write(`${NO_PROMPT}\n`)
      if (start.promptHint !== undefined) diagnose(start.promptHint)
      return 1
    }
    const finished = yield* Deferred.make<void>()
    run.session = yield* open(
      audienceOf(run, start, (emission) => {
        if (emission._tag === "TurnFinished") Deferred.doneUnsafe(finished, Effect.void)
      })
    )
    say(sessionOf(run), prompt)
    yield* Deferred.await(finished)
    return exitCode(run)
  })

const audienceOf = (run: Run, start: Start, then: (emission: Emission) => void, control?: ControlChannel): Audience => ({
  onItem: ({ agent, item }) => {
    if (agent !== MAIN_AGENT) return
    if (item._tag === "Streamed") run.output.onModelEvent(item.event)
    if (item._tag !== "Emitted") return
    run.output.onEmission(item.emission)
    then(item.emission)
  },
  events: start.output.includePartialMessages,
  backpressure: run.writer.backpressure,
  ...(control === undefined
    ? {}
    : {
        callHook: control.callHook,
        ...(start.permissions.askHost ? { ask: control.ask } : {})
      })
})

/** Serves a host: prompts and control requests come as lines until its end of the pipe closes. */
const runHosted = (run: Run, start: Start, open: OpenSession) =>
  Effect.gen(function* () {
    let lines = 0
    const settled = new Set<() => void>()
    const control = makeControlChannel({
      write: run.output.send,
      newId: newUuid,
      onTools: () => sessionOf(run).refreshTools(),
      onRequest: (request) =>
        answerHost(request, {
          session: () => sessionOf(run),
          servers: () => control.servers
        })
    })
    run.session = yield* open(
      audienceOf(
        run,
        start,
        (emission) => {
          if (emission._tag !== "TurnFinished") return
          for (const wake of settled) wake()
        },
        control
      )
    )
    const session = run.session
    run.servers = () => control.servers.statuses
    yield* session.addTools(control.servers.tools)
    if (start.prompt !== undefined) say(session, start.prompt)

    const onLine = (line: InputLine): Effect.Effect<void, string> =>
      Effect.suspend(() => {
        lines += 1
        if (line._tag === "TooLong") {
          diagnose("an input line of more than 64 MiB was refused")
          return Effect.void
        }
        const parsed = parseLine(line.text)
        if (parsed === undefined) {
          if (lines === 1) return Effect.fail("the first input line is not JSON. Fix: send one JSON object a line")
          diagnose("an input line that is not JSON was ignored")
          return Effect.void
        }
        const message = readHostMessage(parsed.value)
        if (message._tag === "Malformed") diagnose(`ignored ${message.why}`)
        if (message._tag === "Prompt") {
          const { content, uuid } = message
          if (uuid !== undefined && hasId(session.state().conversation.promptIds, uuid))
            run.output.acknowledge({ uuid, content })
          const { priority, appendOnly } = message
          control.servers.whenReady(() => say(session, content, { uuid, priority, appendOnly }))
        } else {
          control.receive(message)
        }
        return Effect.void
      })

    yield* readHostLines(onLine)
    control.hostLeft()
    yield* Effect.callback<void>((resume) => {
      const check = (): void => {
        if (isIdle(session)) resume(Effect.void)
      }
      settled.add(check)
      check()
    })
    return run.lastResult() === undefined && !run.interrupted() ? 0 : exitCode(run)
  })

const parseLine = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** How long background commands may go on after the last result; none when a signal ended the run. */
const BACKGROUND_GRACE_MS = 5_000
const HIGHEST_PLAIN_CODE = 1

const tellOfLoss = (run: Run): void => {
  const { session } = run
  const line = session === undefined ? undefined : writesLostLine(session.unsaved(), session.facts.sessionId, newUuid())
  if (line !== undefined) run.output.send(line)
}

/** Print mode from first byte to exit code. */
export const runPrint = (start: Start, open: OpenSession): Effect.Effect<number> =>
  Effect.gen(function* () {
    const gone = yield* Deferred.make<number>()
    const run = makeRun(start, () => {
      Deferred.doneUnsafe(gone, Effect.succeed(run.lastResult() === undefined ? 1 : 0))
    })
    const release = onTerminationSignals({
      interrupt: () => {
        if (run.interrupted() || run.session === undefined) return false
        run.markInterrupted()
        run.session.interrupt()
        return true
      },
      terminate: (code) => {
        Deferred.doneUnsafe(gone, Effect.succeed(code))
      }
    })
    const hosted = start.output.inputFormat === "stream-json"
    const giveUp = (why: string) =>
      Effect.sync(() => {
        diagnose(why)
        return 1
      })
    const work = (hosted ? runHosted(run, start, open) : runOnce(run, start, open)).pipe(
      Effect.catch(giveUp),
      Effect.catchDefect((defect) => giveUp(`internal error, please report it: ${String(defect)}`))
    )
    const code = yield* Effect.raceFirst(work, Deferred.await(gone))
    const grace = run.interrupted() || code > HIGHEST_PLAIN_CODE ? 0 : BACKGROUND_GRACE_MS
    if (run.session !== undefined) yield* run.session.close(grace)
    if (code === 0) tellOfLoss(run)
    yield* run.writer.drained
    release()
    const lost = run.writer.failure()
    if (lost === undefined) return code
    process.stderr.write(lostOutput(lost))
    return Math.max(code, 1)
  })
