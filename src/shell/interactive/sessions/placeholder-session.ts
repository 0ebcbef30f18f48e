import { Result } from "effect"
import { NO_CLEARING } from "../../../core/context/reduction/reduction.ts"
import { NO_SIDE_TASKS } from "../../../core/context/side/side-task.ts"
import { LIMITS } from "../../../core/domain/limits.ts"
import { initialState } from "../../../core/loop/turn/start-turn.ts"
import type { LoopConfig } from "../../../core/loop/machine/state.ts"
import { makeContext } from "../../../core/permission/configuration/make-context.ts"
import type { OpenedFacts } from "../../../tui/model/msg.ts"
import { AWAITED } from "../../../tui/model/session-model.ts"
import { chooseModel, effortOf } from "../../plan/choose-model.ts"
import { type SessionPlan, startMode } from "../../plan/session-plan.ts"

/**
 * What is known of a new session before it is open: enough to show its prompt and its status row. Nothing ever runs
 * on it.
 */
const configOf = (plan: SessionPlan, model: string): LoopConfig => ({
  place: { sessionId: AWAITED, projectDir: plan.cwd, sessionDir: "", userId: undefined },
  choice: {
    model,
    fallbackModels: [],
    thinking: undefined,
    effort: effortOf(plan, model),
    explicitOutputTokens: undefined,
    windowTokens: undefined,
    betas: [],
    caching: { enabled: false, ttl: "5m" }
  },
  prompt: { system: [], sources: [] },
  compaction: { isAutomatic: false, isDisabled: true, clearing: NO_CLEARING, windowTokens: undefined, percent: undefined },
  limits: {
    maxTurns: undefined,
    maxBudgetUsd: undefined,
    structuredRetries: LIMITS.structuredRetries,
    parallelCalls: 1,
    checkTimeoutMs: 0,
    retry: { maxRetries: 0, watchdog: false }
  },
  side: NO_SIDE_TASKS,
  jsonSchema: undefined,
  hookEvents: [],
  canAsk: true
})

/** Undefined where the session that comes is not a new one, or is known not to open. */
export const awaitedSession = (plan: SessionPlan): OpenedFacts | undefined => {
  const chosen = chooseModel(plan)
  if (plan.start.session.from._tag !== "New" || Result.isFailure(chosen)) return undefined
  const { mode, bypassAvailable } = startMode(plan)
  const { context } = makeContext({
    cwd: { path: plan.cwd, realPath: plan.cwd },
    home: { path: plan.home, realPath: plan.home },
    canPrompt: true,
    bypassAvailable,
    ...(mode === undefined ? {} : { mode })
  })
  return {
    sessionId: AWAITED,
    cwd: plan.cwd,
    branch: undefined,
    title: plan.start.session.name,
    state: initialState({
      config: configOf(plan, chosen.success.model),
      permission: context,
      tools: [],
      cwd: plan.cwd,
      seed: ""
    }),
    draft: undefined,
    earlierPages: 0
  }
}
