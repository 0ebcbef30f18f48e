import { Effect, type Result } from "effect"
import { type Env, isOn } from "../../core/domain/env.ts"
import type { TrustAnswer, TrustQuestion } from "../../core/settings/trust/decide.ts"
import { trustLayer } from "../layers/ports.ts"
import { trustOptions } from "../plan/environment.ts"
import { replan, type SessionPlan } from "../plan/session-plan.ts"
import { acceptFolder, type FolderTrust, inspectFolder } from "./folder-trust.ts"
import { realOr } from "./read-folder.ts"
import { watchFolder } from "./watch-folder.ts"

/** What scripts and hosts are told, once, when a folder has configuration that does not hold. */
const NOT_TRUSTED = "workspace not trusted: project settings ignored (use --trust or run nacre trust add)"
const CHANGED = "workspace settings changed: new entries ignored (use --trust or run nacre trust add)"

/** What was decided about the folder before anybody is asked, and how to go on. */
export interface StartTrust {
  /** Set when there is something that only a user can decide. */
  readonly question: TrustQuestion | undefined
  /** For whoever cannot be asked. */
  readonly notice: string | undefined
  /** The plan of a session after an answer. It fails with why there can be none. */
  readonly settle: (plan: SessionPlan, answer: TrustAnswer) => Effect.Effect<SessionPlan, string>
  /** Asks about what the folder comes to want while a session is open, until the answer is called. */
  readonly watch: (settings: SessionPlan["settings"], ask: (question: LateQuestion) => void) => Effect.Effect<() => void>
}

export interface LateQuestion {
  readonly question: TrustQuestion
  /** The new entries take effect. The text says why that was not remembered. */
  readonly accept: Effect.Effect<string | undefined>
}

const noticeOf = ({ decision }: FolderTrust): string | undefined => {
  if (!decision.ignores) return undefined
  return decision.standing._tag === "Trusted" ? CHANGED : NOT_TRUSTED
}

const planWith = (plan: SessionPlan, { gate }: Pick<FolderTrust, "gate">): Effect.Effect<SessionPlan, string> => {
  // Settings are read behind a closed gate at first.
  if (gate.standing._tag === "Trusted") plan.settings.setGate(() => gate)
  return Effect.fromResult(replan(plan))
}

/** A folder that wants nothing was not asked about. Whoever writes its local settings has made it theirs. */
const adoption = (folder: FolderTrust, { settings }: SessionPlan) => {
  const { decision, reading } = folder
  const wasAsked = decision.standing._tag === "Trusted" || decision.question !== undefined
  if (wasAsked || reading.place.kind === "home") return Effect.succeed(false)
  return Effect.suspend(() => acceptFolder(folder, new Date())).pipe(
    Effect.map(({ gate }) => {
      settings.setGate(() => gate)
      return true
    })
  )
}

const forNowOnly = (problem: string): string => `the folder is trusted for this session only: ${problem}`

const acceptLate = (folder: FolderTrust, settings: SessionPlan["settings"]) =>
  Effect.suspend(() => acceptFolder(folder, new Date())).pipe(
    Effect.map(({ gate, problem }) => {
      settings.setGate(() => gate)
      return problem === undefined ? undefined : forNowOnly(problem)
    })
  )

/** What was decided, with the plan that follows from it. */
export interface Decided {
  readonly trust: StartTrust
  readonly plan: SessionPlan
}

/** The decision at the start. It reads files as data and starts nothing. */
export const decideAtStart = (plan: SessionPlan, launchEnv: Env): Effect.Effect<Result.Result<Decided, string>> => {
  const { sources } = plan.start.settings
  const at = { startDir: plan.cwd, home: realOr(plan.home), configHome: realOr(plan.configHome), sources }
  // Only the environment that the program was started with counts, never one that a file had a hand in.
  const trustedForRun = plan.start.trust || isOn(launchEnv["NACRE_TRUST"])
  const services = trustLayer(trustOptions(launchEnv, plan.home))
  return Effect.gen(function* () {
    const folder = yield* inspectFolder(at, trustedForRun).pipe(Effect.mapError(({ message }) => message))
    const accept = (current: SessionPlan) =>
      Effect.gen(function* () {
        const accepted = yield* acceptFolder(folder, new Date()).pipe(Effect.provide(services))
        if (accepted.problem !== undefined) current.complain(forNowOnly(accepted.problem))
        return yield* planWith(current, accepted)
      })
    const trust: StartTrust = {
      question: folder.decision.question,
      notice: noticeOf(folder),
      settle: (current, answer) => (answer === "trust" ? accept(current) : Effect.succeed(current)),
      watch: (settings, ask) => {
        if (trustedForRun) return Effect.succeed(() => {})
        const onQuestion = (late: FolderTrust, question: TrustQuestion): void => {
          const acceptNew = acceptLate(late, settings).pipe(Effect.provide(services))
          ask({ question: { ...question, isLate: true }, accept: acceptNew })
        }
        const { paths } = folder.reading
        return watchFolder({ paths, look: inspectFolder(at, false), onQuestion }).pipe(Effect.provide(services))
      }
    }
    const next = yield* planWith(plan, folder)
    const { question, ignores } = folder.decision
    const isUnaccepted = question !== undefined || ignores
    return { trust, plan: { ...next, isUnaccepted, adoptFolder: adoption(folder, next).pipe(Effect.provide(services)) } }
  }).pipe(Effect.provide(services), Effect.result)
}
