import { isRunning } from "../../core/loop/machine/transition.ts"
import { Deferred, Effect } from "effect"
import { MAIN_AGENT } from "../../core/domain/id.ts"
import type { Published } from "../runtime/publications.ts"
import { nextMode } from "../../core/permission/mode.ts"
import { promptText } from "../../core/loop/turn/queue.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { SettingsAnswer } from "../../core/settings/startup-question.ts"
import type { TrustAnswer } from "../../core/settings/trust/decide.ts"
import { isTyped } from "../../tui/model/queued-prompts.ts"
import { settingsDialog } from "../../tui/line/dialogs/settings-dialog.ts"
import { runsIn } from "../../tui/model/dialogs/confinement.ts"
import { trustDialog } from "../../tui/line/dialogs/trust-dialog.ts"
import { linesOf } from "../../tui/line/transcript.ts"
import { visible } from "../../tui/line/visible.ts"
import type { Start } from "../cli/options.ts"
import type { OpenSession, SessionHandle } from "../session/session-handle.ts"
import { readPromptFromStdin, type StdinPrompt } from "../process/stdin.ts"
import { messageOf, type SessionPlan } from "../plan/session-plan.ts"
import type { Audience } from "../runtime/audience.ts"
import { settingsBanners } from "../plan/settings-banners.ts"
import { type SettingsTalk, resolveSettingsErrors, startNotices } from "../plan/resolve-settings-errors.ts"
import { HANG_UP, onTerminationSignals } from "../process/signals.ts"
import type { StartTrust } from "../trust/start-trust.ts"
import { HELP, readCommand } from "./line-commands.ts"
import { closeKeyboard, type Keyboard } from "../process/keyboard.ts"
import { lineModeOf, type LineMode } from "../plan/line-mode.ts"
import { makeLongCalls } from "./long-calls.ts"
import type { LineMemory } from "./line-memory.ts"
import { LineTerminal } from "./line-terminal.ts"
import { welcomeLines } from "./welcome.ts"

const complain = (text: string): void => {
  process.stderr.write(`nacre: ${text}\n`)
}

const isBusy = (session: SessionHandle): boolean => {
  return isRunning(session.state())
}

/** What the session tells, written as it happens. */
const audienceOf = (terminal: LineTerminal, session: () => SessionHandle | undefined): Audience => {
  const endedLong = makeLongCalls(() => performance.now())
  const onEmission = (emission: Emission): void => {
    if (emission._tag === "TurnStarted") terminal.busy()
    if (emission._tag === "TurnFinished" || emission._tag === "PartialDiscarded") terminal.finishStream()
    terminal.say(...linesOf(emission, { streamed: true }))
    if (endedLong(emission)) terminal.ring()
    if (emission._tag !== "TurnFinished") return
    terminal.turnEnded(emission.result.isError)
    const open = session()
    if (open !== undefined && !isBusy(open)) terminal.ready()
  }
  const onModelEvent = (event: ModelEvent): void => {
    if (event.type === "content_block_stop") terminal.finishStream()
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") terminal.stream(event.delta.text)
  }
  const ask: Audience["ask"] = (question, reply) => {
    const state = session()?.state()
    return terminal.ask(question, reply, state === undefined ? undefined : runsIn(question, { state }))
  }
  const onItem = ({ agent, item }: Published): void => {
    if (agent !== MAIN_AGENT) return
    if (item._tag === "Emitted") onEmission(item.emission)
    if (item._tag === "Streamed") onModelEvent(item.event)
  }
  return { onItem, events: true, ask }
}

/** A screen reader gets time to read the first line; any key ends the wait. */
const quiet = (terminal: LineTerminal, mode: LineMode): Effect.Effect<void> =>
  mode.screenReader === undefined || mode.quietMs === 0
    ? Effect.void
    : Effect.callback<void>((resume) => {
        const forget = terminal.input.onceKey(() => resume(Effect.void))
        return Effect.sync(forget)
      }).pipe(Effect.timeoutOption(mode.quietMs), Effect.asVoid)

