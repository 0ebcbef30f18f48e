import { Effect, Result } from "effect"
import { isOfflineModel } from "../core/model/catalog/model.ts"
import type { Start } from "./cli/options.ts"
import { parseArgv } from "./cli/parse.ts"
import { USAGE_EXIT_CODE } from "./cli/usage-error.ts"
import { resolveHome } from "./process/home-directory.ts"
import { guardErrors, guardOutput } from "./process/output-guard.ts"
import type { ChosenInterface } from "./interactive/start/choose-interface.ts"
import type { SessionPlan } from "./plan/session-plan.ts"
import type { Application } from "./session/application.ts"
import type { OpenSession } from "./session/session-handle.ts"
import { checkpoint } from "./process/startup-profile.ts"
import { VERSION } from "./process/version.ts"

const complain = (text: string): void => {
  process.stderr.write(`nacre: ${text}\n`)
}

export const OFFLINE_NOTICE =
  "offline model (scripted, not an LLM) answers because no credential was found. Set ANTHROPIC_API_KEY or run nacre login to use a real model"

const RESERVED_TOKEN =
  "CLAUDE_CODE_OAUTH_TOKEN is reserved for the vendor's own client and is not used. Fix: set ANTHROPIC_API_KEY"

const PRINTING: Readonly<Partial<Record<NonNullable<Start["printBecause"]>, string>>> = {
  stdoutIsNoTerminal: "stdout is not a terminal, so this is print mode, as with -p",
  noKeyboard: "there is no terminal to type on, so this is print mode, as with -p"
}

const tellNotices = (start: Start): void => {
  for (const notice of start.notices) complain(notice)
  const printing = start.printBecause === undefined ? undefined : PRINTING[start.printBecause]
  if (printing !== undefined) complain(printing)
  if (start.later.length > 0) {
    complain(`no effect in this version: ${start.later.map(({ flag }) => flag).join(", ")}`)
  }
}

/** Nobody can be asked, so everything is reported. */
const tellSettingsProblems = ({ settings }: SessionPlan): void => {
  for (const text of settings.current().complaints) complain(text)
}

/** Waiting alone does not keep a process alive; a run that waits for a silent model must not end as if it were done. */
const whileAlive = async (work: Promise<number>): Promise<number> => {
  const alive = setInterval(() => {}, 2 ** 30)
  try {
    return await work
  } finally {
    clearInterval(alive)
  }
}

/** The setting decides only where neither the environment nor a flag does. */
const chooseFor = async ({ start, settings, env, configHome }: SessionPlan): Promise<ChosenInterface> => {
  const { wantsLines } = await import("./plan/line-mode.ts")
  const { chooseInterface } = await import("./interactive/start/choose-interface.ts")
  const { hasFailedStarts } = await import("./interactive/start/failed-starts.ts")
  const { isTmuxControlMode } = await import("./interactive/start/tmux-control.ts")
  const { settingOf } = await import("../core/settings/snapshot.ts")
  const { snapshot } = settings.current()
  return chooseInterface({
    wantsLines: wantsLines({ flag: start.axScreenReader, env, setting: settingOf(snapshot, "axScreenReader") }),
    env,
    inlineFlag: start.inline,
    setting: settingOf(snapshot, "tui"),
    controlMode: isTmuxControlMode(env),
    failedStarts: hasFailedStarts(configHome)
  })
}

/** How print and line mode open their one session. The full screen has several and opens them itself. */
const openerFor =
  (application: Application, start: Start, hasKeyboard: boolean) =>
  (plan: SessionPlan): OpenSession =>
  (audience) => {
    application.follow(plan)
    return Effect.tap(application.open(plan, audience), (session) =>
      Effect.sync(() => {
        checkpoint("session open")
        const { model } = session.state().config.choice
        const isStandIn = isOfflineModel(model) && start.model.model === undefined
        if (!isStandIn || hasKeyboard) return
        complain(OFFLINE_NOTICE)
        if (plan.env["CLAUDE_CODE_OAUTH_TOKEN"]) complain(RESERVED_TOKEN)
      })
    )
  }

