import { Deferred, Effect } from "effect"
import { isOn, readVariable } from "../../core/domain/env.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { Cmd } from "../../tui/model/cmd.ts"
import { initialModel } from "../../tui/model/initial.ts"
import type { Happening } from "../../tui/model/msg.ts"
import type { UiOptions } from "../../tui/model/ui-options.ts"
import { useWidthProfile } from "../../tui/screen/cell/width.ts"
import { bracketsPastes, detectCapabilities, escapeDelayMs } from "../../tui/terminal/device/detect.ts"
import type { Capabilities } from "../../tui/terminal/render/capabilities.ts"
import { queriesFor } from "../../tui/terminal/device/queries.ts"
import { closeKeyboard, type Keyboard } from "../process/keyboard.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { resolveSettingsErrors } from "../plan/resolve-settings-errors.ts"
import { HANG_UP, onTerminationSignals } from "../process/signals.ts"
import { checkpoint } from "../process/startup-profile.ts"
import type { StartTrust } from "../trust/start-trust.ts"
import type { ChosenInterface } from "./start/choose-interface.ts"
import { awaitedSession } from "./sessions/placeholder-session.ts"
import { makeCrashCounter } from "./start/crash-counter.ts"
import { sourceLayouts } from "./stores/layout-store.ts"
import { markStart } from "./start/failed-starts.ts"
import { type ExitMessage, printExitMessage } from "./start/exit-message.ts"
import { browses, firstPlan, firstPrompt } from "./start/first-session.ts"
import { frameLogger } from "./terminal/frame-log.ts"
import { terminalChoices } from "./terminal/terminal-overrides.ts"
import { TerminalSession } from "./terminal/terminal-session.ts"
import { type Following, followOptions } from "./options/follow-options.ts"
import { StartQuestions } from "./start/start-questions.ts"
import { loadUiOptions } from "./options/ui-options.ts"
import { UiRuntime } from "./ui-runtime.ts"
import { sourceVimrc } from "./stores/vimrc-file.ts"
import type { LateServices } from "./late-services.ts"

/** The full-screen interface: joins terminal, model and sessions, and gives the terminal back whatever happens. */

/** A key pressed at the first sight of the prompt is shown before the rest of the program is loaded. */
const FIRST_KEY_MS = 20

/** What the interface starts with. */
export interface InteractiveStart {
  readonly plan: SessionPlan
  readonly keyboard: Keyboard
  readonly chosen: ChosenInterface
  readonly trust: StartTrust
}

interface Interface extends InteractiveStart {
  readonly caps: Capabilities
  readonly options: UiOptions
  readonly terminal: TerminalSession
  readonly runtime: UiRuntime
  readonly questions: StartQuestions
  readonly following: Following
  readonly commands: LateCommands
  /** What was odd about the files that were read. */
  readonly notices: ReadonlyArray<string>
  readonly tell: (happening: Happening) => void
  readonly complain: (text: string) => void
  readonly leave: (farewell: ExitMessage) => void
}

/** Commands of the interface wait until the services that carry them out are loaded. */
class LateCommands {
  services: LateServices | undefined
  readonly #early: Array<Cmd> = []

  perform(cmd: Cmd): void {
    if (this.services === undefined) this.#early.push(cmd)
    else this.services.performer.perform(cmd)
  }

