import { Effect } from "effect"
import { settingOf } from "../../../../core/settings/snapshot.ts"
import { sideModel } from "../../../../core/model/catalog/side-model.ts"
import { describeFailure } from "../../../../core/model/failure/describe-failure.ts"
import { riskRequest, riskWords } from "../../../../core/permission/classifier/risk-request.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { RiskWords } from "../../../../tui/model/session-model.ts"
import { askModel } from "../../../model/call-model.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import { globalSetting } from "../../stores/global-config.ts"
import type { PerformContext } from "../context/command-context.ts"
import { withSession } from "../sessions/session-commands.ts"

/** The model's view of a call that waits for an answer: one side request, paid by the session. */
type ExplainCall = Extract<Cmd, { readonly _tag: "ExplainCall" }>

const LONGEST_MS = 30_000

const failed = (why: string): RiskWords => ({ _tag: "Failed", why })

export class RiskExplanations {
  /** Ends the request about a call. */
  private readonly stops = new Map<string, () => void>()

  constructor(private readonly context: PerformContext) {}

  ask(cmd: ExplainCall): void {
    const { attempt, tell, withPorts } = this.context
    withSession(this.context, cmd.session, (session) =>
      attempt("the risk was not explained", async () => {
        const risk = await withPorts(Effect.raceFirst(this.explained(cmd, session), this.stopped(cmd.callId)))
        this.stops.delete(cmd.callId)
        if (risk !== undefined) {
          tell({ _tag: "Session", session: cmd.session, news: { _tag: "Explained", callId: cmd.callId, risk } })
        }
      })
    )
  }

  /** Whoever has answered does not wait for it any more. */
  stop(callId: string): void {
    this.stops.get(callId)?.()
  }

  private stopped(callId: string): Effect.Effect<undefined> {
    return Effect.callback<undefined>((resume) => {
      this.stops.set(callId, () => resume(Effect.succeed(undefined)))
    })
  }

  private explained(cmd: ExplainCall, session: SessionHandle) {
    const { plan } = this.context
    const { config, cwd } = session.state()
    const { tool, input, whyAsked, sandbox } = cmd
    const available = settingOf(plan.settings.current().snapshot, "availableModels")
    const asked = sideModel(plan.env, config.choice.model, available)
    const request = riskRequest({ tool, input, whyAsked, sandbox, cwd, model: asked })
    return Effect.gen(function* () {
      if ((yield* globalSetting(plan, "permissionExplainerEnabled")) === false) {
        return failed("permissionExplainerEnabled in .claude.json is false")
      }
      const { text, model, usage } = yield* askModel(request)
      session.offer({ _tag: "SpentBeside", spent: [{ model, usage }] })
      const words = riskWords(text)
      return words === undefined ? failed("the model said nothing") : ({ _tag: "Said", text: words } as const)
    }).pipe(
      Effect.timeoutOrElse({
        duration: LONGEST_MS,
        orElse: () => Effect.succeed(failed(`the model did not answer within ${LONGEST_MS / 1_000} seconds`))
      }),
      Effect.catch((failure) => Effect.succeed(failed(describeFailure(failure))))
    )
  }
}
