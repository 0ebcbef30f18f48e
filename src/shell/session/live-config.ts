import { Result } from "effect"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { chooseModel } from "../plan/choose-model.ts"
import { type ConfigInput, makeConfig, schemaOf } from "./loop-config.ts"
import type { SessionTools } from "./session-tools.ts"
import type { HostSetup } from "./session-handle.ts"

const NO_SETUP: HostSetup = { hookEvents: [], hooksAnswerQuestions: false }

/** The loop's options while a session runs: what it began with, and what a user or host has chosen since. */
export interface LiveConfig {
  readonly under: (permission: PermissionContext) => LoopConfig
  readonly tools: SessionTools
  readonly setUp: (setup: HostSetup) => void
  /** Undefined: the model that a new session would have. */
  readonly chooseModel: (model: string | undefined) => void
}

export const makeLiveConfig = (start: Omit<ConfigInput, "toolNames" | "setup">, tools: SessionTools): LiveConfig => {
  const { plan } = start
  let { chosen } = start
  let setup = NO_SETUP
  return {
    under: (permission) => {
      const toolNames = tools.under(permission).map(({ definition }) => definition.name)
      return makeConfig({ ...start, chosen, setup, toolNames })
    },
    tools,
    setUp: (next) => {
      setup = next
      tools.promise(schemaOf({ plan, setup }))
    },
    chooseModel: (model) => {
      const next = chooseModel(plan, { session: model ?? "default" })
      if (Result.isSuccess(next)) chosen = next.success
      else plan.complain(next.failure)
    }
  }
}
