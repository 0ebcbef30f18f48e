import { isOn, readVariable } from "../../domain/env.ts"
import { LIMITS } from "../../domain/limits.ts"
import { EFFORT_LEVELS, type EffortLevel, type ModelProfile } from "../catalog/model.ts"
import type { Thinking } from "./model-request.ts"

/** How much a model thinks and how hard it tries, from what the user set and what the model can do. */
export interface ThinkingSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly sessionToggle?: boolean
  readonly alwaysThinkingEnabled?: boolean
  /** `--thinking-display`; newer models hide their thoughts unless asked for a summary. */
  readonly display?: string
}

const wholeNumber = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : undefined

/** Only this generation thinks by default and can still be told not to; others are off unless asked, or always on. */
const canBeTurnedOff = (profile: ModelProfile): boolean =>
  profile.thinking === "adaptive" && profile.version?.[0] === 5 && profile.version[1] === 0

const fixedBudget = (wanted: number | undefined, maxTokens: number): Thinking | undefined => {
  // Half of the output leaves as much room for the answer as for the thoughts.
  const budget = Math.min(Math.max(wanted ?? Math.floor(maxTokens / 2), LIMITS.minThinkingTokens), maxTokens - 1)
  return budget < LIMITS.minThinkingTokens ? undefined : { type: "enabled", budget_tokens: budget }
}

/** The request's `thinking`; absent leaves the choice to the endpoint. */
export const resolveThinking = (
  profile: ModelProfile,
  maxTokens: number,
  sources: ThinkingSources
): Thinking | undefined => {
  const { env } = sources
  if (profile.thinking === "none" || isOn(readVariable(env, "DISABLE_THINKING"))) return undefined
  const budget = wholeNumber(env["MAX_THINKING_TOKENS"])
  const wanted = budget !== 0 && (sources.sessionToggle ?? sources.alwaysThinkingEnabled ?? true)
  if (!wanted) return canBeTurnedOff(profile) ? { type: "disabled" } : undefined
  const noAdaptive = isOn(readVariable(env, "DISABLE_ADAPTIVE_THINKING"))
  const fixed = profile.thinking === "budget" || (profile.thinking === "either" && noAdaptive)
  return fixed ? fixedBudget(budget, maxTokens) : { type: "adaptive", display: sources.display ?? "summarized" }
}

export interface EffortSources {
  /** CLAUDE_CODE_EFFORT_LEVEL. */
  readonly env?: string
  /** Skill or agent. */
  readonly frontmatter?: string
  /** `/effort` or `--effort`. */
  readonly session?: string
  readonly setting?: string
  /** CLAUDE_CODE_ALWAYS_ENABLE_EFFORT. */
  readonly always?: boolean
}

const levelOf = (name: string): EffortLevel | undefined => EFFORT_LEVELS.find((level) => level === name.trim().toLowerCase())

const highestNotAbove = (wanted: EffortLevel, supported: ReadonlyArray<EffortLevel>): EffortLevel | undefined =>
  supported.findLast((level) => EFFORT_LEVELS.indexOf(level) <= EFFORT_LEVELS.indexOf(wanted))

/** The request's effort; absent for models that have none. `auto` and unreadable names mean the model's own default. */
export const resolveEffort = (profile: ModelProfile, sources: EffortSources): EffortLevel | undefined => {
  const supported = profile.efforts.length === 0 && sources.always === true ? EFFORT_LEVELS : profile.efforts
  const named = sources.env ?? sources.frontmatter ?? sources.session ?? sources.setting ?? "auto"
  return highestNotAbove(levelOf(named) ?? profile.defaultEffort, supported)
}
