import { Result } from "effect"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { chooseModel } from "../plan/choose-model.ts"
import { type ConfigInput, makeConfig } from "./loop-config.ts"
import type { HostSetup } from "./session-handle.ts"

const NO_SETUP: HostSetup = { hookEvents: [], hooksAnswerQuestions: false }

/** The loop's options while a session runs: what it began with, and what a user or host has chosen since. */
export interface LiveConfig {
  readonly under: (permission: PermissionContext) => LoopConfig
  readonly setUp: (setup: HostSetup) => void
  /** Undefined: the model that a new session would have. */
  readonly chooseModel: (model: string | undefined) => void
}

export const makeLiveConfig = (start: Omit<ConfigInput, "permission" | "setup">): LiveConfig => {
  const { plan } = start
  let { chosen } = start
  let setup = NO_SETUP
  return {
    under: (permission) => makeConfig({ ...start, chosen, setup, permission }),
    setUp: (next) => {
      setup = next
    },
    chooseModel: (model) => {
      const next = chooseModel(plan, { session: model ?? "default" })
      if (Result.isSuccess(next)) chosen = next.success
      else plan.complain(next.failure)
    }
  }
}