const whyLeftOut = (piped: Exclude<StdinPrompt, { readonly _tag: "Text" }>): string => {
  switch (piped._tag) {
    case "TooLarge":
      return "holds more than 10 MB"
    case "Unreadable":
      return `could not be read (${piped.why})`
    case "Silent":
      return "is open, but nothing came"
  }
}

/** The first prompt: the argument, then what was piped in. */
const firstPrompt = Effect.fnUntraced(function* (start: Start, keyboard: Keyboard) {
  if (!keyboard.stdinIsText) return start.prompt
  const piped = yield* readPromptFromStdin(start.prompt !== undefined)
  if (piped._tag !== "Text") {
    complain(`stdin ${whyLeftOut(piped)}; going on without it`)
    return start.prompt
  }
  const text = piped.text.trim()
  if (text === "") return start.prompt
  return start.prompt === undefined ? text : `${start.prompt}\n${text}`
})

/** Prompts that a run before this one took but never sent come back into the input line, to be sent or not. */
const takeBackUnsent = (terminal: LineTerminal, session: SessionHandle): void => {
  const unsent = session.state().queue.filter(isTyped)
  if (unsent.length === 0) return
  session.offer({ _tag: "QueueCancelled", uuids: unsent.map(({ uuid }) => uuid) })
  terminal.say("note: the last run ended before this was sent:")
  terminal.input.propose(unsent.map(({ content }) => promptText(content)).join(" "))
}

class LineSession {
  session: SessionHandle | undefined
  private memory: (() => Promise<LineMemory>) | undefined
  readonly terminal: LineTerminal

  constructor(
    keyboard: Keyboard,
    mode: LineMode,
    private readonly leave: (code: number) => void
  ) {
    this.terminal = new LineTerminal({
      keyboard: keyboard.stream,
      screen: process.stdout,
      mode,
      listener: {
        onPrompt: (text) => this.take(text),
        onInterrupt: () => void this.interrupt(),
        onCancel: () => {
          if (this.isBusy) this.session?.interrupt()
        },
        onNextMode: () => this.nextMode(),
        onEnd: () => leave(0)
      }
    })
  }

  begin(session: SessionHandle, plan: SessionPlan): void {
    this.session = session
    let loaded: Promise<LineMemory> | undefined
    this.memory = () => (loaded ??= import("./line-memory.ts").then((module) => new module.LineMemory(session, plan)))
  }

  get isBusy(): boolean {
    return this.session !== undefined && isBusy(this.session)
  }

  /** Ctrl-C: ends the turn, else drops what is typed, else leaves. */
  interrupt(): boolean {
    if (this.isBusy) this.session?.interrupt()
    else if (!this.terminal.input.isEmpty) this.terminal.input.clear()
    else this.leave(0)
    return true
  }

  private nextMode(): void {
    const { session } = this
    if (session !== undefined) session.offer({ _tag: "ModeChanged", mode: nextMode(session.state().permission) })
  }

  /** What fills the window, as it is now. */
  private explainWindow(all: boolean): void {
    const { session } = this
    if (session === undefined) return
    void import("./window-lines.ts").then(({ windowLines }) => this.terminal.say(...windowLines(session.state(), all)))
  }

  private remember(work: (memory: LineMemory) => Promise<ReadonlyArray<string>>): void {
    const said = this.memory?.().then(work) ?? Promise.resolve([])
    said.then(
      (lines) => this.terminal.say(...lines),
      (error: unknown) => this.terminal.say(`error: ${visible(messageOf(error))}`)
    )
  }

  private take(line: string): void {
    const command = readCommand(line)
    switch (command._tag) {
      case "Nothing":
        return
      case "Leave":
        return this.leave(0)
      case "Help":
        return this.terminal.say(...HELP)
      case "Context":
        return this.explainWindow(command.all)
      case "Remember":
        return this.remember((memory) => memory.remember(command.place, command.text))
      case "Memory":
        return this.remember((memory) => memory[command.what]())
      case "Forget":
        return this.remember((memory) => memory.forget(command.name))
      case "Unknown":
        return this.terminal.say(`error: there is no command ${visible(command.name)}. /help shows what there is`)
      case "Prompt":
        this.session?.submit(command.text)
    }
  }
}

