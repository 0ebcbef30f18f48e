import { Effect } from "effect"
import type { SettingsAnswer } from "../../../core/settings/startup-question.ts"
import type { TrustAnswer } from "../../../core/settings/trust/decide.ts"
import type { Happening } from "../../../tui/model/msg.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"
import type { SettingsTalk } from "../../plan/resolve-settings-errors.ts"
import type { LateQuestion, StartTrust } from "../../trust/start-trust.ts"
import type { TerminalSession } from "../terminal/terminal-session.ts"

interface StartContext {
  readonly plan: SessionPlan
  readonly trust: StartTrust
  readonly tell: (happening: Happening) => void
  readonly complain: (text: string) => void
  readonly lend: TerminalSession["lend"]
  /** What the folder wants takes effect from now on. */
  readonly onTrusted: () => void
}

/** What only the user can decide before, or while, a session is open: trust in the folder, settings that fail. */
export class StartQuestions {
  private takeTrust: (answer: TrustAnswer) => void
  private takeSettings: (answer: SettingsAnswer) => void = () => {}
  /** It may come before anybody waits for it. */
  private readonly firstTrust: Promise<TrustAnswer>

  constructor(private readonly context: StartContext) {
    let take: (answer: TrustAnswer) => void = () => {}
    this.firstTrust = new Promise((resolve) => {
      take = resolve
    })
    this.takeTrust = take
  }

  answerTrust(answer: TrustAnswer): void {
    this.takeTrust(answer)
  }

  answerSettings(answer: SettingsAnswer): void {
    this.takeSettings(answer)
  }

  /** Nothing of the folder takes effect before its question is answered; undefined when the user leaves. */
  settleTrust(first: SessionPlan): Effect.Effect<SessionPlan | undefined, string> {
    const { trust, onTrusted } = this.context
    if (trust.question === undefined) return Effect.succeed(first)
    return Effect.flatMap(
      Effect.promise(() => this.firstTrust),
      (answer) =>
        answer === "exit" ? Effect.succeed(undefined) : Effect.tap(trust.settle(first, answer), () => Effect.sync(onTrusted))
    )
  }

  readonly talk: SettingsTalk = {
    ask: (question) =>
      Effect.callback<SettingsAnswer>((resume) => {
        this.takeSettings = (answer) => resume(Effect.succeed(answer))
        this.context.tell({ _tag: "SettingsAsked", question })
      }),
    edit: async ({ file, line }) => {
      const { lend, plan } = this.context
      const { runEditor } = await import("../../system/external-editor.ts")
      return lend((leaving) => runEditor({ path: file, line, env: plan.env, cwd: plan.home, leaving }))
    }
  }

  /** The folder came to want more while a session is open. */
  askLate({ question, accept }: LateQuestion): void {
    const { complain, onTrusted, tell } = this.context
    this.takeTrust = (answer) => {
      if (answer !== "trust") return
      Effect.runFork(
        Effect.map(accept, (problem) => {
          onTrusted()
          if (problem !== undefined) complain(problem)
        })
      )
    }
    tell({ _tag: "TrustAsked", question })
  }
}
