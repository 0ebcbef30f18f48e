import { Effect } from "effect"
import { GlobalConfig } from "../../../core/ports/GlobalConfig.ts"
import { settingOf } from "../../../core/settings/snapshot.ts"
import type { OnboardingStep } from "../../../tui/model/overlay.ts"
import { trustLayer } from "../../layers/ports.ts"
import { trustOptions } from "../../plan/environment.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"

/** What the first start asks for: what no settings file answers, until somebody was asked once. */

const DONE = "hasCompletedOnboarding"

const services = ({ env, home }: SessionPlan) => trustLayer(trustOptions(env, home))

const isPlainStart = ({ start }: SessionPlan): boolean => start.prompt === undefined && start.session.from._tag === "New"

const unanswered = ({ settings }: SessionPlan): ReadonlyArray<OnboardingStep> => {
  const { snapshot } = settings.current()
  return [
    ...(settingOf(snapshot, "theme") === undefined ? ["theme" as const] : []),
    ...(settingOf(snapshot, "editorMode") === undefined ? ["keys" as const] : [])
  ]
}

/** Nothing is asked where the file that remembers the answer cannot be read. */
export const firstRunSteps = (plan: SessionPlan): Effect.Effect<ReadonlyArray<OnboardingStep>> => {
  const steps = isPlainStart(plan) ? unanswered(plan) : []
  if (steps.length === 0) return Effect.succeed([])
  return Effect.flatMap(GlobalConfig, ({ read }) => read).pipe(
    Effect.map((config) => {
      const isThemed = typeof config["theme"] === "string"
      return config[DONE] === true ? [] : steps.filter((step) => step !== "theme" || !isThemed)
    }),
    Effect.orElseSucceed(() => []),
    Effect.provide(services(plan))
  )
}

/** Fails with a sentence for people. */
export const finishOnboarding = (plan: SessionPlan): Promise<void> =>
  Effect.flatMap(GlobalConfig, ({ patch }) => patch([{ path: [DONE], value: true }])).pipe(
    Effect.provide(services(plan)),
    Effect.runPromise
  )