/** What the line mode starts with. */
export interface LineStart {
  readonly plan: SessionPlan
  readonly openWith: (plan: SessionPlan) => OpenSession
  readonly keyboard: Keyboard
  readonly trust: StartTrust
}

/** The plan to go on with, if any: nothing of the folder takes effect before its question is answered. */
const settleTrust = Effect.fnUntraced(function* (terminal: LineTerminal, plan: SessionPlan, trust: StartTrust) {
  const { question, notice } = trust
  if (question === undefined) {
    if (notice !== undefined) terminal.say(`warning: ${notice}`)
    return plan
  }
  const answer = yield* Effect.callback<TrustAnswer>((resume) => {
    const withdraw = terminal.askWith(trustDialog(question), (chosen) => resume(Effect.succeed(chosen)))
    return Effect.sync(withdraw)
  })
  return answer === "exit" ? undefined : yield* trust.settle(plan, answer)
})

const settingsTalk = (terminal: LineTerminal, { env, home }: SessionPlan): SettingsTalk => ({
  ask: (question) =>
    Effect.callback<SettingsAnswer>((resume) => {
      const withdraw = terminal.askWith(settingsDialog(question), (chosen) => resume(Effect.succeed(chosen)))
      return Effect.sync(withdraw)
    }),
  edit: async ({ file, line }) => {
    const { runEditor } = await import("../system/external-editor.ts")
    return terminal.lend(() => runEditor({ path: file, line, env, cwd: home }))
  }
})

/** The interactive session in plain lines: appended text only, numbered dialogs. */
export const runLine = ({ plan, openWith, keyboard, trust }: LineStart): Effect.Effect<number> =>
  Effect.gen(function* () {
    const { start } = plan
    const left = yield* Deferred.make<number>()
    const leave = (code: number): void => void Deferred.doneUnsafe(left, Effect.succeed(code))
    const mode = lineModeOf(
      {
        flag: start.axScreenReader,
        env: process.env,
        setting: settingOf(plan.settings.current().snapshot, "axScreenReader")
      },
      complain
    )
    process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => leave(code === "EIO" ? HANG_UP : 1))
    if (mode.screenReader !== undefined) process.stdout.write(`[Screen Reader Mode: on via ${mode.screenReader}]\n`)
    const line = new LineSession(keyboard, mode, leave)
    const { terminal } = line
    const release = onTerminationSignals({ interrupt: () => line.interrupt(), terminate: leave })

    let unwatchFolder = (): void => {}

    const converse = Effect.gen(function* () {
      yield* quiet(terminal, mode)
      for (const text of startNotices(plan)) complain(text)
      const trusted = yield* settleTrust(terminal, plan, trust)
      if (trusted === undefined) return 0
      const settled = yield* resolveSettingsErrors(trusted, settingsTalk(terminal, trusted))
      if (settled === undefined) return 1
      const prompt = yield* firstPrompt(start, keyboard)
      const session = yield* openWith(settled)(audienceOf(terminal, () => line.session))
      line.begin(session, settled)
      unwatchFolder = yield* trust.watch(settled.settings, ({ question, accept }) => {
        terminal.askWith(trustDialog(question), (answer) => {
          if (answer === "trust")
            Effect.runFork(Effect.map(accept, (problem) => (problem === undefined ? undefined : complain(problem))))
        })
      })
      terminal.say(...welcomeLines(session, terminal.spacing))
      terminal.say(...settingsBanners(settled).map((text) => `warning: ${visible(text)}`))
      if (prompt === undefined) {
        terminal.ready()
        takeBackUnsent(terminal, session)
      } else {
        terminal.say(`you: ${visible(prompt)}`)
        session.submit(prompt)
      }
      return yield* Deferred.await(left)
    }).pipe(
      Effect.catch((why: string) =>
        Effect.sync(() => {
          terminal.say(`error: ${visible(why)}`)
          return 1
        })
      )
    )
    const code = yield* Effect.raceFirst(converse, Deferred.await(left))
    unwatchFolder()
    release()
    terminal.close()
    closeKeyboard(keyboard)
    if (line.session !== undefined) yield* line.session.close(0)
    return code
  })
