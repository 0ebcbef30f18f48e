import { Deferred, Effect } from "effect"
import { isOn, named } from "../../core/domain/env.ts"
import type { SettingsAnswer } from "../../core/settings/question.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { TrustAnswer } from "../../core/trust/decide.ts"
import type { Cmd } from "../../tui/app/cmd.ts"
import { initialModel } from "../../tui/app/initial.ts"
import type { Happening } from "../../tui/app/msg.ts"
import type { UiOptions } from "../../tui/app/options.ts"
import { AWAITED } from "../../tui/app/session-model.ts"
import { useWidthProfile } from "../../tui/cell/width.ts"
import type { FrameSample } from "../../tui/render/stats.ts"
import { bracketsPastes, detectCapabilities, escapeDelayMs } from "../../tui/terminal/detect.ts"
import { queriesFor } from "../../tui/terminal/queries.ts"
import { closeKeyboard, type Keyboard } from "../line/keyboard.ts"
import { readPromptFromStdin } from "../print/stdin.ts"
import { debugOf, debugPathOf, type SessionPlan } from "../session/plan.ts"
import { type SettingsTalk, settleSettings } from "../settings/settle-settings.ts"
import { HANG_UP, onTerminationSignals } from "../signals.ts"
import { checkpoint } from "../startup-profile.ts"
import type { LateQuestion, StartTrust } from "../trust/start-trust.ts"
import type { ChosenInterface } from "./choose-interface.ts"
import { awaitedSession } from "./awaited-session.ts"
import { sourceLayouts } from "./layout-store.ts"
import { markStart } from "./failed-starts.ts"
import { asDebugLine, FrameLog } from "./frame-log.ts"
import { terminalChoices } from "./terminal-choices.ts"
import { TerminalSession } from "./terminal-session.ts"
import { followOptions } from "./live-options.ts"
import { loadUiOptions } from "./ui-options.ts"
import { UiRuntime } from "./ui-runtime.ts"
import { sourceVimrc } from "./vimrc-file.ts"
import type { Workshop } from "./workshop.ts"

/** The full-screen interface: joins terminal, model and sessions, and gives the terminal back whatever happens. */

const CRASHES_ALLOWED = 3
const CRASHES_WITHIN_MS = 10_000
/** A key pressed at the first sight of the prompt is shown before the rest of the program is loaded. */
const FIRST_KEY_MS = 20

/** The first prompt: the argument, then what was piped in. */
const firstPrompt = Effect.fnUntraced(function* ({ start }: SessionPlan, keyboard: Keyboard) {
  if (!keyboard.stdinIsText) return start.prompt
  const piped = yield* readPromptFromStdin(start.prompt !== undefined)
  const text = piped._tag === "Text" ? piped.text.trim() : ""
  if (text === "") return start.prompt
  return start.prompt === undefined ? text : `${start.prompt}\n${text}`
})

/** `--resume` without a name: the browser opens over an empty session. */
const browses = ({ start: { session } }: SessionPlan): boolean =>
  session.from._tag === "Resume" && session.from.session === undefined

const firstPlan = (plan: SessionPlan): SessionPlan =>
  browses(plan)
    ? { ...plan, start: { ...plan.start, session: { ...plan.start.session, from: { _tag: "New" } } } }
    : plan

/** Too many defects in a short time: the interface is given up, the session is not. */
const makeCrashCounter = (giveUp: () => void, tell: (text: string) => void): ((defect: unknown) => void) => {
  let recent: ReadonlyArray<number> = []
  return (defect) => {
    const now = Date.now()
    recent = [...recent.filter((at) => now - at < CRASHES_WITHIN_MS), now]
    tell(`internal error: ${defect instanceof Error ? defect.message : String(defect)}`)
    if (recent.length >= CRASHES_ALLOWED) giveUp()
  }
}

export interface Farewell {
  readonly code: number
  /** The interface itself gave up. */
  readonly hasFailed?: true
  /** Said on the main screen after the terminal was given back. */
  readonly words: ReadonlyArray<string>
}

/** What the interface starts with. */
export interface InteractiveStart {
  readonly plan: SessionPlan
  readonly keyboard: Keyboard
  readonly chosen: ChosenInterface
  readonly trust: StartTrust
}

