import { Effect } from "effect"
import { Process, type RunResult } from "../../../../core/ports/Process.ts"
import { type CommandSetting, commandSetting } from "../../../../core/settings/command-setting.ts"
import { settingOf } from "../../../../core/settings/snapshot.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"
import { statusInput } from "./status-line-input.ts"
import { userShell } from "../context/user-shell.ts"

/** Runs the user's command for the status line: not too often, never two at once, and nothing waits for it. */
type RunStatusLine = Extract<Cmd, { readonly _tag: "RunStatusLine" }>

const QUIET_MS = 300
const LONGEST_MS = 5_000
const MOST_OUTPUT_BYTES = 64 * 1024

const failureOf = ({ code, signal, timedOut, truncated, stdout, stderr }: RunResult): string | undefined => {
  if (timedOut) return `it took longer than ${LONGEST_MS / 1_000} seconds`
  if (truncated) return "it printed too much"
  if (code === 0) return stdout.trim() === "" ? "it printed nothing" : undefined
  const said = stderr.trim().split("\n", 1)[0] ?? ""
  return [`it ended with ${signal ?? `status ${code ?? "unknown"}`}`, said].filter((part) => part !== "").join(": ")
}

export class StatusLine {
  private readonly openedAt = new Map<string, number>()
  private waiting: NodeJS.Timeout | undefined
  private again: NodeJS.Timeout | undefined
  private endRunning = (): void => {}
  private hasComplained = false

  constructor(private readonly context: PerformContext) {}

  /** Soon, once for everything that changes in the meantime. */
  ask(cmd: RunStatusLine): void {
    this.openedAt.set(cmd.session, this.openedAt.get(cmd.session) ?? Date.now())
    clearTimeout(this.waiting)
    clearTimeout(this.again)
    this.waiting = setTimeout(() => this.begin(cmd), QUIET_MS)
  }

  stop(): void {
    clearTimeout(this.waiting)
    clearTimeout(this.again)
    this.endRunning()
  }

  private begin(cmd: RunStatusLine): void {
    const session = this.context.sessions.get(cmd.session)
    const setting = commandSetting(settingOf(this.context.plan.settings.current().snapshot, "statusLine"))
    if (session === undefined || setting === undefined) return
    this.endRunning()
    this.context.attempt("the status line was not run", async () => {
      const ran = await this.run(setting, session, cmd).catch((error: unknown) => messageOf(error))
      if (ran === undefined) return
      this.said(ran)
      this.repeat(setting, cmd)
    })
  }

  private said(ran: RunResult | string): void {
    const failure = typeof ran === "string" ? ran : failureOf(ran)
    if (failure !== undefined && !this.hasComplained) {
      this.hasComplained = true
      const text = `statusLine: ${failure}`
      this.context.tell({ _tag: "Told", notice: { key: text, text, priority: "low", style: "warning" } })
    }
    const text = typeof ran === "string" || failure !== undefined ? "" : ran.stdout
    this.context.tell({ _tag: "StatusLineSaid", text })
  }

  private repeat({ refreshInterval }: CommandSetting, cmd: RunStatusLine): void {
    if (refreshInterval === undefined || refreshInterval < 1) return
    clearTimeout(this.again)
    this.again = setTimeout(() => this.begin(cmd), refreshInterval * 1_000)
  }

  private run({ command }: CommandSetting, session: SessionHandle, ask: RunStatusLine): Promise<RunResult | undefined> {
    const { plan, withPorts } = this.context
    const shell = userShell(command, session, plan.settings.current().env)
    const input = statusInput({
      state: session.state(),
      facts: session.facts,
      ask,
      addedDirs: plan.additionalDirs,
      openForMs: Date.now() - (this.openedAt.get(ask.session) ?? Date.now())
    })
    const run = Effect.flatMap(Process, (processes) =>
      processes.run({
        ...shell,
        env: { ...shell.env, COLUMNS: String(ask.size.columns), LINES: String(ask.size.rows) },
        stdin: `${JSON.stringify(input)}\n`,
        timeoutMs: LONGEST_MS,
        maxOutputBytes: MOST_OUTPUT_BYTES
      })
    )
    const ended = Effect.callback<undefined>((resume) => {
      this.endRunning = () => resume(Effect.succeed(undefined))
    })
    return withPorts(Effect.raceFirst(run, ended))
  }
}
