import { Effect } from "effect"
import { GlobalConfig } from "../../core/ports/GlobalConfig.ts"
import { trustLayer } from "../layers.ts"
import { trustOptions } from "../session/environment.ts"
import type { SessionPlan } from "../session/plan.ts"

/** A value of the global configuration, read when it is needed; a file that cannot be read says nothing. */
export const globalSetting = ({ env, home }: SessionPlan, key: string): Effect.Effect<unknown> =>
  Effect.flatMap(GlobalConfig, ({ read }) => read).pipe(
    Effect.map((config) => config[key]),
    Effect.orElseSucceed(() => undefined),
    Effect.provide(trustLayer(trustOptions(env, home)))
  )