  serveWith(services: LateServices): void {
    this.services = services
    for (const cmd of this.#early.splice(0)) services.performer.perform(cmd)
  }
}

type TerminalParts = Pick<Interface, "plan" | "keyboard" | "tell" | "complain" | "leave"> & {
  readonly queries: string
  readonly runtime: () => UiRuntime
}

const makeTerminal = ({ plan, keyboard, tell, complain, leave, queries, runtime }: TerminalParts): TerminalSession =>
  new TerminalSession({
    keyboard: keyboard.stream,
    screen: process.stdout,
    decoding: {
      escDelayMs: escapeDelayMs(plan.env),
      bracketsPastes: bracketsPastes(plan.env),
      bsIsCtrlBackspace: isOn(readVariable(plan.env, "BS_AS_CTRL_BACKSPACE"))
    },
    caps: () => runtime().current.caps,
    queries,
    view: () => runtime().screen(),
    onInput: (event) => tell({ _tag: "Input", event }),
    onResize: (size) => tell({ _tag: "Resized", size }),
    onHangUp: () => leave({ code: HANG_UP, words: [] }),
    guard: settingOf(plan.settings.current().snapshot, "nacre.tui.guard") ?? true,
    fullRepaint: isOn(plan.env["NACRE_FULL_REPAINT"]) || isOn(readVariable(plan.env, "ALT_SCREEN_FULL_REPAINT")),
    onFrame: frameLogger(plan, { complain, session: () => runtime().current.current })
  })

const FAILED: ExitMessage = {
  code: 1,
  hasFailed: true,
  words: ["nacre: the interface failed three times and was closed; the session is saved"]
}

/** All parts of the interface, before anything is shown. */
const makeInterface = (start: InteractiveStart, leave: Interface["leave"]): Interface => {
  const { plan, chosen, keyboard, trust } = start
  const loaded = loadUiOptions(plan)
  const caps = { ...detectCapabilities(plan.env), ...terminalChoices(plan).caps }
  useWidthProfile(caps.widthProfile)
  const options: UiOptions = {
    ...loaded.options,
    interface: chosen.interface === "inline" ? "inline" : "fullscreen",
    interfaceBecause: chosen.because
  }
  const tell = (happening: Happening): void => runtime.tell(happening)
  const complain = (text: string): void =>
    tell({ _tag: "Told", notice: { key: text, text, priority: "high", style: "warning", timeoutMs: 12_000 } })
  const commands = new LateCommands()
  const queries = queriesFor(plan.env, caps)
  const terminal = makeTerminal({ plan, keyboard, tell, complain, leave, queries, runtime: () => runtime })
  const first = initialModel({ size: terminal.size, caps, options, keymap: loaded.keymap, now: Date.now() })
  const sourced = sourceVimrc(plan.configHome, first)
  const arranged = sourceLayouts(plan.configHome, sourced.model)
  const runtime: UiRuntime = new UiRuntime({
    initial: arranged.model,
    now: Date.now,
    perform: (cmd: Cmd) => commands.perform(cmd),
    stateOf: (session) => commands.services?.sessions.get(session)?.state(),
    onChange: (hurry) => terminal.request(hurry),
    onDefect: makeCrashCounter(() => leave(FAILED), complain)
  })
  // Whoever asks for modified keys never hears whether they will come; only xterm itself is known to send them.
  const isXterm = caps.multiplexer === "none" && plan.env["XTERM_VERSION"] !== undefined
  const keyboardNow = () => {
    const { keyboard: protocol } = runtime.current.caps
    return protocol === "kitty" || (protocol === "modifyOtherKeys" && isXterm) ? "extended" : "legacy"
  }
  const following = followOptions({ plan, shown: loaded.options, keyboard: keyboardNow, tell, complain })
  const lend: TerminalSession["lend"] = (use) => terminal.lend(use)
  const questions = new StartQuestions({ plan, trust, tell, complain, lend, onTrusted: () => following.catchUp() })
  const notices = [...loaded.notices, ...sourced.notices, ...arranged.notices]
  return { ...start, caps, options, terminal, runtime, questions, following, commands, notices, tell, complain, leave }
}

/** Loads what carries out commands, once the first frame has been seen. */
const openServices = Effect.fnUntraced(function* (ui: Interface) {
  const { plan, runtime, terminal, questions, tell, leave } = ui
  yield* Effect.sleep(FIRST_KEY_MS)
  const { openLateServices } = yield* Effect.promise(() => import("./late-services.ts"))
  const services = openLateServices({
    plan,
    tell,
    grow: (session) => runtime.grow(session),
    terminal: {
      lend: (use) => terminal.lend(use),
      sendOutOfBand: (op) => terminal.send(op),
      redraw: () => terminal.redraw(),
      suspend: () => terminal.suspend(),
      quit: (code) => leave({ code, words: [] }),
      caps: () => runtime.current.caps,
      counters: () => ({
        frames: terminal.stats,
        pools: runtime.poolSizes,
        unknownInput: runtime.current.unknownInput
      })
    },
    answerTrust: (answer) => questions.answerTrust(answer),
    answerSettings: (answer) => questions.answerSettings(answer)
  })
  ui.commands.serveWith(services)
  return services
})

const heedSignals = ({ terminal, tell, leave }: Interface): (() => void) =>
  onTerminationSignals({
    interrupt: () => {
      if (!terminal.isLent) tell({ _tag: "InterruptSignal" })
      return true
    },
    terminate: (code) => leave({ code, words: [] })
  })

/** Until the result is called, the terminal is given back whatever happens. */
const guardTerminal = ({ terminal, runtime }: Interface): (() => void) => {
  // Before Node writes about a crash, so that the message can be read.
  const giveBack = (): void => terminal.close()
  const onCrash = (): void => {
    giveBack()
    process.stderr.write(
      `nacre: internal error. The session is saved; resume it with: nacre --resume ${runtime.current.current}\n`
    )
  }
  process.once("exit", giveBack)
  process.once("uncaughtExceptionMonitor", onCrash)
  return () => {
    process.off("exit", giveBack)
    process.off("uncaughtExceptionMonitor", onCrash)
  }
}

/** The first frame: what is asked or awaited, and what was odd. */
const showFirst = ({ plan, chosen, trust, options, terminal, notices, tell, complain, leave }: Interface): void => {
  terminal.enter()
  if (chosen.isTold === true) complain(`the interface is ${chosen.interface} because ${chosen.because}`)
  for (const notice of notices) complain(notice)
  const awaited = options.interface === "inline" ? undefined : awaitedSession(firstPlan(plan))
  if (trust.question !== undefined) tell({ _tag: "TrustAsked", question: trust.question })
  else {
    if (awaited !== undefined) tell({ _tag: "SessionAwaited", facts: awaited })
    if (trust.notice !== undefined) complain(trust.notice)
  }
  terminal.drawNow()
  checkpoint("first frame")
  if (isOn(plan.env["NACRE_EXIT_AFTER_FIRST_RENDER"])) leave({ code: 0, words: [] })
}

/** Opens the first session, once the folder is trusted and the settings are usable; undefined while nothing ends it. */
const converse = Effect.fnUntraced(function* (ui: Interface) {
  const { plan, keyboard, trust, caps, options, questions, runtime, tell, complain } = ui
  const services = yield* openServices(ui)
  const trusted = yield* questions.settleTrust({ ...firstPlan(plan), complain })
  if (trusted === undefined) return { code: 0, words: [] }
  const settled = yield* resolveSettingsErrors(trusted, questions.talk)
  if (settled === undefined) return { code: 1, words: [] }
  services.application.follow(settled)
  const prompt = yield* firstPrompt(plan, keyboard)
  const session = yield* services.sessions.openFirst
  checkpoint("session open")
  if (browses(plan)) tell({ _tag: "Browse" })
  setImmediate(() => runtime.warm())
  if (caps.multiplexer === "tmux") {
    void import("./terminal/tmux-facts.ts").then(({ heedTmux }) =>
      heedTmux({ plan, wantsMouse: options.mouse, tell, complain })
    )
  }
  if (options.interface === "fullscreen") {
    const { firstRunSteps } = yield* Effect.promise(() => import("./stores/onboarding.ts"))
    tell({ _tag: "FirstRun", steps: yield* firstRunSteps(settled) })
  }
  const unwatch = yield* trust.watch(plan.settings, (late) => questions.askLate(late))
  yield* Effect.addFinalizer(() => Effect.sync(unwatch))
  if (prompt !== undefined) session.submit(prompt)
  return undefined
})

export const runInteractive = (start: InteractiveStart): Effect.Effect<number> =>
  Effect.gen(function* () {
    const left = yield* Deferred.make<ExitMessage>()
    const ui = makeInterface(start, (farewell) => void Deferred.doneUnsafe(left, Effect.succeed(farewell)))
    const { plan, runtime, terminal, commands, options } = ui
    const release = heedSignals(ui)
    const unguard = guardTerminal(ui)
    const mark = start.chosen.interface === "fullscreen" ? markStart(plan.configHome) : undefined
    showFirst(ui)
    const conversation = converse(ui).pipe(
      Effect.flatMap((farewell) => (farewell === undefined ? Deferred.await(left) : Effect.succeed(farewell))),
      Effect.catch((why: string) => Effect.succeed<ExitMessage>({ code: 1, words: [`nacre: ${why}`] }))
    )
    const farewell = yield* Effect.scoped(Effect.raceFirst(conversation, Deferred.await(left)))
    if (farewell.hasFailed !== true) mark?.isFine()
    const last = runtime.current
    ui.following.stop()
    runtime.close()
    terminal.close()
    unguard()
    closeKeyboard(start.keyboard)
    commands.services?.performer.flush()
    // A key pressed once too often must not cut short what is still being saved.
    if (commands.services !== undefined) yield* commands.services.close
    release()
    yield* printExitMessage({ plan, farewell, last, isFullScreen: options.interface === "fullscreen" })
    return farewell.code
  })
