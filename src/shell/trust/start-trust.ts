import { Effect, type Result } from "effect"
import { isOn } from "../../core/domain/env.ts"
import type { TrustAnswer, TrustQuestion } from "../../core/trust/decide.ts"
import type { Gate } from "../../core/trust/gate.ts"
import { trustLayer } from "../layers.ts"
import { globalConfigOptions } from "../session/environment.ts"
import type { SessionPlan } from "../session/plan.ts"
import { acceptFolder, type FolderTrust, lookAtFolder } from "./folder-trust.ts"
import { realOr } from "./read-folder.ts"

/** What scripts and hosts are told, once, when a folder has configuration that does not hold. */
export const NOT_TRUSTED = "workspace not trusted: project settings ignored (use --trust or run nacre trust add)"
const CHANGED = "workspace settings changed: new entries ignored (use --trust or run nacre trust add)"

/** How far the folder of this run is trusted. It begins with what was decided before and changes with an answer. */
export interface StartTrust {
  readonly gate: () => Gate
  /** Set when there is something that only a person can decide. */
  readonly question: TrustQuestion | undefined
  /** For whoever cannot be asked. */
  readonly notice: string | undefined
  /** Takes the answer. The text says why it could not be remembered. */
  readonly answer: (answer: TrustAnswer) => Effect.Effect<string | undefined>
}

const noticeOf = ({ decision }: FolderTrust): string | undefined => {
  if (!decision.ignores) return undefined
  return decision.standing._tag === "Trusted" ? CHANGED : NOT_TRUSTED
}

/** The decision at the start. It reads files as data and starts nothing. */
export const decideAtStart = (
  plan: Pick<SessionPlan, "cwd" | "env" | "home" | "configHome" | "start">
): Effect.Effect<Result.Result<StartTrust, string>> => {
  const at = { start: plan.cwd, home: realOr(plan.home), configHome: realOr(plan.configHome) }
  // Only the environment that the program was started with counts; no file reaches it before this.
  const trustedForRun = plan.start.trust || isOn(plan.env["NACRE_TRUST"])
  const services = trustLayer(globalConfigOptions(plan.env))
  return lookAtFolder(at, trustedForRun).pipe(
    Effect.map((trust): StartTrust => {
      let { gate } = trust
      const accept = acceptFolder(trust, new Date()).pipe(
        Effect.map((accepted) => {
          gate = accepted.gate
          return accepted.problem
        }),
        Effect.provide(services)
      )
      return {
        gate: () => gate,
        question: trust.decision.question,
        notice: noticeOf(trust),
        answer: (answer) => (answer === "trust" ? accept : Effect.succeed(undefined))
      }
    }),
    Effect.mapError(({ message }) => message),
    Effect.result,
    Effect.provide(services)
  )
}
