import { createInterface, type Interface } from "node:readline"
import { Deferred, Effect } from "effect"
import type { PermissionQuestion } from "../../core/loop/command.ts"
import type { PermissionAnswer } from "../../core/loop/event.ts"
import type { Emission } from "../../core/loop/emission.ts"
import { isOfflineModel } from "../../core/domain/model.ts"
import type { ModelEvent } from "../../core/stream/model-event.ts"
import { type Dialog, dialogLines, permissionDialog, readChoice } from "../../tui/line/dialog.ts"
import { linesOf } from "../../tui/line/transcript.ts"
import { visible } from "../../tui/line/visible.ts"
import type { Start } from "../cli/options.ts"
import type { OpenSession } from "../print/run-print.ts"
import type { SessionHandle } from "../session-handle.ts"
import { onTerminationSignals } from "../signals.ts"
import { VERSION } from "../version.ts"

const PROMPT = "you: "
const EXIT_WORDS = new Set(["/exit", "/quit", "exit", "quit"])
const HELP = [
  "Type a prompt and press Enter. While an answer runs, what you type is queued and sent at the next safe point.",
  "Ctrl-C interrupts the running turn; with nothing running it leaves. /exit leaves, /help shows this, tour shows what Nacre can do."
]

interface OpenQuestion {
  readonly dialog: Dialog
  readonly reply: (answer: PermissionAnswer) => void
}

/** The terminal side: lines out, lines in, one dialog at a time. */
class LineTerminal {
  private midLine = false
  private readonly questions: Array<OpenQuestion> = []

  constructor(private readonly input: Interface) {}

  /** Appends whole lines; a streamed text that is still open is ended first. */
  say(...lines: ReadonlyArray<string>): void {
    if (lines.length === 0) return
    this.endStream()
    process.stdout.write(`${lines.join("\n")}\n`)
  }

  stream(text: string): void {
    process.stdout.write(this.midLine ? text : `nacre: ${text}`)
    this.midLine = true
  }

  endStream(): void {
    if (this.midLine) process.stdout.write("\n")
    this.midLine = false
  }

  ready(): void {
    this.endStream()
    this.input.setPrompt(PROMPT)
    this.input.prompt()
  }

  ask(question: PermissionQuestion, reply: (answer: PermissionAnswer) => void): () => void {
    const open: OpenQuestion = { dialog: permissionDialog(question), reply }
    this.questions.push(open)
    if (this.questions.length === 1) this.show(open)
    return () => {
      const at = this.questions.indexOf(open)
      if (at >= 0) this.questions.splice(at, 1)
    }
  }

  /** True when the line answered a question. */
  answer(line: string): boolean {
    const [open] = this.questions
    if (open === undefined) return false
    const answer = readChoice(open.dialog, line)
    if (answer === undefined) {
      this.show(open)
      return true
    }
    this.questions.shift()
    open.reply(answer)
    const [next] = this.questions
    if (next !== undefined) this.show(next)
    return true
  }

  private show(open: OpenQuestion): void {
    this.say(...dialogLines(open.dialog))
    this.input.setPrompt("> ")
    this.input.prompt()
  }
}

const header = (session: SessionHandle): ReadonlyArray<string> => {
  const { model } = session.state().config
  const label = isOfflineModel(model) ? `${model} model (scripted, not an LLM)` : model
  return [`Nacre ${VERSION}`, `Model: ${label}`, `Folder: ${visible(session.facts.cwd)}`, HELP[1] ?? ""]
}

const isBusy = (session: SessionHandle): boolean => {
  const { phase } = session.state()
  return phase._tag !== "Idle" && phase._tag !== "Done"
}

/** The interactive session in plain lines: appended text only, numbered dialogs. */
export const runLine = (start: Start, open: OpenSession): Effect.Effect<number> =>
  Effect.gen(function* () {
    const left = yield* Deferred.make<number>()
    const leave = (code: number): void => void Deferred.doneUnsafe(left, Effect.succeed(code))
    const input = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY === true })
    const terminal = new LineTerminal(input)

    const onEmission = (emission: Emission): void => {
      terminal.say(...linesOf(emission, { streamed: true }))
      if (emission._tag === "TurnFinished") terminal.ready()
    }
    const onModelEvent = (event: ModelEvent): void => {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        terminal.stream(visible(event.delta.text))
      } else if (event.type === "content_block_stop") {
        terminal.endStream()
      }
    }
    const opened = yield* Effect.result(
      open({
        onEmission,
        onModelEvent,
        ask: (question, reply) => terminal.ask(question, reply),
        backpressure: Effect.void
      })
    )
    if (opened._tag === "Failure") {
      process.stderr.write(`nacre: ${opened.failure}\n`)
      input.close()
      return 1
    }
    const session = opened.success

    const interrupt = (): boolean => {
      if (!isBusy(session)) {
        leave(0)
        return true
      }
      terminal.say("[interrupting]")
      session.interrupt()
      return true
    }
    const release = onTerminationSignals({ interrupt, terminate: leave })
    input.on("SIGINT", interrupt)
    input.on("close", () => leave(0))
    input.on("line", (line) => {
      if (terminal.answer(line)) return
      const text = line.trim()
      if (EXIT_WORDS.has(text)) return leave(0)
      if (text === "/help") terminal.say(...HELP)
      if (text === "" || text === "/help") return terminal.ready()
      session.submit(line)
    })

    terminal.say(...header(session))
    if (start.prompt === undefined) terminal.ready()
    else session.submit(start.prompt)

    const code = yield* Deferred.await(left)
    release()
    input.close()
    yield* session.close(0)
    return code
  })
