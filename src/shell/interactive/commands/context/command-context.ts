import type { Effect } from "effect"
import type { SettingsAnswer } from "../../../../core/settings/startup-question.ts"
import type { TrustAnswer } from "../../../../core/settings/trust/decide.ts"
import type { Happening } from "../../../../tui/model/msg.ts"
import type { Notice } from "../../../../tui/model/notices.ts"
import type { Capabilities } from "../../../../tui/terminal/render/capabilities.ts"
import type { OutOfBand } from "../../../../tui/terminal/render/op.ts"
import type { Ports } from "../../../layers/ports.ts"
import type { SessionPlan } from "../../../plan/session-plan.ts"
import type { Application } from "../../../session/application.ts"
import type { LiveSessions } from "../../sessions/live-sessions.ts"
import type { Counters } from "../../terminal/frame-stats.ts"

/** What carrying out a command of the interface may take. */
export interface TerminalControl {
  /** Lends the terminal to another program. */
  readonly lend: <A>(use: (leaving: AbortSignal) => Promise<A>) => Promise<A>
  readonly sendOutOfBand: (op: OutOfBand) => void
  readonly redraw: () => void
  readonly suspend: () => void
  readonly quit: (code: number) => void
  readonly caps: () => Capabilities
  readonly counters: () => Counters
}

export interface PerformOptions {
  readonly plan: SessionPlan
  readonly application: Pick<Application, "run">
  readonly sessions: Pick<LiveSessions, "get" | "answer" | "open" | "close">
  readonly tell: (happening: Happening) => void
  readonly terminal: TerminalControl
  /** Takes the answer to the question about the folder. */
  readonly answerTrust: (answer: TrustAnswer) => void
  /** The same for the question about settings. */
  readonly answerSettings: (answer: SettingsAnswer) => void
}

export interface PerformContext extends PerformOptions {
  readonly notice: (text: string, style?: Notice["style"]) => void
  /** Runs work on the ports of the application, whose processes are those of no session. */
  readonly withPorts: <A, E>(work: Effect.Effect<A, E, Ports>) => Promise<A>
  /** Starts work that nobody waits for; what goes wrong becomes a notice. */
  readonly attempt: (what: string, work: () => Promise<void>) => void
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const NOTICE_MS = 12_000

export const makeContext = (options: PerformOptions): PerformContext => {
  const { application, tell } = options
  const notice: PerformContext["notice"] = (text, style = "plain") => {
    const timing = style === "plain" || style === "success" ? {} : { timeoutMs: NOTICE_MS }
    tell({ _tag: "Told", notice: { key: text, text, priority: "immediate", style, ...timing } })
  }
  return {
    ...options,
    notice,
    withPorts: (work) => application.run(work),
    attempt: (what, work) => {
      work().catch((error: unknown) => notice(`${what}: ${messageOf(error)}`, "error"))
    }
  }
}