/** What the whole process has once goes with the program. */
const runIn = async (use: (application: Application) => Effect.Effect<number>): Promise<number> => {
  const { Application } = await import("./session/application.ts")
  const application = new Application()
  return whileAlive(Effect.runPromise(Effect.ensuring(use(application), application.close)))
}

const startSession = async (asked: Start): Promise<number> => {
  if (asked.dumpsSystemPrompt) {
    const { dumpSystemPrompt } = await import("./inspect/system-prompt.ts")
    return whileAlive(dumpSystemPrompt(asked))
  }
  const interactive = asked.printBecause === undefined
  const keyboard = interactive ? (await import("./process/keyboard.ts")).openKeyboard() : undefined
  const start: Start = interactive && keyboard === undefined ? { ...asked, printBecause: "noKeyboard" } : asked
  tellNotices(start)
  const { planSession } = await import("./plan/session-plan.ts")
  const planned = planSession(start, process.env, complain)
  if (Result.isFailure(planned)) {
    complain(planned.failure)
    return 1
  }
  checkpoint("settings read")
  const { decideAtStart } = await import("./trust/start-trust.ts")
  const decided = await Effect.runPromise(decideAtStart(planned.success, process.env))
  if (Result.isFailure(decided)) {
    complain(decided.failure)
    return 1
  }
  const { trust, plan } = decided.success
  checkpoint("trust decided")
  if (keyboard === undefined) {
    tellSettingsProblems(plan)
    if (trust.notice !== undefined) complain(trust.notice)
    const { runPrint } = await import("./print/run-print.ts")
    return runIn((application) => runPrint(start, openerFor(application, start, false)(plan)))
  }
  const chosen = await chooseFor(plan)
  if (chosen.interface === "lines") {
    const { runLine } = await import("./line/run-line.ts")
    return runIn((application) => runLine({ plan, openWith: openerFor(application, start, true), keyboard, trust }))
  }
  const { runInteractive } = await import("./interactive/run-interactive.ts")
  return whileAlive(Effect.runPromise(runInteractive({ plan, keyboard, chosen, trust })))
}

/** Whatever follows belongs to ripgrep, so it is not parsed here. */
const runRipgrep = async (args: ReadonlyArray<string>): Promise<number> => {
  const code = await (await import("./layers/ports.ts")).passToRipgrep(args)
  if (code === undefined) complain("no ripgrep runs here. Fix: install ripgrep, or leave --ripgrep out")
  return code ?? 1
}

/** From arguments to exit code. */
export const run = async (args: ReadonlyArray<string>): Promise<number> => {
  checkpoint("program loaded")
  if (args[0] === "--ripgrep") return runRipgrep(args.slice(1))
  const parsed = parseArgv(args, { stdoutIsTerminal: process.stdout.isTTY === true })
  if (Result.isFailure(parsed)) {
    process.stderr.write(`${parsed.failure.message}\n`)
    return USAGE_EXIT_CODE
  }
  const invocation = parsed.success
  checkpoint("arguments read")
  if (invocation._tag === "Start") guardErrors()
  else guardOutput()
  const homeless = resolveHome()
  if (homeless !== undefined) complain(homeless)
  switch (invocation._tag) {
    case "Version":
      process.stdout.write(`${VERSION} (Nacre)\n`)
      return 0
    case "Help": {
      const { helpText } = await import("./cli/help.ts")
      process.stdout.write(helpText(invocation))
      return 0
    }
    case "Command": {
      const { processIo, runCommand } = await import("./commands/run-command.ts")
      if (invocation.command !== "context") return runCommand(invocation.command, invocation.invocation)
      // It looks at sessions, which the others do not.
      const { runContext } = await import("./inspect/context.ts")
      return whileAlive(runContext(invocation.invocation, processIo()))
    }
    case "Start":
      return startSession(invocation)
  }
}
