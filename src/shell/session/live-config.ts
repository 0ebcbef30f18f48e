import { Result } from "effect"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import type { Hooks } from "../hooks/hooks.ts"
import { chooseModel } from "../plan/choose-model.ts"
import { type ConfigInput, makeConfig, schemaOf } from "./loop-config.ts"
import type { SessionTools } from "./session-tools.ts"
import type { HostSetup } from "./session-handle.ts"

/** The loop's options while a session runs: what it began with, and what a user or host has chosen since. */
export interface LiveConfig {
  readonly under: (permission: PermissionContext) => LoopConfig
  readonly tools: SessionTools
  readonly setUp: (setup: HostSetup) => void
  /** Undefined: the model that a new session would have. */
  readonly chooseModel: (model: string | undefined) => void
}

export const makeLiveConfig = (
  start: Omit<ConfigInput, "hookEvents" | "toolNames" | "setup">,
  tools: SessionTools,
  hooks: Pick<Hooks, "events" | "setHost">
): LiveConfig => {
  const { plan } = start
  let { chosen } = start
  let setup: Omit<HostSetup, "hooks"> = {}
  return {
    under: (permission) => {
      const toolNames = tools.under(permission).map(({ definition }) => definition.name)
      return makeConfig({ ...start, chosen, setup, toolNames, hookEvents: hooks.events() })
    },
    tools,
    setUp: (next) => {
      setup = next
      hooks.setHost(next.hooks)
      tools.promise(schemaOf({ plan, setup }))
    },
    chooseModel: (model) => {
      const next = chooseModel(plan, { session: model ?? "default" })
      if (Result.isSuccess(next)) chosen = next.success
      else plan.complain(next.failure)
    }
  }
}
