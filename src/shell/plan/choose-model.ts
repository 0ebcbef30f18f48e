import { Result } from "effect"
import {
  describeModelProblem,
  resolveFallbacks,
  resolveModel,
  type ModelSources
} from "../../core/model/catalog/resolve-model.ts"
import { resolveEffort, resolveThinking } from "../../core/model/request/thinking.ts"
import { type Env, isOn, readVariable } from "../../core/domain/env.ts"
import { profileOf } from "../../core/model/catalog/model.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import { type SessionPlan, startMode } from "./session-plan.ts"

/** Which model answers, and how hard it thinks: flags, variables and settings in their order. */

const aliasTargets = (env: Env) => ({
  ...(env["ANTHROPIC_DEFAULT_OPUS_MODEL"] ? { opus: env["ANTHROPIC_DEFAULT_OPUS_MODEL"] } : {}),
  ...(env["ANTHROPIC_DEFAULT_SONNET_MODEL"] ? { sonnet: env["ANTHROPIC_DEFAULT_SONNET_MODEL"] } : {}),
  ...(env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] ? { haiku: env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] } : {})
})

export interface ModelRequestOptions {
  /** Named while the session runs, by a host or the user. */
  readonly session?: string | undefined
  /** Of the session that is continued. */
  readonly restored?: string | undefined
}

const modelSources = (plan: SessionPlan, options: ModelRequestOptions): ModelSources => {
  const { env, start } = plan
  const { snapshot } = plan.settings.current()
  const available = settingOf(snapshot, "availableModels")
  const required = start.model.requireCredential || isOn(env["NACRE_REQUIRE_CREDENTIAL"])
  const hasCredential = plan.credential !== undefined || required
  // Without a credential the offline model answers, whatever model the settings name for other days.
  const setting = options.restored ?? (hasCredential ? settingOf(snapshot, "model") : undefined)
  return {
    targets: aliasTargets(env),
    planMode: startMode(plan).mode === "plan",
    hasCredential,
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(start.model.model === undefined ? {} : { flag: start.model.model }),
    ...(env["ANTHROPIC_MODEL"] ? { env: env["ANTHROPIC_MODEL"] } : {}),
    ...(setting === undefined ? {} : { setting }),
    ...(available === undefined ? {} : { available })
  }
}

export interface ChosenModel {
  readonly model: string
  readonly fallbacks: ReadonlyArray<string>
}

/** The flag's models, else those of the settings. */
const fallbackNames = ({ start, settings }: SessionPlan): ReadonlyArray<string> => {
  if (start.model.fallbackModels.length > 0) return start.model.fallbackModels
  const names = settingOf(settings.current().snapshot, "fallbackModel") ?? []
  return typeof names === "string" ? [names] : names
}

export const chooseModel = (plan: SessionPlan, options: ModelRequestOptions = {}): Result.Result<ChosenModel, string> => {
  const sources = modelSources(plan, options)
  const choice = resolveModel(sources)
  if (Result.isFailure(choice)) return Result.fail(describeModelProblem(choice.failure))
  const { model } = choice.success
  return Result.succeed({ model, fallbacks: resolveFallbacks(fallbackNames(plan), model, sources) })
}

export const thinkingOf = (plan: SessionPlan, model: string, maxTokens: number) => {
  const { start } = plan
  const always = settingOf(plan.settings.current().snapshot, "alwaysThinkingEnabled")
  const env =
    start.model.maxThinkingTokens === undefined
      ? plan.env
      : { ...plan.env, MAX_THINKING_TOKENS: String(start.model.maxThinkingTokens) }
  return resolveThinking(profileOf(model), maxTokens, {
    env,
    ...(start.model.thinking === undefined ? {} : { sessionToggle: start.model.thinking !== "disabled" }),
    ...(always === undefined ? {} : { alwaysThinkingEnabled: always }),
    ...(start.model.thinkingDisplay === undefined ? {} : { display: start.model.thinkingDisplay })
  })
}

export const effortOf = (plan: SessionPlan, model: string): string | undefined => {
  const setting = settingOf(plan.settings.current().snapshot, "effortLevel")
  return resolveEffort(profileOf(model), {
    ...(setting === undefined ? {} : { setting }),
    ...(readVariable(plan.env, "EFFORT_LEVEL") === undefined ? {} : { env: readVariable(plan.env, "EFFORT_LEVEL") ?? "" }),
    ...(plan.start.model.effort === undefined ? {} : { session: plan.start.model.effort }),
    always: isOn(readVariable(plan.env, "ALWAYS_ENABLE_EFFORT"))
  })
}