export const runInteractive = ({ plan, keyboard, chosen, trust }: InteractiveStart): Effect.Effect<number> =>
  Effect.gen(function* () {
    const left = yield* Deferred.make<Farewell>()
    const trustAnswer = yield* Deferred.make<TrustAnswer>()
    let takeTrustAnswer = (answer: TrustAnswer): void => void Deferred.doneUnsafe(trustAnswer, Effect.succeed(answer))
    let takeSettingsAnswer = (_answer: SettingsAnswer): void => {}
    const leave = (farewell: Farewell): void => void Deferred.doneUnsafe(left, Effect.succeed(farewell))
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
    const framePath = plan.env["NACRE_FRAME_LOG"] ?? ""
    const frameLog = framePath === "" ? undefined : new FrameLog(framePath, complain)
    const { enabled, filter = "" } = debugOf(plan)
    /** Only who names it wants a line for each frame; it stands in the log of the session that is open. */
    const wantsFrames = enabled && filter.split(",").some((word) => word.trim() === "ui")
    let debugLog: FrameLog | undefined
    const logFrame = (sample: FrameSample): void => {
      const at = Date.now()
      frameLog?.add(sample, at)
      const session = runtime.current.current
      if (!wantsFrames || session === AWAITED) return
      debugLog ??= new FrameLog(debugPathOf(plan, session), complain, asDebugLine)
      debugLog.add(sample, at)
    }
    const terminal = new TerminalSession({
      keyboard: keyboard.stream,
      screen: process.stdout,
      decoding: {
        escDelayMs: escapeDelayMs(plan.env),
        bracketsPastes: bracketsPastes(plan.env),
        bsIsCtrlBackspace: isOn(named(plan.env, "BS_AS_CTRL_BACKSPACE"))
      },
      caps: () => runtime.current.caps,
      queries: queriesFor(plan.env, caps),
      view: () => runtime.screen(),
      onInput: (event) => tell({ _tag: "Input", event }),
      onResize: (size) => tell({ _tag: "Resized", size }),
      onHangUp: () => leave({ code: HANG_UP, words: [] }),
      guard: settingOf(plan.settings.current().snapshot, "nacre.tui.guard") ?? true,
      fullRepaint: isOn(plan.env["NACRE_FULL_REPAINT"]) || isOn(named(plan.env, "ALT_SCREEN_FULL_REPAINT")),
      onFrame: logFrame
    })
    let workshop: Workshop | undefined
    const early: Array<Cmd> = []
    const onDefect = makeCrashCounter(
      () =>
        leave({
          code: 1,
          hasFailed: true,
          words: ["nacre: the interface failed three times and was closed; the session is saved"]
        }),
      complain
    )
    const sourced = sourceVimrc(
      plan.configHome,
      initialModel({ size: terminal.size, caps, options, keymap: loaded.keymap, now: Date.now() })
    )
    const arranged = sourceLayouts(plan.configHome, sourced.model)
    const runtime: UiRuntime = new UiRuntime({
      initial: arranged.model,
      now: Date.now,
      perform: (cmd: Cmd) => void (workshop === undefined ? early.push(cmd) : workshop.performer.perform(cmd)),
      onChange: (hurry) => terminal.request(hurry),
      onDefect
    })
    const opened = Effect.gen(function* () {
      yield* Effect.sleep(FIRST_KEY_MS)
      const { openWorkshop } = yield* Effect.promise(() => import("./workshop.ts"))
      workshop = openWorkshop({
        plan,
        firstPlan: { ...firstPlan(plan), complain },
        tell,
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
        answerTrust: (answer) => takeTrustAnswer(answer),
        answerSettings: (answer) => takeSettingsAnswer(answer)
      })
      for (const cmd of early.splice(0)) workshop.performer.perform(cmd)
      return workshop
    })
    const release = onTerminationSignals({
      interrupt: () => {
        if (!terminal.isLent) tell({ _tag: "InterruptSignal" })
        return true
      },
      terminate: (code) => leave({ code, words: [] })
    })
    // The terminal is given back before Node writes about a crash, so that the message can be read.
    const giveBack = (): void => terminal.close()
    const onCrash = (): void => {
      giveBack()
      process.stderr.write(
        `nacre: internal error. The session is saved; resume it with: nacre --resume ${runtime.current.current}\n`
      )
    }
    process.once("exit", giveBack)
    process.once("uncaughtExceptionMonitor", onCrash)
    const mark = chosen.interface === "fullscreen" ? markStart(plan.configHome) : undefined
    terminal.enter()
    if (chosen.isTold === true) complain(`the interface is ${chosen.interface} because ${chosen.because}`)
    for (const notice of [...loaded.notices, ...sourced.notices, ...arranged.notices]) complain(notice)
    // Whoever asks for modified keys never hears whether they will come; only xterm itself is known to send them.
    const isXterm = caps.multiplexer === "none" && plan.env["XTERM_VERSION"] !== undefined
    const keyboardNow = () => {
      const { keyboard: protocol } = runtime.current.caps
      return protocol === "kitty" || (protocol === "modifyOtherKeys" && isXterm) ? "extended" : "legacy"
    }
    const following = followOptions({ plan, shown: loaded.options, keyboard: keyboardNow, tell, complain })
    const awaited = options.interface === "inline" ? undefined : awaitedSession(firstPlan(plan))
    if (trust.question !== undefined) tell({ _tag: "TrustAsked", question: trust.question })
    else {
      if (awaited !== undefined) tell({ _tag: "SessionAwaited", facts: awaited })
      if (trust.notice !== undefined) complain(trust.notice)
    }
    terminal.drawNow()
    checkpoint("first frame")
    if (isOn(plan.env["NACRE_EXIT_AFTER_FIRST_RENDER"])) leave({ code: 0, words: [] })

    /** Nothing of the folder takes effect before its question is answered, so the first session waits for it. */
    const settleTrust = Effect.gen(function* () {
      const first = { ...firstPlan(plan), complain }
      if (trust.question === undefined) return first
      const answer = yield* Deferred.await(trustAnswer)
      if (answer === "exit") return undefined
      const settled = yield* trust.settle(first, answer)
      following.catchUp()
      return settled
    })

    const talk: SettingsTalk = {
      ask: (question) =>
        Effect.callback<SettingsAnswer>((resume) => {
          takeSettingsAnswer = (answer) => resume(Effect.succeed(answer))
          tell({ _tag: "SettingsAsked", question })
        }),
      edit: async ({ file, line }) => {
        const { visit } = await import("./external-editor.ts")
        return terminal.lend((leaving) => visit({ path: file, line, env: plan.env, cwd: plan.home, leaving }))
      }
    }

    const askLate = ({ question, accept }: LateQuestion): void => {
      takeTrustAnswer = (answer) => {
        if (answer !== "trust") return
        Effect.runFork(
          Effect.map(accept, (problem) => {
            following.catchUp()
            if (problem !== undefined) complain(problem)
          })
        )
      }
      tell({ _tag: "TrustAsked", question })
    }
    let unwatchFolder = (): void => {}

    const converse = Effect.gen(function* () {
      const work = yield* opened
      const trusted = yield* settleTrust
      if (trusted === undefined) return { code: 0, words: [] }
      const settled = yield* settleSettings(trusted, talk)
      if (settled === undefined) return { code: 1, words: [] }
      work.sessions.replan(settled)
      const prompt = yield* firstPrompt(plan, keyboard)
      const session = yield* work.sessions.openFirst
      checkpoint("session open")
      if (browses(plan)) tell({ _tag: "Browse" })
      setImmediate(() => runtime.warm())
      if (caps.multiplexer === "tmux") {
        void import("./tmux-facts.ts").then(({ heedTmux }) => heedTmux({ plan, wantsMouse: options.mouse, tell, complain }))
      }
      if (options.interface === "fullscreen") {
        const { firstRunSteps } = yield* Effect.promise(() => import("./first-run.ts"))
        tell({ _tag: "FirstRun", steps: yield* firstRunSteps(settled) })
      }
      unwatchFolder = yield* trust.watch(plan.settings, askLate)
      if (prompt !== undefined) session.submit(prompt)
      return yield* Deferred.await(left)
    }).pipe(Effect.catch((why: string) => Effect.succeed<Farewell>({ code: 1, words: [`nacre: ${why}`] })))
    const farewell = yield* Effect.raceFirst(converse, Deferred.await(left))
    if (farewell.hasFailed !== true) mark?.isFine()
    const last = runtime.current
    following.stop()
    unwatchFolder()
    runtime.close()
    terminal.close()
    process.off("exit", giveBack)
    process.off("uncaughtExceptionMonitor", onCrash)
    closeKeyboard(keyboard)
    workshop?.performer.flush()
    // A key pressed once too often must not cut short what is still being saved.
    if (workshop !== undefined) yield* workshop.sessions.closeAll
    release()
    const open = last.sessions.get(last.current)
    const wanted = settingOf(plan.settings.current().snapshot, "nacre.tui.exitSummary") ?? "last"
    const summary =
      options.interface === "fullscreen" && farewell.code !== HANG_UP
        ? (yield* Effect.promise(() => import("./exit-summary.ts"))).exitSummary(open, wanted)
        : []
    const words = [...summary, ...farewell.words]
    if ((open?.state.messages.length ?? 0) > 0) words.push(`Resume this session with: nacre --resume ${last.current}`)
    if (farewell.code !== HANG_UP) for (const line of words) process.stdout.write(`${line}\n`)
    return farewell.code
  })
