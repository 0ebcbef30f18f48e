import { Effect } from "effect"
import { configEvents } from "../../core/loop/machine/config.ts"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import type { Driver } from "../runtime/driver.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { changeTools, type SessionTools } from "./session-tools.ts"
import { type Locate, settingsFor } from "./session-settings.ts"

/** Brings changed settings into a running session. */
export interface Following {
  readonly plan: SessionPlan
  readonly driver: Driver
  readonly locate: Locate
  readonly configure: () => LoopConfig
  readonly hooks: Pick<Hooks, "reload">
  readonly tools: SessionTools
  /** Hears of every change once it counts. */
  readonly changed: () => void
  readonly say: (level: "info" | "warning", text: string) => void
}

/** Until the answer is called, changes reach the session: rules at once, options with the next request. */
export const followSettings = ({
  plan,
  driver,
  locate,
  configure,
  hooks,
  tools,
  say,
  changed: onChanged
}: Following): (() => void) => {
  const { settings } = plan
  let former: ReadonlyArray<string> = settings.current().permissions.directories.map(({ path }) => path)
  let reported = new Set(settings.current().complaints)
  const apply = Effect.gen(function* () {
    const applied = yield* settingsFor(plan, locate, former)
    former = applied.directories.map(({ path }) => path)
    driver.offer({ _tag: "SettingsApplied", settings: applied })
    yield* hooks.reload
    onChanged()
    const next = configure()
    const { config } = driver.state()
    const choice = { ...config.choice, thinking: next.choice.thinking }
    const { prompt } = changeTools(driver, tools) ? next : config
    const { compaction, hookEvents, canAsk, side } = next
    const changed = { ...config, choice, compaction, prompt, side, hookEvents, canAsk }
    for (const event of configEvents(config, changed)) {
      driver.offer(event)
    }
  })
  const unlisten = settings.listen(({ loaded, keys, isExternal }) => {
    for (const text of loaded.complaints) if (!reported.has(text)) say("warning", text)
    reported = new Set(loaded.complaints)
    if (isExternal && keys.length > 0) say("info", `settings changed: ${keys.join(", ")}`)
    Effect.runFork(apply)
  })
  const unwatch = settings.watch()
  return () => {
    unlisten()
    unwatch()
  }
}
