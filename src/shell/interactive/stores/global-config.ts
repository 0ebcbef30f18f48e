import { Effect } from "effect"
import { GlobalConfig } from "../../../core/ports/GlobalConfig.ts"
import { trustLayer } from "../../layers/ports.ts"
import { trustOptions } from "../../plan/environment.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"

/** A value of the global configuration, read when it is needed; a file that cannot be read says nothing. */
export const globalSetting = ({ env, home }: SessionPlan, key: string): Effect.Effect<unknown> =>
  Effect.flatMap(GlobalConfig, ({ read }) => read).pipe(
    Effect.map((config) => config[key]),
    Effect.orElseSucceed(() => undefined),
    Effect.provide(trustLayer(trustOptions(env, home)))
  )
